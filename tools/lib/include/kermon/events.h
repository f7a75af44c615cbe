/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: from the names that people write to what the kernel counts.
 *
 * Names are libpfm4's (EVENT:UNIT_MASK[:MODIFIER...]); those of a raw counter
 * are perf's (rUUEE). :u and :k choose the modes that are counted.
 */
#ifndef KERMON_EVENTS_H
#define KERMON_EVENTS_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stddef.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

#define KERMON_EVENT_NAME	96
#define KERMON_NEAR_EVENTS	5

/* The most events of a recording, in all sets that take turns. */
#define KERMON_MAX_SELECTED	64

/**
 * struct kermon_selected_event - an event to be counted
 * @name: as written, with its modes in perf's way: ":u", ":k" or none for both
 * @translated: perf's name was written, of what fixed counters count elsewhere
 * @event: what the kernel is told
 * @absent: CPUID says that this CPU does not have it; it would count nothing
 * @counters: how many programmable counters it takes: two for operations of AMD
 * @list: of the sets that were named, the one that it came with, counted from 1;
 *	0: it was named itself
 */
struct kermon_selected_event {
	char name[KERMON_EVENT_NAME];
	struct kermon_event event;
	bool translated;
	bool absent;
	unsigned int counters;
	unsigned int list;
};

/**
 * struct kermon_selection - the programmed events of a recording
 * @nr: how many
 * @counters: how many programmable counters they take
 * @nr_fixed: how many names were not of programmed events, but of what the fixed
 *	counters count in every recording
 * @events: the events, in the order in which they were named
 */
struct kermon_selection {
	unsigned int nr;
	unsigned int counters;
	unsigned int nr_fixed;
	struct kermon_selected_event events[KERMON_MAX_SELECTED];
};

/**
 * struct kermon_event_error - why a selection failed
 * @word: the name that is to blame
 * @nr_near: how many names are like it, best first
 * @near: these names
 */
struct kermon_event_error {
	char word[KERMON_EVENT_NAME];
	unsigned int nr_near;
	char near[KERMON_NEAR_EVENTS][KERMON_EVENT_NAME];
};

/**
 * struct kermon_event_list - a named set, as those of the KerMon paper
 * @name: "set0"
 * @title: a line of text
 * @events: names, NULL at the end
 */
struct kermon_event_list {
	const char *name;
	const char *title;
	const char *const *events;
};

/**
 * struct kermon_pmu_model - the counters of this CPU as libpfm4 knows them
 * @name: "ivb_ep"; "" if libpfm4 does not know the CPU
 * @title: "Intel Ivy Bridge EP"
 * @nr_events: events without their unit masks
 */
struct kermon_pmu_model {
	const char *name;
	const char *title;
	int nr_events;
};

/* Who this CPU is. Environment LIBPFM_FORCE_PMU makes it another. */
int kermon_events_model(struct kermon_pmu_model *model);

/*
 * Set number @index of this CPU, NULL after the last. "fixed" is one of every
 * CPU; what the others are depends on the microarchitecture.
 */
const struct kermon_event_list *kermon_events_list(unsigned int index);

/*
 * Turns @text, names of events and sets separated by commas, into @selection.
 * Upper and lower case are the same. @modes (KERMON_COUNT_*) are counted by the
 * fixed counters and by events that do not say which.
 *
 * Errors, with @error filled in: -ENOENT (unknown event or unit mask), -EINVAL
 * (an empty name, a unit mask is missing, a modifier that KerMon cannot count),
 * -E2BIG (more than KERMON_MAX_SELECTED), -EEXIST (a set or an event is named
 * twice), -EALREADY (a fixed counter counts it, but in other modes), -EOPNOTSUPP
 * (no programmable counter counts it, and no fixed one that is recorded), -ENXIO (this
 * CPU has no such event, though others have a fixed counter for it), -ENODEV (libpfm4
 * does not know the CPU; raw events work).
 */
int kermon_events_select(const char *text, unsigned int modes,
			 struct kermon_selection *selection,
			 struct kermon_event_error *error);

/*
 * Splits what a CPU of @counters programmable counters cannot count at once into
 * @sets that can take turns: each named set is one, and the events that were named
 * themselves fill others in their order. Returns how many there are: 1 if all fits,
 * -ENOSPC if a named set alone does not, -E2BIG for more than KERMON_MAX_SETS.
 */
int kermon_events_split(const struct kermon_selection *selection,
			unsigned int counters,
			struct kermon_selection sets[KERMON_MAX_SETS]);

/*
 * Calls @fn with each event of this CPU and each of its unit masks, "EVENT" or
 * "EVENT:MASK", until it returns non-zero, which is returned. @has_masks tells
 * of an event that is to be used with one of the masks that follow.
 */
struct kermon_event_info {
	const char *name;
	const char *title;
	bool has_masks;
};

int kermon_events_each(int (*fn)(const struct kermon_event_info *info,
				 void *data), void *data);

KERMON_END_DECLS
#endif /* KERMON_EVENTS_H */
