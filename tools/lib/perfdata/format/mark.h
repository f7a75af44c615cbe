/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks of regions in perf.data: samples of two tracepoints that no kernel has. perf prints
 * them as it does all tracepoints, because TRACING_DATA describes them. Records of a type of
 * our own would not do: perf 6.1 prints nothing of a file that has one.
 *
 *	kermon:region		a mark: struct perfdata_mark
 *	kermon:region_name	a name, before the first mark that refers to it: struct
 *				perfdata_name
 *
 * Both have PERFDATA_MARK_TYPE; the period is 1, the address 0. The CPU may be unknown,
 * UINT32_MAX. Names are numbered by process: (pid, id) is the key; a child of fork() has
 * numbers of its own.
 */
#ifndef KERMON_PERFDATA_MARK_H
#define KERMON_PERFDATA_MARK_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "layout.h"

/* Larger than the numbers that a kernel gives its tracepoints, which have 16 bits. */
#define PERFDATA_REGION_ID	65520
#define PERFDATA_REGION_NAME_ID	65521

#define PERFDATA_EVENT_REGION		"kermon:region"
#define PERFDATA_EVENT_REGION_NAME	"kermon:region_name"

#define PERFDATA_MARK_TYPE	(PERFDATA_SAMPLE_TYPE | PERF_SAMPLE_RAW)

/* How the data of each tracepoint begins. */
struct perfdata_common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

/**
 * struct perfdata_mark - data of kermon:region
 * @common: type is PERFDATA_REGION_ID, pid the tid
 * @kind: enum mark of marks/ring.h. MARK_COUNTED is left out: @set and the counts say so
 * @nr_counts: number of counts at the end, or 0
 * @set: index of the set whose events are among the counts
 * @flags: 0
 * @id: number of the name, or 0
 * @values: two, whose meaning @kind says, with times in ns as in the file; or 0
 * @counts: ns on a CPU since the thread was first marked, then what its counters have
 *	counted since then: the fixed ones, and those of the set, in the order of the events of
 *	the file
 */
struct perfdata_mark {
	struct perfdata_common common;
	uint8_t kind;
	uint8_t nr_counts;
	uint8_t set;
	uint8_t flags;
	uint32_t id;
	uint64_t values[2];
	uint64_t counts[];
};

/**
 * struct perfdata_name - data of kermon:region_name
 * @common: likewise, PERFDATA_REGION_NAME_ID
 * @id: number of the name
 * @domain: number of the name of its domain, or 0
 * @kind: enum mark_name
 * @thread: of MARK_NAME_THREAD: its tid
 * @name: where it is, as __data_loc has it: offset in this data, and length << 16
 * @text: the name, with a NUL
 */
struct perfdata_name {
	struct perfdata_common common;
	uint32_t id;
	uint32_t domain;
	uint32_t kind;
	int32_t thread;
	uint32_t name;
	char text[];
};

static inline int perfdata_is_region(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_TRACEPOINT && attr->config == PERFDATA_REGION_ID;
}

static inline int perfdata_is_region_name(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_TRACEPOINT && attr->config == PERFDATA_REGION_NAME_ID;
}

/* Whether samples of the event are marks or names: they are not samples of what threads do. */
static inline int perfdata_is_mark(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_TRACEPOINT &&
	       (attr->config == PERFDATA_REGION_ID || attr->config == PERFDATA_REGION_NAME_ID);
}

#endif /* KERMON_PERFDATA_MARK_H */
