// SPDX-License-Identifier: GPL-2.0
/*
 * Measures register accesses and pairs of switches, and computes the cost model.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "bounds.h"
#include "costmodel.h"
#include "pingpong.h"

/* A run of twice as many rounds minus one of these excludes start and end. */
#define NR_ROUNDS	500
#define NR_RUNS		3	/* of which the fastest was disturbed least */

/* The log has room for all samples of a run, without waking a reader. */
#define WATERMARK	(KERMON_LOG_DEFAULT_BYTES - KERMON_RECORD_MAX)

/* Instructions retired, of Intel and of AMD: any counter counts them. */
#define RETIRED		0xc0
#define USR		(1U << 16)
#define OS		(1U << 17)

/**
 * struct way - a way to monitor the two tasks
 * @name: name to print
 * @sets: event set of each task, NULL if not monitored
 * @instructions: per pair, at most
 * @changes: number of event selectors that differ
 * @domains: number of energy domains that are read
 */
struct way {
	const char *name;
	const struct kermon_event_set *sets[2];
	unsigned int instructions;
	unsigned int changes;
	unsigned int domains;
};

static int stay(int *cpu)
{
	cpu_set_t set;

	*cpu = sched_getcpu();
	if (*cpu < 0)
		return -errno;
	CPU_ZERO(&set);
	CPU_SET(*cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

/* Make a set that counts the same event with each of @nr counters. */
static void fill_set(struct kermon_event_set *set, struct kermon_event *events,
		     unsigned int nr, uint64_t config)
{
	unsigned int i;

	*set = (struct kermon_event_set){
		.count = KERMON_COUNT_USER,
		.nr_events = nr,
		.events = (uintptr_t)events,
		.watermark = WATERMARK,
	};
	for (i = 0; i < nr; i++)
		events[i] = (struct kermon_event){ .config = config };
}

/* Return the fastest of NR_RUNS runs in @best. */
static int play(int cpu, const struct way *way, unsigned int rounds,
		struct pingpong_result *best)
{
	const struct pingpong pingpong = {
		.cpu = cpu,
		.rounds = rounds,
		.sets = { way->sets[0], way->sets[1] },
	};
	struct pingpong_result result;
	int i, error;

	for (i = 0; i < NR_RUNS; i++) {
		error = pingpong_play(&pingpong, &result);
		if (error)
			return error;
		if (!i || result.cycles < best->cycles)
			*best = result;
	}
	return 0;
}

/* Cycles per round, there and back; @result is that of the longer run. */
static int time_round(int cpu, const struct way *way, double *cycles,
		      struct pingpong_result *result)
{
	struct pingpong_result once;
	int error = play(cpu, way, NR_ROUNDS, &once);

	if (!error)
		error = play(cpu, way, 2 * NR_ROUNDS, result);
	if (!error)
		*cycles = ((double)result->cycles - once.cycles) / NR_ROUNDS;
	return error;
}

/* With both tasks monitored, every instruction of the CPU is counted. */
static int measure_instruction(struct costmodel *model, int cpu)
{
	struct kermon_event_set set;
	struct kermon_event event;
	const struct way way = { .sets = { &set, &set } };
	struct pingpong_result result;
	int error;

	fill_set(&set, &event, 1, RETIRED | USR | OS);
	error = play(cpu, &way, NR_ROUNDS, &result);
	if (error)
		return error;
	if (!result.instructions)
		return -ENODATA;
	model->instruction = (double)result.oncpu / result.instructions;
	return 0;
}

static double median(const struct costmodel *model, enum kermon_access kind)
{
	return model->costs.of[kind].median;
}

/*
 * On a busy machine the difference of two runs may be negative. The accesses per
 * millisecond refer to the total time of the longer run.
 */
static void add_pair(struct costmodel *model, const struct way *way,
		     const struct pingpong_result *result, double round,
		     double nothing)
{
	struct pair *pair = &model->pairs[model->nr_pairs++];
	const double pairs = way->sets[1] ? 2 : 1;	/* there and back */
	const double ms = (double)result->cycles / (2 * NR_ROUNDS) /
			  model->info.tsc_khz;

	*pair = (struct pair){
		.name = way->name,
		.instructions = way->instructions,
		.wrmsr = way->changes,
		.rdmsr = way->domains * ms / pairs,
		.rdpmc = 2 * (model->info.fixed + way->sets[0]->nr_events),
		.rdtsc = way->changes ? BOUND_RDTSC_SETS : BOUND_RDTSC,
		.kernel = (double)result->cost / result->samples,
		.whole = (round - nothing) / pairs,
	};
	pair->model = pair->instructions * model->instruction +
		pair->wrmsr * median(model, KERMON_ACCESS_WRMSR) +
		pair->rdmsr * median(model, KERMON_ACCESS_ENERGY) +
		pair->rdpmc * median(model, KERMON_ACCESS_RDPMC) +
		pair->rdtsc * median(model, KERMON_ACCESS_RDTSC);
}

static int measure_way(struct costmodel *model, int cpu, const struct way *way,
		       double nothing)
{
	struct pingpong_result result;
	double round;
	int error = time_round(cpu, way, &round, &result);

	if (!error && !result.samples)
		error = -ENODATA;
	if (!error)
		add_pair(model, way, &result, round, nothing);
	return error;
}

static int measure_pairs(struct costmodel *model, int cpu, double nothing)
{
	struct kermon_event events[2][BOUND_EVENTS];
	struct kermon_event_set one, other, energy;
	const unsigned int nr = model->info.counters < BOUND_EVENTS ?
				model->info.counters : BOUND_EVENTS;
	const struct way ways[COSTMODEL_PAIRS] = {
		{ "one set", { &one }, BOUND_INSTRUCTIONS },
		{ "two sets", { &one, &other }, BOUND_INSTRUCTIONS_SETS, nr },
		{ "with energy", { &energy }, BOUND_INSTRUCTIONS_ENERGY, 0,
		  model->info.nr_domains },
	};
	const unsigned int nr_ways = model->info.nr_domains ? 3 : 2;
	unsigned int i;
	int error = 0;

	fill_set(&one, events[0], nr, RETIRED | USR);
	fill_set(&other, events[1], nr, RETIRED | OS);
	energy = one;
	energy.flags = KERMON_SET_ENERGY;
	for (i = 0; i < nr_ways && !error; i++)
		error = measure_way(model, cpu, &ways[i], nothing);
	return error;
}

/* First unmonitored: the hooks stay enabled for a while after the last monitoring. */
static int play_all(struct costmodel *model, int cpu)
{
	struct pingpong_result result;
	double nothing;
	int error = time_round(cpu, &(struct way){ 0 }, &nothing, &result);

	if (!error)
		error = measure_instruction(model, cpu);
	return error ? error : measure_pairs(model, cpu, nothing);
}

static int ask_module(struct costmodel *model, enum costmodel_step *step)
{
	struct kermon_control *control;
	int error;

	*step = COSTMODEL_OPEN;
	error = kermon_control_open(&control);
	if (error)
		return error;
	error = kermon_control_info(control, &model->info);
	if (!error) {
		*step = COSTMODEL_MEASURE;
		error = kermon_control_measure(control, &model->costs);
	}
	kermon_control_close(control);
	return error;
}

int costmodel_measure(struct costmodel *model, enum costmodel_step *step)
{
	int cpu, error;

	memset(model, 0, sizeof(*model));
	*step = COSTMODEL_PLAY;
	error = stay(&cpu);
	if (!error)
		error = ask_module(model, step);
	if (error)
		return error;
	*step = COSTMODEL_PLAY;
	return play_all(model, cpu);
}
