/* SPDX-License-Identifier: GPL-2.0 */
/* What the runs of a command counted, by KerMon or perf_event, and its output formats. */
#ifndef KERMON_TOTALS_H
#define KERMON_TOTALS_H

#include <stdbool.h>
#include <stdio.h>

#include <kermon/report.h>

#include "outcome.h"
#include "ui/power.h"

/**
 * struct average - of a value over several runs, by Welford's method
 * @nr: number of runs
 * @mean: their mean
 * @squares: sum of the squared distances from it
 */
struct average {
	unsigned int nr;
	double mean;
	double squares;
};

/* The standard error of the mean, relative to it; 0 for a single run. */
double average_error(const struct average *average);

/**
 * struct total - something that was counted
 * @name: of the event
 * @metric: its meaning
 * @alone: only energy while the thread had the package to itself
 * @packages: energy of that many packages as a whole, whatever ran; 0: what the command did
 * @error: -errno if the kernel did not count it in the last run, else 0
 * @share: fraction of the time on the CPU in which it was counted, over the runs; below 1,
 *	@value is an estimate for all of that time
 * @value: counts, ns, or 2^-32 joule, over the runs in which it was counted
 * @peak: of energy: highest power in watts in any run; 0: not known
 */
struct total {
	char name[KERMON_EVENT_NAME];
	struct kermon_metric metric;
	bool alone;
	unsigned int packages;
	int error;
	struct average share;
	struct average value;
	double peak;
};

#define TOTALS_MAX	(OUTCOME_COUNTS + 16)

/* Unit of energy: 2^-32 joule, as in recordings. */
#define TOTALS_JOULE	4294967296.0

/* Why @total was not counted, in a few words; NULL if it was. */
const char *total_reason(const struct total *total);

/**
 * struct totals - the sums over all threads
 * @by_perf: perf_event counted, not KerMon
 * @model: cycles are those of an emulator's model
 * @elapsed: ns from the start of the command to its end
 * @user, @system: ns in user and kernel mode, by the kernel's accounting
 * @faults, @switches: page faults and context switches, likewise; these four without runs:
 *	unknown
 * @nr: number of @counts
 * @counts: what was counted
 * @flop: operations of KERMON_SINGLE, _DOUBLE and _MIXED; no runs: not counted
 * @bytes, @bytes_low, @bytes_high: of loads and stores, with bounds, likewise
 * @basis: enum kermon_bytes_basis of the last run
 * @intensity, @intensity_low, @intensity_high: operations per byte
 * @joules_per_flop: of the package
 */
struct totals {
	bool by_perf;
	bool model;
	struct average elapsed, user, system;
	struct average faults, switches;
	unsigned int nr;
	struct total counts[TOTALS_MAX];
	struct average flop[KERMON_MIXED + 1];
	struct average bytes, bytes_low, bytes_high;
	uint8_t basis;
	struct average intensity, intensity_low, intensity_high;
	struct average joules_per_flop;
};

/*
 * Add a run, and set @report to the threads of its recording, to be freed, or to NULL if
 * perf_event counted. Return: 0; -EBADMSG: what can be read of a damaged recording was
 * added; or as kermon_report_read().
 */
int totals_add(struct totals *totals, const struct outcome *outcome,
	       struct kermon_report **report);

/* Add a value of a run; NaN: it has none. */
void average_add(struct average *average, double value);

/* Add what follows from operations and accesses of a run together, and from its energy. */
void totals_derive(struct totals *totals, const struct kermon_operations *sum,
		   double joules);

/* The same from the counts of perf_event. */
void totals_derive_counts(struct totals *totals, const struct outcome *outcome);

/* The only count of a kind; NULL if there is none. Of energy, the package's shared one. */
const struct total *totals_find(const struct totals *totals,
				enum kermon_metric_kind kind);

/* Instructions per cycle, of equal modes; NaN if unknown. */
double totals_ipc(const struct totals *totals);

/* Why no energy of the package was counted in the last run: -errno, or 0 if it was. */
int totals_energy_error(const struct totals *totals);

/* Time on the CPU, in seconds, to which rates refer; 0 if unknown. */
double totals_time(const struct totals *totals);

/*
 * Watts of a domain: over the time on the CPU if it is energy of the command, else over the
 * elapsed time. NaN: it is no energy, was not counted, or the time is unknown, as that which
 * was "alone" is.
 */
double total_watts(const struct totals *totals, const struct total *total);

/* Whether it is energy of the package. */
bool total_is_package(const struct total *total);

/* Bytes between memory and caches for each count; 0: it counts something else. */
double total_memory_bytes(const struct total *total);

/* Columns of a table, at most. */
#define TOTALS_WIDTH	100

/**
 * struct totals_view - totals, and how to show them
 * @totals: of all runs
 * @report: of the only run, for a table of its threads; NULL: no such table
 * @command: the command line that ran
 * @runs: how often it ran
 * @all_domains: show all domains of energy, not only the package
 * @idle: power of the idle machine, to be subtracted
 * @out: where to print
 */
struct totals_view {
	const struct totals *totals;
	struct kermon_report *report;
	char *const *command;
	unsigned int runs;
	bool all_domains;
	struct idle_power idle;
	FILE *out;
};

/* Whether a count is to be shown. */
bool totals_show(const struct totals_view *view, const struct total *total);

/* Print the threads of the only run below the totals. Return: 0 or -ENOMEM. */
int totals_print_threads(const struct totals_view *view);

/* Return: 0 or -ENOMEM; errors of @out are for the caller. */
int totals_print_text(const struct totals_view *view);
int totals_print_json(const struct totals_view *view);

#endif /* KERMON_TOTALS_H */
