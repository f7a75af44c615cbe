// SPDX-License-Identifier: GPL-2.0
/* kermon diff: what has become more and what less, from file to file. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "damages.h"
#include "diff.h"
#include "event_match.h"
#include "fields.h"
#include "filter_options.h"
#include "json.h"
#include "message.h"
#include "quantity.h"
#include "pager.h"
#include "shown.h"
#include "statements.h"
#include "table.h"

enum {
	KEY_BY = 256,
	KEY_JSON,
	KEY_SYMFS,
	KEY_KALLSYMS,
	KEY_NO_PAGER,
};

static const struct option_spec diff_options[] = {
	{ 's', 's', "sort", "KEY,...",
	  "what to compare, as of 'kermon report' (default: sym,dso)" },
	{ 0, KEY_BY, "by", "EVENT",
	  "event to compare (default: time on CPU, or cycles)" },
	FILTER_OPTIONS,
	{ 0, KEY_JSON, "json", NULL, "print JSON, numbers to the last count" },
	{ 0, KEY_SYMFS, "symfs", "DIR", "look up binaries below this folder" },
	{ 0, KEY_KALLSYMS, "kallsyms", "FILE",
	  "take the kernel's symbols from this copy of /proc/kallsyms" },
	{ 0, KEY_NO_PAGER, "no-pager", NULL, "do not start a pager" },
	{}
};

struct arguments {
	struct diff diff;
	struct kermon_report_options reading;
	struct kermon_filter *filter;
	const char *keys;
	const char *by;
	bool json;
	bool no_pager;
};

static void take_option(struct options *options, int key,
			struct arguments *arguments)
{
	if (filter_option(options, key, arguments->filter))
		return;
	switch (key) {
	case 's':
		arguments->keys = options->value;
		if (!kermon_keys_valid(options->value))
			options_stop(options, "'%s' is no list of keys",
				     options->value);
		break;
	case KEY_BY:
		arguments->by = options->value;
		break;
	case KEY_JSON:
		arguments->json = true;
		break;
	case KEY_SYMFS:
		arguments->reading.symfs = options->value;
		break;
	case KEY_KALLSYMS:
		arguments->reading.kallsyms = options->value;
		break;
	case KEY_NO_PAGER:
		arguments->no_pager = true;
		break;
	}
}

/* False: there is no such event. */
static bool find_event(struct diff_file *file, const char *name)
{
	const struct kermon_column *column;

	for (size_t i = 0; i < kermon_report_nr_columns(file->report); i++) {
		column = kermon_report_column(file->report, i);
		if (!event_match(column->name, name))
			continue;
		file->weight = i;
		return true;
	}
	message("diff", "%s: there is no event '%s'", file->path, name);
	return false;
}

/* Whether anything is wrong with it, which is told. */
static bool tell_damage(const struct diff_file *file)
{
	const struct kermon_damage *damage;
	size_t i;

	for (i = 0; (damage = kermon_report_damage(file->report, i)); i++)
		damages_one("diff", file->path, damage);
	return damages_end(kermon_report_nr_damages(file->report), i);
}

/* Reads one of the files; sets @damaged if it is not intact. */
static int read_file(struct arguments *arguments, struct diff_file *file,
		     bool *damaged)
{
	const struct kermon_report *first;
	int err;

	file->report = kermon_report_new(&arguments->reading);
	if (!file->report) {
		message("diff", "out of memory");
		return STATUS_FAILED;
	}
	err = kermon_report_read(file->report, file->path);
	*damaged |= tell_damage(file);
	if (err)
		return damages_failure("diff", file->path, err, *damaged);
	first = arguments->diff.files[0].report;
	if (!arguments->by)
		arguments->by = kermon_report_column(first,
					kermon_report_weight(first))->name;
	return find_event(file, arguments->by) ? STATUS_OK : STATUS_FAILED;
}

/* "+1.25", "~+1.25": percentage points. */
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

static const struct kermon_column *column_of(const struct diff_file *file)
{
	return kermon_report_column(file->report, file->weight);
}

static void put_keys(struct table *table, const struct diff *diff,
		     const struct diff_row *row)
{
	char number[NUMBER_SIZE];
	const char *text;

	for (size_t i = 0; i < diff->nr_keys; i++) {
		if (kermon_key_is_number(diff->keys[i])) {
			snprintf(number, sizeof(number), "%" PRIu64,
				 kermon_row_number(&row->keys, diff->keys[i]));
			table_cell(table, number, NULL);
			continue;
		}
		text = kermon_row_text(&row->keys, diff->keys[i]);
		table_cell(table, text ? text : "[unknown]", NULL);
	}
}

static void put_row(struct table *table, const struct diff *diff,
		    const struct diff_row *row)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];
	const struct diff_file *files = diff->files;
	double first = diff_percent(diff, row, 0);

	if (files[0].estimate)
		number_about_real(first, 2, exact);
	else
		snprintf(exact, sizeof(exact), "%.2f", first);
	table_cell(table, exact, NULL);
	for (size_t i = 1; i < diff->nr_files; i++)
		put_change(table, diff_percent(diff, row, i) - first,
			   files[0].estimate || files[i].estimate);
	put_keys(table, diff, row);
	for (size_t i = 0; i < diff->nr_files; i++) {
		quantity_format(column_of(&files[i]), diff_value(diff, row, i),
				files[i].estimate, exact, brief);
		table_cell(table, exact, brief);
	}
}

/* What stands above the sums: the file, and the unit of the event. */
static int put_file(struct table *table, const struct diff_file *file)
{
	const char *unit = quantity_unit(column_of(file));
	char *heading;

	if (asprintf(&heading, "%s%s", file->path, unit) < 0)
		return -ENOMEM;
	table_column(table, TABLE_VALUE, heading);
	free(heading);
	return 0;
}

static bool has_estimates(const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_files; i++)
		if (diff->files[i].estimate)
			return true;
	return false;
}

static int print_table(const struct diff *diff, const char *event)
{
	const struct table_style style = {
		.width = terminal_width(),
		.colour = terminal_colour(),
	};
	struct table *table = table_new();
	int err = table ? 0 : -ENOMEM;

	for (size_t i = 0; i < diff->nr_files; i++)
		shown_line(stdout, "%zu: %s", i + 1, diff->files[i].path);
	shown_line(stdout, "Shares of %s in file 1 in %%, and by how much those in the others differ.",
		   event);
	if (has_estimates(diff))
		printf("%s\n", ESTIMATE_LEGEND);
	putchar('\n');
	table_column(table, TABLE_KEY_NUMBER, "%");
	for (size_t i = 1; i < diff->nr_files; i++)
		table_column(table, TABLE_KEY_NUMBER, "change");
	for (size_t i = 0; i < diff->nr_keys; i++)
		table_column(table, kermon_key_is_number(diff->keys[i]) ?
				    TABLE_KEY_NUMBER : TABLE_KEY,
			     kermon_key_name(diff->keys[i]));
	for (size_t i = 0; i < diff->nr_files && !err; i++)
		err = put_file(table, &diff->files[i]);
	for (size_t i = 0; i < diff->nr_rows && !err; i++)
		put_row(table, diff, &diff->rows[i]);
	if (!err)
		err = table_print(table, stdout, &style);
	table_free(table);
	return err;
}

static void write_keys(struct json *json, const struct diff *diff,
		       const struct diff_row *row)
{
	for (size_t i = 0; i < diff->nr_keys; i++) {
		if (kermon_key_is_number(diff->keys[i]))
			json_number(json, field_of_key(diff->keys[i]),
				    kermon_row_number(&row->keys,
						      diff->keys[i]));
		else
			json_text(json, field_of_key(diff->keys[i]),
				  kermon_row_text(&row->keys, diff->keys[i]));
	}
}

/* In the unit of the event. */
static void write_sum(struct json *json, const char *name,
		      const struct diff_file *file, uint64_t sum)
{
	if (column_of(file)->metric.kind == KERMON_METRIC_ENERGY)
		json_exact(json, name, kermon_joules(sum));
	else
		json_number(json, name, sum);
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
	json_begin_array(json, "percent");
	for (size_t i = 0; i < diff->nr_files; i++)
		json_real(json, NULL, diff_percent(diff, row, i));
	json_end_array(json);
	json_end_object(json);
}

static void print_json(const struct diff *diff, const char *event)
{
	struct json json = { .out = stdout };
	enum kermon_metric_kind kind = column_of(&diff->files[0])->metric.kind;
	char field[FIELD_NAME];

	json_begin_object(&json, NULL);
	json_text(&json, "event", event);
	field_of_event(event, kind, field);
	json_text(&json, "field", field);
	json_text(&json, "unit", field_unit(kind) ? field_unit(kind) : "count");
	json_begin_array(&json, "files");
	for (size_t i = 0; i < diff->nr_files; i++) {
		json_begin_object(&json, NULL);
		json_text(&json, "file", diff->files[i].path);
		write_sum(&json, "total", &diff->files[i],
			  diff->files[i].total);
		json_bool(&json, "estimate", diff->files[i].estimate);
		statements_json(&json,
				kermon_report_statements(diff->files[i].report));
		json_end_object(&json);
	}
	json_end_array(&json);
	json_begin_array(&json, "rows");
	for (size_t i = 0; i < diff->nr_rows; i++)
		write_row(&json, diff, &diff->rows[i]);
	json_end_array(&json);
	json_end_object(&json);
}

/* 0 or -errno; -EPIPE: nobody saw it, and the pager has said so. */
static int show(const struct arguments *arguments)
{
	struct pager pager = { 0 };
	int err;

	if (arguments->json) {
		print_json(&arguments->diff, arguments->by);
		return 0;
	}
	if (!arguments->no_pager)
		pager_start(&pager);
	err = print_table(&arguments->diff, arguments->by);
	if (!pager_finish(&pager) && !err)
		return -EPIPE;
	return err;
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
		message("diff", "cannot compare them: %s", strerror(-err));
	return err || damaged ? STATUS_FAILED : STATUS_OK;
}

/* perf record keeps the file before the last one under that name. */
static char *const last_two[] = { "perf.data.old", "perf.data", NULL };

static int diff_with(struct options *options, struct arguments *arguments)
{
	struct diff *diff = &arguments->diff;
	char *const *paths;
	int key;

	while ((key = options_next(options)))
		take_option(options, key, arguments);
	if (options->done)
		return options->status;
	paths = options->argv + options->index;
	if (!*paths)
		paths = last_two;
	while (paths[diff->nr_files])
		diff->nr_files++;
	if (diff->nr_files < 2)
		return options_bad(options->command,
				   "two files at least are compared");
	diff->files = calloc(diff->nr_files, sizeof(*diff->files));
	if (!diff->files) {
		diff->nr_files = 0;
		message("diff", "out of memory");
		return STATUS_FAILED;
	}
	for (size_t i = 0; i < diff->nr_files; i++)
		diff->files[i].path = paths[i];
	arguments->reading.filter = arguments->filter;
	arguments->reading.keys = arguments->keys;
	return compare(arguments);
}

static int run_diff(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.reading.size = sizeof(arguments.reading),
		.filter = kermon_filter_new(),
		.keys = "sym,dso",
	};
	struct options options;
	int status;

	if (!arguments.filter) {
		message("diff", "out of memory");
		return STATUS_FAILED;
	}
	options_begin(&options, command, argc, argv);
	status = diff_with(&options, &arguments);
	if (arguments.diff.files)
		diff_free(&arguments.diff);
	kermon_filter_free(arguments.filter);
	return status;
}

const struct command diff_command = {
	.name = "diff",
	.synopsis = "[OPTION]... [FILE FILE...]",
	.summary = "Compare perf.data files: what has become more, what less",
	.options = diff_options,
	.run = run_diff,
};
