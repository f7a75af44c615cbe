// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon: the thread monitors itself, and counters run freely: start and stop are two
 * reads.
 */
#include <errno.h>
#include <unistd.h>

#include <kermon/self.h>

#include "probe.h"

#define EVENT_USR	0x10000
#define EVENT_OS	0x20000

static struct kermon_self self;
static struct kermon_counts begun, ended;
static unsigned int nr, first;

static int open_self(unsigned int nr_events)
{
	struct kermon_event events[PROBE_MAX_EVENTS] = {};
	struct kermon_event_set set = {
		.count = KERMON_COUNT_USER | (probe_kernel ? KERMON_COUNT_KERNEL : 0),
		.nr_events = nr_events,
		.events = (uintptr_t)events,
	};
	unsigned int i;
	int log, ret;

	for (i = 0; i < nr_events; i++)
		events[i].config = probe_event(i) | EVENT_USR |
				   (probe_kernel ? EVENT_OS : 0);
	if (probe_software)
		return probe_say(-EINVAL, "KerMon counts no software events");
	/* The descriptor of the log stays open until the end. */
	log = syscall(KERMON_NR_SET_EVENTS, 0, &set, sizeof(set), 0);
	if (log < 0)
		return probe_say_kermon(-errno, "set_events");
	ret = kermon_self_open(&self);
	if (ret)
		return probe_say_kermon(ret, "set_events for the counts of the thread");
	first = self.page->nr_fixed;
	nr = nr_events;
	return 0;
}

static int open_page(unsigned int nr_events)
{
	int ret = open_self(nr_events);

	if (!ret && !kermon_self_is_fast(&self))
		return probe_say(-EACCES, "its reads are system calls: RDPMC is not permitted (sysctl kernel.kermon_rdpmc), or this processor's counters are too narrow to be shown while perf may use them");
	return ret;
}

static inline int read_page(uint64_t *counts)
{
	if (nr == 1)
		return kermon_read(&self, first, counts);
	return kermon_read_range(&self, first, nr, counts);
}

static int start_by_page(void)
{
	return read_page((uint64_t *)begun.values);
}

static void subtract(const uint64_t *to, const uint64_t *from, uint64_t *counts)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		counts[i] = to[i] - from[i];
}

static int stop_by_page(uint64_t *counts)
{
	int ret = read_page((uint64_t *)ended.values);

	if (!ret)
		subtract((uint64_t *)ended.values, (uint64_t *)begun.values, counts);
	return ret;
}

static int start_by_call(void)
{
	return kermon_read_call(&self, &begun);
}

static int read_by_call(uint64_t *counts)
{
	int ret = kermon_read_call(&self, &ended);

	if (!ret)
		probe_copy(counts, (uint64_t *)ended.values + first, nr);
	return ret;
}

static int stop_by_call(uint64_t *counts)
{
	int ret = kermon_read_call(&self, &ended);

	if (!ret)
		subtract((uint64_t *)ended.values + first,
			 (uint64_t *)begun.values + first, counts);
	return ret;
}

/* Counts begin when the set does. */
static const uint64_t *begun_by_page(void)
{
	return (const uint64_t *)begun.values;
}

static const uint64_t *begun_by_call(void)
{
	return (const uint64_t *)begun.values + first;
}

const struct probe_method kermon_methods[] = {
	{ "kermon-page", open_page, start_by_page, read_page, stop_by_page,
	  .begun = begun_by_page },
	{ "kermon-call", open_self, start_by_call, read_by_call, stop_by_call,
	  .begun = begun_by_call },
	{}
};
