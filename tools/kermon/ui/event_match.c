// SPDX-License-Identifier: GPL-2.0
/*
 * Finds an event of a file by the name that the user typed.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event_match.h"
#include "message.h"
#include "util/nearmatch.h"

const char *event_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');
	const char *slash = strrchr(name, '/');
	const char *text = slash && (!colon || slash > colon) ? slash : colon;

	/* In "cpu/config=1/u" the slash belongs to the name. */
	if (text && text[1] && strspn(text + 1, "ukhGHIpPSDWbe") ==
			       strlen(text + 1))
		return text == slash ? text + 1 : text;
	return name + strlen(name);
}

static const char *name_of_column(const void *of, size_t index)
{
	const struct kermon_column *column = kermon_report_column(of, index);

	return column->alone ? NULL : column->name;
}

struct event_list event_list_of_report(const struct kermon_report *report)
{
	return (struct event_list){
		.of = report,
		.nr = kermon_report_nr_columns(report),
		.name = name_of_column,
	};
}

static const char *name_of(const struct event_list *events, size_t index)
{
	const char *name = events->name(events->of, index);

	return name ? name : "";
}

void event_label(const struct event_list *events, size_t index,
		 char label[EVENT_LABEL])
{
	const char *name = name_of(events, index);
	size_t number = 1;

	for (size_t i = 0; i < index; i++)
		number += !strcasecmp(name_of(events, i), name);
	if (number == 1)
		snprintf(label, EVENT_LABEL, "%s", name);
	else
		snprintf(label, EVENT_LABEL, "%s#%zu", name, number);
}

/* Whether the name without modifiers is @wanted. */
static bool is_meant(const struct event_list *events, size_t index,
		     const char *wanted)
{
	const char *name = name_of(events, index);
	size_t length = event_modifiers(name) - name;

	return length && length == strlen(wanted) &&
	       !strncasecmp(name, wanted, length);
}

enum event_match event_find(const struct event_list *events, const char *wanted,
			    size_t *index)
{
	char label[EVENT_LABEL];
	size_t found = 0;

	for (size_t i = 0; i < events->nr; i++) {
		event_label(events, i, label);
		if (strcasecmp(label, wanted) || !*label)
			continue;
		*index = i;
		return EVENT_FOUND;
	}
	for (size_t i = 0; i < events->nr; i++) {
		if (!is_meant(events, i, wanted))
			continue;
		*index = i;
		found++;
	}
	if (found > 1)
		return EVENT_AMBIGUOUS;
	return found ? EVENT_FOUND : EVENT_MISSING;
}

static void offer_similar(const struct event_list *events, const char *wanted)
{
	struct nearmatch match = { .word = wanted };
	char label[EVENT_LABEL];

	for (size_t i = 0; i < events->nr; i++) {
		event_label(events, i, label);
		nearmatch_offer(&match, label);
	}
	message_similar(match.names, match.nr, "");
}

void event_tell(const char *command, const char *path,
		const struct event_list *events, const char *wanted)
{
	char label[EVENT_LABEL];
	size_t index;
	bool ambiguous = event_find(events, wanted, &index) == EVENT_AMBIGUOUS;

	message(command, ambiguous ?
		"%s: '%s' matches several events; choose one of:" :
		"%s: no event '%s'; its events are:", path, wanted);
	for (size_t i = 0; i < events->nr; i++) {
		event_label(events, i, label);
		if (*label && (!ambiguous || is_meant(events, i, wanted)))
			message_hint("%s", label);
	}
	if (!ambiguous)
		offer_similar(events, wanted);
}
