/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to event_match.c: how all commands look up an event. "cycles:u" is the event of
 * that name. "cycles" is the event of that name or else the only one with this name before
 * its modifiers. "cycles:u#2" is the second event of that name. Case is ignored.
 */
#ifndef KERMON_EVENT_MATCH_H
#define KERMON_EVENT_MATCH_H

#include <kermon/report.h>
#include <stddef.h>

#define EVENT_LABEL	512

/**
 * struct event_list - the events of a file
 * @of: the file, passed to @name
 * @nr: number of events
 * @name: name of event @index; NULL if it cannot be selected
 */
struct event_list {
	const void *of;
	size_t nr;
	const char *(*name)(const void *of, size_t index);
};

/* The columns of a report, except those with a part of the counts of an event. */
struct event_list event_list_of_report(const struct kermon_report *report);

enum event_match {
	EVENT_FOUND,
	EVENT_MISSING,
	EVENT_AMBIGUOUS,
};

/* Look up the event @wanted; sets @index if it is found. */
enum event_match event_find(const struct event_list *events, const char *wanted,
			    size_t *index);

/* The unique name of an event in the file: "cycles:u", "cycles:u#2". */
void event_label(const struct event_list *events, size_t index,
		 char label[EVENT_LABEL]);

/* Report why no event matches, with the events of @path to choose from. */
void event_tell(const char *command, const char *path,
		const struct event_list *events, const char *wanted);

/* The modifiers in the name of an event, such as ":u"; the end of the name if none. */
const char *event_modifiers(const char *name);

#endif /* KERMON_EVENT_MATCH_H */
