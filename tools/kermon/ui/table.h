/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of text that fits the terminal.
 *
 * Numbers are given twice, exact and short. If the exact ones are too wide, the
 * short ones are shown; if those are too wide as well, the columns are spread
 * over several tables below each other, each with the key columns at its left.
 */
#ifndef KERMON_TABLE_H
#define KERMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table;

enum table_column {
	TABLE_KEY,		/* text, at the left of every part */
	TABLE_KEY_NUMBER,	/* the same, aligned to the right */
	TABLE_VALUE,		/* a number */
};

/* NULL: no memory; the other functions then do nothing and print nothing. */
struct table *table_new(void);
void table_free(struct table *table);

/* All columns come before the first cell. Words of @heading go below another. */
void table_column(struct table *table, enum table_column kind,
		  const char *heading);

/* The next cell, row by row. @exact and @brief are copied; @brief may be NULL. */
void table_cell(struct table *table, const char *exact, const char *brief);

/*
 * Lines of text below the newest row, where it stands for the first time; owned by
 * the table from now on, to be freed with free(3).
 */
void table_below(struct table *table, char *text);

/**
 * struct table_style - how to print
 * @width: columns of the terminal; 0: as wide as it gets
 * @colour: emphasize the heading
 */
struct table_style {
	size_t width;
	bool colour;
};

/* Return: 0 or -ENOMEM. */
int table_print(const struct table *table, FILE *out,
		const struct table_style *style);

#endif /* KERMON_TABLE_H */
