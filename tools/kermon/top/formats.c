// SPDX-License-Identifier: GPL-2.0
/* Writes an interval as text, as CSV, or as a line of JSON. */
#include <errno.h>
#include <kermon/text.h>
#include <math.h>
#include <stdlib.h>

#include "top.h"
#include "ui/csv.h"
#include "ui/json.h"
#include "ui/pager.h"
#include "ui/table.h"

#define ESTIMATES								\
	"~: estimate: the counters were shared, or did not count all threads of the process"

static void add_columns(const struct top *top, struct table *table)
{
	char heading[TOP_CELL];

	for (unsigned int i = 0; i < TOP_COLUMNS; i++) {
		if (!column_is_shown(top, i))
			continue;
		column_heading(top, i, heading);
		table_column(table, column_width(top, i) < 0 ? TABLE_KEY :
			     i <= THREADS_CPU ? TABLE_KEY_NUMBER : TABLE_VALUE, heading);
	}
}

static int add_cell(struct table *table, const char *text)
{
	char *escaped = kermon_text_escaped(text);

	if (!escaped)
		return -ENOMEM;
	table_cell(table, escaped, NULL);
	free(escaped);
	return 0;
}

static int add_row(const struct top *top, struct table *table,
		   const struct threads_row *row)
{
	char text[TOP_CELL];
	int err = 0;

	for (unsigned int i = 0; i < TOP_COLUMNS && !err; i++) {
		if (!column_is_shown(top, i))
			continue;
		column_text(top, row, i, text);
		err = add_cell(table, text);
	}
	return err;
}

static bool has_estimates(const struct view *view)
{
	for (size_t i = 0; i < view->nr; i++)
		if (view->rows[i].estimated)
			return true;
	return false;
}

/* Columns that do not fit a terminal follow below; a file has one table. */
static int write_table(const struct top *top, FILE *out)
{
	const struct table_style style = {
		.width = out == stdout ? terminal_width() : 0,
		.colour = out == stdout && terminal_colour(top->color),
	};
	struct table *table = table_new();
	int err = 0;

	add_columns(top, table);
	for (size_t i = 0; i < top->view.nr && !err; i++)
		err = add_row(top, table, &top->view.rows[i]);
	if (!err)
		err = table_print(table, out, &style);
	table_free(table);
	return err;
}

static int write_text(const struct top *top, FILE *out)
{
	char lines[HEADER_LINES][TOP_LINE];
	const unsigned int nr = header_lines(top, lines);
	int err;

	for (unsigned int i = 0; i < nr; i++)
		fprintf(out, "%s\n", lines[i]);
	fputc('\n', out);
	err = write_table(top, out);
	if (!err && has_estimates(&top->view))
		fputs(ESTIMATES "\n", out);
	fputc('\n', out);
	return err;
}

/* Names of events, with their modes, are those of the columns. */
static void write_names(const struct top *top, FILE *out)
{
	static const char *const before[] = {
		"time_s", "interval_ns", "pid", "tid", "threads", "user", "cpu",
		"oncpu_ns", "wait_ns", "switches", "faults",
	};
	static const char *const after[] = { "ipc", "flop_per_s", "estimate", "ended", "command" };
	struct csv csv = { .out = out };

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		csv_text(&csv, before[i]);
	for (unsigned int i = 0; i < top->events.nr; i++)
		csv_text(&csv, top->events.events[i].name);
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		csv_text(&csv, after[i]);
	csv_end(&csv);
}

/* Unknown is an empty value. */
static void csv_known(struct csv *csv, uint64_t number, bool known)
{
	if (known)
		csv_number(csv, number);
	else
		csv_text(csv, NULL);
}

static double count_of(const struct threads_row *row, unsigned int event)
{
	return row->counted >> event & 1 ? rint(row->counts[event]) : NAN;
}

static void write_row(const struct top *top, struct csv *csv,
		      const struct threads_row *row)
{
	const bool exact = !threads_by_ticks(top->threads) && !row->ended;

	csv_real(csv, top->summary.wall_ns / 1000000 / 1e3);
	csv_number(csv, row->ns);
	csv_number(csv, row->pid);
	csv_number(csv, row->tid);
	csv_number(csv, row->nr);
	csv_text(csv, user_name(row->uid));
	csv_known(csv, row->cpu, row->cpu >= 0);
	csv_number(csv, row->run_ns);
	csv_known(csv, row->wait_ns, exact);
	csv_known(csv, row->switches, exact);
	csv_number(csv, row->faults);
	for (unsigned int i = 0; i < top->events.nr; i++)
		csv_real(csv, count_of(row, i));
	csv_real(csv, threads_value(&top->events, row, THREADS_IPC));
	csv_real(csv, threads_value(&top->events, row, THREADS_FLOP));
	csv_number(csv, row->estimated != 0);
	csv_number(csv, row->ended);
	csv_text(csv, row->comm);
	csv_end(csv);
}

static int write_csv(const struct top *top, FILE *out)
{
	struct csv csv = { .out = out };

	for (size_t i = 0; i < top->view.nr; i++)
		write_row(top, &csv, &top->view.rows[i]);
	return 0;
}

static void json_known(struct json *json, const char *name, uint64_t number, bool known)
{
	if (known)
		json_number(json, name, number);
	else
		json_real(json, name, NAN);
}

static void json_counts(const struct top *top, struct json *json,
			const struct threads_row *row)
{
	json_begin_object(json, "counts");
	for (unsigned int i = 0; i < top->events.nr; i++)
		json_known(json, top->events.events[i].name, llround(row->counts[i]),
			   row->counted >> i & 1);
	json_end_object(json);
}

static void json_row(const struct top *top, struct json *json,
		     const struct threads_row *row)
{
	const bool exact = !threads_by_ticks(top->threads) && !row->ended;

	json_begin_object(json, NULL);
	json_number(json, "interval_ns", row->ns);
	json_number(json, "pid", row->pid);
	json_number(json, "tid", row->tid);
	json_number(json, "threads", row->nr);
	json_text(json, "user", user_name(row->uid));
	json_known(json, "cpu", row->cpu, row->cpu >= 0);
	json_number(json, "oncpu_ns", row->run_ns);
	json_known(json, "wait_ns", row->wait_ns, exact);
	json_known(json, "switches", row->switches, exact);
	json_number(json, "faults", row->faults);
	json_counts(top, json, row);
	json_exact(json, "ipc", threads_value(&top->events, row, THREADS_IPC));
	json_exact(json, "flop_per_s", threads_value(&top->events, row, THREADS_FLOP));
	json_bool(json, "estimate", row->estimated);
	json_bool(json, "ended", row->ended);
	json_text(json, "command", row->comm);
	json_end_object(json);
}

static void json_power(const struct top *top, struct json *json)
{
	const struct energy_total *total = &top->gauges.energy.total;

	json_begin_object(json, "power_W");
	for (unsigned int i = 0; i < total->nr && !total->error; i++)
		json_real(json, total->domains[i].name, top->gauges.watts[i]);
	json_end_object(json);
}

static int write_json(const struct top *top, FILE *out)
{
	const struct summary *summary = &top->summary;
	struct json json = { .out = out, .compact = true };

	json_begin_object(&json, NULL);
	json_exact(&json, "time_s", summary->wall_ns / 1000000 / 1e3);
	json_number(&json, "interval_ns", summary->interval_ns);
	json_number(&json, "cpus", summary->nr_cpus);
	json_real(&json, "busy", summary->busy);
	json_real(&json, "steal", summary->steal);
	json_real(&json, "seen", summary->seen);
	json_real(&json, "own_cost", summary->own);
	json_number(&json, "threads", summary->nr_threads);
	json_power(top, &json);
	json_bool(&json, "model_cycles", top->emulated);
	json_text(&json, "uncounted", *top->reason ? top->reason : NULL);
	json_begin_array(&json, "rows");
	for (size_t i = 0; i < top->view.nr; i++)
		json_row(top, &json, &top->view.rows[i]);
	json_end_array(&json);
	json_end_object(&json);
	return 0;
}

static int end_writing(FILE *out)
{
	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

int format_begin(const struct top *top, FILE *out, enum format format)
{
	if (format == FORMAT_CSV)
		write_names(top, out);
	return end_writing(out);
}

int format_interval(const struct top *top, FILE *out, enum format format)
{
	int err = format == FORMAT_CSV ? write_csv(top, out) :
		  format == FORMAT_JSON ? write_json(top, out) : write_text(top, out);

	return err ? err : end_writing(out);
}
