/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to report_values.c: the value columns of tables of rows.
 */
#ifndef KERMON_REPORT_VALUES_H
#define KERMON_REPORT_VALUES_H

#include "report_view.h"
#include "ui/table.h"

struct report_value;

/**
 * struct report_values - value columns, from left to right
 * @all: all of them: columns of the report, their power, and what is derived from several
 * @columns: the columns of the report among them, in this order
 */
struct report_values {
	struct report_value *all;
	size_t nr;
	const struct kermon_column **columns;
	size_t nr_columns;
};

/* Return: 0 or -ENOMEM; otherwise call report_free_values(). */
int report_choose_values(struct report_values *values, const struct report_view *view);
void report_free_values(struct report_values *values);

/* Whether the file has an IPC: it needs instructions and cycles of the same modes. */
bool report_has_ipc(const struct report_view *view);

void report_add_headings(struct table *table, const struct report_view *view,
			 const struct report_values *values);
void report_add_values(struct table *table, const struct report_view *view,
		       const struct report_values *values, const struct kermon_table *rows,
		       size_t index);

/* Cells with a number, and with a sum of a column. */
void report_add_number(struct table *table, uint64_t value);
void report_add_sum(struct table *table, const struct kermon_column *column,
		    uint64_t value, bool estimate);

#endif /* KERMON_REPORT_VALUES_H */
