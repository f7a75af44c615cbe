/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a switch costs: two tasks wake each other in turn over pipes, on CPU 0.
 *
 * A pair is a switch-out of a monitored task and the switch-in before it. On the
 * way there and back there are two of them if both tasks are monitored, and one
 * if one is. They are counted, by what the kernel says of each task.
 */
#ifndef KERMON_BENCH_MEASURE_H
#define KERMON_BENCH_MEASURE_H

#include "monitors.h"

#define NOBODY	-1	/* in place of a set: this side is not monitored */

/**
 * struct bound - the most that a pair may take
 * @instructions: over those of nothing; INFINITY where that is no measure
 * @hooks: of these in hooks, from where they read the TSC
 * @wrmsr: and the others as in struct cost
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
 * struct way - who is monitored, and how
 * @name: for people
 * @policy: of both tasks
 * @monitor: NULL if nobody is
 * @sets: number of the quantity_set() each side is monitored with
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
 * struct cost - what it takes
 * @instructions: there and back, all that the CPU executes: the mean
 * @median: the same: neither of interrupts nor, where those are less than half,
 *	of rounds in which somebody was preempted
 * @pairs: there and back; of both tasks, if the way itself monitors none
 * @preempted: part of the switches whose task was still runnable
 * @hooks: per pair, instructions in hooks, by what the monitor says itself
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
 * Measures @way over @rounds there and back. Meant for a machine where one
 * instruction is one tick of a TSC of 1 GHz: then the difference of two readings
 * is the number of instructions, whoever executed them. Accesses to registers
 * are counted by tracepoints in runs of their own, of some 1000 rounds. Each run is
 * made twice, of different length, so that begin and end cancel out. Exits if that
 * cannot be done, and if @rounds are more than 4000.
 */
struct cost measure(const struct way *way, int rounds);

/* Instructions per pair that the median of @cost has over that of @nothing. */
double cost_over(const struct cost *cost, const struct cost *nothing);

#endif /* KERMON_BENCH_MEASURE_H */
