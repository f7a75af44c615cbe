// SPDX-License-Identifier: GPL-2.0
/*
 * Read the clock of the samples and the wall clock at the same instant, so that wall-clock
 * times of samples can be computed.
 */
#include <time.h>
#include <x86intrin.h>

#include "perfdata/format/format.h"
#include "reference.h"

#define TRIES	10

static uint64_t read_clock(clockid_t id)
{
	struct timespec now = { 0 };

	clock_gettime(id, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Times of samples are converted from the TSC, or are those of the other clock. */
static uint64_t read_samples(const struct kermon_clock *clock)
{
	return clock->kind == KERMON_CLOCK_PAIRS ?
	       read_clock(CLOCK_MONOTONIC_RAW) :
	       kermon_clock_time(clock, __rdtsc());
}

/*
 * The wall clock is read between two readings of the other one. The less time between
 * these, the better; an interrupt makes it longer.
 */
void reference_take(struct reference *reference,
		    const struct kermon_clock *clock)
{
	uint64_t before, wall, after, best = UINT64_MAX;

	reference->clock = clock->kind == KERMON_CLOCK_PAIRS ?
			   CLOCK_MONOTONIC_RAW : PERFDATA_CLOCK_PERF;
	for (int i = 0; i < TRIES; i++) {
		before = read_samples(clock);
		wall = read_clock(CLOCK_REALTIME);
		after = read_samples(clock);
		if (after - before >= best)
			continue;
		best = after - before;
		reference->time = before + best / 2;
		reference->wall = wall;
	}
}
