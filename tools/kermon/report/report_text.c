// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a report as text: tables that fit the terminal, and how to read them.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/runs.h"
#include "input/statements.h"
#include "input/unwinding.h"
#include "report_values.h"
#include "report_view.h"
#include "ui/number.h"
#include "ui/quantity.h"
#include "ui/shown.h"
#include "ui/table.h"

/* Average and peak of each energy domain, if the recording is long enough for a peak. */
static void print_power(const struct report_view *view)
{
	const struct kermon_report *report = view->report;
	double peak;

	for (size_t i = 0; i < kermon_report_nr_columns(report); i++) {
		peak = power_has(report, i) ? power_peak(report, NULL, 0, i, &view->idle) : NAN;
		if (isnan(peak))
			continue;
		shown_line(stdout, "%s: %.2f W%s on average, %.2f W at the peak.",
			   kermon_report_column(report, i)->name,
			   power_average(report, i, &view->idle),
			   power_is_above_idle(report, i, &view->idle) ? " above idle" : "",
			   peak);
	}
}

/* How wide loads and stores are taken to be. */
static const char *basis_of(const struct kermon_operations *sum)
{
	switch (sum->basis) {
	case KERMON_BYTES_BY_MIX:
		return ", if accesses are as wide as the floating-point instructions";
	case KERMON_BYTES_ASSUMED:
		return ", if accesses are 8 bytes wide: no event tells";
	default:
		return "";
	}
}

/* Where the whole recording is under the roofline. */
static void print_roofline(const struct report_view *view)
{
	const struct kermon_operations *sum;
	struct kermon_derived derived;

	if (kermon_report_derive(view->report, NULL, &derived) || isnan(derived.intensity))
		return;
	sum = &derived.operations;
	shown_line(stdout, "%.4g FLOP of these events, %.4g bytes%s: %.4g FLOP/byte (%.4g to "
		   "%.4g).",
		   sum->all_flop, sum->bytes, basis_of(sum), derived.intensity,
		   derived.intensity_low, derived.intensity_high);
	if (!isnan(derived.seconds))
		shown_line(stdout, "On CPU: %.4g GFLOP/s, %.4g GB/s.", derived.flop_rate / 1e9,
			   derived.byte_rate / 1e9);
	if (derived.rotated && !isnan(derived.intensity_error))
		shown_line(stdout, "Standard error of rotated sets: %.2g %% of FLOP, %.2g %% "
			   "of bytes.", 100 * derived.flop_error, 100 * derived.byte_error);
	else if (derived.rotated)
		shown_line(stdout, "Sets were rotated, and the run is too short for an error "
			   "of these estimates.");
}

static int print_events(const struct report_view *view,
			const struct table_style *style)
{
	struct table *table = table_new();
	const struct kermon_column *column;
	char name[128];
	int err;

	table_column(table, TABLE_KEY, "event");
	table_column(table, TABLE_VALUE, "records");
	table_column(table, TABLE_VALUE, "total");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (column->metric.kind == KERMON_METRIC_SIDEBAND)
			continue;
		snprintf(name, sizeof(name), "%s%s", column->name,
			 quantity_unit(column));
		table_cell(table, name, NULL);
		report_add_number(table, column->records);
		report_add_sum(table, column, column->total,
			  kermon_report_is_estimate(view->report));
	}
	table_title("Events", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	print_power(view);
	print_roofline(view);
	return err;
}

static void add_percent(struct table *table, double share)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%.1f", 100 * share);
	table_cell(table, text, NULL);
}

static void add_share(struct table *table, const struct report_view *view,
		      size_t index)
{
	const struct kermon_column *column =
		kermon_report_column(view->report, index);
	const struct kermon_share *share =
		kermon_report_share(view->report, column->set);
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];
	struct kermon_estimate estimate;

	table_cell(table, column->name, NULL);
	report_add_number(table, column->set);
	add_percent(table, share->share);
	add_percent(table, share->least);
	report_add_number(table, column->total);
	if (!kermon_report_estimate(view->report, index, &estimate)) {
		table_cell(table, "-", NULL);
		table_cell(table, "-", NULL);
		return;
	}
	number_about(estimate.value + 0.5, exact, brief);
	table_cell(table, exact, brief);
	add_percent(table, estimate.spread);
}

/* For an event whose rate varies over the run, print how much of each part was measured. */
static void print_phases_of(const struct report_view *view, size_t index)
{
	const struct kermon_column *column =
		kermon_report_column(view->report, index);
	const struct kermon_share *share;
	struct kermon_estimate estimate;

	if (!kermon_report_estimate(view->report, index, &estimate) ||
	    estimate.spread <= KERMON_PHASES)
		return;
	share = kermon_report_share(view->report, column->set);
	shown_line(stdout, "In phases: %s differs by %.0f %% between parts of the "
		   "run, of each of which %.0f to %.0f %% were measured.",
		   column->name, 100 * estimate.spread, 100 * share->least,
		   100 * share->most);
}

static void print_unmeasured(const struct report_view *view)
{
	const struct kermon_share *share;

	for (size_t i = 0; (share = kermon_report_share(view->report, i)); i++)
		if (!share->least)
			printf("Not measured: set %zu was never active in a "
			       "part of the run, whose counts are unknown.\n",
			       i);
}

/* Explain how reliable the estimates are. */
static void print_trust(const struct report_view *view)
{
	const struct kermon_share *share = kermon_report_share(view->report, 0);

	printf("\nEstimates are the measured counts, scaled from measured to "
	       "total on-CPU time. They are good\nif the program behaves alike "
	       "at all times. Other tables show measured counts, and estimates with ~.\n");
	if (share->parts < KERMON_PARTS) {
		printf("The run is too short to tell whether it does.\n");
		return;
	}
	print_unmeasured(view);
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++)
		print_phases_of(view, i);
}

/* Print the shares of rotated sets, if there are any. */
static int print_shares(const struct report_view *view,
			const struct table_style *style)
{
	struct table *table;
	int err;

	if (!kermon_report_share(view->report, 0))
		return 0;
	table = table_new();
	table_column(table, TABLE_KEY, "event");
	table_column(table, TABLE_KEY_NUMBER, "set");
	table_column(table, TABLE_VALUE, "% of time");
	table_column(table, TABLE_VALUE, "% at least");
	table_column(table, TABLE_VALUE, "measured");
	table_column(table, TABLE_VALUE, "estimate");
	table_column(table, TABLE_VALUE, "spread %");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++)
		if (kermon_report_column(view->report, i)->set >= 0)
			add_share(table, view, i);
	table_title("Rotated sets", style->colour);
	err = table_print(table, stdout, style);
	table_free(table);
	print_trust(view);
	return err;
}

/* A recording of kermon spy: counts are of no task. */
static bool is_per_cpu(const struct report_view *view)
{
	const char *source = kermon_report_note(view->report, "source");

	return source && !strcmp(source, "spy");
}

/* Print the runs of a merged file. */
static int print_runs(const struct report_view *view,
		      const struct table_style *style)
{
	struct kermon_run runs[KERMON_MAX_RUNS];
	size_t nr = 0;

	while (nr < KERMON_MAX_RUNS &&
	       kermon_report_run(view->report, nr, &runs[nr]))
		nr++;
	if (nr)
		table_title("Merged runs", style->colour);
	return runs_print(runs, nr, is_per_cpu(view), style);
}

static void add_key(struct table *table, const struct kermon_key *key,
		    const struct kermon_row *row)
{
	const char *text = kermon_row_text(row, key);
	char number[NUMBER_SIZE];

	if (!key->is_number) {
		table_cell(table, text ? text : REPORT_UNKNOWN, NULL);
		return;
	}
	snprintf(number, sizeof(number), "%" PRIu64,
		 kermon_row_number(row, key));
	table_cell(table, number, NULL);
}

static void add_headings(struct table *table, const struct report_view *view,
			 const struct kermon_table *rows,
			 const struct report_values *values)
{
	const struct kermon_key *key;

	table_column(table, TABLE_KEY_NUMBER,
		     rows->callers ? "children %" : "%");
	if (rows->callers)
		table_column(table, TABLE_KEY_NUMBER, "self %");
	if (view->samples)
		table_column(table, TABLE_KEY_NUMBER, report_counted(rows));
	for (size_t i = 0; i < rows->nr_keys; i++) {
		key = rows->keys[i];
		table_column(table, key->is_number ? TABLE_KEY_NUMBER : TABLE_KEY,
			     key->name);
	}
	report_add_headings(table, view, values);
}

static void add_percent_of(struct table *table, const struct report_view *view,
			   uint64_t value, bool estimate)
{
	char percent[NUMBER_SIZE];

	if (estimate)
		number_about_real(report_percent(view, value), 2, percent);
	else
		snprintf(percent, sizeof(percent), "%.2f",
			 report_percent(view, value));
	table_cell(table, percent, NULL);
}

static void add_row(struct table *table, const struct report_view *view,
		    const struct kermon_table *rows, size_t index,
		    const struct report_values *values)
{
	const struct kermon_row *row = &rows->rows[index];

	add_percent_of(table, view, report_weight(view, row), rows->estimate);
	if (row->all_values)
		add_percent_of(table, view, row->values[view->weight],
			       rows->estimate);
	if (view->samples)
		report_add_number(table, row->samples);
	for (size_t i = 0; i < rows->nr_keys; i++)
		add_key(table, rows->keys[i], row);
	report_add_values(table, view, values, rows, index);
}

static void add_rows(struct table *table, const struct report_view *view,
		     const struct kermon_table *rows,
		     const struct report_values *values)
{
	add_headings(table, view, rows, values);
	for (size_t i = 0; i < rows->nr_rows; i++)
		if (report_shows(view, &rows->rows[i]))
			add_row(table, view, rows, i, values);
}

/**
 * struct graphs - the call graphs below the rows of a table
 * @next: index of the first row whose graph has not been printed
 */
struct graphs {
	const struct report_view *view;
	const struct report_section *section;
	const struct kermon_table *rows;
	size_t next;
};

/*
 * Print the call graph of the next row that is shown: the graphs of all rows together may
 * be larger than the recording.
 */
static int print_graph(void *context, FILE *out)
{
	struct graphs *graphs = context;
	const struct report_view *view = graphs->view;
	const struct kermon_table *rows = graphs->rows;
	const struct kermon_column *column =
		kermon_report_column(view->report, view->weight);
	struct kermon_call *graph;
	int err;

	while (!report_shows(view, &rows->rows[graphs->next]))
		graphs->next++;
	err = report_graph(view, graphs->section, rows, graphs->next++, &graph);
	if (!err && graph)
		err = calls_print(out, graph, column, rows->estimate,
				  &view->calls);
	kermon_graph_free(graph);
	return err;
}

static int print_section(const struct report_view *view,
			 const struct report_section *section,
			 struct table_style style, bool *estimates)
{
	struct graphs graphs = { .view = view, .section = section };
	struct report_values values;
	struct table *table;
	int err = report_table(view, section, &graphs.rows);

	if (err)
		return err;
	*estimates |= graphs.rows->estimate;
	if (report_choose_values(&values, view))
		return -ENOMEM;
	table = table_new();
	add_rows(table, view, graphs.rows, &values);
	report_free_values(&values);
	if (!view->quiet)
		table_title(section->title, style.colour);
	style.below = print_graph;
	style.context = &graphs;
	err = table_print(table, stdout, &style);
	table_free(table);
	return err;
}

/* Explain what the numbers mean. */
static void print_caveats(const struct report_view *view, bool estimates)
{
	const char *cycles = report_has_ipc(view) ? report_cycles_caveat(view) : NULL;
	const struct kermon_column *column;
	const struct kermon_metric *metric;
	bool executed = false, energy = false, flop = false, peaks = false;

	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		metric = &column->metric;
		flop |= metric->kind == KERMON_METRIC_FLOP;
		executed |= metric->executed;
		energy |= metric->kind == KERMON_METRIC_ENERGY;
		peaks |= !isnan(kermon_peak_watts(view->report, NULL, 0, i));
	}
	column = kermon_report_column(view->report, view->weight);
	putchar('\n');
	shown_line(stdout, "%% refers to the total of %s%s.", column->branches ?
		   "branches that were recorded with " : "", column->name);
	if (estimates)
		printf("%s\n", ESTIMATE_LEGEND);
	if (cycles)
		printf("IPC is based on %s.\n", cycles);
	if (flop)
		printf("FLOP: counts times lanes, only of the events above%s.\n",
		       executed ? "; executed, not retired" : "");
	if (energy && is_per_cpu(view))
		printf("Energy is that of a whole package, by its first CPU.\n");
	else if (energy)
		printf("Energy is that of the whole domain while the thread ran, "
		       "including what ran beside it;\n\"alone\": while "
		       "nothing ran beside it. Sums count shared energy several times.\n"
		       "Power is energy over time on the CPU; energy is read once a millisecond.\n");
	if (energy && view->sort && (strstr(view->sort, "region") || strstr(view->sort, "module")))
		printf("Energy of an interval is that of the region in which it ended.\n");
	if (peaks)
		printf("Peak: the highest power of a thread's intervals that follow each other on "
		       "a CPU and together\nlast %llu ms or longer. It may be below an average, "
		       "which includes shorter ones.\n", KERMON_PEAK_NS / 1000000);
}

static void hint_at_cpus(const struct report_view *view)
{
	if (is_per_cpu(view) && !view->sort)
		printf("For a row per CPU: kermon report -s cpu\n");
}

static void print_gaps(const struct report_view *view)
{
	char text[UNWINDING_TEXT_SIZE];
	const char *why;

	for (size_t i = 0; (why = kermon_report_unresolved(view->report, i));
	     i++)
		shown_line(stdout, "No symbols: %s", why);
	for (size_t i = 0; unwinding_text(kermon_report_unwinding(view->report),
					  i, text); i++)
		printf("Call chains: %s.\n", text);
	hint_at_cpus(view);
	statements_print(kermon_report_statements(view->report));
}

/* Print the tables of the whole recording. */
static int print_totals(const struct report_view *view,
			const struct table_style *style)
{
	int err = print_events(view, style);

	if (!err)
		err = print_shares(view, style);
	return err ? err : print_runs(view, style);
}

int report_print_text(const struct report_view *view)
{
	struct table_style style = {
		.width = view->width,
		.colour = view->colour,
		.no_heading = view->quiet,
		.exact = view->exact,
	};
	struct report_section sections[2];
	bool estimates = kermon_report_is_estimate(view->report);
	size_t nr = report_sections(view, sections);
	int err;

	if (view->header)
		kermon_report_header(view->report, shown_header, NULL);
	if (view->header_only)
		return 0;
	err = view->quiet ? 0 : print_totals(view, &style);
	for (size_t i = 0; i < nr && !err; i++) {
		fputs(view->quiet && i ? "\n" : "", stdout);
		err = print_section(view, &sections[i], style, &estimates);
	}
	if (err || view->quiet)
		return err;
	print_caveats(view, estimates);
	print_gaps(view);
	return 0;
}
