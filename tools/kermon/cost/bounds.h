/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The most that KerMon takes for a pair: a switch-out of a monitored task and the
 * switch-in before it, the sample written. That holds for three fixed counters and
 * four programmed events; "make check" and "make bench" see to it.
 */
#ifndef KERMON_BOUNDS_H
#define KERMON_BOUNDS_H

#define BOUND_EVENTS		4

/* Where all that is monitored on a CPU has one set: no register is written. */
#define BOUND_INSTRUCTIONS	600

/*
 * Of all of these, the most that KerMon's own account of its cost may have: the way
 * to the hooks, before they look at the clock, takes 150 and more, if one reading
 * does not serve two tasks.
 */
#define BOUND_HOOKS(instructions) ((instructions) - 150)

/* The same with energy; RDMSR are one for each domain and millisecond besides. */
#define BOUND_INSTRUCTIONS_ENERGY 800

/* Where two sets take turns: each event selector that differs is written. */
#define BOUND_INSTRUCTIONS_SETS	700
#define BOUND_WRMSR_SETS	6

/* Each counter is read, and the TSC besides when that has been paid for. */
#define BOUND_RDPMC		14
#define BOUND_RDTSC		4
#define BOUND_RDTSC_SETS	6

#endif /* KERMON_BOUNDS_H */
