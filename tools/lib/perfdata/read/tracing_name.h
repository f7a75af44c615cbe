/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of tracepoints, such as "sched:sched_switch", looked up in the event formats
 * that perf record copied into the file.
 */
#ifndef KERMON_PERFDATA_TRACING_NAME_H
#define KERMON_PERFDATA_TRACING_NAME_H

#include "event_name.h"
#include "util/cursor.h"

/*
 * "sched:sched_switch": the tracepoint with this id (perf_event_attr.config), in the
 * bytes of PERFDATA_TRACING_DATA. False: they do not describe it, or are cut off.
 */
bool tracing_name(struct cursor tracing_data, uint64_t id,
		  char name[EVENT_NAME_MAX]);

#endif /* KERMON_PERFDATA_TRACING_NAME_H */
