// SPDX-License-Identifier: GPL-2.0
/* What <kermon/region.h> finds in this library. */
#define _GNU_SOURCE
#include <string.h>

#include "collector.h"
#include "marks.h"

static struct region *region_of(struct kermon_region *public)
{
	return (struct region *)public;
}

static void begin_timed(struct kermon_region *region)
{
	mark_begin(region_of(region), false);
}

static void end_timed(struct kermon_region *region)
{
	mark_end(region_of(region), false);
}

static void begin_counted(struct kermon_region *region)
{
	mark_begin(region_of(region), true);
}

static void end_counted(struct kermon_region *region)
{
	mark_end(region_of(region), true);
}

static struct kermon_region *find(const char *name)
{
	struct region *region;

	if (!name)
		return NULL;
	region = names_find(MARK_NAME_REGION, NULL, name, RING_NAME_MAX);
	return region ? &region->public : NULL;
}

static void value(struct kermon_region *name, uint64_t number)
{
	const struct plain_mark mark = {
		.kind = MARK_VALUE, .name = region_of(name), .nr = 1, .values = { number },
	};

	thread_mark(&mark);
}

static void value_double(struct kermon_region *name, double number)
{
	struct plain_mark mark = { .kind = MARK_VALUE_DOUBLE, .name = region_of(name), .nr = 1 };

	memcpy(mark.values, &number, sizeof(number));
	thread_mark(&mark);
}

/* Only what changes is told, in the ring of the thread that changes it. */
static void set_paused(int paused, unsigned int kind)
{
	const struct plain_mark mark = { .kind = kind, .always = true };

	/* The first ring may have to tell that there was a pause. */
	if (thread_self() && __atomic_exchange_n(&process_paused, paused,
						 __ATOMIC_RELAXED) != paused) {
		names_pause();
		thread_mark(&mark);
	}
}

void collector_pause(void)
{
	set_paused(1, MARK_PAUSE);
}

void collector_resume(void)
{
	set_paused(0, MARK_RESUME);
}

static void name_thread(const char *name)
{
	if (name)
		names_thread(name);
}

struct kermon_collector collector = {
	.size = sizeof(collector),
	.region = find,
	.begin = begin_timed,
	.end = end_timed,
	.value = value,
	.value_double = value_double,
	.pause = collector_pause,
	.resume = collector_resume,
	.thread = name_thread,
};

bool collector_open(void)
{
	bool ok;

	if (!process_lock())
		return false;
	ok = process_open();
	if (ok && settings.counts) {
		collector.begin = begin_counted;
		collector.end = end_counted;
	}
	process_unlock();
	return ok;
}

/* KERMON_COLLECTOR_ENTRY */
__attribute__((visibility("default"))) const struct kermon_collector *kermon_collector(void);

const struct kermon_collector *kermon_collector(void)
{
	return collector_open() ? &collector : NULL;
}
