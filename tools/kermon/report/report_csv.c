// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a report as CSV: a line of names, then the rows. Columns are the keys, number of
 * samples, percent, whether the sums are estimates, and the quantities of fields.h.
 */
#include <stdio.h>

#include "report_view.h"
#include "ui/csv.h"
#include "ui/fields.h"

static void print_names(struct csv *csv, const struct fields *fields,
			const char *prefix)
{
	char name[FIELD_NAME + 8];

	for (size_t i = 0; i < fields->nr; i++) {
		snprintf(name, sizeof(name), "%s%s", prefix,
			 fields->all[i].name);
		csv_text(csv, name);
	}
}

static void print_head(const struct fields *fields, struct csv *csv,
		       const struct kermon_table *table)
{
	const char *counted = report_counted(table);
	char name[32];

	for (size_t i = 0; i < table->nr_keys; i++)
		csv_text(csv, table->keys[i]->field);
	if (table->callers) {
		snprintf(name, sizeof(name), "all_%s", counted);
		csv_text(csv, name);
		csv_text(csv, "all_percent");
	}
	csv_text(csv, counted);
	csv_text(csv, "percent");
	csv_text(csv, "estimate");
	print_names(csv, fields, "");
	if (table->callers)
		print_names(csv, fields, "all_");
	csv_end(csv);
}

static void print_values(const struct report_view *view, struct csv *csv,
			 const struct fields *fields, const struct field_source *source)
{
	uint64_t number;
	double real;

	for (size_t i = 0; i < fields->nr; i++) {
		if (field_take(view->report, fields, &fields->all[i], source,
			       &number, &real))
			csv_number(csv, number);
		else
			csv_real(csv, real);
	}
}

static void print_keys(struct csv *csv, const struct kermon_table *table,
		       const struct kermon_row *row)
{
	const char *text;

	for (size_t i = 0; i < table->nr_keys; i++) {
		if (table->keys[i]->is_number) {
			csv_number(csv, kermon_row_number(row, table->keys[i]));
			continue;
		}
		text = kermon_row_text(row, table->keys[i]);
		csv_text(csv, text ? text : REPORT_UNKNOWN);
	}
}

static void print_row(const struct report_view *view, struct csv *csv,
		      const struct fields *fields,
		      const struct kermon_table *table, size_t index)
{
	const struct kermon_row *row = &table->rows[index];
	const struct field_source own = { row->values, table, index };
	const struct field_source all = { row->all_values, table, FIELD_NO_ROW };

	print_keys(csv, table, row);
	if (table->callers) {
		csv_number(csv, row->all_samples);
		csv_real(csv, report_percent(view, report_weight(view, row)));
	}
	csv_number(csv, row->samples);
	csv_real(csv, report_percent(view, row->values[view->weight]));
	csv_text(csv, table->estimate ? "yes" : "no");
	print_values(view, csv, fields, &own);
	if (table->callers)
		print_values(view, csv, fields, &all);
	csv_end(csv);
}

int report_print_csv(const struct report_view *view)
{
	const struct report_section section = {
		.keys = view->sort ? view->sort : REPORT_CSV_KEYS,
	};
	const struct kermon_table *table;
	struct csv csv = { .out = stdout, .separator = view->separator };
	struct fields fields;
	int err = report_table(view, &section, &table);

	if (err)
		return err;
	err = fields_make(&fields, view->report, &view->idle);
	if (!err && !view->quiet)
		print_head(&fields, &csv, table);
	for (size_t i = 0; i < table->nr_rows && !err; i++)
		if (report_shows(view, &table->rows[i]))
			print_row(view, &csv, &fields, table, i);
	fields_free(&fields);
	return err;
}
