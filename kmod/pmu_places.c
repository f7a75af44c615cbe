// SPDX-License-Identifier: GPL-2.0
/*
 * Which event of a set is counted in which place, and on which counters; see
 * pmu_places.h.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "pmu_places.h"

/* Steps of a search. Where so many do not help, counters are too few, or nearly. */
#define MAX_TRIES	20000

/**
 * struct search - for an order of the events of a set, depth first
 * @image: the set
 * @places: what is needed so far
 * @needs: the same together with the events that have been put into a place
 * @nr: number of places to use
 * @fresh: how many of them may get an event that they do not have yet
 * @tries: how many steps may still be taken
 * @place: the next one to fill
 * @nr_put: events that have a place
 * @nr_fresh: those of them whose place had none
 * @event: for each place before @place, the event put there, or -1
 * @choice: for each place up to @place, how many candidates have been tried
 */
struct search {
	const struct pmu_image *image;
	const struct pmu_places *places;
	struct pmu_need needs[KERMON_MAX_EVENTS];
	u32 nr;
	u32 fresh;
	u32 tries;
	u32 place;
	u32 nr_put;
	u32 nr_fresh;
	s8 event[KERMON_MAX_EVENTS];
	u8 choice[KERMON_MAX_EVENTS + 1];
};

static u32 pmu_places_nr(const struct pmu_image *image)
{
	return image->nr_values - image->nr_fixed;
}

void pmu_places_init(struct pmu_places *places, u32 counters)
{
	u32 i;

	memset(places, 0, sizeof(*places));
	for (i = 0; i < KERMON_MAX_EVENTS; i++)
		places->needs[i] = (struct pmu_need){ counters, 1 };
}

static void pmu_places_narrow(struct pmu_need *place, const struct pmu_need *need)
{
	place->counters &= need->counters;
	place->width = max(place->width, need->width);
}

void pmu_places_add(struct pmu_places *places, const struct pmu_image *image,
		    u64 order)
{
	u32 i;

	for (i = 0; i < pmu_places_nr(image); i++)
		pmu_places_narrow(&places->needs[pmu_places_of(order, i)],
				  &image->needs[image->nr_fixed + i]);
}

static bool search_is_fresh(const struct search *search, u32 place)
{
	return place >= search->places->nr || search->places->vacant & BIT(place);
}

/*
 * perf takes an offcore register for an event when it is created, and may choose
 * another event code with it.
 */
static bool search_suits(const struct search *search, u32 event)
{
	const struct pmu_places *places = search->places;
	u32 value = search->image->nr_fixed + event, place = search->place;
	u64 extra = search->image->extra[value];

	if (search_is_fresh(search, place))
		return search->nr_fresh < search->fresh;
	return extra == places->extra[place] &&
	       (!extra || !((search->image->selectors[value] ^
			     places->selectors[place]) & EVENT_SELECT));
}

static bool search_has(const struct search *search, u32 event)
{
	u32 i;

	for (i = 0; i < search->place; i++)
		if (search->event[i] == (s8)event)
			return true;
	return false;
}

static bool search_put(struct search *search, u32 event)
{
	struct pmu_need *need = &search->needs[search->place];

	if (event >= pmu_places_nr(search->image) || search_has(search, event) ||
	    !search_suits(search, event))
		return false;
	*need = search->places->needs[search->place];
	pmu_places_narrow(need, &search->image->needs[search->image->nr_fixed + event]);
	if (!need->counters)
		return false;
	search->nr_fresh += search_is_fresh(search, search->place);
	search->event[search->place++] = event;
	search->choice[search->place] = 0;
	search->nr_put++;
	return true;
}

/* Leave a place to the other sets, if the rest is enough for this set. */
static bool search_skip(struct search *search)
{
	u32 place = search->place;

	if (place >= search->places->nr ||
	    search->nr - place <= pmu_places_nr(search->image) - search->nr_put)
		return false;
	search->needs[place] = search->places->needs[place];
	search->event[search->place++] = -1;
	search->choice[search->place] = 0;
	return true;
}

/* The candidates of a place are all positions, its own one first. */
static u32 search_candidate(u32 place, u32 i)
{
	return i ? i - (i <= place) : place;
}

/* Fill the next place with what has not been tried yet; false if nothing is left. */
static bool search_advance(struct search *search)
{
	u8 *choice = &search->choice[search->place];

	while (*choice < search->nr)
		if (search_put(search, search_candidate(search->place, (*choice)++)))
			return true;
	return (*choice)++ == search->nr && search_skip(search);
}

static bool search_go_back(struct search *search)
{
	if (!search->place)
		return false;
	if (search->event[--search->place] >= 0) {
		search->nr_fresh -= search_is_fresh(search, search->place);
		search->nr_put--;
	}
	return true;
}

/* Whether there are counters for all places that have an event, as perf looks for them. */
static bool search_fits(const struct search *search)
{
	struct pmu_need needs[KERMON_MAX_EVENTS];
	u8 counters[KERMON_MAX_EVENTS];
	u32 i, nr = 0;

	for (i = 0; i < search->nr; i++)
		if (search->event[i] >= 0 || !search_is_fresh(search, i))
			needs[nr++] = search->needs[i];
	return !pmu_assign(needs, nr, counters);
}

static bool search_run(struct search *search)
{
	search->place = 0;
	search->nr_put = 0;
	search->nr_fresh = 0;
	search->choice[0] = 0;
	search->tries = MAX_TRIES;
	while (search->tries) {
		search->tries--;
		if (search->place == search->nr) {
			if (search_fits(search))
				return true;
		} else if (search_advance(search)) {
			continue;
		}
		if (!search_go_back(search))
			return false;
	}
	return false;
}

/* Further positions are for events of other sets: every place has one position. */
static u64 search_order(const struct search *search)
{
	u32 place, position, next = pmu_places_nr(search->image);
	u64 order = 0;

	for (place = 0; place < KERMON_MAX_EVENTS; place++) {
		if (place < search->nr && search->event[place] >= 0)
			position = search->event[place];
		else
			position = next++;
		order |= (u64)place << (position * PMU_ORDER_BITS);
	}
	return order;
}

u32 pmu_places_used(const struct pmu_image *image, u64 order)
{
	u32 i, used = 0;

	for (i = 0; i < pmu_places_nr(image); i++)
		used |= BIT(pmu_places_of(order, i));
	return used;
}

int pmu_places_find(const struct pmu_places *places, const struct pmu_image *image,
		    u32 nr_counters, u64 *order)
{
	const u32 taken = hweight32(~places->vacant & (BIT(places->nr) - 1));
	struct search search = { .image = image, .places = places };
	u32 nr;

	/* More events than necessary take counters from others, so not at once. */
	for (nr = max(taken, pmu_places_nr(image)); nr <= nr_counters; nr++) {
		search.fresh = nr - taken;
		search.nr = max(places->nr, nr);
		if (search_run(&search)) {
			*order = search_order(&search);
			return 0;
		}
	}
	return -EBUSY;
}
