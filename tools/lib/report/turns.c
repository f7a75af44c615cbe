// SPDX-License-Identifier: GPL-2.0
/*
 * Rotated sets: the share of the run in which each was active, and estimates for the
 * whole run.
 *
 * The run is divided into parts of equal time on the CPU, summed over all threads. Its
 * length is only known at the end: whenever all parts are used, each becomes twice as
 * long.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"

/* A part is long enough for at least this many turns of each set. */
#define ROUNDS	2

static int assign_sets(struct kermon_report *report)
{
	const struct reader *reader = report->pipeline.reader;
	int *set_of = calloc(reader_nr_events(reader) + 1, sizeof(*set_of));

	if (!set_of)
		return -ENOMEM;
	report->turns.nr = sets_assign(reader, set_of);
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (set_of[i] >= 0)
			report->columns[report->column_of[i]].set = set_of[i];
	free(set_of);
	return 0;
}

int report_make_turns(struct kermon_report *report)
{
	const char *note = kermon_report_note(report, "sets");
	const char *rotate = kermon_report_note(report, "rotate_ns");
	struct turns *turns = &report->turns;

	if (!note || !rotate)
		return 0;
	for (size_t i = 0; i < REPORT_PARTS; i++) {
		turns->parts[i].values = calloc(report->nr_columns,
						sizeof(uint64_t));
		if (!turns->parts[i].values)
			return -ENOMEM;
	}
	if (assign_sets(report))
		return -ENOMEM;
	turns->width = strtoull(rotate, NULL, 10);
	if (!turns->width)
		turns->width = KERMON_ROTATE_DEFAULT_NS;
	turns->width *= turns->nr * ROUNDS;
	if (!turns->width || turns->width > UINT32_MAX * 1000ULL)
		turns->nr = 0;
	for (size_t i = 0; i < report->nr_columns && !turns->nr; i++)
		report->columns[i].set = -1;
	return 0;
}

void report_free_turns(struct kermon_report *report)
{
	for (size_t i = 0; i < REPORT_PARTS; i++)
		free(report->turns.parts[i].values);
}

static void add_part(const struct kermon_report *report, struct run_part *to,
		     const struct run_part *from)
{
	for (size_t i = 0; i < KERMON_MAX_SETS; i++)
		to->oncpu[i] += from->oncpu[i];
	for (size_t i = 0; i < report->nr_columns; i++)
		to->values[i] += from->values[i];
}

static void clear_part(const struct kermon_report *report, struct run_part *part)
{
	memset(part->oncpu, 0, sizeof(part->oncpu));
	memset(part->values, 0, report->nr_columns * sizeof(*part->values));
}

/* Merge pairs into the first half. */
static void widen_parts(struct kermon_report *report)
{
	struct turns *turns = &report->turns;

	for (size_t i = 1; i < REPORT_PARTS; i++) {
		add_part(report, &turns->parts[i / 2], &turns->parts[i]);
		clear_part(report, &turns->parts[i]);
	}
	turns->width *= 2;
}

/* The part in which the last interval ended. */
static struct run_part *current_part(struct kermon_report *report)
{
	struct turns *turns = &report->turns;
	uint64_t end = turns->oncpu ? turns->oncpu - 1 : 0;

	while (end / turns->width >= REPORT_PARTS)
		widen_parts(report);
	return &turns->parts[end / turns->width];
}

void report_add_turn(struct kermon_report *report, uint32_t set, uint64_t oncpu,
		     bool valid)
{
	struct turns *turns = &report->turns;

	if (set >= turns->nr)
		return;
	turns->set = set;
	turns->oncpu += oncpu;
	if (!valid)
		return;
	turns->shares[set].measured += oncpu;
	current_part(report)->oncpu[set] += oncpu;
}

void report_add_turn_value(struct kermon_report *report, size_t column,
			   uint64_t value)
{
	if (report->turns.nr && report->columns[column].set >= 0)
		current_part(report)->values[column] += value;
}

static uint64_t part_oncpu(const struct turns *turns, const struct run_part *part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < turns->nr; i++)
		sum += part->oncpu[i];
	return sum;
}

/*
 * The last part may be incomplete; less than half of it may be too short for all sets
 * to get a turn.
 */
static bool part_counts(const struct turns *turns, size_t index)
{
	return part_oncpu(turns, &turns->parts[index]) >= turns->width / 2;
}

static size_t count_parts(const struct turns *turns)
{
	size_t nr = 0;

	for (size_t i = 0; i < REPORT_PARTS; i++)
		nr += part_counts(turns, i);
	return nr;
}

double kermon_report_coverage(const struct kermon_report *report, size_t index,
			      size_t part)
{
	const struct turns *turns = &report->turns;
	uint64_t oncpu;

	if (index >= turns->nr || part >= REPORT_PARTS)
		return 0;
	oncpu = part_oncpu(turns, &turns->parts[part]);
	return oncpu ? (double)turns->parts[part].oncpu[index] / oncpu : 0;
}

/* Only the last part may be too short to count. */
static void cover_parts(const struct kermon_report *report, size_t set,
			struct kermon_share *share)
{
	double coverage;

	share->least = 1;
	for (size_t i = 0; i < REPORT_PARTS; i++) {
		if (!part_counts(&report->turns, i))
			continue;
		coverage = kermon_report_coverage(report, set, i);
		if (coverage < share->least)
			share->least = coverage;
		if (coverage > share->most)
			share->most = coverage;
	}
}

void report_finish_turns(struct kermon_report *report)
{
	struct turns *turns = &report->turns;
	struct kermon_share *share;

	for (size_t i = 0; i < turns->nr; i++) {
		share = &turns->shares[i];
		if (!turns->oncpu)
			continue;
		share->share = (double)share->measured / turns->oncpu;
		share->parts = count_parts(turns);
		cover_parts(report, i, share);
	}
}

const struct kermon_share *
kermon_report_share(const struct kermon_report *report, size_t index)
{
	return index < report->turns.nr ? &report->turns.shares[index] : NULL;
}

/* Parts are weighted by the time measured, because short measurements are unreliable. */
static double spread_of(const struct turns *turns, size_t set, size_t column,
			double mean)
{
	double rate, weight, sum = 0, weights = 0;

	for (size_t i = 0; i < REPORT_PARTS; i++) {
		weight = turns->parts[i].oncpu[set];
		if (!weight || !part_counts(turns, i))
			continue;
		rate = turns->parts[i].values[column] / weight;
		sum += weight * (rate - mean) * (rate - mean);
		weights += weight;
	}
	return mean && weights ? sqrt(sum / weights) / mean : 0;
}

bool kermon_report_estimate(const struct kermon_report *report, size_t column,
			    struct kermon_estimate *estimate)
{
	const struct kermon_column *of = kermon_report_column(report, column);
	const struct turns *turns = &report->turns;
	double rate;

	if (!of || of->set < 0 || !turns->shares[of->set].measured)
		return false;
	rate = (double)of->total / turns->shares[of->set].measured;
	*estimate = (struct kermon_estimate){
		.value = rate * turns->oncpu,
		.spread = spread_of(turns, of->set, column, rate),
	};
	return true;
}
