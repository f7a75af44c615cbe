// SPDX-License-Identifier: GPL-2.0
/*
 * The values of the rows of a report as text: which ones, their headings and cells.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report_values.h"
#include "ui/number.h"
#include "ui/quantity.h"

void report_add_number(struct table *table, uint64_t value)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	number_exact(value, exact);
	number_brief(value, brief);
	table_cell(table, exact, brief);
}

void report_add_sum(struct table *table, const struct kermon_column *column,
		    uint64_t value, bool estimate)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	quantity_format(column, value, estimate, exact, brief);
	table_cell(table, exact, brief);
}

enum value_kind {
	VALUE_COLUMN,
	VALUE_WATTS,
	VALUE_PEAK,
	VALUE_IPC,
	VALUE_FLOP_SINGLE,
	VALUE_FLOP_DOUBLE,
	VALUE_FLOP,
	VALUE_FLOP_RATE,
	VALUE_BYTE_RATE,
	VALUE_INTENSITY,
	VALUE_ENERGY,
};

/* Number of kinds other than those of a column: VALUE_COLUMN, VALUE_WATTS, VALUE_PEAK. */
#define NR_DERIVED	8

struct report_value {
	enum value_kind kind;
	size_t column;
};

static void add_derived(struct report_values *values, enum value_kind kind)
{
	values->all[values->nr++].kind = kind;
}

/* The power of a domain; its peak, if the recording is long enough for one. */
static void add_power(struct report_values *values, const struct report_view *view,
		      size_t column)
{
	if (!power_has(view->report, column))
		return;
	values->all[values->nr++] = (struct report_value){ VALUE_WATTS, column };
	if (!isnan(power_peak(view->report, NULL, 0, column, &view->idle)))
		values->all[values->nr++] = (struct report_value){ VALUE_PEAK, column };
}

/* Add all columns of a kind whose total is not 0. */
static void add_columns(struct report_values *values, const struct report_view *view,
			enum kermon_metric_kind kind)
{
	const struct kermon_column *column;

	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (column->metric.kind != kind || !column->total)
			continue;
		values->all[values->nr++] = (struct report_value){ VALUE_COLUMN, i };
		values->columns[values->nr_columns++] = column;
		add_power(values, view, i);
	}
}

/* Whether the file has an IPC: it needs instructions and cycles of the same modes. */
bool report_has_ipc(const struct report_view *view)
{
	size_t nr = kermon_report_nr_columns(view->report);
	uint64_t *totals = calloc(nr + 1, sizeof(*totals));
	double ipc;

	if (!totals)
		return false;
	for (size_t i = 0; i < nr; i++)
		totals[i] = kermon_report_column(view->report, i)->total;
	ipc = kermon_ipc(view->report, totals);
	free(totals);
	return !isnan(ipc);
}

/* Whether to show the sum of both precisions, unless an event already counts all FLOP. */
static bool has_flop_by_kind(const struct report_view *view)
{
	const struct kermon_column *column;

	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (column->metric.whole && column->total)
			return false;
	}
	return kermon_counts_flop(view->report, KERMON_MIXED);
}

/*
 * Where a row is under the roofline, if the file has both operations and the accesses that
 * they are related to.
 */
static int add_roofline(struct report_values *values, const struct report_view *view)
{
	struct kermon_derived derived;
	const int err = kermon_report_derive(view->report, NULL, &derived);

	if (err || isnan(derived.intensity))
		return err;
	if (!isnan(derived.seconds)) {
		add_derived(values, VALUE_FLOP_RATE);
		add_derived(values, VALUE_BYTE_RATE);
	}
	add_derived(values, VALUE_INTENSITY);
	if (!isnan(derived.joules_per_flop))
		add_derived(values, VALUE_ENERGY);
	return 0;
}

void report_free_values(struct report_values *values)
{
	free(values->all);
	free(values->columns);
}

/* Omit columns that are all 0, which the table of events shows. */
int report_choose_values(struct report_values *values, const struct report_view *view)
{
	size_t nr = kermon_report_nr_columns(view->report);

	*values = (struct report_values){
		.all = calloc(3 * nr + NR_DERIVED, sizeof(*values->all)),
		.columns = calloc(nr + 1, sizeof(*values->columns)),
	};
	if (!values->all || !values->columns) {
		report_free_values(values);
		return -ENOMEM;
	}
	add_columns(values, view, KERMON_METRIC_TIME);
	add_columns(values, view, KERMON_METRIC_INSTRUCTIONS);
	add_columns(values, view, KERMON_METRIC_CYCLES);
	if (report_has_ipc(view))
		add_derived(values, VALUE_IPC);
	add_columns(values, view, KERMON_METRIC_COUNT);
	add_columns(values, view, KERMON_METRIC_FLOP);
	if (kermon_counts_flop(view->report, KERMON_SINGLE))
		add_derived(values, VALUE_FLOP_SINGLE);
	if (kermon_counts_flop(view->report, KERMON_DOUBLE))
		add_derived(values, VALUE_FLOP_DOUBLE);
	if (has_flop_by_kind(view))
		add_derived(values, VALUE_FLOP);
	add_columns(values, view, KERMON_METRIC_ENERGY);
	if (!add_roofline(values, view))
		return 0;
	report_free_values(values);
	return -ENOMEM;
}

static const char *took_turns(const struct report_view *view,
			      enum kermon_precision precision,
			      const char *then, const char *otherwise)
{
	return kermon_flop_took_turns(view->report, precision) ? then :
								 otherwise;
}

static const char *derived_heading(const struct report_view *view,
				   enum value_kind kind)
{
	switch (kind) {
	case VALUE_IPC:
		return report_cycles_caveat(view) ? "IPC (model cycles)" :
						    "IPC";
	case VALUE_FLOP_SINGLE:
		return took_turns(view, KERMON_SINGLE, "FLOP single measured",
				  "FLOP single");
	case VALUE_FLOP_DOUBLE:
		return took_turns(view, KERMON_DOUBLE, "FLOP double measured",
				  "FLOP double");
	case VALUE_FLOP_RATE:
		return "GFLOP/s";
	case VALUE_BYTE_RATE:
		return "GB/s, widths estimated";
	case VALUE_INTENSITY:
		return "FLOP/B, widths estimated";
	case VALUE_ENERGY:
		return "nJ/FLOP, shared";
	default:
		return took_turns(view, KERMON_MIXED, "FLOP measured", "FLOP");
	}
}

/* Names of columns may differ only in their modes. */
void report_add_headings(struct table *table, const struct report_view *view,
			 const struct report_values *values)
{
	const struct report_value *value;
	char heading[HEADING_SIZE];
	size_t index = 0;

	for (size_t i = 0; i < values->nr; i++) {
		value = &values->all[i];
		if (value->kind == VALUE_COLUMN)
			quantity_heading(values->columns, values->nr_columns,
					 index++, heading);
		else if (value->kind == VALUE_WATTS || value->kind == VALUE_PEAK)
			power_heading(view->report, value->column, value->kind == VALUE_PEAK,
				      &view->idle, heading);
		else
			snprintf(heading, sizeof(heading), "%s",
				 derived_heading(view, value->kind));
		table_column(table, TABLE_VALUE, heading);
	}
}

/* A ratio of sums; "-" if it is unknown. */
static void add_ratio(struct table *table, double ratio, int digits, bool estimate)
{
	char text[NUMBER_SIZE] = "-";

	if (!isnan(ratio) && estimate)
		number_about_real(ratio, digits, text);
	else if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.*f", digits, ratio);
	table_cell(table, text, NULL);
}

static void add_flop(struct table *table, uint64_t flop, bool estimate)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (!estimate) {
		report_add_number(table, flop);
		return;
	}
	number_about(flop, exact, brief);
	table_cell(table, exact, brief);
}

/* Rates in billions: the columns are narrow. */
static double take_derived(const struct kermon_derived *derived, enum value_kind kind)
{
	switch (kind) {
	case VALUE_FLOP_RATE:
		return derived->flop_rate / 1e9;
	case VALUE_BYTE_RATE:
		return derived->byte_rate / 1e9;
	case VALUE_INTENSITY:
		return derived->intensity;
	default:
		return derived->joules_per_flop * 1e9;
	}
}

static void add_row_value(struct table *table, const struct report_view *view,
			  const struct report_value *value,
			  const struct kermon_table *rows, size_t index,
			  const struct kermon_derived *derived)
{
	const struct kermon_row *row = &rows->rows[index];
	const bool estimate = rows->estimate;
	static const enum kermon_precision precisions[] = {
		[VALUE_FLOP_SINGLE] = KERMON_SINGLE,
		[VALUE_FLOP_DOUBLE] = KERMON_DOUBLE,
		[VALUE_FLOP] = KERMON_MIXED,
	};
	const struct kermon_report *report = view->report;

	if (value->kind == VALUE_COLUMN)
		report_add_sum(table, kermon_report_column(report, value->column),
			  row->values[value->column], estimate);
	else if (value->kind == VALUE_WATTS)
		add_ratio(table, power_watts(report, row->values, value->column, &view->idle),
			  2, estimate);
	else if (value->kind == VALUE_PEAK)
		add_ratio(table, power_peak(report, rows, index, value->column, &view->idle),
			  2, estimate);
	else if (value->kind == VALUE_IPC)
		add_ratio(table, kermon_ipc(report, row->values), 3, estimate);
	else if (value->kind >= VALUE_FLOP_RATE)
		add_ratio(table, take_derived(derived, value->kind), 3,
			  estimate || derived->rotated);
	else
		add_flop(table, kermon_flop(report, row->values,
					    precisions[value->kind]), estimate);
}

/* Whether any value follows from all counts of a row together. */
static bool needs_derived(const struct report_values *values)
{
	for (size_t i = 0; i < values->nr; i++)
		if (values->all[i].kind >= VALUE_FLOP_RATE)
			return true;
	return false;
}

void report_add_values(struct table *table, const struct report_view *view,
		       const struct report_values *values, const struct kermon_table *rows,
		       size_t index)
{
	struct kermon_derived derived = { 0 };

	if (needs_derived(values) &&
	    kermon_report_derive(view->report, rows->rows[index].values, &derived))
		derived.flop_rate = derived.byte_rate = derived.intensity =
			derived.joules_per_flop = NAN;
	for (size_t i = 0; i < values->nr; i++)
		add_row_value(table, view, &values->all[i], rows, index, &derived);
}
