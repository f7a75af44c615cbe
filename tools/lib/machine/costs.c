// SPDX-License-Identifier: GPL-2.0
/* Compute the cost of an access from the measured times of loops of accesses. */
#include <errno.h>
#include <stdlib.h>

#include "costs.h"

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The value at @percent of @nr sorted numbers. */
static uint32_t at_percent(const uint32_t *sorted, size_t nr, unsigned int percent)
{
	return sorted[(nr - 1) * percent / 100];
}

/*
 * The empty loop may have been slower than the one with accesses: they cost nothing
 * then.
 */
static double per_access(uint32_t cycles, double loop, uint32_t times)
{
	return cycles > loop ? (cycles - loop) / times : 0;
}

int costs_add(struct kermon_access_costs *costs, uint32_t kind, uint32_t times,
	      uint32_t *cycles, size_t nr)
{
	struct kermon_access_cost *cost;
	double loop;

	_Static_assert(KERMON_ACCESS_COUNT <= KERMON_MAX_ACCESSES, "room");
	if (kind >= KERMON_ACCESS_COUNT || !times || !nr ||
	    !(costs->known & 1U << KERMON_ACCESS_NONE) !=
	    (kind == KERMON_ACCESS_NONE))
		return -EBADMSG;
	qsort(cycles, nr, sizeof(*cycles), compare);
	/* of the loop itself, the cost is that of one iteration */
	loop = kind == KERMON_ACCESS_NONE ? 0 :
	       costs->of[KERMON_ACCESS_NONE].median * times;
	cost = &costs->of[kind];
	cost->minimum = per_access(cycles[0], loop, times);
	cost->median = per_access(at_percent(cycles, nr, 50), loop, times);
	cost->most = per_access(at_percent(cycles, nr, 90), loop, times);
	costs->known |= 1U << kind;
	return 0;
}
