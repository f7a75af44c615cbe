// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a report as JSON, whose format kermon-report(1) describes.
 */
#include "input/statements.h"
#include "report_view.h"
#include "ui/fields.h"
#include "ui/json.h"

static const char *const kinds[] = {
	[KERMON_METRIC_COUNT] = "count",
	[KERMON_METRIC_TIME] = "time",
	[KERMON_METRIC_INSTRUCTIONS] = "instructions",
	[KERMON_METRIC_CYCLES] = "cycles",
	[KERMON_METRIC_FLOP] = "flop",
	[KERMON_METRIC_ENERGY] = "energy",
	[KERMON_METRIC_SIDEBAND] = "sideband",
};

static const char *const precisions[] = {
	[KERMON_SINGLE] = "single",
	[KERMON_DOUBLE] = "double",
	[KERMON_MIXED] = "single or double",
};

static void print_line(void *context, const char *name, const char *value)
{
	json_begin_object(context, NULL);
	json_text(context, "name", name);
	json_text(context, "value", value);
	json_end_object(context);
}

/* State while a report is printed: the view, and the quantities of its rows. */
struct print {
	struct json json;
	const struct report_view *view;
	struct fields fields;
};

/* Print the value of a field; with @name NULL, as an element of an array. */
static void print_value(struct print *print, const char *name,
			const struct field *field, const struct field_source *source)
{
	uint64_t number;
	double real;

	if (field_take(print->view->report, &print->fields, field, source,
		       &number, &real))
		json_number(&print->json, name, number);
	else
		json_exact(&print->json, name, real);
}

/* Print a sum in the unit of the column. */
static void print_sum(struct json *json, const char *name,
		      const struct kermon_column *column, uint64_t sum)
{
	if (column->metric.kind == KERMON_METRIC_ENERGY)
		json_exact(json, name, kermon_joules(sum));
	else
		json_number(json, name, sum);
}

static const char *unit_of(const struct kermon_column *column)
{
	const char *unit = field_unit(column->metric.kind);

	return column->branches ? "branches" : unit ? unit : "count";
}

/* Power of a domain in the whole recording. */
static void print_power(struct print *print, size_t column)
{
	const struct report_view *view = print->view;
	const bool above = power_is_above_idle(view->report, column, &view->idle);

	json_exact(&print->json, above ? "average_above_idle_W" : "average_W",
		   power_average(view->report, column, &view->idle));
	json_exact(&print->json, above ? "peak_above_idle_W" : "peak_W",
		   power_peak(view->report, NULL, 0, column, &view->idle));
}

static void print_event(struct print *print, const struct field *field,
			const struct kermon_column *column,
			const struct kermon_column *alone)
{
	const struct kermon_metric *metric = &column->metric;
	struct json *json = &print->json;

	json_begin_object(json, NULL);
	json_text(json, "name", column->name);
	json_text(json, "field", field->name);
	json_text(json, "kind", kinds[metric->kind]);
	json_text(json, "unit", unit_of(column));
	json_number(json, "records", column->records);
	print_sum(json, "total", column, column->total);
	if (metric->kind == KERMON_METRIC_FLOP) {
		json_number(json, "lanes", metric->lanes);
		json_text(json, "precision", precisions[metric->precision]);
		json_bool(json, "executed_not_retired", metric->executed);
	}
	if (alone)
		print_sum(json, "total_alone", alone, alone->total);
	if (alone)
		print_power(print, field->column);
	json_end_object(json);
}

static const struct kermon_column *
alone_part(const struct report_view *view, size_t index)
{
	return power_has(view->report, index) ?
	       kermon_report_column(view->report, index + 1) : NULL;
}

static void print_events(struct print *print)
{
	const struct report_view *view = print->view;
	const struct kermon_column *column;
	const struct field *field;

	json_begin_array(&print->json, "events");
	for (size_t i = 0; i < print->fields.nr; i++) {
		field = &print->fields.all[i];
		if (field->kind != FIELD_COLUMN)
			continue;
		column = kermon_report_column(view->report, field->column);
		if (!column->alone)
			print_event(print, field, column,
				    alone_part(view, field->column));
	}
	json_end_array(&print->json);
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

/* Print the shares of rotated sets; empty if all events were counted all the time. */
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

/* Print sums of the events, and estimates of those in rotated sets. */
static void print_values(struct print *print, const char *name,
			 const struct field_source *source)
{
	const struct field *field;

	json_begin_object(&print->json, name);
	for (size_t i = 0; i < print->fields.nr; i++) {
		field = &print->fields.all[i];
		if (field->kind == FIELD_COLUMN ||
		    field->kind == FIELD_ESTIMATE)
			print_value(print, field->name, field, source);
	}
	json_end_object(&print->json);
}

/* Print FLOP; null if no event counts them. */
static void print_flop(struct print *print, const char *name,
		       const uint64_t *values, enum kermon_precision precision)
{
	const struct kermon_report *report = print->view->report;

	if (kermon_counts_flop(report, precision))
		json_number(&print->json, name,
			    kermon_flop(report, values, precision));
	else
		json_text(&print->json, name, NULL);
}

static void print_fields(struct print *print, enum field_kind kind,
			 const struct field_source *source)
{
	const struct field *field;

	for (size_t i = 0; i < print->fields.nr; i++) {
		field = &print->fields.all[i];
		if (field->kind == kind)
			print_value(print, field->name, field, source);
	}
}

static void print_derived(struct print *print, const struct field_source *source)
{
	const uint64_t *values = source->values;

	json_real(&print->json, "ipc", kermon_ipc(print->view->report, values));
	print_flop(print, "flop_single", values, KERMON_SINGLE);
	print_flop(print, "flop_double", values, KERMON_DOUBLE);
	print_flop(print, "flop", values, KERMON_MIXED);
	print_fields(print, FIELD_FLOP_ESTIMATE, source);
	print_fields(print, FIELD_DERIVED, source);
	print_fields(print, FIELD_WATTS, source);
	print_fields(print, FIELD_PEAK, source);
}

/* Print the merged runs; empty for other files. */
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

static void print_key(struct json *json, const struct kermon_key *key,
		      const struct kermon_row *row)
{
	if (key->is_number)
		json_number(json, key->field, kermon_row_number(row, key));
	else
		json_text(json, key->field, kermon_row_text(row, key));
}

/* Field of the column that rows are sorted by; NULL for the side-band. */
static const char *weight_of(const struct print *print)
{
	const struct fields *fields = &print->fields;

	for (size_t i = 0; i < fields->nr; i++)
		if (fields->all[i].kind == FIELD_COLUMN &&
		    fields->all[i].column == print->view->weight)
			return fields->all[i].name;
	return NULL;
}

/* On one line: with indentation by level, deep chains would consist of blanks. */
static void print_calls(struct print *print, const struct kermon_call *call,
			const char *counted)
{
	const struct report_view *view = print->view;
	const struct kermon_column *column =
		kermon_report_column(view->report, view->weight);
	struct json *json = &print->json;
	bool compact = json->compact;

	json_begin_array(json, "calls");
	json->compact = true;
	for (size_t i = 0; i < call->nr_calls; i++) {
		if (report_percent(view, call->calls[i].value) <
		    view->calls.min_percent)
			break;
		json_begin_object(json, NULL);
		json_text(json, "sym", call->calls[i].sym);
		json_text(json, "dso", call->calls[i].dso);
		json_number(json, counted, call->calls[i].samples);
		print_sum(json, "value", column, call->calls[i].value);
		print_calls(print, &call->calls[i], counted);
		json_end_object(json);
	}
	json_end_array(json);
	json->compact = compact;
}

static int print_row(struct print *print, const struct report_section *section,
		     const struct kermon_table *table, size_t index)
{
	const struct kermon_row *row = &table->rows[index];
	const struct report_view *view = print->view;
	const struct field_source own = { row->values, table, index };
	const struct field_source called = { row->all_values, table, FIELD_NO_ROW };
	const char *counted = report_counted(table);
	struct json *json = &print->json;
	struct kermon_call *graph;
	char all[32];
	int err = report_graph(view, section, table, index, &graph);

	if (err)
		return err;
	json_begin_object(json, NULL);
	for (size_t key = 0; key < table->nr_keys; key++)
		print_key(json, table->keys[key], row);
	json_number(json, counted, row->samples);
	json_real(json, "percent",
		  report_percent(view, row->values[view->weight]));
	json_bool(json, "estimate", table->estimate);
	print_values(print, "values", &own);
	print_derived(print, &own);
	if (row->all_values) {
		snprintf(all, sizeof(all), "all_%s", counted);
		json_number(json, all, row->all_samples);
		json_real(json, "all_percent",
			  report_percent(view, report_weight(view, row)));
		print_values(print, "all_values", &called);
	}
	if (graph)
		print_calls(print, graph, counted);
	kermon_graph_free(graph);
	json_end_object(json);
	return 0;
}

static int print_table(struct print *print, const struct report_section *section)
{
	const struct kermon_table *table;
	int err = report_table(print->view, section, &table);

	if (err)
		return err;
	json_begin_array(&print->json, section->name);
	for (size_t i = 0; i < table->nr_rows && !err; i++)
		if (report_shows(print->view, &table->rows[i]))
			err = print_row(print, section, table, i);
	json_end_array(&print->json);
	return err;
}

static void print_losses(const struct report_view *view, struct json *json)
{
	const struct kermon_losses *losses = kermon_report_losses(view->report);

	json_begin_object(json, "lost");
	json_number(json, "records", losses->records);
	json_number(json, "samples", losses->samples);
	json_number(json, "late", losses->late);
	json_end_object(json);
	json_number(json, "invalid_intervals", losses->invalid);
}

static void print_unwinding(const struct report_view *view, struct json *json)
{
	/* by enum kermon_unwind_end */
	static const char *const names[KERMON_UNWIND_ENDS] = {
		"lacking_registers", "short_stack", "no_file", "no_rules",
		"too_deep", "foreign",
	};
	const struct kermon_unwinding *unwinding =
		kermon_report_unwinding(view->report);

	json_begin_object(json, "unwinding");
	json_number(json, "stacks", unwinding->stacks);
	for (size_t i = 0; i < KERMON_UNWIND_ENDS; i++)
		json_number(json, names[i], unwinding->ended[i]);
	json_end_object(json);
}

static void print_damage(const struct report_view *view, struct json *json)
{
	const struct kermon_damage *damage;

	json_number(json, "damages", kermon_damages_count(view->damages));
	json_begin_array(json, "damage");
	for (size_t i = 0; (damage = kermon_damages_get(view->damages, i));
	     i++) {
		json_begin_object(json, NULL);
		if (damage->offset == KERMON_NO_OFFSET)
			json_text(json, "offset", NULL);
		else
			json_number(json, "offset", damage->offset);
		json_text(json, "text", damage->text);
		json_end_object(json);
	}
	json_end_array(json);
}

static int print_tables(struct print *print)
{
	const struct report_view *view = print->view;
	struct report_section sections[2];
	size_t nr = report_sections(view, sections);
	struct json *json = &print->json;
	int err = fields_make(&print->fields, view->report, &view->idle);

	if (err)
		return err;
	json_text(json, "weight", weight_of(print));
	json_text(json, "cycles_caveat", report_cycles_caveat(view));
	json_bool(json, "estimate", kermon_report_is_estimate(view->report));
	print_events(print);
	print_shares(view, json);
	print_runs(view, json);
	for (size_t i = 0; i < nr && !err; i++)
		err = print_table(print, &sections[i]);
	print_losses(view, json);
	print_unwinding(view, json);
	statements_json(json, kermon_report_statements(view->report));
	return err;
}

int report_print_json(const struct report_view *view)
{
	struct print print = { .json.out = stdout, .view = view };
	struct json *json = &print.json;
	int err = 0;

	json_begin_object(json, NULL);
	json_text(json, "file", view->path);
	if (view->header) {
		json_begin_array(json, "header");
		kermon_report_header(view->report, print_line, json);
		json_end_array(json);
	}
	if (!view->header_only)
		err = print_tables(&print);
	print_damage(view, json);
	json_end_object(json);
	fields_free(&print.fields);
	return err;
}
