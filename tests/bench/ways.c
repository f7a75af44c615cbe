// SPDX-License-Identifier: GPL-2.0
#include <linux/kermon.h>
#include <math.h>
#include <sched.h>

#include "cost/bounds.h"
#include "ways.h"

#define NOTHING			NULL, { NOBODY, NOBODY }, NULL
#define ONE(how, bound)		&(how), { 0, NOBODY }, bound
#define BOTH(how, bound)	&(how), { 0, 0 }, bound
/* All four events differ. */
#define TWO(how, bound)		&(how), { 0, 1 }, bound

static const struct bound one_set = {
	.instructions = BOUND_INSTRUCTIONS,
	.hooks = BOUND_HOOKS(BOUND_INSTRUCTIONS),
	.rdpmc = BOUND_RDPMC,
};

static const struct bound both_sides = {
	.instructions = BOUND_INSTRUCTIONS_BOTH,
	.hooks = BOUND_HOOKS_BOTH,
	.rdpmc = BOUND_RDPMC_BOTH,
};

static const struct bound two_sets = {
	.instructions = BOUND_INSTRUCTIONS_SETS,
	.hooks = BOUND_HOOKS(BOUND_INSTRUCTIONS_SETS),
	.wrmsr = BOUND_WRMSR_SETS,
	.rdpmc = BOUND_RDPMC,
};

/* Not every pair reads the energy counters. */
static const struct bound with_energy = {
	.instructions = BOUND_INSTRUCTIONS_ENERGY,
	.hooks = BOUND_HOOKS(BOUND_INSTRUCTIONS_ENERGY),
	.rdmsr = 1,
	.rdpmc = BOUND_RDPMC,
	.energy = 1,
};

/*
 * About half of the fair tasks are preempted by the task that they wake,
 * depending on the time that monitoring takes, so "nothing" is not a fixed
 * base. The path to the hooks is the same for all policies.
 */
#define EDGE	0.1	/* the number of switches at the start of two runs may differ */

static const struct bound one_set_hooks = {
	.instructions = INFINITY,
	.hooks = BOUND_HOOKS(BOUND_INSTRUCTIONS),
	.rdpmc = BOUND_RDPMC + EDGE,
};

static const struct bound two_sets_hooks = {
	.instructions = INFINITY,
	.hooks = BOUND_HOOKS(BOUND_INSTRUCTIONS_SETS),
	.wrmsr = BOUND_WRMSR_SETS,
	.rdpmc = BOUND_RDPMC + EDGE,
};

/*
 * Unmonitored first: the hooks stay enabled for a while after monitoring ends.
 */
const struct way ways[] = {
	{ "fair: nothing", SCHED_OTHER, NOTHING },
	{ "FIFO: nothing", SCHED_FIFO, NOTHING },
	{ "KERMON: nothing", SCHED_KERMON, NOTHING },
	{ "fair: perf stat, one side", SCHED_OTHER, ONE(perf_stat, NULL) },
	{ "fair: perf stat, both", SCHED_OTHER, BOTH(perf_stat, NULL) },
	{ "FIFO: perf stat, one side", SCHED_FIFO, ONE(perf_stat, NULL) },
	{ "FIFO: perf stat, both", SCHED_FIFO, BOTH(perf_stat, NULL) },
	{ "FIFO: perf stat, two sets", SCHED_FIFO, TWO(perf_stat, NULL) },
	{ "FIFO: perf record, switches", SCHED_FIFO, BOTH(perf_switches, NULL) },
	{ "FIFO: perf record, samples", SCHED_FIFO, BOTH(perf_samples, NULL) },
	{ "FIFO: BPF program, samples", SCHED_FIFO, BOTH(bpf_samples, NULL) },
	{ "KERMON: perf stat, one side", SCHED_KERMON, ONE(perf_stat, NULL) },
	{ "KERMON: perf stat, both", SCHED_KERMON, BOTH(perf_stat, NULL) },
	{ "KERMON: perf stat, two sets", SCHED_KERMON, TWO(perf_stat, NULL) },
	{ "KERMON: perf record, switches", SCHED_KERMON, BOTH(perf_switches, NULL) },
	{ "KERMON: perf record, samples", SCHED_KERMON, BOTH(perf_samples, NULL) },
	{ "fair: KerMon, one side", SCHED_OTHER, ONE(kermon, &one_set_hooks) },
	{ "fair: KerMon, both", SCHED_OTHER, BOTH(kermon, &one_set_hooks) },
	{ "fair: KerMon, two sets", SCHED_OTHER, TWO(kermon, &two_sets_hooks) },
	{ "FIFO: KerMon, one side", SCHED_FIFO, ONE(kermon, &one_set) },
	{ "FIFO: KerMon, both", SCHED_FIFO, BOTH(kermon, &both_sides) },
	{ "FIFO: KerMon, two sets", SCHED_FIFO, TWO(kermon, &two_sets) },
	{ "FIFO: KerMon with energy", SCHED_FIFO, ONE(kermon_energy, &with_energy) },
	{ "KERMON: KerMon, one side", SCHED_KERMON, ONE(kermon, &one_set) },
	{ "KERMON: KerMon, both", SCHED_KERMON, BOTH(kermon, &both_sides) },
	{ "KERMON: KerMon, two sets", SCHED_KERMON, TWO(kermon, &two_sets) },
	{ "KERMON: KerMon with energy", SCHED_KERMON, ONE(kermon_energy, &with_energy) },
};

const size_t nr_ways = sizeof(ways) / sizeof(ways[0]);
