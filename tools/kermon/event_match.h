/* SPDX-License-Identifier: GPL-2.0 */
/* Events as people name them. */
#ifndef KERMON_EVENT_MATCH_H
#define KERMON_EVENT_MATCH_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Whether @wanted means the event @name: "cycles" is "cycles:u", too. */
static inline bool event_match(const char *name, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncasecmp(name, wanted, len) &&
	       (!name[len] || name[len] == ':');
}

#endif /* KERMON_EVENT_MATCH_H */
