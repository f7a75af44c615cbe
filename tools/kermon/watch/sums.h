/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to sums.c: sums of the samples per CPU and event, and of energy per package. */
#ifndef KERMON_SUMS_H
#define KERMON_SUMS_H

#include <kermon/spy.h>

/**
 * struct sums_event - an event of any set
 * @name: its name
 * @unit: of its counts
 */
struct sums_event {
	const char *name;
	enum kermon_spy_unit unit;
};

/**
 * struct sums_count - an event on a CPU
 * @value: what was counted
 * @time_ns: length of the intervals in which it was
 */
struct sums_count {
	uint64_t value;
	uint64_t time_ns;
};

/**
 * struct sums_cpu - a CPU
 * @cpu: its number
 * @package: its package
 * @samples: number of samples
 * @begin_ns: begin of the first interval, in CLOCK_MONOTONIC
 * @end_ns: end of the last one
 * @gap_ns: time between them in which the CPU was offline
 * @tsc: time stamp counter cycles from begin to end
 * @cost_ns: CPU time of its spy
 * @counts: by event
 */
struct sums_cpu {
	unsigned int cpu;
	unsigned int package;
	uint64_t samples;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t gap_ns;
	uint64_t tsc;
	uint64_t cost_ns;
	struct sums_count *counts;
	size_t room;
};

/**
 * struct sums_package - the energy of a package
 * @package: its number
 * @begin_ns: begin of the first interval; @read_ns: end of the last with energy
 * @joules: by domain
 * @peak: watts in the interval in which they were highest, by domain
 */
struct sums_package {
	unsigned int package;
	uint64_t begin_ns;
	uint64_t read_ns;
	double joules[KERMON_SPY_DOMAINS];
	double peak[KERMON_SPY_DOMAINS];
};

/**
 * struct sums - the sums; zero it before use
 * @events: the events of all sets, each once; @nr_events of them
 * @sets: @nr_sets arrays: indexes in @events by event of the set
 * @cpus: @nr_cpus CPUs
 * @packages: @nr_packages packages that have had energy
 */
struct sums {
	struct sums_event *events;
	size_t nr_events;
	size_t room_events;
	size_t (*sets)[KERMON_SPY_EVENTS];
	size_t nr_sets;
	size_t room_sets;
	struct sums_cpu *cpus;
	size_t nr_cpus;
	size_t room_cpus;
	struct sums_package *packages;
	size_t nr_packages;
	size_t room_packages;
};

/* Note all CPUs and sets of @spy; again when it has got another set. Returns 0 or -ENOMEM. */
int sums_prepare(struct sums *sums, const struct kermon_spy *spy);

/* Add a sample, of a set that has been noted. Returns 0 or -ENOMEM. */
int sums_add(struct sums *sums, const struct kermon_spy_sample *sample);

/* Note what the spies have cost so far. */
void sums_note_cost(struct sums *sums, const struct kermon_spy *spy);

/*
 * Make @window what was added to @sums since @before, and @before a copy of @sums. Both are
 * zeroed before use and freed by sums_free(). Returns 0 or -ENOMEM.
 */
int sums_since(const struct sums *sums, struct sums *before, struct sums *window);

/* The CPU with this number, or NULL. */
struct sums_cpu *sums_find_cpu(const struct sums *sums, unsigned int cpu);

/* Index of an event by its name; -1: there is none. */
int sums_find_event(const struct sums *sums, const char *name);

void sums_free(struct sums *sums);

#endif /* KERMON_SUMS_H */
