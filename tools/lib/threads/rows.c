// SPDX-License-Identifier: GPL-2.0
/* Rates, sums, order and selection of rows. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "threads_private.h"

/* The first event of a kind; -1: none. */
static int find_kind(const struct threads_events *events, enum kermon_metric_kind kind)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (events->events[i].metric.kind == kind)
			return i;
	return -1;
}

bool threads_has(const struct threads_events *events, unsigned int column)
{
	switch (column) {
	case THREADS_IPC:
		return find_kind(events, KERMON_METRIC_CYCLES) >= 0 &&
		       find_kind(events, KERMON_METRIC_INSTRUCTIONS) >= 0;
	case THREADS_INSTRUCTIONS:
		return find_kind(events, KERMON_METRIC_INSTRUCTIONS) >= 0;
	case THREADS_FLOP:
		return find_kind(events, KERMON_METRIC_FLOP) >= 0;
	default:
		return column < THREADS_EVENT + events->nr;
	}
}

static bool is_counted(const struct threads_row *row, unsigned int event)
{
	return row->counted >> event & 1;
}

/* The count of the first event of a kind; NaN if it was not counted. */
static double count_of(const struct threads_events *events, const struct threads_row *row,
		       enum kermon_metric_kind kind)
{
	int index = find_kind(events, kind);

	return index >= 0 && is_counted(row, index) ? row->counts[index] : NAN;
}

/* Whether an event counts all operations of a precision. */
static bool has_whole(const struct threads_events *events, unsigned int precision)
{
	const struct kermon_metric *metric;

	for (unsigned int i = 0; i < events->nr; i++) {
		metric = &events->events[i].metric;
		if (metric->kind == KERMON_METRIC_FLOP && metric->whole &&
		    metric->precision == precision)
			return true;
	}
	return false;
}

/* Bit mask of the events whose counts add up to the operations. */
static uint32_t flop_events(const struct threads_events *events)
{
	const struct kermon_metric *metric;
	uint32_t mask = 0;

	for (unsigned int i = 0; i < events->nr; i++) {
		metric = &events->events[i].metric;
		if (metric->kind == KERMON_METRIC_FLOP &&
		    metric->whole == has_whole(events, metric->precision))
			mask |= 1U << i;
	}
	return mask;
}

static double flop_of(const struct threads_events *events, const struct threads_row *row)
{
	const uint32_t mask = flop_events(events);
	double sum = 0;

	if (!mask || (row->counted & mask) != mask)
		return NAN;
	for (unsigned int i = 0; i < events->nr; i++)
		if (mask >> i & 1)
			sum += row->counts[i] * events->events[i].metric.lanes;
	return sum;
}

static double ipc_of(const struct threads_events *events, const struct threads_row *row)
{
	const double cycles = count_of(events, row, KERMON_METRIC_CYCLES);
	const double instructions = count_of(events, row, KERMON_METRIC_INSTRUCTIONS);

	return cycles > 0 ? instructions / cycles : NAN;
}

static double per_second(const struct threads_row *row, double count)
{
	return row->ns ? count * 1e9 / row->ns : NAN;
}

static double percent(const struct threads_row *row, uint64_t ns)
{
	return row->ns ? 100.0 * ns / row->ns : NAN;
}

double threads_value(const struct threads_events *events, const struct threads_row *row,
		     unsigned int column)
{
	switch (column) {
	case THREADS_PID:
		return row->pid;
	case THREADS_TID:
		return row->tid;
	case THREADS_USER:
		return row->uid;
	case THREADS_CPU:
		return row->cpu < 0 ? NAN : row->cpu;
	case THREADS_RUN:
		return percent(row, row->run_ns);
	case THREADS_WAIT:
		return row->ended ? NAN : percent(row, row->wait_ns);
	case THREADS_IPC:
		return ipc_of(events, row);
	case THREADS_INSTRUCTIONS:
		return per_second(row, count_of(events, row, KERMON_METRIC_INSTRUCTIONS));
	case THREADS_FLOP:
		return per_second(row, flop_of(events, row));
	case THREADS_SWITCHES:
		return row->ended ? NAN : per_second(row, row->switches);
	case THREADS_FAULTS:
		return per_second(row, row->faults);
	case THREADS_COMMAND:
		return 0;
	default:
		column -= THREADS_EVENT;
		return is_counted(row, column) ? per_second(row, row->counts[column]) : NAN;
	}
}

static uint32_t kind_bit(const struct threads_events *events, enum kermon_metric_kind kind)
{
	int index = find_kind(events, kind);

	return index < 0 ? 0 : 1U << index;
}

bool threads_is_estimate(const struct threads_events *events,
			 const struct threads_row *row, unsigned int column)
{
	switch (column) {
	case THREADS_IPC:
		return row->estimated & (kind_bit(events, KERMON_METRIC_CYCLES) |
					 kind_bit(events, KERMON_METRIC_INSTRUCTIONS));
	case THREADS_INSTRUCTIONS:
		return row->estimated & kind_bit(events, KERMON_METRIC_INSTRUCTIONS);
	case THREADS_FLOP:
		return row->estimated & flop_events(events);
	default:
		return column >= THREADS_EVENT &&
		       row->estimated >> (column - THREADS_EVENT) & 1;
	}
}

/* How rows are sorted. */
struct order {
	const struct threads_events *events;
	unsigned int column;
	bool reverse;
};

static bool is_ascending(unsigned int column)
{
	return column <= THREADS_CPU || column == THREADS_COMMAND;
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_values(const struct threads_row *a, const struct threads_row *b,
			  const struct order *order)
{
	const double x = threads_value(order->events, a, order->column);
	const double y = threads_value(order->events, b, order->column);
	const bool ascending = is_ascending(order->column) != order->reverse;
	int result;

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	result = order->column == THREADS_COMMAND ? strcmp(a->comm, b->comm) :
		 compare_numbers(x, y);
	return ascending ? result : -result;
}

static int compare_rows(const void *one, const void *other, void *context)
{
	const struct threads_row *a = one, *b = other;
	int result = compare_values(a, b, context);

	if (!result)
		result = compare_numbers(b->run_ns, a->run_ns);
	return result ? result : compare_numbers(a->tid, b->tid);
}

void threads_sort(const struct threads_events *events, struct threads_row *rows, size_t nr,
		  unsigned int column, bool reverse)
{
	struct order order = { events, column, reverse };

	if (nr)
		qsort_r(rows, nr, sizeof(*rows), compare_rows, &order);
}

/* Time of the threads whose event was counted, by event. */
struct counted_time {
	double ns[THREADS_EVENTS];
};

static void add_counts(const struct threads_events *events, struct threads_row *to,
		       const struct threads_row *row, struct counted_time *time)
{
	for (unsigned int i = 0; i < events->nr; i++) {
		if (!is_counted(row, i))
			continue;
		to->counts[i] += row->counts[i];
		to->counted |= 1U << i;
		to->estimated |= row->estimated & 1U << i;
		time->ns[i] += row->run_ns;
	}
}

/* Scale to the time of all threads what some of them have counted. */
static void scale(const struct threads_events *events, struct threads_row *row,
		  const struct counted_time *time)
{
	for (unsigned int i = 0; i < events->nr; i++) {
		if (!is_counted(row, i) || time->ns[i] >= row->run_ns)
			continue;
		row->estimated |= 1U << i;
		if (time->ns[i] > 0)
			row->counts[i] *= row->run_ns / time->ns[i];
		else
			row->counted &= ~(1U << i);
	}
}

static void add_thread(const struct threads_events *events, struct threads_row *to,
		       const struct threads_row *row, struct counted_time *time)
{
	to->nr += row->nr;
	to->run_ns += row->run_ns;
	to->wait_ns += row->wait_ns;
	to->switches += row->switches;
	to->faults += row->faults;
	to->ended &= row->ended;
	if (row->cpu != to->cpu)
		to->cpu = -1;
	if (to->uncounted)
		to->uncounted = row->uncounted;
	add_counts(events, to, row, time);
}

/* Sum the rows of one process; @to may be the first of them. */
static void merge_process(const struct threads_events *events, struct threads_row *to,
			  const struct threads_row *rows, size_t nr)
{
	struct counted_time time = { 0 };
	struct threads_row sum = rows[0];

	sum.tid = sum.pid;
	sum.counted = 0;
	sum.estimated = 0;
	memset(sum.counts, 0, sizeof(sum.counts));
	memcpy(sum.comm, sum.process, sizeof(sum.comm));
	add_counts(events, &sum, &rows[0], &time);
	for (size_t i = 1; i < nr; i++)
		add_thread(events, &sum, &rows[i], &time);
	scale(events, &sum, &time);
	*to = sum;
}

size_t threads_merge(const struct threads_events *events, struct threads_row *rows,
		     size_t nr)
{
	size_t end, merged = 0;

	threads_sort(events, rows, nr, THREADS_PID, false);
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && rows[end].pid == rows[i].pid; end++)
			;
		merge_process(events, &rows[merged++], &rows[i], end - i);
	}
	return merged;
}

static bool has_number(pid_t number, const char *text)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", number);
	return !strcmp(digits, text);
}

bool threads_match(const struct threads_row *row, const char *text)
{
	return strcasestr(row->comm, text) || strcasestr(row->process, text) ||
	       has_number(row->pid, text) || has_number(row->tid, text);
}

size_t threads_filter(struct threads_row *rows, size_t nr, const char *text)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (threads_match(&rows[i], text))
			rows[kept++] = rows[i];
	return kept;
}
