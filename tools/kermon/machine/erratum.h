/* SPDX-License-Identifier: GPL-2.0 */
/* Events that this CPU does not count as its manual says. */
#ifndef KERMON_ERRATUM_H
#define KERMON_ERRATUM_H

#include <kermon/events.h>

/**
 * struct erratum - what is wrong
 * @name: in the specification update of the CPU
 * @event: the first one that it is about
 */
struct erratum {
	const char *name;
	const char *event;
};

/* That of this CPU and @selection, NULL if there is none; valid until the next call. */
const struct erratum *erratum_of(const struct kermon_selection *selection);

#endif /* KERMON_ERRATUM_H */
