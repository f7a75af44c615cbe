// SPDX-License-Identifier: GPL-2.0
/* Assigns the programmed events of a file to the sets that were rotated. */
#include <linux/kermon.h>
#include <stdlib.h>

#include "perfdata/format/format.h"
#include "sets.h"

static size_t assign(const struct reader *reader, const char *note, int *set_of)
{
	unsigned long left = 0;
	size_t nr = 0;
	char *end;

	for (size_t i = 0; i < reader_nr_events(reader); i++) {
		if (!perfdata_is_programmed(&reader_event(reader, i)->attr))
			continue;
		while (!left && nr < KERMON_MAX_SETS) {
			left = strtoul(note, &end, 10);
			if (end == note)
				return 0;
			note = end + (*end == ',');
			nr++;
		}
		if (!left--)
			return 0;
		set_of[i] = nr - 1;
	}
	return nr;
}

static void assign_none(const struct reader *reader, int *set_of)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		set_of[i] = -1;
}

size_t sets_assign(const struct reader *reader, int *set_of)
{
	const char *note = reader_note(reader, "sets");
	size_t nr;

	assign_none(reader, set_of);
	nr = note ? assign(reader, note, set_of) : 0;
	if (!nr)
		assign_none(reader, set_of);
	return nr;
}
