/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a perf.data file says, summed up: by event, thread, function.
 *
 *	report = kermon_report_new(&options);
 *	err = kermon_report_read(report, "perf.data");
 *	err = kermon_report_table(report, "comm,tid", column, &table);
 *
 * Everything that is handed out is owned by the report and lives as long as it.
 */
#ifndef KERMON_REPORT_H
#define KERMON_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/merge.h>
#include <kermon/reading.h>

KERMON_BEGIN_DECLS

struct kermon_report;

/*
 * @options may be NULL, and is copied, but what it points to is not. Return: NULL, and
 * errno: ENOMEM; EINVAL if its @size is not set or its @keys make no sense; E2BIG if it
 * asks for what only a later version has.
 */
struct kermon_report *
kermon_report_new(const struct kermon_report_options *options);
void kermon_report_free(struct kermon_report *report);

/**
 * kermon_report_read - read a file; once for each report
 *
 * Return: 0, also for a damaged file of which something could be read: see
 * @damages of the options. -EINVAL: no perf.data, nothing in it makes sense, or it does
 * not have what the filter asks for; -EOPNOTSUPP: a kind of it that is not read; the
 * damages say why. -ENOMSG: no samples, but counts of perf stat record, which
 * <kermon/profile.h> tells. -EALREADY: it was called before. Otherwise what open(2),
 * mmap(2) or malloc(3) say. -ECANCELED: see @cancel of the options. After an error other functions return that there is nothing:
 * no columns, no table.
 */
int kermon_report_read(struct kermon_report *report, const char *path);

struct perf_event_attr;

enum kermon_metric_kind {
	KERMON_METRIC_COUNT,		/* anything that can be counted */
	KERMON_METRIC_TIME,		/* in ns */
	KERMON_METRIC_INSTRUCTIONS,
	KERMON_METRIC_CYCLES,
	KERMON_METRIC_FLOP,		/* floating-point instructions */
	KERMON_METRIC_ENERGY,		/* in 2^-32 joule, of a whole domain */
	KERMON_METRIC_SIDEBAND,		/* there for its records, counts nothing */
};

enum kermon_precision {
	KERMON_SINGLE = 1,
	KERMON_DOUBLE = 2,
	KERMON_MIXED = 3,	/* of either, which the event does not tell */
};

/**
 * struct kermon_metric - what the counts of an event mean
 * @kind: enum kermon_metric_kind
 * @precision: enum kermon_precision, of KERMON_METRIC_FLOP
 * @lanes: operations for each count, of KERMON_METRIC_FLOP
 * @whole: it counts all operations of its precision, others some of them
 * @executed: counts when executed, not when retired: too much, on silicon
 * @heading: a few short words for the head of a column; NULL: use the name
 */
struct kermon_metric {
	uint8_t kind;
	uint8_t precision;
	uint8_t lanes;
	bool whole;
	bool executed;
	const char *heading;
};

/*
 * The same of any event. Its @name, with or without PMU and modes, says it; but the clocks
 * of the kernel count time whatever they are called: "cpu-clock/name=load/".
 */
void kermon_metric_of(const char *name, const struct perf_event_attr *attr,
		      struct kermon_metric *metric);

/**
 * struct kermon_column - an event of the file, or a part of it
 * @name: of the event, as recorded
 * @metric: what it counts
 * @alone: only what was counted while the thread had the package to itself;
 *	such a column follows that of every energy domain in KerMon's files
 * @branches: keys are of branches: @records and @total are how many the samples had
 * @modes: whether it counts in user mode (KERMON_COUNT_USER), kernel mode (_KERNEL)
 * @set: index of the set that it was counted with, of those that took turns; -1:
 *	it was counted all the time
 * @records: how many PERF_RECORD_SAMPLE the event has. Each is a sample, but in files
 *	of KerMon, where a sample, an interval of a thread, has one for each event that
 *	counted anything
 * @total: sum of their periods
 */
struct kermon_column {
	const char *name;
	struct kermon_metric metric;
	bool alone;
	bool branches;
	uint8_t modes;
	int set;
	uint64_t records;
	uint64_t total;
};

/* Whether the totals of the columns are estimates, see struct kermon_table. */
bool kermon_report_is_estimate(const struct kermon_report *report);

size_t kermon_report_nr_columns(const struct kermon_report *report);
const struct kermon_column *
kermon_report_column(const struct kermon_report *report, size_t index);

/**
 * struct kermon_share - when a set was counted, of several that took turns
 * @measured: ns on the CPU, of all threads
 * @share: the same, of all time on the CPU: 0 to 1
 * @parts: how many parts the run was divided into, of equal time on the CPU, each
 *	with room for all turns twice; less than KERMON_PARTS are too few to tell
 *	a program in phases from a steady one
 * @least: the share in the part where it was smallest
 * @most: and in that where it was largest
 */
struct kermon_share {
	uint64_t measured;
	double share;
	size_t parts;
	double least;
	double most;
};

#define KERMON_PARTS	5

/* Of set @index; NULL after the last, so for 0 if no sets took turns. */
const struct kermon_share *
kermon_report_share(const struct kermon_report *report, size_t index);

/* The share of set @index in part @part of the run; both have to be there. */
double kermon_report_coverage(const struct kermon_report *report, size_t index,
			      size_t part);

/* From which spread on an estimate is to be labelled as that of phases. */
#define KERMON_PHASES	0.10

/**
 * struct kermon_estimate - what an event would have counted all the time
 * @value: the measured total, times all time by measured time
 * @spread: how the rate of the event, in counts by time, differs between the parts
 *	of the run: its standard deviation by its mean. 0 for a steady program. An
 *	estimate is good if the program did the same when it was not measured: a
 *	large spread says that it does one thing now, another then.
 */
struct kermon_estimate {
	double value;
	double spread;
};

/* Whether there is one: @column has a set, which was measured. */
bool kermon_report_estimate(const struct kermon_report *report, size_t column,
			    struct kermon_estimate *estimate);

/*
 * Run @index of those that a merged file was made of, from 0 on. Returns whether
 * there is one: of a file that is not merged there is none. @run->file is valid as
 * long as @report.
 */
bool kermon_report_run(const struct kermon_report *report, size_t index,
		       struct kermon_run *run);

/**
 * struct kermon_losses - what is known to be missing
 * @records: records that perf's rings had no room for, samples or not, as far as the file
 *	tells
 * @samples: that the hardware lost, or for which KerMon's log had no room
 * @late: records that came too late to be put in order
 * @invalid: intervals of KerMon's log whose counts were impossible and are left out:
 *	their threads did more than the totals say
 */
struct kermon_losses {
	uint64_t records;
	uint64_t samples;
	uint64_t late;
	uint64_t invalid;
};

const struct kermon_losses *
kermon_report_losses(const struct kermon_report *report);

const struct kermon_unwinding *
kermon_report_unwinding(const struct kermon_report *report);

/* What is true of the recording as a whole; of a report that has been read. */
const struct kermon_statements *
kermon_report_statements(const struct kermon_report *report);

/**
 * struct kermon_key - what rows of a table can be about
 * @name: "comm", "pid"...: as in the argument of kermon_report_table()
 * @alias: another name that is taken; NULL: none
 * @field: its name with the unit, if it has one, as in CSV and JSON: "time_s"
 * @help: what it is, in a few words
 * @is_number: it is a number, as opposed to a text
 */
struct kermon_key {
	const char *name;
	const char *alias;
	const char *field;
	const char *help;
	bool is_number;
};

/*
 * All keys, by index; NULL after the last. The first ones, up to "cgroup", struct kermon_row
 * has a member for. Later libraries may have more, in another order: names stay.
 */
const struct kermon_key *kermon_key_at(size_t index);
/* The one with this name, or alias; NULL: there is none. */
const struct kermon_key *kermon_key_find(const char *name);

/* Whether a comma-separated list is of keys, each of which is there once. */
bool kermon_keys_valid(const char *names);

/**
 * struct kermon_detail - what a row is about, of a key that rows have no member for
 * @key: which; NULL behind the last one
 * @text: NULL: not known, or it is a number
 * @number: the number; of texts, what tells equal ones apart; of a time, its ns
 */
struct kermon_detail {
	const struct kermon_key *key;
	const char *text;
	uint64_t number;
};

/**
 * struct kermon_row - the sums of one group of samples
 * @comm: name of the thread, if that is a key of the table; likewise the others
 * @dso: NULL: nothing was mapped there
 * @sym: demangled where it was mangled; with " (inlined)" behind it where it was; NULL:
 *	not known
 * @event: its name
 * @srcline: "file.c:12", of the innermost function, which may be an inlined one; NULL:
 *	not known
 * @srcfile: "file.c"; NULL: not known
 * @cgroup: path of the thread's control group, where that was recorded; NULL: not known
 * @samples: how many there are: intervals of threads in files of KerMon, else, and with
 *	the key @event, records
 * @values: their sums, in the order of the columns
 * @all_samples: how many there are with those of what was called from here
 * @all_values: their sums; NULL if the table is without callers
 * @details: what the other keys of the table are; NULL: it has none
 */
struct kermon_row {
	const char *comm;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	const char *dso;
	const char *sym;
	const char *event;
	const char *srcline;
	const char *srcfile;
	const char *cgroup;
	uint64_t samples;
	const uint64_t *values;
	uint64_t all_samples;
	const uint64_t *all_values;
	const struct kermon_detail *details;
};

/* What a row is about, by key: NULL and 0 if it is not known, or of another kind. */
const char *kermon_row_text(const struct kermon_row *row, const struct kermon_key *key);
uint64_t kermon_row_number(const struct kermon_row *row, const struct kermon_key *key);

/**
 * struct kermon_table - rows, the largest one first; with the key time, the earliest
 * @keys: @nr_keys of them, in the order they were asked for
 * @weight: index of the column that they are sorted by
 * @callers: rows have what they called, and @all_values
 * @estimate: the sums are estimates. A sample of KerMon says what its thread did since
 *	the one before, and where it was in the end: that the whole interval was spent
 *	there, in the program and in that slice of time, is a guess. So are sums by
 *	function, file, line or time, and those of samples that a filter has chosen by
 *	that; sums by thread, process, name and CPU are exact
 */
struct kermon_table {
	const struct kermon_key *const *keys;
	size_t nr_keys;
	size_t weight;
	bool callers;
	bool estimate;
	struct kermon_row *rows;
	size_t nr_rows;
};

/**
 * kermon_report_weight - the column to sort by if nobody says which
 *
 * Return: index of on-CPU time if there is any, else of cycles, else of the
 * first event that counts something.
 */
size_t kermon_report_weight(const struct kermon_report *report);

/**
 * kermon_report_table - sum up by keys
 * @report: that has been read
 * @keys: names, comma-separated
 * @weight: index of the column to sort by
 * @table: set on success; owned by @report
 *
 * Return: 0; -EINVAL for an unknown or repeated key, an empty list, a key that was
 * not among those to be read, no such column, or a report that has not been read;
 * -ECANCELED: the same may be asked again after kermon_cancel_reset(); -ENOMEM.
 */
int kermon_report_table(struct kermon_report *report, const char *keys,
			size_t weight, const struct kermon_table **table);

/* Whether the report has call chains. */
bool kermon_report_has_calls(const struct kermon_report *report);

/**
 * kermon_report_callers - sum up by keys, callers too
 *
 * Like kermon_report_table(), with a row for each function that was active: those
 * that a sample was taken in, and those that had called them. @all_values and
 * @all_samples have all samples that the row was active in, each once, and rows are
 * sorted by them. The table is one without callers if the report has no call chains, if
 * no key tells functions apart, and if one tells lines of the source apart, which are
 * known of what samples were taken in. Return: likewise.
 */
int kermon_report_callers(struct kermon_report *report, const char *keys,
			  size_t weight, const struct kermon_table **table);

/**
 * struct kermon_call - a function in a graph of calls
 * @sym: as of struct kermon_row; NULL: not known
 * @dso: NULL: not known either
 * @samples: that were taken while the calls down to this one were active
 * @value: their sum, of the column that the table is sorted by
 * @calls: the next functions, @nr_calls of them, the largest @value first
 */
struct kermon_call {
	const char *sym;
	const char *dso;
	uint64_t samples;
	uint64_t value;
	const struct kermon_call *calls;
	size_t nr_calls;
};

enum kermon_direction {
	KERMON_CALLERS,		/* bottom-up: by whom a function was called */
	KERMON_CALLEES,		/* top-down: what it called */
};

/**
 * struct kermon_graph_options - which graph, and how much of it; all may be 0
 * @size: sizeof(struct kermon_graph_options)
 * @direction: the graph of KERMON_CALLERS begins with the innermost function of the
 *	chains that is the row's, and goes on with its callers. That of KERMON_CALLEES
 *	begins with the outermost one that is the row's in a table with callers, and
 *	with the function that called all others in one without, and ends where the
 *	samples were taken.
 * @min_percent: functions with less have no @calls: what is behind them is left out.
 *	The more, the less time and memory
 * @of_caller: percentages are of the function before, not of everything
 */
struct kermon_graph_options {
	size_t size;
	enum kermon_direction direction;
	double min_percent;
	bool of_caller;
};

/**
 * kermon_report_graph - the call chains of a row
 * @report: that has them
 * @table: of this report
 * @row: index in the table's rows
 * @options: which graph
 * @graph: set to a function of nobody that stands before the first ones; to be freed
 *	with kermon_graph_free()
 *
 * Return: 0; -EINVAL: there is no such row, or there are no call chains; -EINVAL or
 * -E2BIG as kermon_report_new() of its options; -ECANCELED; -ENOMEM.
 */
int kermon_report_graph(struct kermon_report *report,
			const struct kermon_table *table, size_t row,
			const struct kermon_graph_options *options,
			struct kermon_call **graph);
void kermon_graph_free(struct kermon_call *graph);

/**
 * kermon_report_header - what the file says about machine and recording
 * @report: that has been read
 * @line: called with name and value of each, in the order of the features
 * @context: handed to @line
 */
void kermon_report_header(const struct kermon_report *report,
			  void (*line)(void *context, const char *name,
				       const char *value),
			  void *context);

/*
 * What the recorder noted under a key, see Documentation/perf-data.rst; NULL:
 * nothing.
 */
const char *kermon_report_note(const struct kermon_report *report,
			       const char *key);

/*
 * DSO number @index of those whose functions have no names, and why, in words.
 * NULL after the last.
 */
const char *kermon_report_unresolved(struct kermon_report *report,
				     size_t index);

/* Derived from the columns of a row, of a table or of the totals. */

/* Instructions per cycle; NaN without any of both, in the same modes. */
double kermon_ipc(const struct kermon_report *report, const uint64_t *values);

/* Operations of one precision: counts times lanes. */
uint64_t kermon_flop(const struct kermon_report *report,
		     const uint64_t *values, enum kermon_precision precision);

/* Whether sets that took turns counted any of them: then kermon_flop() has not seen all. */
bool kermon_flop_took_turns(const struct kermon_report *report,
			    enum kermon_precision precision);

/*
 * What all of them would have been, by kermon_column_estimate() of each event. NaN if
 * one of the sets had no turn.
 */
double kermon_flop_estimate(const struct kermon_report *report,
			    const uint64_t *values,
			    enum kermon_precision precision);

/*
 * What column @index would have counted all the time where it has counted @count, by
 * the share of the whole run in which its set was measured: @count itself if it took
 * no turns. NaN: its set had no turn.
 */
double kermon_column_estimate(const struct kermon_report *report, size_t index,
			      uint64_t count);

/* Whether an event counts any: without, 0 operations are not known to be none. */
bool kermon_counts_flop(const struct kermon_report *report,
			enum kermon_precision precision);

static inline double kermon_joules(uint64_t value)
{
	return (double)value / 4294967296.0;
}

KERMON_END_DECLS
#endif /* KERMON_REPORT_H */
