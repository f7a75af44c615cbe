/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to sampling_options.c: what perf_event is to sample, and of which tasks. */
#ifndef KERMON_SAMPLING_OPTIONS_H
#define KERMON_SAMPLING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/options.h"
#include "ui/pid_list.h"
#include "ui/values.h"

/* -F max: what kernel.perf_event_max_sample_rate allows. */
#define SAMPLING_MAX_FREQ	UINT64_MAX

/**
 * struct chains - call chains
 * @kind: enum kermon_chains
 * @stack_bytes: size of the copy of a stack
 */
struct chains {
	unsigned int kind;
	uint32_t stack_bytes;
};

/**
 * struct sampling - how to sample
 * @freq: samples per second, SAMPLING_MAX_FREQ; 0: not given
 * @period: 0: not given
 * @chains: in the samples
 */
struct sampling {
	uint64_t freq;
	uint64_t period;
	struct chains chains;
};

/**
 * struct targets - tasks to record that are there already
 * @processes: with all threads
 * @threads: only these
 * @all: everything that runs on @cpus
 * @cpus: @nr_cpus of them; none: all
 */
struct targets {
	struct pid_list processes;
	struct pid_list threads;
	bool all;
	unsigned int *cpus;
	size_t nr_cpus;
};

/* Whether any was named. */
bool targets_exist(const struct targets *targets);

void targets_free(struct targets *targets);

/* -F, -c, -g */
#define GROUP_sampling	struct sampling
extern const struct option_spec sampling_options[];

/* -p, -t, -a, -C */
#define GROUP_target	struct targets
extern const struct option_spec target_options[];

#endif /* KERMON_SAMPLING_OPTIONS_H */
