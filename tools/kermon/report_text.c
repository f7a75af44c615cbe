// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "report_view.h"
#include "table.h"

static void title(const char *text, bool colour)
{
	printf(colour ? "\n\033[1;4m%s\033[0m\n" : "\n%s\n", text);
}

static void print_line(void *context, const char *name, const char *value)
{
	(void)context;
	printf("%-20s %s\n", name, value);
}

/* A count in the unit that its event has. */
static void format_value(const struct kermon_column *column, uint64_t value,
			 char exact[NUMBER_SIZE], char brief[NUMBER_SIZE])
{
	switch (column->metric.kind) {
	case KERMON_METRIC_TIME:
		number_seconds(value, exact);
		number_brief_time(value, brief);
		break;
	case KERMON_METRIC_ENERGY:
		number_joules(value, exact);
		snprintf(brief, NUMBER_SIZE, "%.4g", kermon_joules(value));
		break;
	default:
		number_exact(value, exact);
		number_brief(value, brief);
	}
}

static void add_number(struct table *table, uint64_t value)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	number_exact(value, exact);
	number_brief(value, brief);
	table_cell(table, exact, brief);
}

static void add_value(struct table *table, const struct kermon_column *column,
		      uint64_t value)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	format_value(column, value, exact, brief);
	table_cell(table, exact, brief);
}

static const char *unit_of(const struct kermon_column *column)
{
	switch (column->metric.kind) {
	case KERMON_METRIC_TIME:
		return "s";
	case KERMON_METRIC_ENERGY:
		return column->alone ? "J, alone" : "J, shared";
	default:
		return "";
	}
}

static int print_events(const struct report_view *view,
			const struct table_style *style)
{
	struct table *table = table_new();
	const struct kermon_column *column;
	int err;

	table_column(table, TABLE_KEY, "event");
	table_column(table, TABLE_VALUE, "samples");
	table_column(table, TABLE_VALUE, "total");
	table_column(table, TABLE_KEY, "");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (!report_column_shown(column))
			continue;
		table_cell(table, column->name, NULL);
		add_number(table, column->samples);
		add_value(table, column, column->total);
		table_cell(table, unit_of(column), NULL);
	}
	title("Events", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

static void add_key(struct table *table, enum kermon_key key,
		    const struct kermon_row *row)
{
	char number[NUMBER_SIZE];

	switch (key) {
	case KERMON_KEY_COMM:
		table_cell(table, row->comm, NULL);
		return;
	case KERMON_KEY_DSO:
		table_cell(table, row->dso ? row->dso : "[unknown]", NULL);
		return;
	case KERMON_KEY_SYM:
		table_cell(table, row->sym ? row->sym : "[unknown]", NULL);
		return;
	default:
		snprintf(number, sizeof(number), "%" PRIu32,
			 key == KERMON_KEY_PID ? row->pid :
			 key == KERMON_KEY_TID ? row->tid : row->cpu);
		table_cell(table, number, NULL);
	}
}

/* What is derived from several events, and in which tables it is shown. */
struct derived {
	bool ipc;
	bool flop[KERMON_DOUBLE + 1];
};

static struct derived find_derived(const struct report_view *view)
{
	struct derived derived = { 0 };
	const struct kermon_column *column;
	bool instructions = false, cycles = false;

	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		instructions |= column->metric.kind ==
				KERMON_METRIC_INSTRUCTIONS;
		cycles |= column->metric.kind == KERMON_METRIC_CYCLES;
		derived.flop[column->metric.precision] |=
			column->metric.kind == KERMON_METRIC_FLOP;
	}
	derived.ipc = instructions && cycles;
	return derived;
}

static void add_value_heading(struct table *table,
			      const struct kermon_column *column)
{
	const struct kermon_metric *metric = &column->metric;
	const char *text = metric->heading ? metric->heading : column->name;
	char heading[128];

	snprintf(heading, sizeof(heading), "%s%s%s", text,
		 metric->kind == KERMON_METRIC_TIME ? " [s]" :
		 metric->kind == KERMON_METRIC_ENERGY ? " [J]" : "",
		 metric->kind != KERMON_METRIC_ENERGY ? "" :
		 column->alone ? " alone" : " shared");
	/* "MEM_UOPS_RETIRED:ALL_LOADS" is better in two lines. */
	for (char *c = heading; !metric->heading && *c; c++)
		if (*c == ':')
			*c = ' ';
	table_column(table, TABLE_VALUE, heading);
}

static void add_headings(struct table *table, const struct report_view *view,
			 const struct kermon_table *rows,
			 const struct derived *derived)
{
	const struct kermon_column *column;
	enum kermon_key key;

	table_column(table, TABLE_KEY_NUMBER, "%");
	for (size_t i = 0; i < rows->nr_keys; i++) {
		key = rows->keys[i];
		table_column(table, key == KERMON_KEY_PID ||
				    key == KERMON_KEY_TID ||
				    key == KERMON_KEY_CPU ? TABLE_KEY_NUMBER :
							    TABLE_KEY,
			     kermon_key_name(key));
	}
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (report_column_shown(column))
			add_value_heading(table, column);
	}
	if (derived->ipc)
		table_column(table, TABLE_VALUE, report_cycles_caveat(view) ?
			     "IPC (model cycles)" : "IPC");
	if (derived->flop[KERMON_SINGLE])
		table_column(table, TABLE_VALUE, "FLOP single");
	if (derived->flop[KERMON_DOUBLE])
		table_column(table, TABLE_VALUE, "FLOP double");
}

static void add_derived(struct table *table, const struct report_view *view,
			const struct derived *derived, const uint64_t *values)
{
	double ipc = kermon_ipc(view->report, values);
	char text[NUMBER_SIZE] = "-";

	if (!isnan(ipc))
		snprintf(text, sizeof(text), "%.3f", ipc);
	if (derived->ipc)
		table_cell(table, text, NULL);
	for (enum kermon_precision p = KERMON_SINGLE; p <= KERMON_DOUBLE; p++)
		if (derived->flop[p])
			add_number(table,
				   kermon_flop(view->report, values, p));
}

static void add_row(struct table *table, const struct report_view *view,
		    const struct kermon_table *rows, size_t index,
		    const struct derived *derived)
{
	const struct kermon_row *row = &rows->rows[index];
	const struct kermon_column *column;
	char percent[NUMBER_SIZE];

	snprintf(percent, sizeof(percent), "%.2f", report_percent(view, row));
	table_cell(table, percent, NULL);
	for (size_t i = 0; i < rows->nr_keys; i++)
		add_key(table, rows->keys[i], row);
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (report_column_shown(column))
			add_value(table, column, row->values[i]);
	}
	add_derived(table, view, derived, row->values);
}

static int print_section(const struct report_view *view,
			 const struct report_section *section,
			 const struct table_style *style)
{
	struct derived derived = find_derived(view);
	const struct kermon_table *rows;
	struct table *table;
	int err;

	err = kermon_report_table(view->report, section->keys, view->weight,
				  &rows);
	if (err)
		return err;
	table = table_new();
	add_headings(table, view, rows, &derived);
	for (size_t i = 0; i < rows->nr_rows; i++)
		if (report_percent(view, &rows->rows[i]) >=
		    view->percent_limit)
			add_row(table, view, rows, i, &derived);
	title(section->title, style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

/* What has to be known to read the numbers right. */
static void print_caveats(const struct report_view *view)
{
	const char *cycles = report_cycles_caveat(view);
	const struct kermon_metric *metric;
	bool executed = false, energy = false, flop = false;

	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		metric = &kermon_report_column(view->report, i)->metric;
		flop |= metric->kind == KERMON_METRIC_FLOP;
		executed |= metric->executed;
		energy |= metric->kind == KERMON_METRIC_ENERGY;
	}
	printf("\n%% is of %s.\n",
	       kermon_report_column(view->report, view->weight)->name);
	if (cycles && find_derived(view).ipc)
		printf("IPC: %s.\n", cycles);
	if (flop)
		printf("FLOP: counts times lanes, of the events above only%s.\n",
		       executed ? "; executed, not retired" : "");
	if (energy)
		printf("Energy is that of the whole domain while the thread ran, "
		       "shared with all that ran beside it;\n"
		       "\"alone\" is the part with nobody beside it. Sums count "
		       "shared energy once for each thread.\n");
}

static void print_gaps(const struct report_view *view)
{
	const struct kermon_losses *losses = kermon_report_losses(view->report);
	const char *why;

	for (size_t i = 0; (why = kermon_report_unresolved(view->report, i));
	     i++)
		printf("No symbols: %s\n", why);
	if (losses->samples || losses->records || losses->late)
		printf("Lost: %" PRIu64 " samples, %" PRIu64
		       " other records; %" PRIu64 " came too late to be put in order.\n",
		       losses->samples, losses->records, losses->late);
	else
		printf("Nothing was lost.\n");
}

int report_print_text(const struct report_view *view)
{
	struct table_style style = {
		.width = view->width,
		.colour = view->colour,
	};
	struct report_section sections[2];
	size_t nr = report_sections(view, sections);
	int err;

	if (view->header)
		kermon_report_header(view->report, print_line, NULL);
	if (view->header_only)
		return 0;
	err = print_events(view, &style);
	for (size_t i = 0; i < nr && !err; i++)
		err = print_section(view, &sections[i], &style);
	if (err)
		return err;
	print_caveats(view);
	print_gaps(view);
	return 0;
}
