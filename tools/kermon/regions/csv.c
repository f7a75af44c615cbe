// SPDX-License-Identifier: GPL-2.0
/* Prints a report on regions as CSV: a line of names, then the rows. */
#include <stdio.h>

#include "regions.h"
#include "ui/csv.h"

#define NAME	4096

static void put_names(struct csv *csv, const char *const *names)
{
	for (; *names; names++)
		csv_text(csv, *names);
}

/* A column for each event, and of the time on a CPU, which comes first. */
static void put_event_names(const struct regions_view *view, struct csv *csv, const char *prefix)
{
	const size_t nr = regions_counted(view->file.regions);
	char name[256];
	const char *event;

	for (size_t i = 0; i < nr; i++) {
		event = i ? regions_event(view, i) : "oncpu_ns";
		snprintf(name, sizeof(name), "%s%s", prefix, event ? event : "");
		csv_text(csv, name);
	}
}

static void put_counts(const struct regions_view *view, struct csv *csv, const uint64_t *counts)
{
	const size_t nr = regions_counted(view->file.regions);

	for (size_t i = 0; i < nr; i++) {
		if (counts)
			csv_number(csv, counts[i]);
		else
			csv_text(csv, NULL);
	}
}

static void put_thread(const struct regions_view *view, struct csv *csv,
		       const struct region_thread *thread)
{
	if (!view->by_thread && !view->wanted)
		return;
	csv_number(csv, thread->pid);
	csv_number(csv, thread->tid);
	csv_text(csv, thread->name ? thread->name : thread->comm);
}

static void put_heads(const struct regions_view *view, struct csv *csv)
{
	static const char *const threads[] = { "pid", "tid", "thread", NULL };
	static const char *const times[] = {
		"region", "kind", "calls", "total_ns", "self_ns", "percent", NULL,
	};
	static const char *const rest[] = {
		"mean_ns", "min_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns",
		"missing_ends", "unended", "lost_marks", "mixed", NULL,
	};

	if (view->by_thread)
		put_names(csv, threads);
	put_names(csv, times);
	if (view->file.clock != SIZE_MAX) {
		csv_text(csv, "sampled_ns");
		csv_text(csv, "self_sampled_ns");
	}
	put_event_names(view, csv, "");
	put_event_names(view, csv, "self_");
	put_names(csv, rest);
	csv_end(csv);
}

static void put_durations(struct csv *csv, const struct durations *durations)
{
	static const double shares[] = { 0.5, 0.9, 0.99 };

	for (int i = 0; i < 6 && !durations->nr; i++)
		csv_text(csv, NULL);
	if (!durations->nr)
		return;
	csv_real(csv, (double)durations->sum / (double)durations->nr);
	csv_number(csv, durations->least);
	csv_number(csv, durations->most);
	for (int i = 0; i < 3; i++)
		csv_number(csv, durations_percentile(durations, shares[i]));
}

static void put_row(const struct regions_view *view, struct csv *csv,
		    const struct region_row *row)
{
	const struct region_sum *sum = &row->sum;
	char name[NAME];

	put_thread(view, csv, row->thread);
	csv_text(csv, regions_row_name(view, row, name, sizeof(name)));
	csv_text(csv, regions_kind(regions_node(view->file.regions, row->node)));
	csv_number(csv, sum->calls);
	csv_number(csv, sum->total);
	csv_number(csv, sum->self);
	csv_real(csv, regions_share(view, row, view->whole));
	if (view->file.clock != SIZE_MAX) {
		csv_number(csv, sum->sampled_total);
		csv_number(csv, sum->sampled);
	}
	put_counts(view, csv, sum->total_counts);
	put_counts(view, csv, sum->self_counts);
	put_durations(csv, &sum->durations);
	csv_number(csv, sum->missing);
	csv_number(csv, sum->unended);
	csv_number(csv, sum->lost);
	csv_number(csv, sum->mixed);
	csv_end(csv);
}

static void print_pie(const struct regions_view *view, struct csv *csv)
{
	static const char *const names[] = {
		"region", "total_ns", "percent_of_regions", "percent", NULL,
	};
	const struct region_row *row;
	char name[NAME];

	put_names(csv, names);
	csv_end(csv);
	for (size_t i = 0; i < view->nr_rows; i++) {
		row = &view->rows[i];
		csv_text(csv, regions_row_name(view, row, name, sizeof(name)));
		csv_number(csv, row->sum.total);
		if (row->node == REGIONS_OUTSIDE)
			csv_text(csv, NULL);
		else
			csv_real(csv, regions_percent(row->sum.total, view->inside));
		csv_real(csv, regions_percent(row->sum.total, view->whole));
		csv_end(csv);
	}
}

static void put_value(const struct regions_view *view, struct csv *csv,
		      const struct region_row *row, const struct region_value *value)
{
	char name[NAME];

	put_thread(view, csv, row->thread);
	csv_text(csv, regions_row_name(view, row, name, sizeof(name)));
	csv_text(csv, value->name);
	csv_number(csv, value->nr);
	csv_real(csv, value->sum);
	csv_real(csv, value->sum / (double)value->nr);
	csv_real(csv, value->least);
	csv_real(csv, value->most);
	csv_end(csv);
}

static void print_values(const struct regions_view *view, struct csv *csv)
{
	static const char *const threads[] = { "pid", "tid", "thread", NULL };
	static const char *const names[] = {
		"region", "name", "values", "sum", "mean", "min", "max", NULL,
	};
	const struct region_value *value;

	if (view->by_thread)
		put_names(csv, threads);
	put_names(csv, names);
	csv_end(csv);
	for (size_t i = 0; i < view->nr_rows; i++)
		for (value = view->rows[i].sum.values; value; value = value->next)
			put_value(view, csv, &view->rows[i], value);
}

static void print_iterations(const struct regions_view *view, struct csv *csv)
{
	static const char *const names[] = {
		"pid", "tid", "thread", "region", "call", "begin_ns", "duration_ns", "cut", NULL,
	};
	const struct region_call *call;
	char name[NAME];

	put_names(csv, names);
	put_event_names(view, csv, "");
	csv_end(csv);
	for (size_t i = 0; i < view->nr_iterations; i++) {
		call = &view->iterations[i].call;
		put_thread(view, csv, call->thread);
		csv_text(csv, regions_branch(view->file.regions, call->node, name, sizeof(name)));
		csv_number(csv, call->number);
		csv_number(csv, call->begin);
		csv_number(csv, call->duration);
		csv_text(csv, call->cut ? "yes" : "no");
		put_counts(view, csv, view->iterations[i].counts);
		csv_end(csv);
	}
}

int regions_print_csv(const struct regions_view *view)
{
	struct csv csv = { .out = stdout };

	if (view->wanted) {
		print_iterations(view, &csv);
	} else if (view->values) {
		print_values(view, &csv);
	} else if (view->pie) {
		print_pie(view, &csv);
	} else {
		put_heads(view, &csv);
		for (size_t i = 0; i < view->nr_rows; i++)
			put_row(view, &csv, &view->rows[i]);
	}
	return 0;
}
