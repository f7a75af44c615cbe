/* SPDX-License-Identifier: GPL-2.0 */
/* A line on standard error about work that takes more than two seconds. */
#ifndef KERMON_PROGRESS_H
#define KERMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool off;		/* --no-progress */
	const char *what;
	uint64_t started;	/* ns */
	unsigned int percent;	/* that was shown last */
	bool shown;
};

/* "@what  42%": only if standard error is a terminal. Keeps @progress->off. */
void progress_start(struct progress *progress, const char *what);
/* A kermon_report_options.progress; @context is the struct progress. */
void progress_update(void *context, uint64_t done, uint64_t total);
/* Takes the line away. */
void progress_finish(struct progress *progress);

#endif /* KERMON_PROGRESS_H */
