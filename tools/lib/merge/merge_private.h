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
#include "util/numbering.h"

#define MERGE_ERROR	512

/* Numbers at the end of an interval; counts are cumulative from the first interval on. */
enum row {
	ROW_NUMBER,		/* of the record that added counts go to or follow */
	ROW_INSTRUCTIONS,
	ROW_EVENTS,		/* the programmed events, one after the other */
};

/**
 * struct life - the intervals of a thread or, of kermon spy, a CPU
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
 * struct lane - a CPU of kermon spy; its intervals are the life of the same number
 * @cpu: the CPU
 * @end: time of the last interval; 0: there was none
 * @seen: bit mask of the programmed events that it has counted
 * @apart: difference between its instructions and those of the first run, as a fraction
 *	of the latter
 */
struct lane {
	uint32_t cpu;
	uint64_t end;
	uint64_t seen;
	double apart;
};

/**
 * struct run - a file and its threads or CPUs
 * @cancel: from the options of the merge
 * @of_cpus: by kermon spy
 * @interval: index of the event whose samples are intervals; of kermon spy: @instructions
 * @instructions: index of that event
 * @place: index of the first event behind those that are counted
 * @programmed: indices of the programmed events
 * @taken: bit for each of them that goes to the merged file
 * @readings: of its counters
 * @width: numbers in a row
 * @lives: by the number of the thread, or of the CPU
 * @nr_lives: length of @lives; threads from there on were never sampled
 * @cpus: numbers of the CPUs
 * @lanes: by these; @nr_lanes of them
 * @room_lanes: number of lanes allocated
 * @begin: of the first interval of kermon spy
 * @end: of the last one
 * @difference: sum of the differences of CPUs in instructions from the first run
 * @is_partial: an interval of the CPU @partial lacks the event @missing
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
	bool of_cpus;
	size_t interval;
	size_t instructions;
	size_t place;
	size_t programmed[KERMON_MAX_SELECTED];
	size_t nr_programmed;
	uint64_t taken;
	struct readings readings;
	size_t width;
	struct life *lives;
	size_t nr_lives;
	struct numbering cpus;
	struct lane *lanes;
	size_t nr_lanes;
	size_t room_lanes;
	uint64_t begin;
	uint64_t end;
	uint64_t difference;
	bool is_partial;
	uint32_t partial;
	size_t missing;
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

/* run.c: index of an event; -1: there is none. */
size_t run_find_event(const struct run *run, uint32_t type, uint64_t config);

/* life.c: the life @number, which is new or not; NULL: out of memory. */
struct life *life_get(struct run *run, size_t number);
/* Begin an interval, with the counts of the previous one. Return: 0 or -ENOMEM. */
int life_begin(const struct run *run, struct life *life, uint32_t number);
/* Add what @event has counted in the last interval. */
void life_count(struct run *run, const struct life *life, size_t event, uint64_t count);

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

/* cpus.c: kermon spy. Find the events of a run, and reject those that have no instructions. */
int cpus_find_events(struct kermon_merge *merge, struct run *run);
/* A sample: the count of an event in an interval of a CPU. */
int cpus_take_sample(struct run *run, const struct record *record);
/* Reject a run whose counts are of a part of the time. */
int cpus_check_whole(struct kermon_merge *merge, struct run *run);
/* Reject a run of another machine or command than the first one. */
int cpus_check_alike(struct kermon_merge *merge, const struct run *first,
		     const struct run *run);
/* As merge_match(). */
int cpus_match(struct kermon_merge *merge, const struct run *first, const struct run *run,
	       size_t **twins);
/* Note the difference of lane @number of @run from its counterpart; or reject it. */
int cpus_compare(struct kermon_merge *merge, const struct run *first, struct run *run,
		 size_t twin, size_t number);

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
