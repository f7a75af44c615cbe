// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "overhead.h"

static int by_value(const void *one, const void *other)
{
	const double a = *(const double *)one, b = *(const double *)other;

	return a < b ? -1 : a > b;
}

/* Between the two values that are nearest to this part of all. */
static double quantile(const double *sorted, size_t nr, double part)
{
	const double at = part * (nr - 1);
	const size_t below = at;
	const double rest = at - below;

	if (below + 1 == nr)
		return sorted[below];
	return sorted[below] * (1 - rest) + sorted[below + 1] * rest;
}

struct box box_of(double *values, size_t nr)
{
	qsort(values, nr, sizeof(values[0]), by_value);
	return (struct box){
		.min = values[0],
		.low = quantile(values, nr, 0.25),
		.median = quantile(values, nr, 0.5),
		.high = quantile(values, nr, 0.75),
		.max = values[nr - 1],
	};
}
