/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of the report: struct kermon_report with its sums,
 * tables and rows. Not for other folders.
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

/* Origin of samples, except for their chains; members that no table needs are 0. */
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
	uint32_t list;			/* of keys */
	uint32_t unused;
};

/* The keys of a row; members that are not keys of its table are 0. Compared as bytes. */
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
 * struct interval - the "oncpu" sample that precedes others of its interval
 * @alone: the thread had the package to itself
 */
struct interval {
	uint64_t time;
	uint32_t tid;
	uint32_t cpu;
	bool alone;
};

struct peaks;

/* Maximum number of parts of the run; when it is exceeded, pairs are merged. */
#define REPORT_PARTS	20

/**
 * struct run_part - measurements in a part of the run
 * @oncpu: ns on the CPU, by set
 * @values: by column; only those that have a set
 */
struct run_part {
	uint64_t oncpu[KERMON_MAX_SETS];
	uint64_t *values;
};

/**
 * struct turns - rotated sets
 * @nr: number of sets; 0: no rotation
 * @width: ns on the CPU, of all threads, per part of the run
 * @oncpu: ns on the CPU so far
 * @set: of the current interval
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

/* Files without symbols, @nr of them, in order; @all is NULL until they are asked for. */
struct report_unresolved {
	size_t nr;
	const struct dso **all;
};

/**
 * struct kermon_report - a file and its sums
 * @pipeline: whose consumer it is
 * @is_read: reading has succeeded
 * @columns: one for each event, and one more for each of energy
 * @operations: what a count of each column means
 * @column_of: index of the column, by event
 * @keys: keys available to tables, of all lists
 * @lists: lists of keys, @nr_lists of them: the keys of a table are in one of them
 * @nr_summed: number of lists whose entries are summed up independently; 1 if it is all
 *	keys together, because there are details, or chains in several lists
 * @details: for keys without a member in rows; NULL: there are none
 * @of_intervals: recorded by KerMon: samples are intervals of threads
 * @calls: call chains; NULL: not requested
 * @tree: the call chains of entries
 * @by_origin: origins
 * @origins: by number, @nr_origins of them
 * @last_origin: number of the last sample's origin, by list
 * @entries: the units of summing: number of origin << 32 | node of @tree, or of @index
 *	once that exists
 * @sums: of each entry: number of samples, and their sums by column
 * @memos: cache for samples similar to recent ones; NULL: not used
 * @index: made of @tree for the first table; NULL: not yet
 * @selected: entries of the last graph
 * @names: of functions, by callee, as far as they were needed for graphs
 * @cgroups: names of control groups, struct cgroup_name
 * @turns: rotated sets
 * @peaks: of power; NULL: there are no energy domains
 * @regions: that threads are in; NULL: no key asks for them
 * @tables: tables that were returned
 * @strings: the strings that they point to
 * @unresolved: files without symbols
 */
struct kermon_report {
	struct kermon_report_options options;
	struct pipeline pipeline;
	bool is_read;
	struct kermon_column *columns;
	struct kermon_operation *operations;
	size_t nr_columns;
	size_t *column_of;
	struct report_keys keys;
	struct report_keys lists[REPORT_MAX_LISTS];
	int nr_lists;
	int nr_summed;
	struct details *details;
	bool of_intervals;
	struct callchain *calls;
	struct calltree tree;
	struct hash by_origin;
	struct origin **origins;
	size_t nr_origins;
	size_t room_origins;
	size_t last_origin[REPORT_MAX_LISTS];
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
	struct peaks *peaks;
	struct report_regions *regions;
	struct kermon_losses losses;
	struct table_node *tables;
	struct interned strings;
	struct report_unresolved unresolved;
};

struct row;

/* columns.c */
int report_make_columns(struct kermon_report *report);
/* Index of the first column of a kind with counts; @nr_columns: none. */
size_t report_first_of(const struct kermon_report *report, enum kermon_metric_kind kind);

/*
 * Whether a record of an event counts as a sample in a table of @keys: in KerMon's
 * files, one record per interval does; in tables by event, every record.
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

/* The number of samples, followed by the values. */
static inline uint64_t *report_sums(const struct kermon_report *report,
				    uint32_t entry)
{
	return report->sums + entry * (report->nr_columns + 1);
}

/* Keys of a list whose entries are summed up. */
static inline const struct report_keys *
report_summed(const struct kermon_report *report, int list)
{
	return report->nr_summed == report->nr_lists ? &report->lists[list] :
						       &report->keys;
}

/* Whether chains are kept in a list: in any if it is the only one. */
static inline bool report_has_chains(const struct kermon_report *report,
				     const struct report_keys *keys)
{
	return report->calls && (report->nr_summed == 1 ||
				 keys->flags & (BY_PLACE | BY_LINE));
}

/* Whether the next column has what this one counted while nothing ran beside: it is energy. */
static inline bool report_has_alone(const struct kermon_report *report, size_t column)
{
	return column + 1 < report->nr_columns && report->columns[column + 1].alone;
}

/* Add the value of a record to a column. */
static inline void report_count(struct kermon_report *report, size_t column,
				uint64_t value)
{
	report->columns[column].records++;
	report->columns[column].total += value;
}

/* entries.c: the consumer that adds samples. */
extern const struct pipeline_consumer report_consumer;

/* Find or create the entry of a chain of an origin. Return: 0 or -ENOMEM. */
int report_find_entry(struct kermon_report *report,
		      const struct origin *origin, uint32_t chain,
		      uint32_t *entry);

/* The same for a sample: set @entry to its entry in a list of keys. */
int report_entry_of(struct kermon_report *report, int list,
		    const struct pipeline_sample *sample, uint32_t *entry);

/* regions.c: set up once events are known. Return: 0 or -ENOMEM. */
int report_begin_regions(struct kermon_report *report);
void report_free_regions(struct kermon_report *report);
/* A mark, as the consumer gets it; a record that may end a thread. Return: 0 or -ENOMEM. */
int report_add_mark(void *report, const struct pipeline_sample *mark);
int report_add_task(struct kermon_report *report, const struct record *record);
/*
 * Find out in which region a sample is, for its entry. Sets @counted if its value belongs to
 * regions as the marks say, and is not to be added to the entry. Return: 0 or -ENOMEM.
 */
int report_locate(struct kermon_report *report, const struct pipeline_sample *sample,
		  bool *counted);
/* Add what marks do not cover, after the last record. Return: 0 or -ENOMEM. */
int report_end_regions(struct kermon_report *report);
/* Whether counts by region and thread are exact: those in marks. */
bool report_regions_are_exact(const struct kermon_report *report);

/*
 * memo.c: set up once events are known. report_add_known() adds a sample to its entries if
 * it need not be parsed for that. Return: false if it has to be, or if out of memory.
 */
int report_make_memos(struct kermon_report *report);
void report_free_memos(struct kermon_report *report);
bool report_add_known(void *report, const struct record *record);
uint64_t report_add_known_batch(void *report, struct reader_batch *batch);

/* cgroups.c: 0 or -ENOMEM. The path of a group; NULL: unknown. */
int report_add_cgroup(struct kermon_report *report, const struct record *record);
const char *report_cgroup(const struct kermon_report *report, uint64_t id);
void report_free_cgroups(struct kermon_report *report);

/* turns.c: find the columns with a set, and sum them up by part of the run. */
int report_make_turns(struct kermon_report *report);
void report_free_turns(struct kermon_report *report);
/*
 * Add an interval of @set, @oncpu ns long, followed by its counts by column, of which
 * there are none if it was not @valid.
 */
void report_add_turn(struct kermon_report *report, uint32_t set, uint64_t oncpu,
		     bool valid);
void report_add_turn_value(struct kermon_report *report, size_t column,
			   uint64_t value);
/* Call after everything has been read. */
void report_finish_turns(struct kermon_report *report);

/* peaks.c: set up once columns are known. Return: 0 or -ENOMEM. */
int report_make_peaks(struct kermon_report *report);
void report_free_peaks(struct kermon_report *report);
/*
 * Begin an interval, of @oncpu ns, with its entries by list, and add its energy by domain.
 * Return: 0 or -ENOMEM.
 */
int report_peak_interval(struct kermon_report *report, const struct interval *interval,
			 uint64_t oncpu, const uint32_t *entries);
void report_peak_energy(struct kermon_report *report, size_t column, uint64_t energy);
/* Call after the last interval. */
void report_end_peaks(struct kermon_report *report);
/* Number of energy domains. */
size_t report_nr_peaks(const struct kermon_report *report);
/* Raise @highest, by domain, to the peaks of an entry. */
void report_add_peaks(const struct kermon_report *report, uint32_t entry, double *highest);

/*
 * rows.c
 */

/**
 * struct entry_list - entries of a row or a group
 * @first: position of the first one in the index of calls, plus one; 0: empty. The
 *	others follow, ascending, via the table's @next_entry
 * @nr: number of entries
 */
struct entry_list {
	uint32_t first;
	uint32_t nr;
};

/**
 * struct row_group - rows of a table with callers that only differ in the function
 * @key: common part
 * @entries: all entries in which any of the rows was active
 */
struct row_group {
	struct row_key key;
	struct entry_list entries;
	struct row_group *next;		/* of the table */
};

/**
 * struct row - a row being summed up
 * @group: its group; NULL in a table without callers
 * @number: of all rows of the table, in the order of creation
 * @active: number of functions of the row in the current chain
 * @own: entries that were sampled in it
 * @peaks: watts by energy domain, NaN if unknown; behind @values
 * @values: by column; then again including callees
 */
struct row {
	struct row_key key;
	struct kermon_row shown;
	struct row_group *group;
	uint32_t number;
	uint32_t active;
	struct entry_list own;
	double *peaks;
	uint64_t values[];
};

/**
 * struct table_node - a table that was returned
 * @list: the list of keys whose entries it shows
 * @by_key: its rows
 * @rows: the same, @nr of them, in the order of @table
 * @by_origin: row of each origin of the list, by number
 * @group_by_origin: with callers: group of each origin
 * @groups: all groups
 * @next_entry: next element of the same list, by position: position in the index of
 *	calls, plus one; NULL: no list has been needed
 */
struct table_node {
	struct kermon_table table;
	struct report_keys keys;
	uint32_t list;
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

/*
 * Set the keys of the row for a place in which samples of an origin were active.
 * Return: 0 or -ENOMEM.
 */
int report_row_key(struct kermon_report *report, const struct report_keys *keys,
		   const struct origin *origin, const struct callee *place,
		   struct row_key *key);
/* "/path/file.c:12" of a place in a DSO, NULL if unknown. Return: 0 or -ENOMEM. */
int report_line_of(struct kermon_report *report, struct dso *dso,
		   uint64_t offset, const char **line);
/* The last part of a path. */
const char *report_base_of(const char *path);
/*
 * The demangled name, or the name itself, of a place that has one; NULL if out of
 * memory. With @mangled of the options it is the name itself.
 */
const char *report_symbol_name(struct kermon_report *report,
			       const struct callee *place);
static inline bool report_has_name(const struct callee *place)
{
	return place->symbol || place->inlined;
}
void report_free_tables(struct kermon_report *report);

/* Find or create the row of a place; NULL if out of memory. */
struct row *report_get_row(struct kermon_report *report,
			   struct table_node *node,
			   const struct origin *origin,
			   const struct callee *place);

/*
 * callers.c: 0 or -ENOMEM.
 */

/* Create the index of calls if it does not exist. */
int report_make_index(struct kermon_report *report);
/* Add callees to the rows of a table with callers that already has its own sums. */
int report_add_callers(struct kermon_report *report, struct table_node *node);
/* Build the lists of entries of a table: for its groups, or for its rows. */
int report_link_entries(const struct kermon_report *report,
			struct table_node *node);
void report_free_groups(struct table_node *node);

/*
 * selection.c
 */

/**
 * struct selection - the entries of a graph
 * @table: whose entries they are
 * @list: of the table; NULL: all entries
 * @places: positions in the index of calls, ascending; NULL: all
 * @nr: number of entries
 * @samples: running totals of samples, from none to all entries
 * @values: running totals of their weight
 */
struct selection {
	const struct table_node *table;
	const struct entry_list *list;
	uint32_t *places;
	uint32_t nr;
	uint64_t *samples;
	uint64_t *values;
};

/* The sums of a part of the tree. */
struct call_sum {
	uint64_t samples;
	uint64_t value;
};

/* Select the entries of a row unless they are selected already. Return: 0 or -ENOMEM. */
int report_select(struct kermon_report *report, struct table_node *node,
		  const struct row *row);
void report_free_selection(struct kermon_report *report);

/* The sums of the nodes from @first to the one before @end. */
struct call_sum report_selected(const struct kermon_report *report,
				uint32_t first, uint32_t end);

#endif /* KERMON_REPORT_PRIVATE_H */
