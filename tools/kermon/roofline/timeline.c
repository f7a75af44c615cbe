// SPDX-License-Identifier: GPL-2.0
/* Sums up a recording by slices of time. */
#include <math.h>

#include "timeline.h"

/* Of sparse recordings: samples per slice, and the least number of slices. */
#define SAMPLES		10
#define LEAST		50

static double since(const struct roofline_run *run, uint64_t time)
{
	return (double)(time - kermon_roofline_origin(run->table)->begin) / 1e9;
}

/* Add @value, which is spread evenly from @begin to @end, to the slices of @sums. */
static void spread(const struct timeline *timeline, double *sums, double begin, double end,
		   double value)
{
	const double first = begin / timeline->width, last = end / timeline->width;
	double part;

	if (!(value > 0))
		return;
	for (size_t i = first; i < timeline->nr && i <= last; i++) {
		part = last > first ? (fmin(last, i + 1) - fmax(first, i)) / (last - first) : 1;
		sums[i] += value * part;
	}
}

static void fill_power(struct timeline *timeline, const struct roofline_run *run, size_t domain)
{
	const struct kermon_roofline_power *power;
	double begin, end, joules = 0;
	size_t nr;

	power = kermon_roofline_power(run->table, domain, &nr);
	for (size_t i = 0; i + 1 < nr; i++) {
		begin = since(run, power[i].begin);
		end = since(run, power[i + 1].begin);
		spread(timeline, timeline->joules[domain], begin, end,
		       power[i].watts * (end - begin));
	}
	for (size_t i = 0; i < timeline->nr; i++) {
		timeline->watts[domain][i] = timeline->joules[domain][i] / timeline->width;
		joules += timeline->joules[domain][i];
		timeline->joules[domain][i] = joules;
	}
}

static void fill_sample(struct timeline *timeline, const struct roofline_run *run,
			const struct kermon_roofline_sample *sample)
{
	const double begin = since(run, sample->begin), end = since(run, sample->end);
	const struct kermon_operations *operations = &sample->operations;

	spread(timeline, timeline->flop, begin, end, operations->all_flop);
	spread(timeline, timeline->bytes, begin, end, operations->bytes);
	spread(timeline, timeline->busy, begin, end, kermon_roofline_seconds(sample));
	if (operations->simd < KERMON_SIMDS)
		spread(timeline, timeline->by_simd[operations->simd], begin, end,
		       operations->all_flop);
}

unsigned int timeline_simd(const struct timeline *timeline, size_t slice)
{
	unsigned int most = 0;

	for (unsigned int i = 1; i < KERMON_SIMDS; i++)
		if (timeline->by_simd[i][slice] > timeline->by_simd[most][slice])
			most = i;
	return most;
}

double timeline_flops(const struct timeline *timeline, size_t slice)
{
	return timeline->flop[slice] / timeline->width;
}

double timeline_highest(const struct timeline *timelines, size_t nr)
{
	double highest = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = 0; j < timelines[i].nr; j++)
			highest = fmax(highest, timeline_flops(&timelines[i], j));
	return highest;
}

/*
 * If threads are mostly not there, slices are so long that each has several samples: a comb of
 * slices with one more or less would not be what the program did.
 */
static size_t nr_slices(const struct roofline_run *run, double seconds)
{
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);
	const size_t nr = total->samples / SAMPLES;

	if (total->seconds > seconds / 2 || nr >= TIMELINE_SLICES)
		return TIMELINE_SLICES;
	return nr > LEAST ? nr : LEAST;
}

void timeline_fill(struct timeline *timeline, const struct roofline_run *run)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);
	const struct kermon_roofline_sample *sample;
	const double seconds = since(run, origin->end);

	*timeline = (struct timeline){ .nr = nr_slices(run, seconds) };
	timeline->width = (seconds > 0 ? seconds : 1) / timeline->nr;
	for (size_t i = 0; i < timeline->nr; i++)
		timeline->begin[i] = i * timeline->width;
	for (size_t i = 0; (sample = kermon_roofline_sample(run->table, i)); i++)
		fill_sample(timeline, run, sample);
	for (size_t i = 0; kermon_roofline_domain(run->table, i); i++)
		fill_power(timeline, run, i);
}
