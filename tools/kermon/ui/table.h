/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to table.c: a table of text that fits the terminal.
 *
 * Numbers are given twice, exact and brief. If the exact ones are too wide, the brief ones
 * are shown; if those are too wide as well, the columns are split into several tables
 * below each other, each with the key columns at its left.
 */
#ifndef KERMON_TABLE_H
#define KERMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table;

enum table_column {
	TABLE_KEY,		/* text, at the left of every part */
	TABLE_KEY_NUMBER,	/* a key aligned to the right */
	TABLE_VALUE,		/* a number */
};

/* NULL if out of memory; the other functions accept that, and table_print() fails. */
struct table *table_new(void);
void table_free(struct table *table);

/* Add a column, before the first cell. Each word of @heading is printed on its own line. */
void table_column(struct table *table, enum table_column kind,
		  const char *heading);

/* Add the next cell, row by row. @exact and @brief are copied; @brief may be NULL. */
void table_cell(struct table *table, const char *exact, const char *brief);

/*
 * Print lines of text below the next row. They may be much longer than the table, which
 * therefore does not keep them. Return: 0 or a negative errno.
 */
typedef int table_below(void *context, FILE *out);

/**
 * struct table_style - how to print
 * @width: columns of the terminal; 0: no limit
 * @colour: emphasize the heading
 * @no_heading: print only the rows
 * @exact: print exact numbers, whatever their width
 * @below: called after each row of the first part, in order; NULL: nothing is below rows
 * @context: of @below
 */
struct table_style {
	size_t width;
	bool colour;
	bool no_heading;
	bool exact;
	table_below *below;
	void *context;
};

/* An empty line and the title of what follows, on standard output. */
void table_title(const char *text, bool colour);

/* Return: 0, -ENOMEM, or the first error of @below, which ends the table. */
int table_print(const struct table *table, FILE *out,
		const struct table_style *style);

#endif /* KERMON_TABLE_H */
