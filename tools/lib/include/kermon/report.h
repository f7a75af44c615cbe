/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the contents of a perf.data file: by event, thread, function.
 *
 *	report = kermon_report_new(&options);
 *	err = kermon_report_read(report, "perf.data");
 *	err = kermon_report_table(report, "comm,tid", column, &table);
 *
 * All results are owned by the report and valid as long as it.
 */
#ifndef KERMON_REPORT_H
#define KERMON_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/merge.h>
#include <kermon/operations.h>
#include <kermon/reading.h>

KERMON_BEGIN_DECLS

struct kermon_report;

/*
 * @options may be NULL, and is copied, but what it points to is not. Return: NULL, and
 * errno: ENOMEM; EINVAL if its @size is not set or its @keys are invalid; E2BIG if it uses
 * members of a later version.
 */
struct kermon_report *
kermon_report_new(const struct kermon_report_options *options);
void kermon_report_free(struct kermon_report *report);

/**
 * kermon_report_read - read a file; call once for each report
 * @report: to read it into
 * @path: of a file, a directory of perf record --threads, or a pipe; "-": standard input
 *
 * Return: 0, also for a damaged file if some of it could be read: see @damages of the
 * options. -EINVAL: not a perf.data file, all of it is invalid, or it lacks what the filter
 * needs; -EOPNOTSUPP: an unsupported kind of perf.data; the damages give the reason for
 * both. -ENOMSG: no samples, but counts of perf stat record, which <kermon/profile.h>
 * handles. -ECANCELED: see @cancel of the options. -EALREADY: it was called before.
 * Otherwise an error of open(2), mmap(2) or malloc(3). After an error, there are no
 * columns and no tables.
 */
int kermon_report_read(struct kermon_report *report, const char *path);

/**
 * struct kermon_column - an event of the file, or a part of it
 * @name: of the event, as recorded
 * @metric: its meaning
 * @alone: only what was counted while the thread had the package to itself;
 *	such a column follows that of every energy domain in KerMon's files
 * @branches: keys are of branches: @records and @total are numbers of branches
 * @modes: whether it counts in user mode (KERMON_COUNT_USER), kernel mode (_KERNEL)
 * @set: index of the rotated set that it is in; -1: it was counted all the time
 * @records: number of PERF_RECORD_SAMPLE of the event. Each is a sample, except in
 *	files of KerMon, where a sample (an interval of a thread) has one record for each
 *	event that counted anything
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

/* Number of columns, and column @index; NULL beyond the last one. */
size_t kermon_report_nr_columns(const struct kermon_report *report);
const struct kermon_column *
kermon_report_column(const struct kermon_report *report, size_t index);

/**
 * struct kermon_share - the time in which one of several rotated sets was counted
 * @measured: ns on the CPU, over all threads
 * @share: the same as a fraction of all time on the CPU: 0 to 1
 * @parts: number of parts of the run, of equal time on the CPU and long enough for two
 *	rounds of rotation; less than KERMON_PARTS are too few to distinguish programs
 *	with phases from steady ones
 * @least: the smallest share in any part
 * @most: the largest share in any part
 */
struct kermon_share {
	uint64_t measured;
	double share;
	size_t parts;
	double least;
	double most;
};

#define KERMON_PARTS	5

/* Share of set @index; NULL beyond the last one, so also for 0 if there was no rotation. */
const struct kermon_share *
kermon_report_share(const struct kermon_report *report, size_t index);

/* The share of set @index in part @part of the run; both must exist. */
double kermon_report_coverage(const struct kermon_report *report, size_t index,
			      size_t part);

/* Spread above which an estimate is to be labelled as affected by phases. */
#define KERMON_PHASES	0.10

/**
 * struct kermon_estimate - extrapolation of an event's count to the whole run
 * @value: the measured total, times all time / measured time
 * @spread: variation of the event's rate (counts per time) between the parts of the run:
 *	standard deviation / mean. 0 for a steady program. An estimate is good if the
 *	program behaved the same while it was not measured; a large spread shows that
 *	it has phases.
 */
struct kermon_estimate {
	double value;
	double spread;
};

/* Return: false if there is no estimate: @column has no set, or it was not measured. */
bool kermon_report_estimate(const struct kermon_report *report, size_t column,
			    struct kermon_estimate *estimate);

/*
 * Get run @index of those that a merged file consists of, from 0 on. Return: false if
 * there is none, as in a file that is not merged. @run->file is valid as long as
 * @report.
 */
bool kermon_report_run(const struct kermon_report *report, size_t index,
		       struct kermon_run *run);

/**
 * struct kermon_losses - data that is known to be missing
 * @records: records for which there was no room in perf's rings, samples or others, as
 *	far as reported in the file
 * @samples: lost by the hardware, or for lack of room in KerMon's log
 * @late: records that arrived too late to be sorted
 * @invalid: intervals of KerMon's log with impossible counts, which are omitted: their
 *	threads did more than the totals show
 */
struct kermon_losses {
	uint64_t records;
	uint64_t samples;
	uint64_t late;
	uint64_t invalid;
};

/* What is missing from the recording, after it has been read. */
const struct kermon_losses *
kermon_report_losses(const struct kermon_report *report);

/* Statistics of unwinding copies of stacks, after the recording has been read. */
const struct kermon_unwinding *
kermon_report_unwinding(const struct kermon_report *report);

/* Statements about the recording as a whole, after it has been read. */
const struct kermon_statements *
kermon_report_statements(const struct kermon_report *report);

/**
 * struct kermon_key - a property by which rows of a table can be grouped
 * @name: "comm", "pid"...: for the argument of kermon_report_table()
 * @alias: another accepted name; NULL: none
 * @field: its name with the unit, if it has one, as in CSV and JSON: "time_s"
 * @help: description in a few words
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
 * All keys, by index; NULL beyond the last. The first ones, up to "cgroup", have a
 * member in struct kermon_row. Later versions may have more keys in another order;
 * names stay the same.
 */
const struct kermon_key *kermon_key_at(size_t index);
/* The key with this name or alias; NULL: none. */
const struct kermon_key *kermon_key_find(const char *name);

/* Whether @names is a comma-separated list of keys without duplicates. */
bool kermon_keys_valid(const char *names);

/**
 * struct kermon_detail - the value of a key that has no member in rows
 * @key: the key; NULL at the end of an array
 * @text: NULL: unknown, or it is a number
 * @number: the number; for texts, distinguishes equal ones; for times, ns
 */
struct kermon_detail {
	const struct kermon_key *key;
	const char *text;
	uint64_t number;
};

/**
 * struct kermon_row - the sums of one group of samples
 * @comm: name of the thread, if that is a key of the table; likewise for other keys
 * @pid: of the process, @tid, of the thread, and @cpu, number of the CPU
 * @dso: NULL: nothing was mapped there
 * @sym: demangled name, or, with @mangled of the options, the mangled one; " (inlined)" is
 *	appended for inlined functions; NULL: unknown
 * @event: its name
 * @srcline: "file.c:12", of the innermost function, which may be inlined; NULL: unknown
 * @srcfile: "file.c"; NULL: unknown
 * @cgroup: path of the thread's control group, if recorded; NULL: unknown
 * @samples: number of samples: intervals of threads in files of KerMon; otherwise, and
 *	with the key @event, records
 * @values: their sums, in the order of the columns
 * @all_samples: number of samples, including those of callees
 * @all_values: their sums; NULL if the table is without callers
 * @details: values of the other keys of the table; NULL: it has none
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

/* The value of a key in a row: NULL and 0 if it is unknown, or of the other kind. */
const char *kermon_row_text(const struct kermon_row *row, const struct kermon_key *key);
uint64_t kermon_row_number(const struct kermon_row *row, const struct kermon_key *key);

/**
 * struct kermon_table - rows, the largest one first; with the key time, the earliest
 * @keys: @nr_keys of them, in the order given
 * @weight: index of the column by which rows are sorted
 * @callers: rows include callees in @all_values
 * @estimate: the sums are estimates. A sample of KerMon contains the counts of its thread
 *	since the previous sample, and the place at the end of the interval. Attributing
 *	all counts to that place and time slice is an approximation, which affects sums
 *	by function, file, line or time, and filters by these. Sums by thread, process,
 *	name and CPU are exact
 * @rows: @nr_rows of them
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
 * kermon_report_weight - get the default column to sort by
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
 * Return: 0; -EINVAL for an unknown or repeated key, an empty list, keys that were not
 * in one list of @keys of the options, no such column, or a report that has not been read;
 * -ECANCELED: the call may be repeated after kermon_cancel_reset(); -ENOMEM.
 */
int kermon_report_table(struct kermon_report *report, const char *keys,
			size_t weight, const struct kermon_table **table);

/* Whether the report has call chains. */
bool kermon_report_has_calls(const struct kermon_report *report);

/**
 * kermon_report_callers - sum up by keys, including callers
 *
 * Like kermon_report_table(), with a row for each active function: those in which
 * samples were taken, and their callers. @all_values and @all_samples contain all samples
 * during which the row was active, each once, and rows are sorted by them. The table has
 * no callers if the report has no call chains, if no key distinguishes functions, or if a
 * key distinguishes source lines, which are only known for the functions in which samples
 * were taken. Return: likewise.
 */
int kermon_report_callers(struct kermon_report *report, const char *keys,
			  size_t weight, const struct kermon_table **table);

/**
 * struct kermon_call - a function in a graph of calls
 * @sym: as in struct kermon_row; NULL: unknown
 * @dso: NULL: unknown
 * @samples: taken while all calls down to this one were active
 * @value: their sum, in the column by which the table is sorted
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
	KERMON_CALLERS,		/* bottom-up: the callers of a function */
	KERMON_CALLEES,		/* top-down: the functions that it called */
};

/**
 * struct kermon_graph_options - which graph, and how much of it; all may be 0
 * @size: sizeof(struct kermon_graph_options)
 * @direction: the graph of KERMON_CALLERS begins with the innermost function of the
 *	chains that is the row's, and goes on with its callers. That of KERMON_CALLEES
 *	begins with the outermost one that is the row's in a table with callers, and
 *	with the function that called all others in one without, and ends where the
 *	samples were taken.
 * @min_percent: functions with less have no @calls: the graph is cut off there. Higher
 *	values save time and memory
 * @of_caller: percentages are relative to the previous function, not to the total
 */
struct kermon_graph_options {
	size_t size;
	enum kermon_direction direction;
	double min_percent;
	bool of_caller;
};

/**
 * kermon_report_graph - get the call graph of a row
 * @report: with call chains
 * @table: of this report
 * @row: index in the table's rows
 * @options: which graph
 * @graph: set to a dummy function that precedes the first ones; to be freed with
 *	kermon_graph_free()
 *
 * Return: 0; -EINVAL: there is no such row, or there are no call chains; of several lists
 * of keys, only those with functions have some. -EINVAL or -E2BIG, for @options as in
 * kermon_report_new(); -ECANCELED; -ENOMEM.
 */
int kermon_report_graph(struct kermon_report *report,
			const struct kermon_table *table, size_t row,
			const struct kermon_graph_options *options,
			struct kermon_call **graph);
void kermon_graph_free(struct kermon_call *graph);

/**
 * kermon_report_header - get information on the machine and the recording
 * @report: that has been read
 * @line: called with the name and value of each line, in the order of the features
 * @context: passed to @line
 */
void kermon_report_header(const struct kermon_report *report,
			  void (*line)(void *context, const char *name,
				       const char *value),
			  void *context);

/* The value of one of the recorder's notes, see Documentation/perf-data.rst; or NULL. */
const char *kermon_report_note(const struct kermon_report *report,
			       const char *key);

/*
 * Text on DSO number @index of those without symbols, and the reason. NULL beyond the
 * last one.
 */
const char *kermon_report_unresolved(struct kermon_report *report,
				     size_t index);

/* Values derived from the columns of a row, a table or the totals. */

/* Instructions per cycle; NaN unless there are both, in the same modes. */
double kermon_ipc(const struct kermon_report *report, const uint64_t *values);

/*
 * Watts of an energy domain, column @index: its joules over the time on the CPU. NaN for
 * other columns, for joules "alone", whose time is not known, and in files that are not
 * KerMon's. The energy of an interval is exact to a millisecond, so that a few milliseconds
 * give no reliable power.
 */
double kermon_watts(const struct kermon_report *report, const uint64_t *values,
		    size_t index);

/* Time on a CPU over which a peak of power is measured, in ns. */
#define KERMON_PEAK_NS	100000000ULL

/*
 * Peak of the power of a domain, in watts: the highest in any window. A window consists of
 * consecutive intervals of a thread on a CPU, of a millisecond at least, together at least
 * KERMON_PEAK_NS long, in which the thread was there at least half of the time; it belongs to
 * the row of its last interval. @column: the energy of the domain, not the part "alone".
 * @table: NULL: of the whole recording. Return: NaN if there was no window, in tables by
 * event, and in files that are not KerMon's.
 */
double kermon_peak_watts(const struct kermon_report *report, const struct kermon_table *table,
			 size_t row, size_t column);

/* Operations in one precision: counts times lanes. */
uint64_t kermon_flop(const struct kermon_report *report,
		     const uint64_t *values, enum kermon_precision precision);

/* Whether any of them were counted in rotated sets, so that kermon_flop() is incomplete. */
bool kermon_flop_took_turns(const struct kermon_report *report,
			    enum kermon_precision precision);

/*
 * Estimate of all operations, from kermon_column_estimate() of each event. NaN if one of
 * the sets was never active.
 */
double kermon_flop_estimate(const struct kermon_report *report,
			    const uint64_t *values,
			    enum kermon_precision precision);

/*
 * Extrapolate @count of column @index by the share of the whole run in which its set was
 * measured: @count itself if it was not rotated. NaN: its set was never active.
 */
double kermon_column_estimate(const struct kermon_report *report, size_t index,
			      uint64_t count);

/* Whether an event counts any: otherwise, 0 operations mean unknown. */
bool kermon_counts_flop(const struct kermon_report *report,
			enum kermon_precision precision);

/**
 * struct kermon_derived - what follows from all counts of a row together
 * @operations: operations and bytes; of rotated sets, estimates for the whole time
 * @rotated: any of them is an estimate because its set was rotated
 * @seconds: time on the CPU; NaN: unknown
 * @flop_rate: operations per second on the CPU, here and below
 * @byte_rate: bytes of loads and stores, by @operations.bytes
 * @intensity: operations per byte; also by the bounds of the bytes: by the most bytes,
 *	@intensity_low, and by the fewest, @intensity_high
 * @joules_per_flop: of the package, as a whole while the thread ran; a row of several threads
 *	counts what they share once for each: an upper bound
 * @flop_error, @byte_error, @intensity_error: relative standard errors of what was
 *	estimated because sets were rotated, as far as the rates of events in the parts of the
 *	run tell; 0: nothing was. NaN: unknown, as the run is too short. Not included: that the
 *	widths of accesses are estimated, for which there are bounds
 * @reserved: 0
 *
 * Rates and ratios are NaN if something that they are made of was not counted.
 */
struct kermon_derived {
	struct kermon_operations operations;
	bool rotated;
	double seconds;
	double flop_rate;
	double byte_rate;
	double intensity;
	double intensity_low;
	double intensity_high;
	double joules_per_flop;
	double flop_error;
	double byte_error;
	double intensity_error;
	double reserved[4];
};

/* Derive from the values of a row; NULL: from the totals. Return: 0 or -ENOMEM. */
int kermon_report_derive(const struct kermon_report *report, const uint64_t *values,
			 struct kermon_derived *derived);

static inline double kermon_joules(uint64_t value)
{
	return (double)value / 4294967296.0;
}

KERMON_END_DECLS
#endif /* KERMON_REPORT_H */
