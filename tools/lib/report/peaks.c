// SPDX-License-Identifier: GPL-2.0
/*
 * Peaks of power: the highest in any window of KERMON_PEAK_NS on a CPU. A window consists of
 * consecutive intervals of a thread on a CPU, in which it was there at least half of the
 * time: the register is read once per millisecond, so that the joules of shorter times, or of
 * many short intervals, tell little.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_private.h"
#include "util/array.h"
#include "util/cpulist.h"

/* Shorter intervals are left out: the register is read once per millisecond. */
#define SHORTEST_NS	1000000

/*
 * Threads per CPU whose windows are remembered: those that ran there last. No more than two
 * can be there half of the time.
 */
#define WINDOWS		4

/**
 * struct window - intervals of a thread on a CPU
 * @tid: the thread
 * @begin: ns, of the first interval
 * @end: ns, of the last one
 * @oncpu: ns, of all; 0: there is none
 */
struct window {
	uint32_t tid;
	uint64_t begin;
	uint64_t end;
	uint64_t oncpu;
};

/**
 * struct peaks - the highest power so far
 * @nr: number of energy domains
 * @domain_of: index of the domain, by column
 * @windows: WINDOWS of each CPU
 * @nr_windows: length of @windows
 * @energy: in 2^-32 joule, by window and domain
 * @current: window of the last interval
 * @open: there is a last interval, whose energy may not be complete
 * @entries: of that interval, by list
 * @highest: in watts, by entry and domain; NaN: no window
 * @nr_entries: length of @highest
 * @all: in watts, by domain, of all entries
 */
struct peaks {
	size_t nr;
	size_t *domain_of;
	struct window *windows;
	size_t nr_windows;
	size_t room_windows;
	uint64_t *energy;
	size_t room_energy;
	size_t current;
	bool open;
	uint32_t entries[REPORT_MAX_LISTS];
	double *highest;
	size_t room_highest;
	size_t nr_entries;
	double *all;
};

/* Number of energy domains, with their indices in @peaks if that is not NULL. */
static size_t find_domains(const struct kermon_report *report, struct peaks *peaks)
{
	size_t nr = 0;

	for (size_t i = 0; i < report->nr_columns; i++) {
		if (peaks)
			peaks->domain_of[i] = nr;
		nr += report_has_alone(report, i);
	}
	return nr;
}

int report_make_peaks(struct kermon_report *report)
{
	const size_t nr = find_domains(report, NULL);
	struct peaks *peaks;

	if (!nr)
		return 0;
	peaks = calloc(1, sizeof(*peaks));
	if (!peaks)
		return -ENOMEM;
	report->peaks = peaks;
	peaks->nr = nr;
	peaks->domain_of = calloc(report->nr_columns, sizeof(*peaks->domain_of));
	peaks->all = calloc(nr, sizeof(*peaks->all));
	if (!peaks->domain_of || !peaks->all)
		return -ENOMEM;
	find_domains(report, peaks);
	for (size_t i = 0; i < nr; i++)
		peaks->all[i] = NAN;
	return 0;
}

void report_free_peaks(struct kermon_report *report)
{
	struct peaks *peaks = report->peaks;

	if (!peaks)
		return;
	free(peaks->domain_of);
	free(peaks->windows);
	free(peaks->energy);
	free(peaks->highest);
	free(peaks->all);
	free(peaks);
}

/* Room for an entry and those before it. Return: 0 or -ENOMEM. */
static int make_entry(struct peaks *peaks, uint32_t entry)
{
	const size_t nr = ((size_t)entry + 1) * peaks->nr;

	if (entry < peaks->nr_entries)
		return 0;
	if (array_room(peaks->highest, peaks->room_highest, nr))
		return -ENOMEM;
	for (size_t i = peaks->nr_entries * peaks->nr; i < nr; i++)
		peaks->highest[i] = NAN;
	peaks->nr_entries = (size_t)entry + 1;
	return 0;
}

static uint64_t *energy_of(const struct peaks *peaks, size_t window)
{
	return peaks->energy + window * peaks->nr;
}

static void clear_window(struct peaks *peaks, size_t window)
{
	peaks->windows[window].oncpu = 0;
	memset(energy_of(peaks, window), 0, peaks->nr * sizeof(*peaks->energy));
}

/* Windows of CPUs up to the one of @window. Return: 0 or -ENOMEM. */
static int make_windows(struct peaks *peaks, size_t window)
{
	const size_t nr = window + WINDOWS;

	if (array_room(peaks->windows, peaks->room_windows, nr) ||
	    array_room(peaks->energy, peaks->room_energy, nr * peaks->nr))
		return -ENOMEM;
	for (; peaks->nr_windows < nr; peaks->nr_windows++) {
		peaks->windows[peaks->nr_windows] = (struct window){ 0 };
		clear_window(peaks, peaks->nr_windows);
	}
	return 0;
}

/* Set @peaks->current, to that of the thread which ran longest ago if it has none. */
static int find_window(struct peaks *peaks, uint32_t tid, uint32_t cpu)
{
	const size_t first = (size_t)cpu * WINDOWS;
	size_t oldest = first;

	if (first >= peaks->nr_windows && make_windows(peaks, first))
		return -ENOMEM;
	for (size_t i = first; i < first + WINDOWS; i++) {
		if (peaks->windows[i].tid == tid) {
			peaks->current = i;
			return 0;
		}
		if (peaks->windows[i].end < peaks->windows[oldest].end)
			oldest = i;
	}
	clear_window(peaks, oldest);
	peaks->windows[oldest].tid = tid;
	peaks->current = oldest;
	return 0;
}

static void raise_to(double *highest, double watts)
{
	if (!(*highest >= watts))
		*highest = watts;
}

/* A window is over: its power may be the highest of its entries. */
static void take_window(const struct kermon_report *report, const struct window *window)
{
	struct peaks *peaks = report->peaks;
	const uint64_t *energy = energy_of(peaks, peaks->current);
	double watts;

	for (size_t i = 0; i < peaks->nr; i++) {
		watts = kermon_joules(energy[i]) / (window->oncpu / 1e9);
		raise_to(&peaks->all[i], watts);
		for (int list = 0; list < report->nr_summed; list++)
			raise_to(&peaks->highest[peaks->entries[list] * peaks->nr + i],
				 watts);
	}
}

void report_end_peaks(struct kermon_report *report)
{
	struct peaks *peaks = report->peaks;
	const struct window *window;

	if (!peaks || !peaks->open)
		return;
	peaks->open = false;
	window = &peaks->windows[peaks->current];
	if (window->oncpu < KERMON_PEAK_NS)
		return;
	take_window(report, window);
	clear_window(peaks, peaks->current);
}

/* Whether the thread would have been elsewhere for more than half of the window. */
static bool is_sparse(const struct window *window, uint64_t end, uint64_t oncpu)
{
	return end <= window->end || (end - window->begin) / 2 > window->oncpu + oncpu;
}

int report_peak_interval(struct kermon_report *report, const struct interval *interval,
			 uint64_t oncpu, const uint32_t *entries)
{
	struct peaks *peaks = report->peaks;
	struct window *window;

	if (!peaks)
		return 0;
	report_end_peaks(report);
	if (oncpu < SHORTEST_NS)
		return 0;
	for (int i = 0; i < report->nr_summed; i++)
		if (make_entry(peaks, entries[i]))
			return -ENOMEM;
	/* In a damaged file. */
	if (interval->cpu >= CPULIST_MOST)
		return 0;
	if (find_window(peaks, interval->tid, interval->cpu))
		return -ENOMEM;
	window = &peaks->windows[peaks->current];
	if (window->oncpu && is_sparse(window, interval->time, oncpu))
		clear_window(peaks, peaks->current);
	if (!window->oncpu)
		window->begin = interval->time - oncpu;
	window->end = interval->time;
	window->oncpu += oncpu;
	memcpy(peaks->entries, entries, report->nr_summed * sizeof(*entries));
	peaks->open = true;
	return 0;
}

void report_peak_energy(struct kermon_report *report, size_t column, uint64_t energy)
{
	struct peaks *peaks = report->peaks;

	if (peaks && peaks->open)
		energy_of(peaks, peaks->current)[peaks->domain_of[column]] += energy;
}

size_t report_nr_peaks(const struct kermon_report *report)
{
	return report->peaks ? report->peaks->nr : 0;
}

void report_add_peaks(const struct kermon_report *report, uint32_t entry, double *highest)
{
	const struct peaks *peaks = report->peaks;

	for (size_t i = 0; peaks && entry < peaks->nr_entries && i < peaks->nr; i++)
		if (!isnan(peaks->highest[entry * peaks->nr + i]))
			raise_to(&highest[i], peaks->highest[entry * peaks->nr + i]);
}

double kermon_peak_watts(const struct kermon_report *report, const struct kermon_table *table,
			 size_t row, size_t column)
{
	const struct peaks *peaks = report->peaks;
	const struct table_node *node = (const struct table_node *)table;
	size_t domain;

	if (!peaks || !report_has_alone(report, column))
		return NAN;
	domain = peaks->domain_of[column];
	if (!table)
		return peaks->all[domain];
	if (row >= node->nr || report_has_key(&node->keys, KEY_EVENT))
		return NAN;
	return node->rows[row]->peaks[domain];
}
