/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stage of the pipeline that passes only wanted samples on.
 *
 *	... processes -> filter -> consumer
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

/* Numbers, or nanoseconds, from @first to @last. */
struct filter_range {
	uint64_t first;
	uint64_t last;
};

/**
 * struct filter - a filter at work on one file
 * @wanted: what passes; NULL: everything
 * @times: of the file's clock: @nr_times of them
 * @verdicts: of symbols that were asked for: struct verdict
 */
struct filter {
	const struct kermon_filter *wanted;
	struct filter_range *times;
	size_t nr_times;
	struct hash verdicts;
};

/*
 * Once the file is open. 0; -ENOMEM; -EINVAL if it does not have what is to be
 * filtered by, which @damages then say.
 */
int filter_begin(struct filter *filter, struct reader *reader,
		 struct damages *damages);
void filter_end(struct filter *filter);

/* @places: of the file. 1: it passes; 0: it does not; -ENOMEM. */
int filter_passes(struct filter *filter, struct places *places,
		  const struct pipeline_sample *sample);

/* Whether records of a CPU pass. */
bool filter_passes_cpu(const struct filter *filter, uint32_t cpu);

/* filter_wanted.c: what was asked for. */

/* A part of the recorded time: 0 is its begin, 1 its end. */
struct filter_part {
	double from;
	double to;
};

/* Items of one kind, of which any will do. */
struct filter_list {
	void *items;
	size_t nr;
};

/**
 * struct kermon_filter - what was asked for
 * @by: lists by enum kermon_filter_by: of char * for names, of struct filter_range
 *	for all else
 * @parts: times that are not of a clock: struct filter_part
 */
struct kermon_filter {
	struct filter_list by[KERMON_FILTER_COUNT];
	struct filter_list parts;
};

#endif /* KERMON_FILTER_STAGE_H */
