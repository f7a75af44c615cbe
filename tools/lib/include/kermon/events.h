/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Translate event names to what the kernel counts.
 *
 * Names are libpfm4's (EVENT:UNIT_MASK[:MODIFIER...]); raw events are perf's (rUUEE). :u
 * and :k select the modes to count.
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

/* Most events in a recording, including all rotated sets. */
#define KERMON_MAX_SELECTED	64

/**
 * struct kermon_selected_event - an event to count
 * @name: as given, with its modes in perf's notation: ":u", ":k" or none for both
 * @translated: perf's name was given, for what fixed counters count on other CPUs
 * @event: as passed to the kernel
 * @absent: according to CPUID, this CPU lacks the event; it would count nothing
 * @joins: its named set may share one with those before it if both fit, as a set like
 *	"roofline" that stands for several has them
 * @counters: number of programmable counters that it uses: two for AMD's operations
 * @list: number of the named set that it is part of, counted from 1; 0: it was named
 *	individually
 */
struct kermon_selected_event {
	char name[KERMON_EVENT_NAME];
	struct kermon_event event;
	bool translated;
	bool absent;
	bool joins;
	unsigned int counters;
	unsigned int list;
};

/**
 * struct kermon_selection - the programmed events of a recording
 * @nr: number of events
 * @counters: number of programmable counters that they use
 * @nr_fixed: number of names of events that the fixed counters count in every recording,
 *	so that they need not be programmed
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
 * @word: the invalid name
 * @nr_near: number of similar names
 * @near: these names, best first
 */
struct kermon_event_error {
	char word[KERMON_EVENT_NAME];
	unsigned int nr_near;
	char near[KERMON_NEAR_EVENTS][KERMON_EVENT_NAME];
};

/**
 * struct kermon_event_list - a set of an event file, such as those of the KerMon paper
 * @name: "set0"
 * @title: one line of description
 * @events: names, NULL at the end; or names of sets that it stands for: those are rotated
 *	unless the counters suffice for all
 */
struct kermon_event_list {
	const char *name;
	const char *title;
	const char *const *events;
};

/**
 * struct kermon_pmu_model - the PMU of this CPU according to libpfm4
 * @name: "ivb_ep"; "" if libpfm4 does not support the CPU
 * @title: "Intel Ivy Bridge EP"
 * @nr_events: number of events, without their unit masks
 */
struct kermon_pmu_model {
	const char *name;
	const char *title;
	int nr_events;
};

/*
 * The model of this CPU. The environment variable LIBPFM_FORCE_PMU overrides it. Return:
 * 0, or -ENODEV if libpfm4 cannot be used.
 */
int kermon_events_model(struct kermon_pmu_model *model);

/*
 * Set number @index of this CPU, NULL after the last. All CPUs have "fixed"; the others
 * depend on the microarchitecture, and on the user's own files: see kermon-events(5).
 */
const struct kermon_event_list *kermon_events_list(unsigned int index);

/*
 * What is wrong with an event file that is therefore not used, such as
 * "/home/me/.config/kermon/events/my.events:7: unknown keyword 'sett'; valid: ...".
 * NULL after the last one. Files are read when an event or a set is first looked up.
 */
const char *kermon_events_problem(unsigned int index);

/*
 * Translate @text, comma-separated names of events and sets, to @selection. Case is
 * ignored. @modes (KERMON_COUNT_*) apply to the fixed counters and to events that do not
 * specify any.
 *
 * Errors, with @error filled in: -ENOENT (unknown event or unit mask), -EINVAL (an empty
 * name, a missing unit mask, or an unsupported modifier), -E2BIG (more than
 * KERMON_MAX_SELECTED), -EEXIST (a set or an event is named twice), -EALREADY (a fixed
 * counter counts it, but in other modes), -EOPNOTSUPP (neither a programmable counter nor
 * a recorded fixed counter counts it), -ENXIO (this CPU has no such event, though others
 * have a fixed counter for it), -ENODEV (libpfm4 does not support the CPU; raw events
 * work).
 */
int kermon_events_select(const char *text, unsigned int modes,
			 struct kermon_selection *selection,
			 struct kermon_event_error *error);

/*
 * Split a selection that exceeds @counters programmable counters into @sets for
 * rotation: each named set is one, and individually named events fill others in order.
 * Those that a set stands for share one where they fit.
 * Return: number of sets: 1 if all events fit, -ENOSPC if a named set alone does not fit,
 * -E2BIG for more than KERMON_MAX_SETS.
 */
int kermon_events_split(const struct kermon_selection *selection,
			unsigned int counters,
			struct kermon_selection sets[KERMON_MAX_SETS]);

/**
 * struct kermon_event_info - an event or a unit mask of it; valid during the call
 * @name: "EVENT" or "EVENT:MASK"
 * @title: one line of description
 * @has_masks: the event needs one of the unit masks that follow
 */
struct kermon_event_info {
	const char *name;
	const char *title;
	bool has_masks;
};

/*
 * Call @fn for each event of this CPU and each of its unit masks until it returns
 * non-zero, which is returned. Otherwise return 0, or -ENODEV if libpfm4 does not support
 * the CPU.
 */
int kermon_events_each(int (*fn)(const struct kermon_event_info *info,
				 void *data), void *data);

KERMON_END_DECLS
#endif /* KERMON_EVENTS_H */
