/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two tasks of SCHED_FIFO that wake each other in turn on a CPU, to see what
 * monitoring costs: of other policies, the time that it takes would decide who
 * preempts whom, and with that what a switch costs. A pair is a switch-out of a monitored task and the switch-in
 * before it; there and back there are as many as there are monitored tasks.
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
 * @cycles: of the TSC, from begin to end
 * @samples: in the logs
 * @cost: TSC cycles that the kernel says that they took
 * @oncpu: TSC cycles that they are of
 * @instructions: meanwhile, if the first programmed event of the sets is that
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
