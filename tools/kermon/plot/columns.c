// SPDX-License-Identifier: GPL-2.0
/* Reduces points to the extremes of columns, and keeps all extremes. */
#include "columns.h"

static void merge(struct column *into, const struct column *other)
{
	if (!other->points)
		return;
	if (!into->points || other->min < into->min)
		into->min = other->min;
	if (!into->points || other->max > into->max)
		into->max = other->max;
	into->points += other->points;
}

static void widen(struct columns *columns)
{
	const size_t nr = columns->nr;
	struct column pair;

	for (size_t i = 0; i < nr; i += 2) {
		pair = columns->all[i];
		if (i + 1 < nr)
			merge(&pair, &columns->all[i + 1]);
		columns->all[i / 2] = pair;
	}
	columns->nr = (nr + 1) / 2;
	for (size_t i = columns->nr; i < nr; i++)
		columns->all[i] = (struct column){ 0 };
	columns->log_width++;
}

void columns_add(struct columns *columns, uint64_t x, double y)
{
	const struct column point = { .points = 1, .min = y, .max = y };
	size_t index;

	while (x >> columns->log_width >= COLUMNS_MAX)
		widen(columns);
	index = x >> columns->log_width;
	merge(&columns->all[index], &point);
	if (index >= columns->nr)
		columns->nr = index + 1;
}

void columns_extremes(const struct columns *columns, double x_unit, double y_unit,
		      struct extremes *extremes)
{
	const struct column *column;
	size_t nr = 0;

	for (size_t i = 0; i < columns->nr; i++) {
		column = &columns->all[i];
		if (!column->points)
			continue;
		extremes->x[nr] = (double)((uint64_t)i << columns->log_width) /
				  x_unit;
		extremes->min[nr] = column->min / y_unit;
		extremes->max[nr++] = column->max / y_unit;
	}
	extremes->nr = nr;
}
