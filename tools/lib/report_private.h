/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the report share with each other and with nobody else. */
#ifndef KERMON_REPORT_PRIVATE_H
#define KERMON_REPORT_PRIVATE_H

#include <kermon/report.h>
#include <linux/kermon.h>

#include "hash.h"
#include "pipeline.h"

/* As fine as sums are kept; tables sum up further. Compared as bytes. */
struct entry_key {
	const struct thread *thread;
	const char *comm;		/* at the time */
	struct dso *dso;		/* or NULL */
	const struct symbol *symbol;	/* or NULL */
	uint64_t cpu;
};

struct entry {
	struct entry_key key;
	uint64_t samples;
	uint64_t values[];		/* by column */
};

/**
 * struct interval - the "oncpu" sample that the next samples belong to
 * @alone: the package was the thread's alone
 */
struct interval {
	uint64_t time;
	uint32_t tid;
	uint32_t cpu;
	bool alone;
};

/* Parts of the run; with more than that, two by two become one. */
#define REPORT_PARTS	20

/**
 * struct part - what was measured in a part of the run
 * @oncpu: ns on the CPU, by set
 * @values: by column; those that have a set only
 */
struct part {
	uint64_t oncpu[KERMON_MAX_SETS];
	uint64_t *values;
};

/**
 * struct turns - sets that took turns
 * @nr: how many; 0: none did
 * @width: ns on the CPU, of all threads, in a part of the run
 * @oncpu: ns on the CPU so far
 * @set: of the interval that is being read
 * @parts: of the run
 * @shares: by set
 */
struct turns {
	size_t nr;
	uint64_t width;
	uint64_t oncpu;
	size_t set;
	struct part parts[REPORT_PARTS];
	struct kermon_share shares[KERMON_MAX_SETS];
};

/**
 * struct kermon_report - a file, what has been learnt of it and its sums
 * @pipeline: that it is a consumer of
 * @columns: one for each event, and one more for each of energy
 * @column_of: by event: index of its column
 * @entries: table of struct entry
 * @all: the same in the order they were found
 * @last: the entry that the last sample went to
 * @turns: what is known of sets that took turns
 * @tables: that were handed out
 * @strings: that they point to
 */
struct kermon_report {
	struct kermon_report_options options;
	struct pipeline pipeline;
	struct kermon_column *columns;
	size_t nr_columns;
	size_t *column_of;
	struct hash entries;
	struct entry **all;
	size_t nr_entries;
	size_t room_entries;
	struct entry *last;
	struct interval interval;
	struct turns turns;
	struct kermon_losses losses;
	struct table_node *tables;
	struct interned strings;
};

/* report_columns.c */
int report_make_columns(struct kermon_report *report);

/* Whether it is the event that starts the run of samples of an interval. */
bool report_is_interval(const struct reader_event *event);

/* report_sum.c: what each record adds, in the order of time. */
extern const struct pipeline_consumer report_consumer;

/* report_turns.c: which columns have a set, and the sums by part of the run. */
int report_make_turns(struct kermon_report *report);
void report_free_turns(struct kermon_report *report);
/* An interval of @set, @oncpu ns long; then what was counted in it, by column. */
void report_add_turn(struct kermon_report *report, uint32_t set,
		     uint64_t oncpu);
void report_add_turn_value(struct kermon_report *report, size_t column,
			   uint64_t value);
/* Once all is read. */
void report_finish_turns(struct kermon_report *report);

/* report_table.c */
void report_free_tables(struct kermon_report *report);

#endif /* KERMON_REPORT_PRIVATE_H */
