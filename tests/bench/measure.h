/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of a switch: two tasks wake each other in turn over pipes, on CPU 0.
 *
 * A pair is a switch-out of a monitored task and the preceding switch-in. A
 * round trip has two of them if both tasks are monitored, and one if only one
 * is. They are counted by the kernel's statistics of each task.
 */
#ifndef KERMON_BENCH_MEASURE_H
#define KERMON_BENCH_MEASURE_H

#include "monitors.h"

#define NOBODY	-1	/* instead of a set: this side is not monitored */

/**
 * struct bound - limits for a pair
 * @instructions: overhead compared with no monitoring; INFINITY if not meaningful
 * @hooks: the part spent in hooks, from where they read the TSC
 * @wrmsr: this and the others as in struct cost
 */
struct bound {
	double instructions;
	double hooks;
	double wrmsr;
	double rdmsr;
	double rdpmc;
	double energy;
};

/**
 * struct way - which tasks are monitored, and how
 * @name: for people
 * @policy: of both tasks
 * @monitor: NULL if no task is monitored
 * @sets: number of the quantity_set() for each side
 * @bound: NULL if there is none
 */
struct way {
	const char *name;
	int policy;
	const struct monitor *monitor;
	int sets[2];
	const struct bound *bound;
};

/**
 * struct cost - the cost of a way
 * @instructions: per round trip, everything that the CPU executes: the mean
 * @median: the same, the median: excludes rounds with interrupts and, if they are less
 *	than half, rounds with preemptions
 * @pairs: per round trip; of both tasks, if the way itself monitors none
 * @preempted: fraction of the switches whose task was still runnable
 * @hooks: per pair, instructions in hooks, as reported by the monitor itself
 * @wrmsr: per pair, of registers of the PMU
 * @rdmsr: per pair, of registers of the PMU and of energy
 * @rdpmc: per pair
 * @energy: RDMSR of an energy counter per millisecond, from the second one on
 */
struct cost {
	double instructions;
	double median;
	double pairs;
	double preempted;
	double hooks;
	double wrmsr;
	double rdmsr;
	double rdpmc;
	double energy;
};

/*
 * Measure @way over @rounds round trips. Meant for a machine on which each
 * instruction is one tick of a 1 GHz TSC, so that the difference of two
 * readings is the number of instructions, whichever task executed them.
 * Register accesses are counted by tracepoints in separate runs of about 1000
 * rounds. Each run is made twice, with different lengths, so that start and end
 * cancel out. Exits on failure, and if @rounds is more than 4000.
 */
struct cost measure(const struct way *way, int rounds);

/*
 * Overhead of @cost over @nothing: difference of the medians, in instructions
 * per pair.
 */
double cost_over(const struct cost *cost, const struct cost *nothing);

#endif /* KERMON_BENCH_MEASURE_H */
