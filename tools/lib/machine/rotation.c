// SPDX-License-Identifier: GPL-2.0
/* Distributes events that exceed the programmable counters over sets that are rotated. */
#include <errno.h>
#include <string.h>

#include <kermon/events.h>

static bool has_room(const struct kermon_selection *set,
		     const struct kermon_selected_event *event,
		     unsigned int counters)
{
	return set->counters + event->counters <= counters;
}

/* Number of counters of all events of a named set. */
static unsigned int counters_of(const struct kermon_selection *selection,
				unsigned int list)
{
	unsigned int counters = 0;

	for (unsigned int i = 0; i < selection->nr; i++)
		if (selection->events[i].list == list)
			counters += selection->events[i].counters;
	return counters;
}

static bool has_list(const struct kermon_selection *set, unsigned int list)
{
	for (unsigned int i = 0; i < set->nr; i++)
		if (set->events[i].list == list)
			return true;
	return false;
}

/* The set among @nr for @event: a new one if none has a free counter. */
static unsigned int find_place(const struct kermon_selection *selection,
			       const struct kermon_selected_event *event,
			       const struct kermon_selection *sets,
			       unsigned int nr, unsigned int counters)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (has_list(&sets[i], event->list) &&
		    (event->list || has_room(&sets[i], event, counters)))
			return i;
	/* The last set has those that it joins. */
	if (event->joins && nr && has_list(&sets[nr - 1], event->list - 1) &&
	    sets[nr - 1].counters + counters_of(selection, event->list) <= counters)
		return nr - 1;
	return nr;
}

int kermon_events_split(const struct kermon_selection *selection,
			unsigned int counters,
			struct kermon_selection sets[KERMON_MAX_SETS])
{
	const struct kermon_selected_event *event = selection->events;
	const struct kermon_selected_event *end = event + selection->nr;
	unsigned int place, nr = 0;

	if (selection->counters <= counters) {
		sets[0] = *selection;
		return 1;
	}
	for (; event < end; event++) {
		place = find_place(selection, event, sets, nr, counters);
		if (place == KERMON_MAX_SETS)
			return -E2BIG;
		if (place == nr)
			memset(&sets[nr++], 0, sizeof(*sets));
		if (!has_room(&sets[place], event, counters))
			return -ENOSPC;
		sets[place].events[sets[place].nr++] = *event;
		sets[place].counters += event->counters;
	}
	return nr;
}
