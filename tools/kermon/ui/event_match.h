/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as people name them, by one rule for all commands: "cycles:u" is the event of that
 * name; "cycles" is the event of that name or, without one, the only one that is so called
 * but for its modifiers; "cycles:u#2" is the second one of a name. Case does not matter.
 */
#ifndef KERMON_EVENT_MATCH_H
#define KERMON_EVENT_MATCH_H

#include <kermon/report.h>
#include <stddef.h>

#define EVENT_LABEL	512

/**
 * struct event_list - the events of a file
 * @of: that has them
 * @nr: how many
 * @name: of event @index; NULL: it cannot be asked for
 */
struct event_list {
	const void *of;
	size_t nr;
	const char *(*name)(const void *of, size_t index);
};

/* The columns of a report, but those that are a part of an event's counts. */
struct event_list event_list_of_report(const struct kermon_report *report);

enum event_match {
	EVENT_FOUND,
	EVENT_MISSING,
	EVENT_AMBIGUOUS,
};

/* Looks up the event that @wanted means; it is event @index if it is found. */
enum event_match event_find(const struct event_list *events, const char *wanted,
			    size_t *index);

/* What names an event and no other of the file: "cycles:u", "cycles:u#2". */
void event_label(const struct event_list *events, size_t index,
		 char label[EVENT_LABEL]);

/* Says why there is none, with the events of @path that could be meant. */
void event_tell(const char *command, const char *path,
		const struct event_list *events, const char *wanted);

/* Where the modifiers of an event begin, as ":u"; at the end of its name if it has none. */
const char *event_modifiers(const char *name);

#endif /* KERMON_EVENT_MATCH_H */
