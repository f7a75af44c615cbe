// SPDX-License-Identifier: GPL-2.0
/*
 * The wall clock of a recording, from CLOCK_DATA, which is only about samples of the clock
 * that it names.
 */
#include <stdbool.h>

#include "perfdata/format/format.h"
#include "util/cursor.h"
#include "wall.h"

#define VERSION	1

static uint32_t clock_of(const struct perf_event_attr *attr)
{
	return attr->use_clockid ? (uint32_t)attr->clockid :
	       PERFDATA_CLOCK_PERF;
}

static bool is_of_all(const struct reader *reader, uint32_t clock)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (clock_of(&reader_event(reader, i)->attr) != clock)
			return false;
	return true;
}

const char *wall_read(struct wall *wall, const struct reader *reader)
{
	struct cursor c = reader_feature_cursor(reader, PERFDATA_CLOCK_DATA);
	const bool is_there = cursor_left(&c);
	const uint32_t version = cursor_u32(&c), clock = cursor_u32(&c);

	wall->wall = cursor_u64(&c);
	wall->time = cursor_u64(&c);
	if (!is_there)
		return "it has no CLOCK_DATA, which perf record writes with -k";
	if (c.failed)
		return "its CLOCK_DATA is truncated";
	if (version != VERSION)
		return "its CLOCK_DATA is of an unknown version";
	if (!is_of_all(reader, clock))
		return "its CLOCK_DATA is about another clock than that of its samples";
	return NULL;
}

uint64_t wall_time(const struct wall *wall, int64_t second, uint32_t ns)
{
	const __int128 at = (__int128)second * WALL_SECOND + ns - wall->wall +
			    wall->time;

	if (at < 0)
		return 0;
	return at > UINT64_MAX ? UINT64_MAX : at;
}
