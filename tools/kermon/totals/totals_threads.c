// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a table of the threads of a run: time, and the counts of each.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "totals.h"
#include "ui/number.h"
#include "ui/power.h"
#include "ui/quantity.h"
#include "ui/table.h"

/* The columns of the report that have a count. */
struct shown_columns {
	const struct kermon_column *columns[TOTALS_MAX];
	size_t index[TOTALS_MAX];
	size_t nr;
};

static bool is_shown(const struct totals_view *view,
		     const struct kermon_column *column)
{
	struct total total = { .metric = column->metric };

	snprintf(total.name, sizeof(total.name), "%s", column->name);
	return column->total && !column->alone && totals_show(view, &total);
}

static void choose(const struct totals_view *view, struct shown_columns *shown)
{
	const size_t nr = kermon_report_nr_columns(view->report);
	const struct kermon_column *column;

	for (size_t i = 0; i < nr && shown->nr < TOTALS_MAX; i++) {
		column = kermon_report_column(view->report, i);
		if (!is_shown(view, column))
			continue;
		shown->columns[shown->nr] = column;
		shown->index[shown->nr++] = i;
	}
}

static void add_headings(struct table *table, const struct totals_view *view,
			 const struct shown_columns *shown)
{
	char heading[HEADING_SIZE];

	table_column(table, TABLE_KEY, "comm");
	table_column(table, TABLE_KEY_NUMBER, "pid");
	table_column(table, TABLE_KEY_NUMBER, "tid");
	for (size_t i = 0; i < shown->nr; i++) {
		quantity_heading(shown->columns, shown->nr, i, heading);
		table_column(table, TABLE_VALUE, heading);
		if (!power_has(view->report, shown->index[i]))
			continue;
		power_heading(view->report, shown->index[i], false, &view->idle, heading);
		table_column(table, TABLE_VALUE, heading);
	}
	table_column(table, TABLE_VALUE, "IPC");
}

/* Of a thread, by its time on the CPU. */
static void add_watts(struct table *table, const struct totals_view *view,
		      const struct kermon_row *row, size_t column)
{
	const double watts = power_watts(view->report, row->values, column, &view->idle);
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%.2f", watts);
	table_cell(table, isnan(watts) ? "-" : text, NULL);
}

static void add_row(struct table *table, const struct totals_view *view,
		    const struct shown_columns *shown,
		    const struct kermon_row *row)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];
	const struct kermon_report *report = view->report;
	const double ipc = kermon_ipc(report, row->values);

	table_cell(table, row->comm ? row->comm : "", NULL);
	snprintf(exact, sizeof(exact), "%u", row->pid);
	table_cell(table, exact, NULL);
	snprintf(exact, sizeof(exact), "%u", row->tid);
	table_cell(table, exact, NULL);
	for (size_t i = 0; i < shown->nr; i++) {
		quantity_format(shown->columns[i], row->values[shown->index[i]],
				false, exact, brief);
		table_cell(table, exact, brief);
		if (power_has(report, shown->index[i]))
			add_watts(table, view, row, shown->index[i]);
	}
	snprintf(exact, sizeof(exact), "%.3f", ipc);
	table_cell(table, isnan(ipc) ? "-" : exact, NULL);
}

static bool has_turns(const struct kermon_report *report,
		      const struct shown_columns *shown)
{
	for (size_t i = 0; i < shown->nr; i++)
		if (shown->columns[i]->set >= 0 &&
		    kermon_report_share(report, shown->columns[i]->set))
			return true;
	return false;
}

int totals_print_threads(const struct totals_view *view)
{
	const struct table_style style = { .width = TOTALS_WIDTH };
	struct shown_columns shown = { .nr = 0 };
	const struct kermon_table *rows;
	struct table *table;
	int err = kermon_report_table(view->report, "comm,pid,tid",
				      kermon_report_weight(view->report), &rows);

	if (err)
		return err;
	table = table_new();
	choose(view, &shown);
	add_headings(table, view, &shown);
	for (size_t i = 0; i < rows->nr_rows; i++)
		add_row(table, view, &shown, &rows->rows[i]);
	err = table_print(table, view->out, &style);
	table_free(table);
	/* Unlike the totals: a thread may have run in few turns of a set. */
	if (!err && has_turns(view->report, &shown))
		fputs("\nEvents with a share in brackets were counted for that part of the "
		      "time: here without estimate.\n", view->out);
	return err;
}
