/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the files of kermon regions. */
#ifndef KERMON_REGIONS_VIEW_H
#define KERMON_REGIONS_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "input/input_options.h"
#include "regions/regions.h"
#include "ui/common_options.h"

/**
 * struct region_row - a line of the report
 * @node: of the tree; with --flat, one of those with the name
 * @thread: NULL: all threads
 * @depth: in the tree, for indentation
 * @sum: what happened there
 */
struct region_row {
	uint32_t node;
	const struct region_thread *thread;
	unsigned int depth;
	struct region_sum sum;
};

/**
 * struct iteration - a call of a region that was asked for
 * @counts: as struct region_call has it, allocated
 */
struct iteration {
	struct region_call call;
	uint64_t *counts;
};

/**
 * struct regions_view - a report on regions
 * @flat: a row for each innermost name
 * @by_thread: rows for each thread
 * @pie: only regions that are in no other
 * @values: a row for each name of what was attached
 * @wanted: --calls
 * @file: what was read
 * @rows: in the order in which they are shown
 * @whole: ns of all threads, from their first mark on
 * @inside: likewise, in regions, without what was paused
 * @iterations: in order of their end
 */
struct regions_view {
	struct input input;
	bool json;
	bool csv;
	bool flat;
	bool by_thread;
	bool pie;
	bool values;
	const char *wanted;
	bool no_pager;
	enum color color;
	struct regions_file file;
	struct region_row *rows;
	size_t nr_rows;
	size_t room_rows;
	uint64_t whole;
	uint64_t inside;
	struct iteration *iterations;
	size_t nr_iterations;
	size_t room_iterations;
	int width;
	bool colour;
};

/* rows.c: make the rows of what was read. Return: 0 or -ENOMEM. */
int regions_make_rows(struct regions_view *view);
void regions_free_rows(struct regions_view *view);

/* Name of the row: its branch, or with --flat the innermost name; cut to @size. */
const char *regions_row_name(const struct regions_view *view, const struct region_row *row,
			     char *text, size_t size);

/* A word for the kind of the node: "region", "task"... */
const char *regions_kind(const struct region_node *node);

/* Whether it has time of threads: tasks and frames may overlap, events have none. */
bool regions_has_time(const struct region_node *node);

/* ns as part of all, in percent. */
double regions_percent(uint64_t ns, uint64_t whole);

/* The total of a row as part of @whole; NaN if it is not part of the time of threads. */
double regions_share(const struct regions_view *view, const struct region_row *row,
		     uint64_t whole);

/* Name of the event at a position of counts; NULL: the file does not have it. */
const char *regions_event(const struct regions_view *view, size_t position);

/* text.c: print for people. Return: 0 or -ENOMEM. */
int regions_print_text(const struct regions_view *view);
/* csv.c: print what was asked for as comma-separated values. */
int regions_print_csv(const struct regions_view *view);
/* json.c */
int regions_print_json(const struct regions_view *view);

#define REGIONS_LIMIT	256

/* limits.c: what limits the numbers, one sentence by index; false beyond the last. */
bool regions_limit(const struct regions_view *view, size_t index, char text[REGIONS_LIMIT]);

#endif /* KERMON_REGIONS_VIEW_H */
