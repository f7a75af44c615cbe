/* SPDX-License-Identifier: GPL-2.0 */
/* Name an event that the file does not name, as perf does, from its attr. */
#ifndef KERMON_PERFDATA_EVENT_NAME_H
#define KERMON_PERFDATA_EVENT_NAME_H

#include <linux/perf_event.h>

#define EVENT_NAME_MAX	64

/* perf's name: "cycles", "cpu-clock", "raw 0x1c2", "type 9 0x1". */
void event_name(const struct perf_event_attr *attr, char name[EVENT_NAME_MAX]);

/*
 * Append the modifiers with which perf record selects such an event, ":u" or ":kpp";
 * nothing if it counts in all modes. ":H" is omitted because perf adds it by itself.
 */
void event_name_add_modifiers(const struct perf_event_attr *attr,
			      char name[EVENT_NAME_MAX]);

#endif /* KERMON_PERFDATA_EVENT_NAME_H */
