/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that are shared with perf: where the events of a set are counted.
 *
 * A place is a perf event of every CPU, which counts an event of one set, then of
 * another. perf decides on which counter, but only among those that can count
 * all of them: the place names these. A set is therefore put into places such
 * that all of them keep enough counters, in any order of its events.
 */
#ifndef KERMON_PMU_PLACES_H
#define KERMON_PMU_PLACES_H

#include <linux/types.h>

#include "pmu.h"

/*
 * An order has the place of each event of a set in PMU_ORDER_BITS, those of event 0
 * lowest; further positions have the places of no event of the set, ascending.
 */
#define PMU_ORDER_BITS		4
#define PMU_ORDER_SAME		0xfedcba9876543210ULL

/**
 * struct pmu_places - the places that there are
 * @nr: their number, with those that are vacant
 * @vacant: the places that no set in use needs, one bit for each: they have no event
 * @needs: the counters that can count what is counted there, and how many are taken
 * @selectors: the event with which each of them was created
 * @extra: its second register value
 */
struct pmu_places {
	u32 nr;
	u32 vacant;
	struct pmu_need needs[KERMON_MAX_EVENTS];
	u64 selectors[KERMON_MAX_EVENTS];
	u64 extra[KERMON_MAX_EVENTS];
};

/* No places; each that is added can have any of @counters, a bit mask. */
void pmu_places_init(struct pmu_places *places, u32 counters);

/* Let @places be right for @image, too, whose events are counted in this order. */
void pmu_places_add(struct pmu_places *places, const struct pmu_image *image,
		    u64 order);

/* The places of the events of @image, one bit for each. */
u32 pmu_places_used(const struct pmu_image *image, u64 order);

/* Find an order of @image in at most @nr_counters places. -EBUSY if there is none. */
int pmu_places_find(const struct pmu_places *places, const struct pmu_image *image,
		    u32 nr_counters, u64 *order);

/* The place of an event of a set, by its position. */
static inline u32 pmu_places_of(u64 order, u32 event)
{
	return order >> (event * PMU_ORDER_BITS) & (BIT(PMU_ORDER_BITS) - 1);
}

#endif /* KERMON_PMU_PLACES_H */
