/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the report share: struct kermon_report with its sums, its tables and
 * their rows. Not for other folders.
 */
#ifndef KERMON_REPORT_PRIVATE_H
#define KERMON_REPORT_PRIVATE_H

#include <kermon/report.h>
#include <linux/kermon.h>

#include "calls/calls.h"
#include "flow/pipeline.h"
#include "keys.h"
#include "util/cancel.h"
#include "util/hash.h"

/* Where samples come from, but for their chains: 0 what no table is of. */
struct origin {
	const char *comm;		/* at the time */
	struct callee place;
	uint64_t offset;		/* in its DSO; only for lines */
	const struct kermon_detail *details;
	uint64_t cgroup;
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
	const char *inlined;		/* of struct callee */
	const char *srcline;		/* with the whole path, interned */
	const char *srcfile;
	const struct kermon_detail *details;
	uint64_t cgroup;
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
 * struct run_part - what was measured in a part of the run
 * @oncpu: ns on the CPU, by set
 * @values: by column; those that have a set only
 */
struct run_part {
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
	struct run_part parts[REPORT_PARTS];
	struct kermon_share shares[KERMON_MAX_SETS];
};

/* Of the files without names: those before @slot have been told, @nr in number. */
struct report_untold {
	size_t nr;
	size_t slot;
};

/**
 * struct kermon_report - a file, what has been learnt of it and its sums
 * @pipeline: that it is a consumer of
 * @is_read: successfully: there is something to ask for
 * @columns: one for each event, and one more for each of energy
 * @column_of: by event: index of its column
 * @keys: what tables are made of
 * @details: of those keys that are rare; NULL: there are none
 * @of_intervals: the file is KerMon's: its samples are intervals of threads
 * @calls: call chains; NULL: nobody wants them
 * @tree: the same, as entries have them
 * @by_origin: origins
 * @origins: the same by number, @nr_origins of them
 * @last_origin: number of that of the last sample
 * @entries: as fine as sums are kept: number of origin << 32 | node of @tree, and of
 *	@index once that is there
 * @sums: of each entry: how many samples, and their sums by column
 * @memos: what is known of samples like those that came lately; NULL: nothing
 * @index: made of @tree for the first table; NULL: there was none yet
 * @selected: what the last graph was made of
 * @names: of functions, by callee, as far as graphs have shown them
 * @cgroups: names of control groups, struct cgroup_name
 * @turns: what is known of sets that took turns
 * @tables: that were handed out
 * @strings: that they point to
 * @untold: the files without names that nobody has asked for yet
 */
struct kermon_report {
	struct kermon_report_options options;
	struct pipeline pipeline;
	bool is_read;
	struct kermon_column *columns;
	size_t nr_columns;
	size_t *column_of;
	struct report_keys keys;
	struct details *details;
	bool of_intervals;
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
	struct report_memos *memos;
	struct callindex *index;
	struct selection *selected;
	const char **names;
	struct interval interval;
	struct hash cgroups;
	struct turns turns;
	struct kermon_losses losses;
	struct table_node *tables;
	struct interned strings;
	struct report_untold untold;
};

struct row;

/* columns.c */
int report_make_columns(struct kermon_report *report);

/*
 * Whether a record of an event counts as a sample in a table of @keys: in KerMon's files
 * one of each interval does, and in tables of events each.
 */
bool report_is_sample(const struct kermon_report *report,
		      const struct report_keys *keys, size_t event);

/* -ECANCELED: the caller no longer wants what is computed; else 0. */
static inline int report_cancelled(const struct kermon_report *report)
{
	return cancel_check(report->options.cancel);
}

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

/* A record of a sample has added to a column of an entry. */
static inline void report_add_value(struct kermon_report *report,
				    uint32_t entry, size_t column,
				    uint64_t value)
{
	report_sums(report, entry)[1 + column] += value;
	report->columns[column].records++;
	report->columns[column].total += value;
}

/* entries.c: what each record adds. */
extern const struct pipeline_consumer report_consumer;

/*
 * memo.c: once events are known; what an entry gets from a sample that is
 * like one before, of which report_remember() told the entry: false if there was none.
 */
int report_make_memos(struct kermon_report *report);
void report_free_memos(struct kermon_report *report);
bool report_add_known(void *report, const struct record *record);
uint64_t report_add_known_batch(void *report, struct reader_batch *batch);
void report_remember(struct kermon_report *report, uint32_t entry);

/* cgroups.c: 0 or -ENOMEM; the path of one, NULL: it was never announced. */
int report_add_cgroup(struct kermon_report *report, const struct record *record);
const char *report_cgroup(const struct kermon_report *report, uint64_t id);
void report_free_cgroups(struct kermon_report *report);

/* turns.c: which columns have a set, and the sums by part of the run. */
int report_make_turns(struct kermon_report *report);
void report_free_turns(struct kermon_report *report);
/*
 * An interval of @set, @oncpu ns long; then what was counted in it, by column: nothing
 * if it was not @valid.
 */
void report_add_turn(struct kermon_report *report, uint32_t set, uint64_t oncpu,
		     bool valid);
void report_add_turn_value(struct kermon_report *report, size_t column,
			   uint64_t value);
/* Once all is read. */
void report_finish_turns(struct kermon_report *report);

/*
 * rows.c
 */

/**
 * struct entry_list - entries of one row, or of one group
 * @first: place of the first one in the index of calls, plus one; 0: it is empty. The
 *	others follow, ascending, by the table's @next_entry
 * @nr: how many
 */
struct entry_list {
	uint32_t first;
	uint32_t nr;
};

/**
 * struct row_group - rows of a table with callers that differ in the function only
 * @key: what they have in common
 * @entries: all that any of the rows was active in
 */
struct row_group {
	struct row_key key;
	struct entry_list entries;
	struct row_group *next;		/* of the table */
};

/**
 * struct row - a row that is being summed up
 * @group: that it is in; NULL in a table without callers
 * @number: of all rows of the table, in the order in which they were made
 * @active: how many functions of the row are in the chain that is looked at
 * @own: entries that were taken in it
 * @values: by column; and the same again with what was called
 */
struct row {
	struct row_key key;
	struct kermon_row shown;
	struct row_group *group;
	uint32_t number;
	uint32_t active;
	struct entry_list own;
	uint64_t values[];
};

/**
 * struct table_node - a table that was handed out
 * @by_key: its rows
 * @rows: the same, @nr of them, as @table has them
 * @by_origin: the rows that origins are in, by number
 * @group_by_origin: with callers: the same of groups
 * @groups: all of them
 * @next_entry: of the same list: place in the index of calls, plus one, by place; NULL:
 *	no list has been needed
 */
struct table_node {
	struct kermon_table table;
	struct report_keys keys;
	struct hash by_key;
	struct row **rows;
	size_t nr;
	size_t room;
	struct row **by_origin;
	struct row_group **group_by_origin;
	struct row_group *groups;
	uint32_t *next_entry;
	struct table_node *next;
};

/* What a place that samples of an origin were active in is in a table's rows. 0 or -ENOMEM. */
int report_row_key(struct kermon_report *report, const struct report_keys *keys,
		   const struct origin *origin, const struct callee *place,
		   struct row_key *key);
/* "/path/file.c:12" of a place in a DSO, NULL if nobody knows; 0 or -ENOMEM. */
int report_line_of(struct kermon_report *report, struct dso *dso,
		   uint64_t offset, const char **line);
/* The last part of a path. */
const char *report_base_of(const char *path);
/* Demangled, or as it is, of a place that has a name; NULL: no memory. */
const char *report_symbol_name(struct kermon_report *report,
			       const struct callee *place);
static inline bool report_has_name(const struct callee *place)
{
	return place->symbol || place->inlined;
}
void report_free_tables(struct kermon_report *report);

/* The row of a place in a group, made if need be; NULL: no memory. */
struct row *report_get_row(struct kermon_report *report,
			   struct table_node *node,
			   const struct origin *origin,
			   const struct callee *place);

/*
 * callers.c: 0 or -ENOMEM.
 */

/* The index of the calls, made if need be. */
int report_make_index(struct kermon_report *report);
/* What was called, to the rows of a table with callers that has its own sums. */
int report_add_callers(struct kermon_report *report, struct table_node *node);
/* The entry lists of a table: of its groups, or of its rows. */
int report_link_entries(const struct kermon_report *report,
			struct table_node *node);
void report_free_groups(struct table_node *node);

/*
 * selection.c
 */

/**
 * struct selection - entries that a graph is made of
 * @table: that they are of
 * @list: of it; NULL: all entries
 * @places: in the index of calls, ascending; NULL: all
 * @nr: how many
 * @samples: how many samples the first ones have, from none to all entries
 * @values: and the sums of their weight
 */
struct selection {
	const struct table_node *table;
	const struct entry_list *list;
	uint32_t *places;
	uint32_t nr;
	uint64_t *samples;
	uint64_t *values;
};

/* How much there is in a part of the tree. */
struct call_sum {
	uint64_t samples;
	uint64_t value;
};

/* Selects what a row has, if it is not selected yet. 0 or -ENOMEM. */
int report_select(struct kermon_report *report, struct table_node *node,
		  const struct row *row);
void report_free_selection(struct kermon_report *report);

/* What was taken in nodes from @first on, up to the one before @end. */
struct call_sum report_selected(const struct kermon_report *report,
				uint32_t first, uint32_t end);

#endif /* KERMON_REPORT_PRIVATE_H */
