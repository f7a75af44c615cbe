// SPDX-License-Identifier: GPL-2.0
/*
 * The meanings of events by name: those of all files, sorted, so that many files of a user do
 * not make each look-up slow.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables.h"
#include "util/array.h"

/* @order: of the file and the line, as the first one of a name applies */
struct meaning {
	const struct table_event *event;
	size_t order;
};

static struct {
	struct meaning *meanings;
	size_t nr, room;
} all;

static int compare(const void *a, const void *b)
{
	const struct meaning *left = a, *right = b;
	const int names = strcasecmp(left->event->name, right->event->name);

	return names ? names : (left->order > right->order) - (left->order < right->order);
}

static void add_all(const struct event_table *first)
{
	const struct event_table *table;
	const struct table_event *event;

	for (table = first; table; table = table->next) {
		for (size_t i = 0; i < table->nr_events; i++) {
			event = &table->events[i];
			if (!event->has_meaning ||
			    array_room(all.meanings, all.room, all.nr + 1))
				continue;
			all.meanings[all.nr] = (struct meaning){ event, all.nr };
			all.nr++;
		}
	}
}

/* CPUs have many names in common, with the same meaning: keep the first. */
void meanings_collect(const struct event_table *first)
{
	size_t kept = 0;

	add_all(first);
	if (all.nr)
		qsort(all.meanings, all.nr, sizeof(*all.meanings), compare);
	for (size_t i = 0; i < all.nr; i++)
		if (!kept || strcasecmp(all.meanings[kept - 1].event->name,
					all.meanings[i].event->name))
			all.meanings[kept++] = all.meanings[i];
	all.nr = kept;
}

/* The event whose name is as the first @length characters of @name; NULL: none. */
static const struct table_event *find(const char *name, size_t length)
{
	size_t first = 0, end = all.nr, middle;
	const char *known;
	int order;

	while (first < end) {
		middle = first + (end - first) / 2;
		known = all.meanings[middle].event->name;
		order = strncasecmp(name, known, length);
		if (!order && !known[length])
			return all.meanings[middle].event;
		if (order > 0)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

/* "ivb::FP_COMP_OPS_EXE:...": the part before "::" is the PMU. */
static const char *without_pmu(const char *name)
{
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

/* ":u", ":kpp": perf's modes and precision, after which the same is counted as before. */
static bool is_modes(const char *rest)
{
	return *rest == ':' && rest[1 + strspn(rest + 1, "ukhGHpPSD:")] == '\0';
}

/*
 * Names match if they are the same but for modes, except that names ending in '/' or '_' are
 * prefixes. Other unit masks and modifiers count something else.
 */
static bool may_end(const char *name, size_t length)
{
	return !name[length] || is_modes(name + length) || name[length - 1] == '/' ||
	       name[length - 1] == '_';
}

const struct table_event *meanings_find(const char *name)
{
	const struct table_event *event = NULL;

	name = without_pmu(name);
	for (size_t length = strnlen(name, TABLES_EVENT_NAME + 1); length && !event; length--)
		if (may_end(name, length))
			event = find(name, length);
	return event;
}
