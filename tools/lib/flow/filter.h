/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stage of the pipeline that selects samples.
 *
 *	... delivery -> filter -> consumer
 */
#ifndef KERMON_FILTER_STAGE_H
#define KERMON_FILTER_STAGE_H

#include <kermon/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "consumer.h"
#include "place.h"
#include "util/hash.h"
#include "wall.h"

/* Numbers, or nanoseconds, from @first to @last, inclusive. */
struct filter_range {
	uint64_t first;
	uint64_t last;
};

/**
 * struct filter - a filter applied to one file
 * @wanted: the conditions; NULL: everything passes
 * @times: @nr_times ranges in the file's clock
 * @verdicts: cached results by symbol: struct verdict
 */
struct filter {
	const struct kermon_filter *wanted;
	struct filter_range *times;
	size_t nr_times;
	struct hash verdicts;
};

/*
 * Call once the file is open. Return: 0; -ENOMEM; -EINVAL if samples lack what the
 * filter requires, as reported in @damages.
 */
int filter_begin(struct filter *filter, struct reader *reader,
		 struct damages *damages);
void filter_end(struct filter *filter);

/* @places: of the file. Return: 1 if the sample passes, 0 if not, or -ENOMEM. */
int filter_passes(struct filter *filter, struct places *places,
		  const struct pipeline_sample *sample);

/* Whether records of a CPU pass. */
bool filter_passes_cpu(const struct filter *filter, uint32_t cpu);

/* filter_wanted.c: the conditions. */

/* A part of the recorded time, from 0 (begin) to 1 (end). */
struct filter_part {
	double from;
	double to;
};

/*
 * A local time of day. @has_date: the date in @tm is valid, too.
 */
struct filter_moment {
	bool is_given;
	bool has_date;
	struct tm tm;
	uint32_t ns;
};

/* From one time of day to another one, inclusive; either may be missing. */
struct filter_wall {
	struct filter_moment from;
	struct filter_moment to;
};

/* Conditions of one kind; a sample has to match any of them. */
struct filter_list {
	void *items;
	size_t nr;
};

/**
 * struct kermon_filter - the conditions of a filter
 * @by: lists by enum kermon_filter_by: of char * for names, of struct filter_range
 *	otherwise
 * @parts: times relative to the recorded time: struct filter_part
 * @walls: times of day: struct filter_wall
 */
struct kermon_filter {
	struct filter_list by[KERMON_FILTER_COUNT];
	struct filter_list parts;
	struct filter_list walls;
};

/* Whether samples are selected by time, in any form. */
static inline bool filter_is_by_time(const struct kermon_filter *wanted)
{
	return wanted->by[KERMON_FILTER_TIME].nr || wanted->parts.nr ||
	       wanted->walls.nr;
}

/* filter_wall.c: times of day. */

/* Parse "FROM,TO". Return: 0 or -EINVAL. */
int filter_wall_parse(struct filter_wall *wall, const char *text);

/*
 * Set @range to the times in the clock of the samples. Return: 0; -EINVAL: there was no
 * such time of day, as clocks were put forward.
 */
int filter_wall_resolve(const struct filter_wall *wanted,
			const struct wall *clock, struct filter_range *range);

#endif /* KERMON_FILTER_STAGE_H */
