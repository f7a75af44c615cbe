/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kermon bench overhead: what it costs a thread to start, read and stop its own counters, by
 * several methods. Each measurement is made by a fresh process, see tools/probe/probe.h.
 *
 * A *method* is a way to count, linked in one way; a *cell* are the results of a method
 * for one number of events; a *step* is what is timed in it; a *box* sums up a step over all
 * processes of a cell.
 */
#ifndef KERMON_OVERHEAD_H
#define KERMON_OVERHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct progress;

/* Times of a measurement; STEP_TOTAL is their sum with the first read. */
enum step {
	STEP_START,
	STEP_FIRST,
	STEP_LATER,
	STEP_STOP,
	STEP_TOTAL,
	NR_STEPS,
};

extern const char *const step_names[NR_STEPS];

/**
 * struct method - a way to count
 * @name: on the command line
 * @probe: what the probe calls it
 * @linked: how the probe is linked: "dynamic" or "static"
 * @what: for people
 */
struct method {
	const char *name;
	const char *probe;
	const char *linked;
	const char *what;
};

/* Ends with {}. */
extern const struct method methods[];
#define MAX_METHODS	32

/**
 * struct box - TSC cycles of a step: quartiles, as a box plot draws them
 * @min: the least
 * @low: a quarter of the values are at most that
 * @median: half of them
 * @high: three quarters
 * @max: the greatest
 */
struct box {
	double min;
	double low;
	double median;
	double high;
	double max;
};

/* Reads of a measurement, at most. */
#define MAX_READS	64

/**
 * struct cell - the results of a method
 * @method: the method
 * @events: counted at the same time
 * @nr: processes; 0: it does not work here
 * @steps: what they took; STEP_LATER are all reads but the first one
 * @reads: each read in turn
 * @nr_reads: length of @reads
 * @why: why it does not work
 */
struct cell {
	const struct method *method;
	unsigned int events;
	unsigned int nr;
	struct box steps[NR_STEPS];
	struct box reads[MAX_READS];
	unsigned int nr_reads;
	char why[256];
};

/**
 * struct study - what is measured, and the results
 * @methods: bit mask of indices in methods[]
 * @most_events: 1 to this many events
 * @nr_reads: reads of each process
 * @repetitions: processes of a cell
 * @software: count software events, which need no PMU
 * @cells: the results
 * @nr_cells: length of @cells
 */
struct study {
	unsigned int methods;
	unsigned int most_events;
	unsigned int nr_reads;
	unsigned int repetitions;
	bool software;
	struct cell *cells;
	size_t nr_cells;
};

/* boxes.c: sorts @values, of which there is at least one. */
struct box box_of(double *values, size_t nr);

/* collect.c: fill in @cells. 0, or -ENOMEM, -ENOENT (no probe), -EINTR if @stop. */
int study_collect(struct study *study, struct progress *progress,
		  const volatile int *stop);
void study_free(struct study *study);

/* text.c, rows.c and picture.c: print the results. */
void study_print(const struct study *study, FILE *out);
int study_print_csv(const void *study, FILE *out);
int study_print_json(const void *study, FILE *out);
int study_print_svg(const void *study, FILE *out);

#endif /* KERMON_OVERHEAD_H */
