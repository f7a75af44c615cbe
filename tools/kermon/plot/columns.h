/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to columns.c: the extremes of any number of points in at most COLUMNS_MAX
 * columns of equal width, for pictures whose size does not depend on their number.
 */
#ifndef KERMON_COLUMNS_H
#define KERMON_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#define COLUMNS_MAX	1024

/**
 * struct column - the points whose x is in one column
 * @points: their number; the extremes mean nothing if it is 0
 * @min: lowest y
 * @max: highest y
 */
struct column {
	uint64_t points;
	double min;
	double max;
};

/**
 * struct columns - all columns; zero it before use
 * @log_width: logarithm to the base 2 of the width of a column
 * @nr: number of columns, the last of which has points
 */
struct columns {
	unsigned int log_width;
	size_t nr;
	struct column all[COLUMNS_MAX];
};

/* Add a point; @x in any order. Pairs of columns become one when there are too many. */
void columns_add(struct columns *columns, uint64_t x, double y);

/**
 * struct extremes - the columns that have points, as values to draw
 * @nr: their number
 * @x: where each begins
 * @min: lowest y of each
 * @max: highest y of each
 */
struct extremes {
	size_t nr;
	double x[COLUMNS_MAX];
	double min[COLUMNS_MAX];
	double max[COLUMNS_MAX];
};

/* Values are divided by @x_unit and @y_unit. */
void columns_extremes(const struct columns *columns, double x_unit, double y_unit,
		      struct extremes *extremes);

#endif /* KERMON_COLUMNS_H */
