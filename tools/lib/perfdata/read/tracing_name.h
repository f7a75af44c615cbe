/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Look up names of tracepoints, such as "sched:sched_switch", in the event formats that
 * perf record copied into the file.
 */
#ifndef KERMON_PERFDATA_TRACING_NAME_H
#define KERMON_PERFDATA_TRACING_NAME_H

#include "event_name.h"
#include "util/cursor.h"

/*
 * Name of the tracepoint with this id (perf_event_attr.config), such as
 * "sched:sched_switch", from the bytes of PERFDATA_TRACING_DATA. Return: false if it is
 * missing or truncated.
 */
bool tracing_name(struct cursor tracing_data, uint64_t id,
		  char name[EVENT_NAME_MAX]);

#endif /* KERMON_PERFDATA_TRACING_NAME_H */
