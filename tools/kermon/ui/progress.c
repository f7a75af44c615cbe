// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define SILENT_NS	2000000000ULL

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

void progress_start(struct progress *progress, const char *what)
{
	*progress = (struct progress){
		.off = progress->off,
		.what = what,
		.started = now(),
	};
}

void progress_update(void *context, uint64_t done, uint64_t total)
{
	struct progress *progress = context;
	unsigned int percent = total ? done * 100.0 / total : 0;

	if (progress->off || percent == progress->percent ||
	    !isatty(STDERR_FILENO) || now() - progress->started < SILENT_NS)
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
