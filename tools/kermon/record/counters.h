/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to counters.c: counts of perf_event, for kernels without KerMon.
 */
#ifndef KERMON_COUNTERS_H
#define KERMON_COUNTERS_H

#include "request.h"

/**
 * struct counters - open counters; zero it before use
 * @nr: number of counters
 * @counts: their events, and after counters_read() their values
 * @fds: their descriptors, -1 where the kernel does not count the event
 */
struct counters {
	unsigned int nr;
	struct outcome_count counts[OUTCOME_COUNTS];
	int fds[OUTCOME_COUNTS];
};

/*
 * Open counters for process @pid and its descendants, which start at its next exec: time
 * on the CPU, context switches and page faults, what the fixed counters of KerMon count,
 * and @selection. @modes: KERMON_COUNT_*, for the fixed ones. @selection has to outlive
 * @counters. Returns 0, or -errno if not even the time can be counted; close them in any
 * case.
 */
int counters_open(struct counters *counters,
		  const struct kermon_selection *selection, unsigned int modes,
		  pid_t pid);

/* Read the values; a counter that fails has -errno instead. */
void counters_read(struct counters *counters);

void counters_close(struct counters *counters);

#endif /* KERMON_COUNTERS_H */
