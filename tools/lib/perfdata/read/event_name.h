/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A name for an event that the file does not name, made from its attr as perf would
 * make it.
 */
#ifndef KERMON_PERFDATA_EVENT_NAME_H
#define KERMON_PERFDATA_EVENT_NAME_H

#include <linux/perf_event.h>

#define EVENT_NAME_MAX	64

/* As perf would call it: "cycles", "cpu-clock", "raw 0x1c2", "type 9 0x1". */
void event_name(const struct perf_event_attr *attr, char name[EVENT_NAME_MAX]);

/*
 * Adds the modifiers with which perf record was asked for such an event, ":u" or
 * ":kpp"; nothing if it counts in all modes. ":H" is left out, as perf adds it to
 * events by itself.
 */
void event_name_add_modifiers(const struct perf_event_attr *attr,
			      char name[EVENT_NAME_MAX]);

#endif /* KERMON_PERFDATA_EVENT_NAME_H */
