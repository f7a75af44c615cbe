/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder and no others. */
#ifndef KERMON_MERGE_PRIVATE_H
#define KERMON_MERGE_PRIVATE_H

#include <kermon/events.h>
#include <kermon/merge.h>

#include "flow/pipeline.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#include "symbols/symbols.h"

#define MERGE_ERROR	512

/* Numbers at the end of an interval; counts are cumulative from the first interval on. */
enum row {
	ROW_NUMBER,		/* of the sample that starts the interval, see struct record */
	ROW_INSTRUCTIONS,
	ROW_EVENTS,		/* the programmed events, one after the other */
};

/**
 * struct life - the intervals of a thread
 * @nr: intervals; 0: it was never sampled
 * @room: number of intervals allocated
 * @rows: @width numbers of struct run for each: see enum row
 * @extra: counts of other runs for each: @nr_extra numbers of kermon_merge;
 *	first run only
 */
struct life {
	size_t nr;
	size_t room;
	uint64_t *rows;
	uint64_t *extra;
};

/**
 * struct run - a file and its threads
 * @cancel: from the options of the merge
 * @interval: index of the event that starts an interval
 * @instructions: index of that event
 * @programmed: indices of the programmed events
 * @taken: bit for each of them that goes to the merged file
 * @readings: of its counters
 * @width: numbers in a row
 * @lives: by the number of the thread
 * @nr_lives: length of @lives; threads from there on were never sampled
 * @invalid: intervals without counts
 * @lost: number of lost samples and side-band records
 */
struct run {
	struct kermon_run told;
	struct reader *reader;
	struct order *order;
	struct damages damages;
	const struct kermon_cancel *cancel;
	struct dsos dsos;
	struct processes processes;
	size_t interval;
	size_t instructions;
	size_t programmed[KERMON_MAX_SELECTED];
	size_t nr_programmed;
	uint64_t taken;
	struct readings readings;
	size_t width;
	struct life *lives;
	size_t nr_lives;
	uint64_t invalid;
	uint64_t lost;
};

/**
 * struct kermon_merge - runs; the first one is the base of the merged file
 * @options: of the caller
 * @failed: adding one of them failed
 * @extra: the events that the other runs add to it
 */
struct kermon_merge {
	struct kermon_merge_options options;
	struct run *runs[KERMON_MAX_RUNS];
	size_t nr_runs;
	bool failed;
	struct reader_event extra[KERMON_MAX_SELECTED];
	size_t nr_extra;
	char error[MERGE_ERROR];
};

/* Set the error message. Return: -EINVAL, to be returned by the caller. */
int merge_refuse(struct kermon_merge *merge, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Read all of @run->told.file. */
int merge_read(struct kermon_merge *merge, struct run *run);
void merge_forget(struct run *run);

static inline uint64_t *life_row(const struct run *run, const struct life *life,
				 size_t index)
{
	return life->rows + index * run->width;
}

/* The total of all intervals. */
static inline uint64_t life_total(const struct run *run,
				  const struct life *life, size_t column)
{
	return life->nr ? life_row(run, life, life->nr - 1)[column] : 0;
}

/**
 * merge_match - find the counterpart of each thread
 * @merge: receives the error message if there is none
 * @first: the first run
 * @run: another run
 * @twins: set to numbers of threads of @first, by those of @run; to be freed
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int merge_match(struct kermon_merge *merge, const struct run *first,
		const struct run *run, size_t **twins);

/*
 * Set @counts[i * stride] to what column @column of @from counted while @to was in
 * interval i. They sum up to the total of @from, if @to has an interval.
 */
void merge_align(const struct run *first, const struct life *to,
		 const struct run *run, const struct life *from, size_t column,
		 uint64_t *counts, size_t stride);

#endif /* KERMON_MERGE_PRIVATE_H */
