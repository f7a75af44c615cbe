// SPDX-License-Identifier: GPL-2.0
/* kermon diff: compares the same rows of several perf.data files. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diff.h"
#include "input/damages.h"
#include "input/input_options.h"
#include "input/statements.h"
#include "ui/common_options.h"
#include "ui/event_match.h"
#include "ui/fields.h"
#include "ui/json.h"
#include "ui/message.h"
#include "ui/pager.h"
#include "ui/power.h"
#include "ui/quantity.h"
#include "ui/shown.h"
#include "ui/table.h"

struct arguments {
	struct diff diff;
	struct input input;
	const char *keys;
	bool json;
	bool force;
	bool no_pager;
	enum color color;
};

static const char *const compute_names[] = {
	[DIFF_DELTA_ABS] = "delta-abs",
	[DIFF_DELTA] = "delta",
	[DIFF_RATIO] = "ratio",
	NULL
};

static const struct value_type value_compute = {
	.what = "comparison",
	.whats = "comparisons",
	.names = compute_names,
	.take = value_take_name,
};

#define VALUE_compute	enum diff_compute

static const struct option_spec diff_options[] = {
	FILE_OPTION("perf.data.old and perf.data"),
	GROUP(input, struct arguments, input),
	SORT_OPTION(struct arguments, keys, "sym,dso"),
	EVENT_OPTION(struct arguments, input.event, "time on CPU, or cycles"),
	{ 'c', "compute", "COMPARISON", "what is compared, and rows are sorted by",
	  VALUE(compute, struct arguments, diff.compute),
	  .preset = "delta-abs" },
	GROUP(diff_filter, struct arguments, input.filter),
	GROUP(json, struct arguments, json),
	FORCE_OPTION(struct arguments, force),
	GROUP(pager, struct arguments, no_pager),
	GROUP(color, struct arguments, color),
	{}
};

static const struct option_conflict diff_conflicts[] = {
	{ "json", "color" },
	{}
};

static const struct kermon_column *column_of(const struct diff_file *file)
{
	return kermon_report_column(file->report, file->weight);
}

/* Whether the files have the same event, counted in the same modes. */
static bool is_same_event(const struct diff_file *file,
			  const struct diff_file *other)
{
	const struct kermon_column *a = column_of(file), *b = column_of(other);

	return !strcasecmp(a->name, b->name) &&
	       !strcmp(quantity_modes(a), quantity_modes(b));
}

static bool find_event(struct diff_file *file, const char *wanted)
{
	struct event_list events = event_list_of_report(file->report);

	return event_find(&events, wanted, &file->weight) == EVENT_FOUND;
}

static int tell_event(const struct diff_file *file, const char *wanted)
{
	struct event_list events = event_list_of_report(file->report);

	event_tell("diff", file->path, &events, wanted);
	return STATUS_FAILED;
}

/* By default, user mode is not compared with user and kernel mode, for example. */
static int tell_modes(const struct diff_file *first,
		      const struct diff_file *file, const char *name)
{
	message("diff", "modes of %s differ: %s (%s), %s (%s)",
		name, file->path, quantity_modes(column_of(file)), first->path,
		quantity_modes(column_of(first)));
	message_hint("to compare it all the same: --event %s", name);
	return STATUS_FAILED;
}

/* Choose the event that the first file is sorted by, which all files must have. */
static int find_default_event(struct diff_file *first, struct diff_file *file)
{
	struct event_list events = event_list_of_report(first->report);
	char label[EVENT_LABEL], name[EVENT_LABEL];

	if (file == first) {
		file->weight = kermon_report_weight(file->report);
		return STATUS_OK;
	}
	event_label(&events, first->weight, label);
	if (find_event(file, label) && is_same_event(first, file))
		return STATUS_OK;
	snprintf(name, sizeof(name), "%.*s",
		 (int)(event_modifiers(label) - label), label);
	if (find_event(first, name) && find_event(file, name))
		return tell_modes(first, file, name);
	tell_event(file, label);
	message_hint("--event EVENT compares another event than the one of %s",
		     first->path);
	return STATUS_FAILED;
}

/* Read one of the files; sets @damaged if it is not intact. */
static int read_file(struct arguments *arguments, struct diff_file *file,
		     bool *damaged)
{
	bool is_damaged;
	int err;

	file->damages = damages_new("diff");
	if (!file->damages)
		return STATUS_FAILED;
	arguments->input.reading.damages = file->damages;
	file->report = kermon_report_new(&arguments->input.reading);
	if (!file->report) {
		message("diff", "out of memory");
		return STATUS_FAILED;
	}
	progress_start(&arguments->input.progress, "reading");
	err = kermon_report_read(file->report, file->path);
	progress_finish(&arguments->input.progress);
	is_damaged = damages_tell("diff", file->path, file->damages);
	*damaged |= is_damaged;
	if (err)
		return damages_failure("diff", file->path, err, is_damaged);
	if (!arguments->input.event)
		return find_default_event(arguments->diff.files, file);
	return find_event(file, arguments->input.event) ? STATUS_OK :
	       tell_event(file, arguments->input.event);
}

/* Print a difference in percentage points: "+1.25", "~+1.25". */
static void put_change(struct table *table, double percent, bool estimate)
{
	char text[NUMBER_SIZE], about[NUMBER_SIZE + 1];

	if (estimate) {
		number_about_real(fabs(percent), 2, text);
		snprintf(about, sizeof(about), "~%c%s", percent < 0 ? '-' : '+',
			 text + 1);
		table_cell(table, about, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%+.2f", percent);
	table_cell(table, text, NULL);
}

static void put_ratio(struct table *table, double ratio, bool estimate)
{
	char text[NUMBER_SIZE] = "-";

	if (!isnan(ratio) && estimate)
		number_about_real(ratio, 2, text);
	else if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.3f", ratio);
	table_cell(table, text, NULL);
}

static void put_keys(struct table *table, const struct diff *diff,
		     const struct diff_row *row)
{
	char number[NUMBER_SIZE];
	const char *text;

	for (size_t i = 0; i < diff->nr_keys; i++) {
		if (diff->keys[i]->is_number) {
			snprintf(number, sizeof(number), "%" PRIu64,
				 kermon_row_number(&row->keys, diff->keys[i]));
			table_cell(table, number, NULL);
			continue;
		}
		text = kermon_row_text(&row->keys, diff->keys[i]);
		table_cell(table, text ? text : "[unknown]", NULL);
	}
}

/* Whether the event is energy, and the file has the times that it is of. */
static bool has_power(const struct diff_file *file)
{
	return power_has(file->report, file->weight);
}

static void put_watts(struct table *table, double watts, bool estimate)
{
	char text[NUMBER_SIZE] = "-";

	if (!isnan(watts) && estimate)
		number_about_real(watts, 2, text);
	else if (!isnan(watts))
		snprintf(text, sizeof(text), "%.2f", watts);
	table_cell(table, text, NULL);
}

static void put_row(struct table *table, const struct diff *diff,
		    const struct diff_row *row)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];
	void (*put)(struct table *table, double change, bool estimate) =
		diff->compute == DIFF_RATIO ? put_ratio : put_change;
	const struct diff_file *files = diff->files;
	double first = diff_percent(diff, row, 0);

	if (files[0].estimate)
		number_about_real(first, 2, exact);
	else
		snprintf(exact, sizeof(exact), "%.2f", first);
	table_cell(table, exact, NULL);
	for (size_t i = 1; i < diff->nr_files; i++)
		put(table, diff_change(diff, row, i),
		    files[0].estimate || files[i].estimate);
	put_keys(table, diff, row);
	for (size_t i = 0; i < diff->nr_files; i++) {
		quantity_format(column_of(&files[i]), diff_value(diff, row, i),
				files[i].estimate, exact, brief);
		table_cell(table, exact, brief);
		if (has_power(&files[i]))
			put_watts(table, diff_watts(diff, row, i), files[i].estimate);
	}
}

/* Add the column of sums of a file, whose heading is the file and the unit. */
static int put_file(struct table *table, const struct diff_file *file)
{
	const char *unit = quantity_unit(column_of(file));
	char *heading;

	if (asprintf(&heading, "%s%s", file->path, unit) < 0)
		return -ENOMEM;
	table_column(table, TABLE_VALUE, heading);
	free(heading);
	if (has_power(file))
		table_column(table, TABLE_VALUE, "[W] shared");
	return 0;
}

static bool has_estimates(const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_files; i++)
		if (diff->files[i].estimate)
			return true;
	return false;
}

static void print_file(const struct diff_file *file, size_t number,
		       bool with_event)
{
	const struct kermon_column *column = column_of(file);

	if (with_event)
		shown_line(stdout, "%zu: %s, %s%s", number, file->path,
			   column->name, *event_modifiers(column->name) ? "" :
					 quantity_modes(column));
	else
		shown_line(stdout, "%zu: %s", number, file->path);
}

/* What is compared. The events of the files may differ in their modes if --event says so. */
static void print_head(const struct diff *diff)
{
	const struct diff_file *files = diff->files;
	bool same = true;

	for (size_t i = 1; i < diff->nr_files; i++)
		same &= is_same_event(&files[0], &files[i]);
	for (size_t i = 0; i < diff->nr_files; i++)
		print_file(&files[i], i + 1, !same);
	shown_line(stdout, "%%: share of %s in file 1.",
		   column_of(&files[0])->name);
	printf("%s\n", diff->compute == DIFF_RATIO ?
	       "ratio: sum in the other file, divided by the sum in file 1." :
	       "change: difference of the share in the other file, in percentage points.");
	if (!same)
		printf("The files were counted in different modes, which is part of the differences.\n");
	if (has_estimates(diff))
		printf("%s\n", ESTIMATE_LEGEND);
	putchar('\n');
}

static int print_table(const struct diff *diff,
		       const struct table_style *style)
{
	struct table *table = table_new();
	int err = table ? 0 : -ENOMEM;

	print_head(diff);
	table_column(table, TABLE_KEY_NUMBER, "%");
	for (size_t i = 1; i < diff->nr_files; i++)
		table_column(table, TABLE_KEY_NUMBER,
			     diff->compute == DIFF_RATIO ? "ratio" : "change");
	for (size_t i = 0; i < diff->nr_keys; i++)
		table_column(table, diff->keys[i]->is_number ?
				    TABLE_KEY_NUMBER : TABLE_KEY,
			     diff->keys[i]->name);
	for (size_t i = 0; i < diff->nr_files && !err; i++)
		err = put_file(table, &diff->files[i]);
	for (size_t i = 0; i < diff->nr_rows && !err; i++)
		put_row(table, diff, &diff->rows[i]);
	if (!err)
		err = table_print(table, stdout, style);
	table_free(table);
	return err;
}

static void write_keys(struct json *json, const struct diff *diff,
		       const struct diff_row *row)
{
	for (size_t i = 0; i < diff->nr_keys; i++) {
		if (diff->keys[i]->is_number)
			json_number(json, diff->keys[i]->field,
				    kermon_row_number(&row->keys,
						      diff->keys[i]));
		else
			json_text(json, diff->keys[i]->field,
				  kermon_row_text(&row->keys, diff->keys[i]));
	}
}

/* Write a sum in the unit of the event. */
static void write_sum(struct json *json, const char *name,
		      const struct diff_file *file, uint64_t sum)
{
	if (column_of(file)->metric.kind == KERMON_METRIC_ENERGY)
		json_exact(json, name, kermon_joules(sum));
	else
		json_number(json, name, sum);
}

static bool diff_has_power(const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_files; i++)
		if (has_power(&diff->files[i]))
			return true;
	return false;
}

static void write_row(struct json *json, const struct diff *diff,
		      const struct diff_row *row)
{
	json_begin_object(json, NULL);
	write_keys(json, diff, row);
	json_begin_array(json, "values");
	for (size_t i = 0; i < diff->nr_files; i++)
		write_sum(json, NULL, &diff->files[i], diff_value(diff, row, i));
	json_end_array(json);
	if (diff_has_power(diff)) {
		json_begin_array(json, "watts");
		for (size_t i = 0; i < diff->nr_files; i++)
			json_real(json, NULL, diff_watts(diff, row, i));
		json_end_array(json);
	}
	json_begin_array(json, "percent");
	for (size_t i = 0; i < diff->nr_files; i++)
		json_real(json, NULL, diff_percent(diff, row, i));
	json_end_array(json);
	json_end_object(json);
}

static void write_file(struct json *json, const struct diff_file *file)
{
	const char *modes = quantity_modes(column_of(file));

	json_begin_object(json, NULL);
	json_text(json, "file", file->path);
	json_text(json, "event", column_of(file)->name);
	json_text(json, "modes", modes + (*modes == ':'));
	write_sum(json, "total", file, file->total);
	json_bool(json, "estimate", file->estimate);
	statements_json(json, kermon_report_statements(file->report));
	json_end_object(json);
}

static void print_json(const struct diff *diff)
{
	struct json json = { .out = stdout };
	const struct kermon_column *first = column_of(&diff->files[0]);
	enum kermon_metric_kind kind = first->metric.kind;
	char field[FIELD_NAME];

	json_begin_object(&json, NULL);
	json_text(&json, "event", first->name);
	field_of_event(first->name, kind, field);
	json_text(&json, "field", field);
	json_text(&json, "unit", field_unit(kind) ? field_unit(kind) : "count");
	json_begin_array(&json, "files");
	for (size_t i = 0; i < diff->nr_files; i++)
		write_file(&json, &diff->files[i]);
	json_end_array(&json);
	json_begin_array(&json, "rows");
	for (size_t i = 0; i < diff->nr_rows; i++)
		write_row(&json, diff, &diff->rows[i]);
	json_end_array(&json);
	json_end_object(&json);
}

/* Returns 0 or -errno; -EPIPE if the pager failed, after a message. */
static int show(const struct arguments *arguments)
{
	const struct table_style style = {
		.width = terminal_width(),
		.colour = terminal_colour(arguments->color),
	};
	struct pager pager = { 0 };

	if (arguments->json) {
		print_json(&arguments->diff);
		return 0;
	}
	if (!arguments->no_pager)
		pager_start(&pager, "diff");
	return pager_finish(&pager, print_table(&arguments->diff, &style));
}

static int compare(struct arguments *arguments)
{
	struct diff *diff = &arguments->diff;
	bool damaged = false;
	int status, err;

	for (size_t i = 0; i < diff->nr_files; i++) {
		status = read_file(arguments, &diff->files[i], &damaged);
		if (status)
			return status;
	}
	err = diff_make(diff, arguments->keys);
	if (!err)
		err = show(arguments);
	for (size_t i = 0; !arguments->json && i < diff->nr_files; i++)
		statements_tell("diff", diff->files[i].path,
				kermon_report_statements(diff->files[i].report));
	if (err && err != -EPIPE)
		message("diff", "cannot compare the files: %s", strerror(-err));
	return err || damaged ? STATUS_FAILED : STATUS_OK;
}

/* perf record and kermon run rename the previous file to perf.data.old. */
static char *const last_two[] = { "perf.data.old", "perf.data" };

static int diff_files(struct arguments *arguments, char *const *paths, size_t nr)
{
	struct diff *diff = &arguments->diff;

	diff->files = calloc(nr, sizeof(*diff->files));
	if (!diff->files) {
		message("diff", "out of memory");
		return STATUS_FAILED;
	}
	diff->nr_files = nr;
	for (size_t i = 0; i < nr; i++)
		diff->files[i].path = paths[i];
	arguments->input.reading.keys = arguments->keys;
	return compare(arguments);
}

static int diff_with(struct options *options, const struct command *command,
		     int argc, char **argv, struct arguments *arguments)
{
	if (!options_parse(options, command, argc, argv, arguments))
		return options->status;
	if (!options->nr_operands)
		return diff_files(arguments, last_two, 2);
	if (options->nr_operands < 2)
		return options_bad(command, "need at least two files");
	return diff_files(arguments, options->operands, options->nr_operands);
}

static int run_diff(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { .keys = "sym,dso" };
	struct options options;
	int status = STATUS_FAILED;

	if (!input_begin(&arguments.input, command))
		status = diff_with(&options, command, argc, argv, &arguments);
	if (arguments.diff.files)
		diff_free(&arguments.diff);
	input_end(&arguments.input);
	return status;
}

const struct command diff_command = {
	.name = "diff",
	.synopsis = "[OPTION]... [FILE FILE...]",
	.summary = "Compare perf.data files: what increased and what decreased",
	.options = diff_options,
	.conflicts = diff_conflicts,
	.operand = &value_input,
	.max_operands = OPERANDS_ANY,
	.run = run_diff,
};
