/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of kermon top. */
#ifndef KERMON_TOP_H
#define KERMON_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "energy/energy.h"
#include "threads/threads.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/number.h"
#include "ui/output.h"
#include "ui/pid_list.h"
#include "ui/screen.h"

#define TOP_FILTER	64
#define TOP_CELL	(NUMBER_SIZE + 64)
#define TOP_LINE	SCREEN_TEXT

/* Columns of the table, and one more for each event that was named. */
#define TOP_COLUMNS	(THREADS_EVENT + THREADS_EVENTS)

/**
 * struct view - which rows are seen, and how
 * @rows: copies of those of the last interval
 * @nr: number of rows that are seen
 * @column: sorted by it, enum threads_column
 * @reverse: the other way round
 * @processes: rows are processes
 * @filter: only rows that contain this
 */
struct view {
	struct threads_row *rows;
	size_t nr;
	size_t room;
	unsigned int column;
	bool reverse;
	bool processes;
	char filter[TOP_FILTER];
};

/**
 * struct summary - the machine in the last interval
 * @interval_ns: its length
 * @wall_ns: CLOCK_REALTIME at its end
 * @nr_cpus: CPUs that are online
 * @busy: share of their time that they were not idle; NaN if unknown
 * @steal: share that the hypervisor took
 * @seen: share that the rows have, before any filter
 * @load: averages
 * @nr_load: number of these
 * @nr_threads: threads that exist
 * @nr_active: of these, used the CPU
 * @own: share of one CPU that this process used
 * @uncounted: rows without counts by enum threads_uncounted
 */
struct summary {
	uint64_t interval_ns;
	uint64_t wall_ns;
	long nr_cpus;
	double busy;
	double steal;
	double seen;
	double load[3];
	int nr_load;
	size_t nr_threads;
	size_t nr_active;
	double own;
	size_t uncounted[THREADS_REASONS];
};

/**
 * struct gauges - where a summary comes from, with the last readings
 * @stat: /proc/stat
 * @columns: of its first line
 * @monotonic_ns: when it was read
 * @own_ns: CPU time of this process then
 * @energy: of the packages
 * @joules: of each domain, then
 */
struct gauges {
	int stat;
	uint64_t columns[8];
	uint64_t monotonic_ns;
	uint64_t own_ns;
	struct energy energy;
	double joules[ENERGY_DOMAINS];
	double watts[ENERGY_DOMAINS];
};

enum format {
	FORMAT_SCREEN,
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
};

/**
 * struct top - the command line, and all that is open
 * @format: of @out; FORMAT_SCREEN: there is a live view on the terminal
 * @out: where intervals are written to; NULL: nowhere
 * @reason: why nothing can be counted, in words
 * @signal: the signal that ended it, or 0
 * @ended: none of the targets is left
 */
struct top {
	const struct command *command;
	uint64_t delay_ns;
	unsigned int iterations;
	struct pid_list pids;
	struct pid_list tids;
	const char *user;
	const char *sort;
	const char *text;
	const char *path;
	bool batch;
	bool csv;
	bool json;
	bool per_process;
	enum color color;

	enum format format;
	struct threads_events events;
	struct threads_options options;
	struct threads *threads;
	struct gauges gauges;
	struct summary summary;
	struct view view;
	struct output output;
	FILE *out;
	char reason[TOP_LINE];
	bool emulated;
	int signal;
	bool ended;
};

/* gauges.c */
void gauges_open(struct gauges *gauges);
void gauges_read(struct gauges *gauges, struct summary *summary);
/* Energy alone, while nothing else is read for a long time. */
void gauges_keep(struct gauges *gauges);
void gauges_close(struct gauges *gauges);

/* interval.c: end an interval, and make the view of it. Returns 0 or -errno. */
int interval_end(struct top *top);
/* The view anew, of the same interval. */
int view_update(struct top *top);

/* columns.c */

/**
 * struct column - a column of the table
 * @name: of -s
 * @heading: in the table
 * @letter: key to sort by it; 0: none
 * @width: on the screen; negative: text
 * @help: what it shows
 */
struct column {
	const char *name;
	const char *heading;
	char letter;
	int width;
	const char *help;
};

/* NULL for the events that were named. */
const struct column *column_at(unsigned int index);

/* Whether the table has the column. */
bool column_is_shown(const struct top *top, unsigned int index);

/* Heading of any column. */
void column_heading(const struct top *top, unsigned int index, char text[TOP_CELL]);

/* Width of any column on the screen, as in struct column. */
int column_width(const struct top *top, unsigned int index);

/* The column called @name, of -s; -1: there is none. */
int column_find(const struct top *top, const char *name);

/* What a row has in a column; names are as they are, without escapes. */
void column_text(const struct top *top, const struct threads_row *row, unsigned int index,
		 char text[TOP_CELL]);

/* The name of a user, or the number if there is none; valid until the next call. */
const char *user_name(uid_t uid);

/* header.c: the lines above the table, without newline. Returns their number. */
#define HEADER_LINES	4
unsigned int header_lines(const struct top *top, char lines[HEADER_LINES][TOP_LINE]);

/* reasons.c */

/* Say, for the header, why nothing can be counted, in top->reason. */
void reason_find(struct top *top);

/* Write what the rows lack, and why, after the modes: "; 2 rows without counts: ..." */
void reason_rows(const struct top *top, char *text, size_t size);

/* formats.c: an interval; returns 0 or -errno */
int format_begin(const struct top *top, FILE *out, enum format format);
int format_interval(const struct top *top, FILE *out, enum format format);

/* live.c: the live view. Returns the exit status. */
int live_run(struct top *top);

/* batch.c: the same without terminal. */
int batch_run(struct top *top);

/* Write the interval to top->out, if it is open. Returns 0 or -errno. */
int top_write(struct top *top);

/* Say that the output, or /proc, fails. Returns STATUS_FAILED. */
int top_say_output(const struct top *top, int err);
int top_say_proc(const struct top *top, int err);

/* How long to wait until @deadline, in ms, rounded up; poll(2) takes that. */
int top_timeout(uint64_t deadline);

/* The deadline after @deadline: those that were missed are left out. */
uint64_t top_next(const struct top *top, uint64_t deadline);

#endif /* KERMON_TOP_H */
