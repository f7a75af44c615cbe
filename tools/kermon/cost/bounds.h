/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Upper bounds of the overhead of a pair: a switch-out of a monitored task, with its
 * sample, and the switch-in before it. They hold for three fixed counters and four
 * programmed events, and are verified by "make check" and "make bench".
 */
#ifndef KERMON_BOUNDS_H
#define KERMON_BOUNDS_H

#define BOUND_EVENTS		4

/* All monitored tasks of a CPU use the same set: no register is written. */
#define BOUND_INSTRUCTIONS	400

/* One monitored task follows another, so that one reading serves both. */
#define BOUND_INSTRUCTIONS_BOTH	300

/*
 * Upper bounds of the part of @instructions that KerMon accounts as overhead: at least
 * 120 are executed while the clock of the hooks does not run, and 90 where one reading
 * serves two tasks.
 */
#define BOUND_HOOKS(instructions) ((instructions) - 120)
#define BOUND_HOOKS_BOTH	(BOUND_INSTRUCTIONS_BOTH - 90)

/* Without monitoring: of a round trip of two tasks of the class over two of SCHED_FIFO. */
#define BOUND_CLASS		300

/* With energy; each domain is also read by one RDMSR per millisecond. */
#define BOUND_INSTRUCTIONS_ENERGY 620

/* Two tasks with different sets alternate: each differing event selector is written. */
#define BOUND_INSTRUCTIONS_SETS	540
#define BOUND_WRMSR_SETS	6

/* Each counter is read twice, and the TSC for the samples and for the overhead. */
#define BOUND_RDPMC		14
#define BOUND_RDPMC_BOTH	7
#define BOUND_RDTSC		4
#define BOUND_RDTSC_SETS	6

#endif /* KERMON_BOUNDS_H */
