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
 * struct mixture - initialised to zero
 * @flags: KERMON_SET_* to use
 * @cpus: number of CPUs that tasks move between: 1 or 2
 * @plan: plan of all tasks
 * @end: pipe that reaches end of file when all tasks have exited
 * @log: descriptor; while it is open, the CPUs keep counting
 * @records: contents of the log
 * @tally: sum of @records
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
 * Prepare this process for mixtures: bind it to CPU 0 and let it inherit
 * orphaned tasks, which are reaped automatically. 0, or -1 with errno, as for
 * all functions here.
 */
int mixture_prepare(void);

/*
 * Plan @nr tasks from @seed; the first one exists and is monitored afterwards.
 */
int mixture_start(struct mixture *mixture, unsigned int nr, uint64_t seed);

/*
 * Run until all have exited; executes a constant number of user-mode
 * instructions.
 */
int mixture_go(struct mixture *mixture);

/*
 * Read the whole log; EPROTO if it is inconsistent, ENOBUFS if samples were
 * lost.
 */
int mixture_read(struct mixture *mixture);

void mixture_free(struct mixture *mixture);

#endif /* KERMON_TEST_MIXTURE_H */
