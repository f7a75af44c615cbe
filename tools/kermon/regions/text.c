// SPDX-License-Identifier: GPL-2.0
/* Prints a report on regions for people: the tree, or other tables, and what limits them. */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/statements.h"
#include "regions.h"
#include "ui/number.h"
#include "ui/shown.h"
#include "ui/table.h"

#define NAME	4096

static void add_number(struct table *table, uint64_t value, bool estimate)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (estimate) {
		number_about(value, exact, brief);
	} else {
		number_exact(value, exact);
		number_brief(value, brief);
	}
	table_cell(table, exact, brief);
}

static void add_seconds(struct table *table, uint64_t ns)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	number_seconds(ns, exact);
	number_brief_seconds(ns, brief);
	table_cell(table, exact, brief);
}

/* Four digits and a unit: "12.34 us". */
static void add_duration(struct table *table, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	char text[NUMBER_SIZE];
	int unit = 0;

	while (ns >= 1000 && unit < 3) {
		ns /= 1000;
		unit++;
	}
	snprintf(text, sizeof(text), "%.4g %s", ns, units[unit]);
	table_cell(table, text, NULL);
}

static void add_percent(struct table *table, double percent)
{
	char text[NUMBER_SIZE] = "-";

	if (!isnan(percent))
		snprintf(text, sizeof(text), "%.2f", percent);
	table_cell(table, text, NULL);
}

static void add_name(struct table *table, const struct regions_view *view,
		     const struct region_row *row)
{
	const struct region_node *node = regions_node(view->file.regions, row->node);
	char text[2 * REGIONS_DEPTH + NAME], kind[16] = "";

	if (!regions_has_time(node))
		snprintf(kind, sizeof(kind), " [%s]", regions_kind(node));
	snprintf(text, sizeof(text), "%*s%s%s", 2 * (int)row->depth, "", node->name, kind);
	table_cell(table, text, NULL);
}

static void add_thread(struct table *table, const struct region_thread *thread)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRIu32, thread->tid);
	table_cell(table, thread->name ? thread->name : thread->comm ? thread->comm : "", NULL);
	table_cell(table, text, NULL);
}

static void add_thread_columns(struct table *table)
{
	table_column(table, TABLE_KEY, "thread");
	table_column(table, TABLE_KEY_NUMBER, "tid");
}

/* "instructions" with the self count below each total would be too wide: totals, in order. */
static void add_count_columns(struct table *table, const struct regions_view *view)
{
	const size_t nr = regions_counted(view->file.regions);
	const char *event;

	if (nr)
		table_column(table, TABLE_VALUE, "on CPU [s]");
	else if (view->file.clock != SIZE_MAX)
		table_column(table, TABLE_VALUE, "~on CPU [s]");
	for (size_t i = 1; i < nr; i++) {
		event = regions_event(view, i);
		table_column(table, TABLE_VALUE, event ? event : "");
	}
}

static void add_counts(struct table *table, const struct regions_view *view,
		       const uint64_t *counts, uint64_t sampled)
{
	const size_t nr = regions_counted(view->file.regions);
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (nr && counts) {
		add_seconds(table, counts[0]);
	} else if (nr) {
		table_cell(table, "-", NULL);
	} else if (view->file.clock != SIZE_MAX) {
		number_about_real((double)sampled / 1e9, 6, exact);
		number_about_real((double)sampled / 1e9, 3, brief);
		table_cell(table, exact, brief);
	}
	for (size_t i = 1; i < nr; i++) {
		if (counts)
			add_number(table, counts[i], regions_rotated(view->file.regions));
		else
			table_cell(table, "-", NULL);
	}
}

static void add_durations(struct table *table, const struct durations *durations)
{
	if (!durations->nr) {
		for (int i = 0; i < 3; i++)
			table_cell(table, "-", NULL);
		return;
	}
	add_duration(table, (double)durations->sum / (double)durations->nr);
	add_duration(table, (double)durations_percentile(durations, 0.5));
	add_duration(table, (double)durations_percentile(durations, 0.99));
}

static void add_row(struct table *table, const struct regions_view *view,
		    const struct region_row *row)
{
	const struct region_sum *sum = &row->sum;

	if (view->by_thread)
		add_thread(table, row->thread);
	add_name(table, view, row);
	add_percent(table, regions_share(view, row, view->whole));
	add_number(table, sum->calls, false);
	add_seconds(table, sum->total);
	add_seconds(table, sum->self);
	add_counts(table, view, sum->total_counts, sum->sampled_total);
	add_durations(table, &sum->durations);
}

static int print_rows(const struct regions_view *view, const struct table_style *style)
{
	struct table *table = table_new();
	int err;

	if (view->by_thread)
		add_thread_columns(table);
	table_column(table, TABLE_KEY, "region");
	table_column(table, TABLE_VALUE, "%");
	table_column(table, TABLE_VALUE, "calls");
	table_column(table, TABLE_VALUE, "total [s]");
	table_column(table, TABLE_VALUE, "self [s]");
	add_count_columns(table, view);
	table_column(table, TABLE_VALUE, "mean");
	table_column(table, TABLE_VALUE, "p50");
	table_column(table, TABLE_VALUE, "p99");
	for (size_t i = 0; i < view->nr_rows; i++)
		add_row(table, view, &view->rows[i]);
	table_title("Regions", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

static int print_pie(const struct regions_view *view, const struct table_style *style)
{
	struct table *table = table_new();
	const struct region_row *row;
	int err;

	table_column(table, TABLE_KEY, "region");
	table_column(table, TABLE_VALUE, "% of regions");
	table_column(table, TABLE_VALUE, "% of all");
	table_column(table, TABLE_VALUE, "total [s]");
	for (size_t i = 0; i < view->nr_rows; i++) {
		row = &view->rows[i];
		add_name(table, view, row);
		if (row->node == REGIONS_OUTSIDE)
			table_cell(table, "-", NULL);
		else
			add_percent(table, regions_share(view, row, view->inside));
		add_percent(table, regions_share(view, row, view->whole));
		add_seconds(table, row->sum.total);
	}
	table_title("Shares of the regions at the top", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

static void add_value(struct table *table, const struct regions_view *view,
		      const struct region_row *row, const struct region_value *value)
{
	const double numbers[] = {
		value->sum, value->sum / (double)value->nr, value->least, value->most,
	};
	char text[NAME];

	if (view->by_thread)
		add_thread(table, row->thread);
	table_cell(table, regions_row_name(view, row, text, sizeof(text)), NULL);
	table_cell(table, value->name, NULL);
	add_number(table, value->nr, false);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		snprintf(text, sizeof(text), "%.6g", numbers[i]);
		table_cell(table, text, NULL);
	}
}

/* Nothing if nothing was attached. */
static int print_values(const struct regions_view *view, const struct table_style *style)
{
	struct table *table = table_new();
	const struct region_value *value;
	bool any = false;
	int err = 0;

	if (view->by_thread)
		add_thread_columns(table);
	table_column(table, TABLE_KEY, "region");
	table_column(table, TABLE_KEY, "name");
	table_column(table, TABLE_VALUE, "values");
	table_column(table, TABLE_VALUE, "sum");
	table_column(table, TABLE_VALUE, "mean");
	table_column(table, TABLE_VALUE, "min");
	table_column(table, TABLE_VALUE, "max");
	for (size_t i = 0; i < view->nr_rows; i++) {
		for (value = view->rows[i].sum.values; value; value = value->next) {
			add_value(table, view, &view->rows[i], value);
			any = true;
		}
	}
	if (any) {
		table_title("Attached values", style->colour);
		err = table_print(table, stdout, style);
	}
	table_free(table);
	return err;
}

static int print_iterations(const struct regions_view *view, const struct table_style *style)
{
	struct table *table = table_new();
	const struct region_call *call;
	char text[NAME];
	int err;

	table_column(table, TABLE_KEY, "region");
	table_column(table, TABLE_KEY_NUMBER, "call");
	add_thread_columns(table);
	table_column(table, TABLE_VALUE, "begin [s]");
	table_column(table, TABLE_VALUE, "duration");
	if (regions_counted(view->file.regions))
		add_count_columns(table, view);
	for (size_t i = 0; i < view->nr_iterations; i++) {
		call = &view->iterations[i].call;
		table_cell(table, regions_branch(view->file.regions, call->node, text,
						 sizeof(text)), NULL);
		snprintf(text, sizeof(text), "%" PRIu64 "%s", call->number, call->cut ? "!" : "");
		table_cell(table, text, NULL);
		add_thread(table, call->thread);
		add_seconds(table, call->begin);
		add_duration(table, (double)call->duration);
		if (regions_counted(view->file.regions))
			add_counts(table, view, view->iterations[i].counts, 0);
	}
	table_title("Calls", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

static void print_remarks(const struct regions_view *view)
{
	char text[REGIONS_LIMIT];

	putchar('\n');
	if (view->wanted)
		printf("Counts are those of the call with all in it. !: it ended with its thread, "
		       "or a region around it.\n");
	else if (view->pie)
		printf("Of all: of the time of all threads, from their first mark on.\n");
	else
		printf("%%, total and counts include regions inside. %% is of the time of all "
		       "threads, from their first mark on.\nPercentiles are exact to 3 %%.\n");
	if (view->file.clock != SIZE_MAX && !view->wanted && !view->pie)
		printf("~on CPU is by samples.\n");
	for (size_t i = 0; regions_limit(view, i, text); i++)
		shown_line(stdout, "%s", text);
	statements_print(&view->file.pipeline.facts.statements);
}

int regions_print_text(const struct regions_view *view)
{
	const struct table_style style = { .width = view->width, .colour = view->colour };
	int err = 0;

	if (view->wanted)
		err = print_iterations(view, &style);
	else if (view->pie)
		err = print_pie(view, &style);
	else if (!view->values)
		err = print_rows(view, &style);
	if (!err && !view->wanted && !view->pie)
		err = print_values(view, &style);
	if (!err)
		print_remarks(view);
	return err;
}
