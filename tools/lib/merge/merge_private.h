/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the merging share with each other and with nobody else. */
#ifndef KERMON_MERGE_PRIVATE_H
#define KERMON_MERGE_PRIVATE_H

#include <kermon/events.h>
#include <kermon/merge.h>

#include "flow/pipeline.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#include "symbols/symbols.h"

#define MERGE_ERROR	512

/* A number at the end of an interval; counts are from the first interval on. */
enum row {
	ROW_OFFSET,		/* in the file, of the sample that starts it */
	ROW_INSTRUCTIONS,
	ROW_EVENTS,		/* the programmed events, one after the other */
};

/**
 * struct life - what a thread did, interval by interval
 * @nr: intervals; 0: it was never sampled
 * @room: for how many there is room
 * @rows: of each, struct run's @width numbers: see enum row
 * @extra: of each, what other runs counted: kermon_merge's @nr_extra numbers; of
 *	the first run only
 */
struct life {
	size_t nr;
	size_t room;
	uint64_t *rows;
	uint64_t *extra;
};

/**
 * struct run - a file, and what its threads did
 * @interval: index of the event that starts an interval
 * @instructions: index of that event
 * @programmed: indices of the programmed events
 * @taken: bit for each of them that goes to the merged file
 * @width: numbers in a row
 * @lives: by the number of the thread
 * @nr_lives: length of @lives; threads from there on were never sampled
 * @invalid: intervals without counts
 * @lost: samples, and records of the side-band, that are missing
 */
struct run {
	struct kermon_run told;
	struct reader *reader;
	struct order *order;
	struct damages damages;
	struct dsos dsos;
	struct processes processes;
	size_t interval;
	size_t instructions;
	size_t programmed[KERMON_MAX_SELECTED];
	size_t nr_programmed;
	uint64_t taken;
	size_t width;
	struct life *lives;
	size_t nr_lives;
	uint64_t invalid;
	uint64_t lost;
};

/**
 * struct kermon_merge - runs, the first of which is the one that stays
 * @failed: one of them could not be taken in
 * @extra: the events that the others add to it, with their ids in @extra_ids
 */
struct kermon_merge {
	struct run *runs[KERMON_MAX_RUNS];
	size_t nr_runs;
	bool failed;
	struct reader_event extra[KERMON_MAX_SELECTED];
	uint64_t extra_ids[KERMON_MAX_SELECTED];
	size_t nr_extra;
	char error[MERGE_ERROR];
};

/* Says why, and returns what the caller is to return: -EINVAL. */
int merge_refuse(struct kermon_merge *merge, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads all of @run->told.file. */
int merge_read(struct kermon_merge *merge, struct run *run);
void merge_forget(struct run *run);

static inline uint64_t *life_row(const struct run *run, const struct life *life,
				 size_t index)
{
	return life->rows + index * run->width;
}

/* Of all its intervals. */
static inline uint64_t life_total(const struct run *run,
				  const struct life *life, size_t column)
{
	return life->nr ? life_row(run, life, life->nr - 1)[column] : 0;
}

/**
 * merge_match - find the counterpart of each thread
 * @merge: for the reason, if there is none
 * @first: the run that stays
 * @run: another one
 * @twins: set to numbers of threads of @first, by those of @run; to be freed
 */
int merge_match(struct kermon_merge *merge, const struct run *first,
		const struct run *run, size_t **twins);

/*
 * @counts[i * stride] becomes what column @column of @from counted while @to was in
 * interval i. Their sum is all that @from has, if @to has an interval.
 */
void merge_align(const struct run *first, const struct life *to,
		 const struct run *run, const struct life *from, size_t column,
		 uint64_t *counts, size_t stride);

#endif /* KERMON_MERGE_PRIVATE_H */
