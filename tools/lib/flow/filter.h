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

#include "consumer.h"
#include "place.h"
#include "util/hash.h"

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
 */
struct kermon_filter {
	struct filter_list by[KERMON_FILTER_COUNT];
	struct filter_list parts;
};

#endif /* KERMON_FILTER_STAGE_H */
