/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two tasks of SCHED_KERMON that wake each other in turn on one CPU, through pipes, to
 * measure what monitoring costs. Both are of the class, whether they are monitored or
 * not, so that what monitoring adds is not mixed with what the class adds.
 *
 * A pair is a switch-out of a monitored task and the switch-in before it: in one round,
 * there and back, there are as many pairs as monitored tasks.
 */
#ifndef KERMON_PINGPONG_H
#define KERMON_PINGPONG_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct pingpong - what to do
 * @cpu: where
 * @rounds: how often there and back; a sample of each switch fits into the log
 * @sets: what each task is monitored with; NULL for not at all
 */
struct pingpong {
	int cpu;
	unsigned int rounds;
	const struct kermon_event_set *sets[2];
};

/**
 * struct pingpong_result - what came of it
 * @cycles: TSC cycles of all rounds, measured by the first task
 * @samples: in the logs of the monitored tasks
 * @cost: TSC cycles spent on taking these samples, by the kernel's own account
 * @oncpu: TSC cycles that these samples cover
 * @instructions: sum of the first programmed event of these samples, which is to count
 *	instructions; 0 without programmed events
 */
struct pingpong_result {
	uint64_t cycles;
	uint64_t samples;
	uint64_t cost;
	uint64_t oncpu;
	uint64_t instructions;
};

/* 0 or -errno. */
int pingpong_play(const struct pingpong *pingpong,
		  struct pingpong_result *result);

#endif /* KERMON_PINGPONG_H */
