// SPDX-License-Identifier: GPL-2.0
/* The meaning of events by their names, according to the event files. */
#include <linux/perf_event.h>
#include <string.h>

#include "tables.h"

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

void kermon_metric_of(const char *name, const struct perf_event_attr *attr,
		      struct kermon_metric *metric)
{
	const struct table_event *event = tables_meaning_of(name);

	if (event)
		*metric = event->metric;
	else
		*metric = (struct kermon_metric){
			.kind = is_clock(attr) ? KERMON_METRIC_TIME :
						 KERMON_METRIC_COUNT,
		};
}

bool kermon_operation_of(const char *name, struct kermon_operation *operation)
{
	const struct table_event *event = tables_meaning_of(name);

	memset(operation, 0, sizeof(*operation));
	if (!event)
		return false;
	*operation = event->operation;
	return operation->flop || operation->access || operation->memory ||
	       operation->simd;
}

const char *kermon_event_about(const char *name)
{
	const struct table_event *event = tables_meaning_of(name);

	return event ? event->about : NULL;
}
