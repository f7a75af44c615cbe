// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "progress.h"
#include "util/monotonic.h"

#define SILENT_NS	2000000000ULL

void progress_start(struct progress *progress, const char *what)
{
	*progress = (struct progress){
		.off = progress->off,
		.what = what,
		.started = monotonic_ns(),
	};
}

void progress_update(void *context, uint64_t done, uint64_t total)
{
	struct progress *progress = context;
	unsigned int percent = total ? done * 100.0 / total : 0;

	if (progress->off || percent == progress->percent ||
	    !isatty(STDERR_FILENO) || monotonic_ns() - progress->started < SILENT_NS)
		return;
	progress->percent = percent;
	progress->shown = true;
	fprintf(stderr, "\r%s %3u%%", progress->what, percent);
}

void progress_finish(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
