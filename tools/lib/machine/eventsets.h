/* SPDX-License-Identifier: GPL-2.0 */
/* The event sets of a CPU. */
#ifndef KERMON_EVENTSETS_H
#define KERMON_EVENTSETS_H

#include <kermon/events.h>

/* Prefix of the names of AMD CPUs; alone, a CPU that no event file names. */
#define EVENTSETS_AMD	"amd64"

/* Most sets of a CPU: bits of an unsigned int. */
#define EVENTSETS_MAX	32

/* Set number @index of the CPU that libpfm4 calls @pmu; NULL after the last one. */
const struct kermon_event_list *eventsets_get(const char *pmu,
					      unsigned int index);

/* The set called @name, ignoring case, or NULL. */
const struct kermon_event_list *eventsets_find(const char *pmu,
					       const char *name);

#endif /* KERMON_EVENTSETS_H */
