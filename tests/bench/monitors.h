/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways to monitor a task: KerMon, and perf's commands. All of them count the
 * same: the three fixed counters and the four events of a quantity_set(), in
 * user mode.
 */
#ifndef KERMON_BENCH_MONITORS_H
#define KERMON_BENCH_MONITORS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

/* The fixed counters and the events of a set. */
#define MONITOR_EVENTS	7

/**
 * struct monitor - a way to monitor a task
 * @begin: monitor a task with that quantity_set(); for a few tasks at a time
 * @end: end the monitoring of all tasks, which have exited after @pairs pairs in total;
 *	exits if records are missing. Returns the cycles that it reports for itself, 0
 *	if it reports none.
 */
struct monitor {
	void (*begin)(pid_t pid, int set);
	unsigned long long (*end)(unsigned long long pairs);
};

/* A sample at every switch-out; the second one with energy. */
extern const struct monitor kermon;
extern const struct monitor kermon_energy;

/* perf stat -e EVENTS -t TID: totals at the end. */
extern const struct monitor perf_stat;

/*
 * perf record --switch-events -c 1000000000 -e EVENTS -t TID: a record at every
 * switch, without counts. Such a long period never ends, so this is the lowest
 * cost of sampling.
 */
extern const struct monitor perf_switches;

/*
 * perf record -c 1 -e '{context-switches,EVENTS}:S' -t TID: a sample with all
 * counts at every switch-out, the closest equivalent to KerMon.
 */
extern const struct monitor perf_samples;

/*
 * A sample at every switch-out by a BPF program that reads events of the CPU, on
 * kernels that have BPF; sets cannot differ.
 */
extern const struct monitor bpf_samples;
bool has_bpf(void);

/* The event @i of the quantity_set() @set as perf names it; the fixed counters first. */
struct perf_event_attr perf_attr_of(int set, int i);

void die(const char *what) __attribute__((noreturn));

#endif /* KERMON_BENCH_MONITORS_H */
