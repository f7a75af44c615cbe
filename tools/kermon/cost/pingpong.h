/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to pingpong.c: two tasks of SCHED_KERMON that wake each other in turn on one
 * CPU, to measure the cost of monitoring. Both are in the class, whether monitored or
 * not, so that the difference excludes the cost of the class.
 *
 * A pair is a switch-out of a monitored task and the switch-in before it: a round, there
 * and back, has as many pairs as monitored tasks.
 */
#ifndef KERMON_PINGPONG_H
#define KERMON_PINGPONG_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct pingpong - parameters
 * @cpu: CPU to run on
 * @rounds: number of rounds; the log needs room for a sample of each switch
 * @sets: event set of each task, NULL if not monitored
 */
struct pingpong {
	int cpu;
	unsigned int rounds;
	const struct kermon_event_set *sets[2];
};

/**
 * struct pingpong_result - measurements
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

/*
 * Run the two tasks to their end. Returns 0 or -errno: -ENOBUFS if samples were lost, -EIO
 * if counts were impossible, -ECHILD if a task failed.
 */
int pingpong_play(const struct pingpong *pingpong,
		  struct pingpong_result *result);

#endif /* KERMON_PINGPONG_H */
