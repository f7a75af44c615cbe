// SPDX-License-Identifier: GPL-2.0
/* Estimate a ceiling from many windows. */
#include <stdlib.h>
#include <string.h>

#include "estimate.h"

#define BEST	10
#define TUKEY	1.5

/* Descending. */
static int by_rate(const void *one, const void *other)
{
	const struct rate *a = one, *b = other;

	return a->rate < b->rate ? 1 : -(a->rate > b->rate);
}

static unsigned int count_outliers(const struct rate *rates, unsigned int nr)
{
	const double high = rates[nr / 4].rate, low = rates[nr - 1 - nr / 4].rate;
	unsigned int outliers = 0;

	for (unsigned int i = 0; i < nr; i++)
		outliers += rates[i].rate > high + TUKEY * (high - low) ||
			    rates[i].rate < low - TUKEY * (high - low);
	return outliers;
}

void estimate_make(struct estimate *estimate, struct rate *rates, unsigned int nr)
{
	memset(estimate, 0, sizeof(*estimate));
	qsort(rates, nr, sizeof(*rates), by_rate);
	estimate->high = rates[0].rate;
	estimate->value = rates[BEST / 2 - 1].rate;
	estimate->low = rates[BEST - 1].rate;
	estimate->median = rates[nr / 2].rate;
	for (unsigned int i = 0; i < BEST; i++)
		estimate->hertz += rates[i].hertz / BEST;
	estimate->windows = nr;
	estimate->outliers = count_outliers(rates, nr);
}

double estimate_width(const struct estimate *estimate)
{
	return (estimate->high - estimate->low) / estimate->value;
}
