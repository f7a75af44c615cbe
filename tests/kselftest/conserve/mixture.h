/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A planned mix of tasks that runs as one application, and its log.
 */
#ifndef KERMON_TEST_MIXTURE_H
#define KERMON_TEST_MIXTURE_H

#include <linux/kermon.h>

#include "plan.h"
#include "tally.h"

/**
 * struct mixture - all zero to begin with
 * @flags: KERMON_SET_* that are asked for
 * @cpus: that tasks move between: 1 or 2
 * @plan: what they do
 * @end: at its end when all tasks have ended
 * @log: descriptor; while it is open, the CPUs keep counting
 * @records: all that was in the log
 * @tally: of them
 */
struct mixture {
	uint32_t flags;
	unsigned int cpus;
	struct plan *plan;
	int end;
	int log;
	struct records records;
	struct tally tally;
};

/*
 * For all mixtures of this process: from now on it is on CPU 0, and the children of
 * those that end before them become its own, and vanish by themselves. 0, or -1
 * with errno, as all here.
 */
int mixture_prepare(void);

/* @nr tasks that follow from @seed; the first is there, and monitored. */
int mixture_start(struct mixture *mixture, unsigned int nr, uint64_t seed);

/* Until all have ended. Always the same number of instructions in user mode. */
int mixture_go(struct mixture *mixture);

/* The whole log; EPROTO if it contradicts itself, ENOBUFS if anything was lost. */
int mixture_read(struct mixture *mixture);

void mixture_free(struct mixture *mixture);

#endif /* KERMON_TEST_MIXTURE_H */
