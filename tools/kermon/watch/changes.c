// SPDX-License-Identifier: GPL-2.0
/* Changes the sets of CPUs while the spies run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/message.h"
#include "util/cpulist.h"
#include "watch.h"

/* In one line, for whoever asked for the change. */
static void explain(const struct kermon_spy_trouble *trouble, const char *text,
		    char reason[WATCH_REASON])
{
	switch (trouble->kind) {
	case KERMON_SPY_EVENT:
		snprintf(reason, WATCH_REASON, "'%s' in '%s' is no event or set that can be "
			 "counted", trouble->what, text);
		break;
	case KERMON_SPY_EXCESS:
		snprintf(reason, WATCH_REASON, "CPU %d has too few counters for '%s'",
			 trouble->cpu, text);
		break;
	case KERMON_SPY_HELD:
		snprintf(reason, WATCH_REASON, "the counters of CPU %d are in use by others",
			 trouble->cpu);
		break;
	case KERMON_SPY_REFUSED:
		snprintf(reason, WATCH_REASON, "CPU %d cannot count '%s'", trouble->cpu,
			 trouble->what);
		break;
	case KERMON_SPY_DENIED:
		snprintf(reason, WATCH_REASON, "the user of the spy may not count '%s'",
			 trouble->what);
		break;
	case KERMON_SPY_CPU:
		snprintf(reason, WATCH_REASON, "CPU %d is not watched", trouble->cpu);
		break;
	case KERMON_SPY_NONE:
		snprintf(reason, WATCH_REASON, "a recording has the events of the sets that "
			 "were named with -e: '%s' has others", text);
		break;
	default:
		if (trouble->error == -ENOSPC)
			snprintf(reason, WATCH_REASON, "a spy counts at most %d different "
				 "sets: end it, and start another one", KERMON_SPY_SETS);
		else
			snprintf(reason, WATCH_REASON, "cannot change the set: %s",
				 strerror(-trouble->error));
	}
}

static int change_cpu(struct watch *watch, unsigned int cpu, int number,
		      struct kermon_spy_trouble *trouble)
{
	int err;

	watch_drain(watch);
	err = kermon_spy_change(watch->spy, cpu, number, trouble);
	return err == -EALREADY ? 0 : err;
}

/* The CPUs are changed one by one; the others are what they were after an error. */
static int change_cpus(struct watch *watch, const unsigned int *cpus, int nr, int number,
		       struct kermon_spy_trouble *trouble)
{
	int err = 0;

	for (int i = 0; i < nr && !err; i++)
		err = change_cpu(watch, cpus[i], number, trouble);
	return err;
}

/* Sets that were rejected before may have added events that are not in the file. */
static bool is_recorded(const struct watch *watch, const char *event)
{
	const int index = sums_find_event(&watch->sums, event);

	return index >= 0 && (size_t)index < watch->described;
}

/* A recording has the events of all sets in its head. */
static int note_set(struct watch *watch, int number, struct kermon_spy_trouble *trouble)
{
	const struct kermon_spy_set *set = kermon_spy_set(watch->spy, number);
	int err = 0;

	if (watch_format(watch)->is_recording)
		for (unsigned int i = 0; i < set->nr; i++)
			if (!is_recorded(watch, set->events[i].name))
				err = -ENOTSUP;
	if (!err)
		err = sums_prepare(&watch->sums, watch->spy);
	*trouble = (struct kermon_spy_trouble){ .error = err };
	return err;
}

int watch_change(struct watch *watch, const char *cpus, const char *text,
		 char reason[WATCH_REASON])
{
	struct kermon_spy_trouble trouble;
	unsigned int *list;
	int nr = cpulist_parse(cpus, &list), number, err;

	if (nr < 0) {
		snprintf(reason, WATCH_REASON, "'%s' is no list of CPUs such as 0-3,8", cpus);
		return nr;
	}
	number = kermon_spy_add_set(watch->spy, text, &trouble);
	err = number < 0 ? number : note_set(watch, number, &trouble);
	if (!err)
		err = change_cpus(watch, list, nr, number, &trouble);
	if (err)
		explain(&trouble, text, reason);
	free(list);
	return err;
}

void watch_next_sets(struct watch *watch)
{
	struct kermon_spy_trouble trouble;
	struct kermon_spy_cpu info;
	unsigned int next;

	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++) {
		next = info.set < watch->nr_sets ? (info.set + 1) % watch->nr_sets : 0;
		if (!info.error && change_cpu(watch, info.cpu, next, &trouble))
			trouble_say(watch, &trouble);
	}
}
