/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways to monitor a task: KerMon's, and those of perf's commands. They all count
 * the same: the three fixed counters and the four events of a quantity_set(), in
 * user mode.
 */
#ifndef KERMON_BENCH_MONITORS_H
#define KERMON_BENCH_MONITORS_H

#include <sys/types.h>

/**
 * struct monitor - a way to monitor a task
 * @begin: with that quantity_set(); a few at a time
 * @end: of all that began, whose tasks have ended after @pairs switches in and out
 *	in all; exits if not all is in the log that should be. Returns the cycles
 *	that it says it has taken itself, 0 if it does not say.
 */
struct monitor {
	void (*begin)(pid_t pid, int set);
	unsigned long long (*end)(unsigned long long pairs);
};

/* A sample at every switch-out; with the energy of the intervals. */
extern const struct monitor kermon;
extern const struct monitor kermon_energy;

/* perf stat -e EVENTS -t TID: totals at the end. */
extern const struct monitor perf_stat;

/*
 * perf record --switch-events -c 1000000000 -e EVENTS -t TID: a record at every
 * switch, without counts. So long a period is never over, the least that
 * sampling can cost.
 */
extern const struct monitor perf_switches;

/*
 * perf record -c 1 -e '{context-switches,EVENTS}:S' -t TID: a sample with all
 * counts at every switch-out, which comes nearest to what KerMon gives.
 */
extern const struct monitor perf_samples;

void die(const char *what) __attribute__((noreturn));

#endif /* KERMON_BENCH_MONITORS_H */
