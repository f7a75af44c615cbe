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
#define BOUND_INSTRUCTIONS	600

/*
 * Upper bound of the part of @instructions that KerMon accounts as overhead: at least 150
 * are executed before the hooks read the clock, unless one reading serves two tasks.
 */
#define BOUND_HOOKS(instructions) ((instructions) - 150)

/* With energy; each domain is also read by one RDMSR per millisecond. */
#define BOUND_INSTRUCTIONS_ENERGY 800

/* Two tasks with different sets alternate: each differing event selector is written. */
#define BOUND_INSTRUCTIONS_SETS	700
#define BOUND_WRMSR_SETS	6

/* Each counter is read twice, and the TSC for the samples and for the overhead. */
#define BOUND_RDPMC		14
#define BOUND_RDTSC		4
#define BOUND_RDTSC_SETS	6

#endif /* KERMON_BOUNDS_H */
