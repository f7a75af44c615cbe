/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the report share with each other and with nobody else. */
#ifndef KERMON_REPORT_PRIVATE_H
#define KERMON_REPORT_PRIVATE_H

#include <kermon/report.h>
#include <linux/kermon.h>

#include "calltree.h"
#include "hash.h"
#include "pipeline.h"

/* Keys of a table, in the order they were asked for. */
struct report_keys {
	enum kermon_key all[KERMON_KEY_COUNT];
	size_t nr;
	uint32_t mask;		/* bit of each */
};

static inline bool report_has_key(const struct report_keys *keys,
				  enum kermon_key key)
{
	return keys->mask >> key & 1;
}

/* Whether the keys tell functions apart, those that called others too. */
static inline bool report_of_places(const struct report_keys *keys)
{
	return report_has_key(keys, KERMON_KEY_DSO) ||
	       report_has_key(keys, KERMON_KEY_SYM);
}

/* Whether the keys tell lines of the source apart: only of what samples are in. */
static inline bool report_of_lines(const struct report_keys *keys)
{
	return report_has_key(keys, KERMON_KEY_SRCLINE) ||
	       report_has_key(keys, KERMON_KEY_SRCFILE);
}

/* Whether rows of such keys may be of functions that called others. */
static inline bool report_has_callers(const struct report_keys *keys)
{
	return report_of_places(keys) && !report_of_lines(keys);
}

/* Where samples come from, but for their chains: 0 what no table is of. */
struct origin {
	const char *comm;		/* at the time */
	struct callee place;
	uint64_t offset;		/* in its DSO; only for lines */
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event;
};

/* What a row is about: 0 what its table is not of. Compared as bytes. */
struct row_key {
	const char *comm;
	const char *dso;		/* its name, interned */
	const struct symbol *symbol;
	const char *srcline;		/* with the whole path, interned */
	const char *srcfile;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event;
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
 * @keys: what tables are made of
 * @calls: call chains; NULL: nobody wants them
 * @tree: the same, as entries have them
 * @by_origin: origins
 * @origins: the same by number, @nr_origins of them
 * @last_origin: number of that of the last sample
 * @entries: as fine as sums are kept: number of origin << 32 | node of @tree
 * @sums: of each entry: how many samples, and their sums by column
 * @index: of @tree, once there was a graph
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
	struct report_keys keys;
	struct callchain *calls;
	struct calltree tree;
	struct hash by_origin;
	struct origin **origins;
	size_t nr_origins;
	size_t room_origins;
	size_t last_origin;
	struct numbering entries;
	uint64_t *sums;
	size_t room_sums;
	struct call_index *index;
	struct interval interval;
	struct turns turns;
	struct kermon_losses losses;
	struct table_node *tables;
	struct interned strings;
};

/* report_keys.c: 0 or -EINVAL; rows in the order of the keys. */
int report_parse_keys(struct report_keys *to, const char *names);
int report_compare_rows(const struct report_keys *by, const struct row_key *a,
			const struct row_key *b);

/* report_columns.c */
int report_make_columns(struct kermon_report *report);

/* Whether it is the event that starts the run of samples of an interval. */
bool report_is_interval(const struct reader_event *event);

static inline const struct origin *
report_origin(const struct kermon_report *report, uint32_t entry)
{
	return report->origins[report->entries.keys[entry] >> 32];
}

static inline uint32_t report_chain(const struct kermon_report *report,
				    uint32_t entry)
{
	return (uint32_t)report->entries.keys[entry];
}

/* How many samples; the values stand behind. */
static inline uint64_t *report_sums(const struct kermon_report *report,
				    uint32_t entry)
{
	return report->sums + entry * (report->nr_columns + 1);
}

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

/*
 * report_table.c
 */

/**
 * struct row - a row that is being summed up
 * @last: number of the last entry that was added to the children, plus one
 * @entries: number of the first entry that is the row's own, plus one
 * @values: by column; and the same again with what was called
 */
struct row {
	struct row_key key;
	struct kermon_row shown;
	uint32_t last;
	uint32_t entries;
	uint64_t values[];
};

/**
 * struct table_node - a table that was handed out
 * @by_key: its rows
 * @rows: the same, @nr of them, as @table has them
 * @next_entry: by entry: number of the next one of the same row, plus one; NULL
 *	without call chains
 * @of_callee: by callee: the row of the newest entry that it was in
 */
struct table_node {
	struct kermon_table table;
	struct report_keys keys;
	struct hash by_key;
	struct row **rows;
	size_t nr;
	size_t room;
	uint32_t *next_entry;
	struct callee_row *of_callee;
	struct table_node *next;
};

/* What a place that samples of an origin were active in is in a table's rows. */
void report_row_key(const struct report_keys *keys, const struct origin *origin,
		    const struct callee *place, struct row_key *key);
/* Demangled, or as it is; NULL: no memory. */
const char *report_symbol_name(struct kermon_report *report,
			       const struct callee *place);
void report_free_tables(struct kermon_report *report);

/* report_graph.c */
void report_free_index(struct kermon_report *report);

#endif /* KERMON_REPORT_PRIVATE_H */
