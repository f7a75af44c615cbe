/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to erratum.c: events that this CPU counts differently than its manual says.
 */
#ifndef KERMON_ERRATUM_H
#define KERMON_ERRATUM_H

#include <kermon/events.h>

/**
 * struct erratum - an erratum and an affected event
 * @name: name in the specification update of the CPU, such as "BV98"
 * @event: the first affected event of the selection
 */
struct erratum {
	const char *name;
	const char *event;
};

/*
 * The erratum of this CPU that affects @selection, or NULL. Valid until the next call and
 * as long as @selection.
 */
const struct erratum *erratum_of(const struct kermon_selection *selection);

/* Say so, if there is one. @name: of the command. */
void erratum_say(const char *name, const struct kermon_selection *selection);

#endif /* KERMON_ERRATUM_H */
