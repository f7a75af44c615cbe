// SPDX-License-Identifier: GPL-2.0
/*
 * One table with a line of names at its head: the keys, samples, percent, and the sum
 * of each event.
 */
#include <stdio.h>

#include "csv.h"
#include "report_view.h"

#define ALONE	" alone"

static void print_column_name(struct csv *csv,
			      const struct kermon_column *column)
{
	char name[256];

	snprintf(name, sizeof(name), "%s%s", column->name,
		 column->alone ? ALONE : "");
	csv_text(csv, name);
}

static void print_head(const struct report_view *view, struct csv *csv,
		       const struct kermon_table *table)
{
	for (size_t i = 0; i < table->nr_keys; i++)
		csv_text(csv, kermon_key_name(table->keys[i]));
	if (table->callers) {
		csv_text(csv, "all_samples");
		csv_text(csv, "all_percent");
	}
	csv_text(csv, "samples");
	csv_text(csv, "percent");
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++)
		print_column_name(csv, kermon_report_column(view->report, i));
	csv_end(csv);
}

static void print_row(const struct report_view *view, struct csv *csv,
		      const struct kermon_table *table,
		      const struct kermon_row *row)
{
	for (size_t i = 0; i < table->nr_keys; i++) {
		if (kermon_key_is_number(table->keys[i]))
			csv_number(csv, kermon_row_number(row, table->keys[i]));
		else
			csv_text(csv, kermon_row_text(row, table->keys[i]));
	}
	if (table->callers) {
		csv_number(csv, row->all_samples);
		csv_real(csv, report_percent(view, report_weight(view, row)));
	}
	csv_number(csv, row->samples);
	csv_real(csv, report_percent(view, row->values[view->weight]));
	for (size_t i = 0; i < kermon_report_nr_columns(view->report); i++)
		csv_number(csv, row->values[i]);
	csv_end(csv);
}

int report_print_csv(const struct report_view *view)
{
	const struct report_section section = {
		.keys = view->sort ? view->sort : REPORT_CSV_KEYS,
	};
	const struct kermon_table *table;
	struct csv csv = { .out = stdout };
	int err = report_table(view, &section, &table);

	if (err)
		return err;
	print_head(view, &csv, table);
	for (size_t i = 0; i < table->nr_rows; i++)
		if (report_shows(view, &table->rows[i]))
			print_row(view, &csv, table, &table->rows[i]);
	return 0;
}
