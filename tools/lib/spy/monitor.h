/* SPDX-License-Identifier: GPL-2.0 */
/* The monitor and its spies, for the files of this folder. */
#ifndef KERMON_SPY_MONITOR_H
#define KERMON_SPY_MONITOR_H

#include "spies.h"
#include "util/sysfile.h"

/**
 * struct kermon_spy - a monitor
 * @backend: where counts come from
 * @reason: why that
 * @machine: what the backends know
 * @sets: @nr_sets sets, of which the spies count one each
 * @spies: @nr of them, ascending by CPU
 * @energy: of the packages
 * @domains: number of its domains that samples have
 * @interval_ns: time between samples
 * @slots: samples that a channel holds
 * @start_ns: when the first interval began; 0: not yet
 * @online: the list of CPUs that were online when it was read last
 * @stopped: kermon_spy_stop() was called
 */
struct kermon_spy {
	const struct spy_backend *backend;
	enum kermon_spy_kind reason;
	struct spy_machine machine;
	struct spy_set *sets[KERMON_SPY_SETS];
	unsigned int nr_sets;
	struct spy *spies;
	unsigned int nr;
	struct energy energy;
	unsigned int domains;
	uint64_t interval_ns;
	unsigned int slots;
	uint64_t start_ns;
	char online[SYSFILE_LINE];
	bool stopped;
};

/*
 * Create the thread of a spy that has none, whose counters it opens. Returns 0, or -errno with
 * @trouble.
 */
int monitor_open_spy(struct kermon_spy *spy, struct spy *each,
		     struct kermon_spy_trouble *trouble);

/* Whether @cpu is one of those @nr. */
bool monitor_is_in(unsigned int cpu, const unsigned int *cpus, int nr);

#endif /* KERMON_SPY_MONITOR_H */
