// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "json.h"
#include "report_view.h"
#include "statements.h"

static const char *const kinds[] = {
	[KERMON_METRIC_COUNT] = "count",
	[KERMON_METRIC_TIME] = "time",
	[KERMON_METRIC_INSTRUCTIONS] = "instructions",
	[KERMON_METRIC_CYCLES] = "cycles",
	[KERMON_METRIC_FLOP] = "flop",
	[KERMON_METRIC_ENERGY] = "energy",
	[KERMON_METRIC_SIDEBAND] = "sideband",
};

static void print_line(void *context, const char *name, const char *value)
{
	json_begin_object(context, NULL);
	json_text(context, "name", name);
	json_text(context, "value", value);
	json_end_object(context);
}

static void print_event(struct json *json, const struct kermon_column *column,
			const struct kermon_column *alone)
{
	const struct kermon_metric *metric = &column->metric;

	json_begin_object(json, NULL);
	json_text(json, "name", column->name);
	json_text(json, "kind", kinds[metric->kind]);
	json_number(json, "samples", column->samples);
	json_number(json, "total", column->total);
	if (metric->kind == KERMON_METRIC_FLOP) {
		json_number(json, "lanes", metric->lanes);
		json_text(json, "precision",
			  metric->precision == KERMON_SINGLE ? "single" :
							       "double");
		json_bool(json, "executed_not_retired", metric->executed);
	}
	if (metric->kind == KERMON_METRIC_ENERGY)
		json_text(json, "unit", "2^-32 joule, of the whole domain");
	if (alone)
		json_number(json, "total_alone", alone->total);
	json_end_object(json);
}

static const struct kermon_column *
alone_part(const struct report_view *view, size_t index)
{
	const struct kermon_column *next;

	if (index + 1 >= kermon_report_nr_columns(view->report))
		return NULL;
	next = kermon_report_column(view->report, index + 1);
	return next->alone ? next : NULL;
}

static void print_events(const struct report_view *view, struct json *json)
{
	const struct kermon_column *column;

	json_begin_array(json, "events");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (!column->alone)
			print_event(json, column, alone_part(view, i));
	}
	json_end_array(json);
}

static void print_estimates(const struct report_view *view, struct json *json,
			    size_t set)
{
	const struct kermon_column *column;
	struct kermon_estimate estimate;

	json_begin_array(json, "events");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (column->set != (int)set ||
		    !kermon_report_estimate(view->report, i, &estimate))
			continue;
		json_begin_object(json, NULL);
		json_text(json, "name", column->name);
		json_number(json, "measured", column->total);
		json_real(json, "estimate", estimate.value);
		json_real(json, "spread", estimate.spread);
		json_bool(json, "in_phases", estimate.spread > KERMON_PHASES);
		json_end_object(json);
	}
	json_end_array(json);
}

/* Empty if all events were counted all the time. */
static void print_shares(const struct report_view *view, struct json *json)
{
	const struct kermon_share *share;

	json_begin_array(json, "sets");
	for (size_t i = 0; (share = kermon_report_share(view->report, i)); i++) {
		json_begin_object(json, NULL);
		json_number(json, "measured_ns", share->measured);
		json_real(json, "share", share->share);
		json_begin_array(json, "share_of_parts");
		for (size_t part = 0; part < share->parts; part++)
			json_real(json, NULL, kermon_report_coverage(
					view->report, i, part));
		json_end_array(json);
		json_bool(json, "too_short", share->parts < KERMON_PARTS);
		print_estimates(view, json, i);
		json_end_object(json);
	}
	json_end_array(json);
}

/* Counts of the events; of energies also the part that was the thread's own. */
static void print_values(const struct report_view *view, struct json *json,
			 const uint64_t *values, bool alone)
{
	const struct kermon_column *column;

	json_begin_object(json, alone ? "values_alone" : "values");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (column->alone == alone)
			json_number(json, column->name, values[i]);
	}
	json_end_object(json);
}

static void print_derived(const struct report_view *view, struct json *json,
			  const uint64_t *values)
{
	const struct kermon_report *report = view->report;
	const struct kermon_column *column;

	json_real(json, "ipc", kermon_ipc(report, values));
	json_number(json, "flop_single",
		    kermon_flop(report, values, KERMON_SINGLE));
	json_number(json, "flop_double",
		    kermon_flop(report, values, KERMON_DOUBLE));
	json_begin_object(json, "joules");
	for (size_t i = 0; i < kermon_report_nr_columns(report); i++) {
		column = kermon_report_column(report, i);
		if (column->metric.kind == KERMON_METRIC_ENERGY &&
		    !column->alone)
			json_real(json, column->metric.heading,
				  kermon_joules(values[i]));
	}
	json_end_object(json);
}

/* Empty but for merged files. */
static void print_runs(const struct report_view *view, struct json *json)
{
	struct kermon_run run;

	json_begin_array(json, "runs");
	for (size_t i = 0; i < KERMON_MAX_RUNS &&
			   kermon_report_run(view->report, i, &run); i++) {
		json_begin_object(json, NULL);
		json_text(json, "file", run.file);
		json_number(json, "events", run.events);
		json_number(json, "dropped", run.dropped);
		json_number(json, "instructions", run.instructions);
		json_number(json, "oncpu_ns", run.oncpu);
		json_real(json, "apart", run.apart);
		json_end_object(json);
	}
	json_end_array(json);
}

static void print_key(struct json *json, enum kermon_key key,
		      const struct kermon_row *row)
{
	const char *name = kermon_key_name(key);

	if (kermon_key_is_number(key))
		json_number(json, name, kermon_row_number(row, key));
	else
		json_text(json, name, kermon_row_text(row, key));
}

static void print_call(const struct report_view *view, struct json *json,
		       const struct kermon_call *call)
{
	json_begin_array(json, "calls");
	for (size_t i = 0; i < call->nr_calls; i++) {
		if (report_percent(view, call->calls[i].value) <
		    view->calls.min_percent)
			break;
		json_begin_object(json, NULL);
		json_text(json, "sym", call->calls[i].sym);
		json_text(json, "dso", call->calls[i].dso);
		json_number(json, "samples", call->calls[i].samples);
		json_number(json, "value", call->calls[i].value);
		print_call(view, json, &call->calls[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

/* What a row has with what it called. */
static void print_active(const struct report_view *view, struct json *json,
			 const struct kermon_row *row)
{
	const struct kermon_column *column;

	json_number(json, "all_samples", row->all_samples);
	json_real(json, "all_percent",
		  report_percent(view, report_weight(view, row)));
	json_begin_object(json, "all_values");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++) {
		column = kermon_report_column(view->report, i);
		if (!column->alone)
			json_number(json, column->name, row->all_values[i]);
	}
	json_end_object(json);
}

static int print_row(const struct report_view *view, struct json *json,
		     const struct report_section *section,
		     const struct kermon_table *table, size_t index)
{
	const struct kermon_row *row = &table->rows[index];
	struct kermon_call *graph;
	int err = report_graph(view, section, table, index, &graph);

	if (err)
		return err;
	json_begin_object(json, NULL);
	for (size_t key = 0; key < table->nr_keys; key++)
		print_key(json, table->keys[key], row);
	json_number(json, "samples", row->samples);
	json_real(json, "percent",
		  report_percent(view, row->values[view->weight]));
	print_values(view, json, row->values, false);
	print_values(view, json, row->values, true);
	print_derived(view, json, row->values);
	if (row->all_values)
		print_active(view, json, row);
	if (graph)
		print_call(view, json, graph);
	kermon_graph_free(graph);
	json_end_object(json);
	return 0;
}

static int print_table(const struct report_view *view, struct json *json,
		       const struct report_section *section)
{
	const struct kermon_table *table;
	int err = report_table(view, section, &table);

	if (err)
		return err;
	json_begin_array(json, section->name);
	for (size_t i = 0; i < table->nr_rows && !err; i++)
		if (report_shows(view, &table->rows[i]))
			err = print_row(view, json, section, table, i);
	json_end_array(json);
	return err;
}

static void print_losses(const struct report_view *view, struct json *json)
{
	const struct kermon_losses *losses = kermon_report_losses(view->report);

	json_begin_object(json, "lost");
	json_number(json, "records", losses->records);
	json_number(json, "samples", losses->samples);
	json_number(json, "late", losses->late);
	json_number(json, "invalid", losses->invalid);
	json_end_object(json);
}

static void print_unwinding(const struct report_view *view, struct json *json)
{
	const struct kermon_unwinding *unwinding =
		kermon_report_unwinding(view->report);

	json_begin_object(json, "unwinding");
	json_number(json, "stacks", unwinding->stacks);
	json_number(json, "lacking_registers", unwinding->lacking);
	json_number(json, "foreign", unwinding->foreign);
	json_end_object(json);
}

static void print_damage(const struct report_view *view, struct json *json)
{
	const struct kermon_damage *damage;

	json_number(json, "damages", kermon_report_nr_damages(view->report));
	json_begin_array(json, "damage");
	for (size_t i = 0; (damage = kermon_report_damage(view->report, i));
	     i++) {
		json_begin_object(json, NULL);
		json_number(json, "offset", damage->offset);
		json_text(json, "text", damage->text);
		json_end_object(json);
	}
	json_end_array(json);
}

static int print_tables(const struct report_view *view, struct json *json)
{
	struct report_section sections[2];
	size_t nr = report_sections(view, sections);
	int err = 0;

	json_text(json, "weight",
		  kermon_report_column(view->report, view->weight)->name);
	json_text(json, "cycles_caveat", report_cycles_caveat(view));
	print_events(view, json);
	print_shares(view, json);
	print_runs(view, json);
	for (size_t i = 0; i < nr && !err; i++)
		err = print_table(view, json, &sections[i]);
	print_losses(view, json);
	print_unwinding(view, json);
	statements_json(json, kermon_report_statements(view->report));
	return err;
}

int report_print_json(const struct report_view *view)
{
	struct json json = { .out = stdout };
	int err = 0;

	json_begin_object(&json, NULL);
	json_text(&json, "file", view->path);
	if (view->header) {
		json_begin_array(&json, "header");
		kermon_report_header(view->report, print_line, &json);
		json_end_array(&json);
	}
	if (!view->header_only)
		err = print_tables(view, &json);
	print_damage(view, &json);
	json_end_object(&json);
	return err;
}
