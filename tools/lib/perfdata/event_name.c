// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <stdio.h>

#include "event_name.h"

static const char *const hardware_names[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software_names[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static const char *known_name(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE &&
	    attr->config < ARRAY_SIZE(hardware_names))
		return hardware_names[attr->config];
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    attr->config < ARRAY_SIZE(software_names))
		return software_names[attr->config];
	return NULL;
}

void event_name(const struct perf_event_attr *attr, char name[EVENT_NAME_MAX])
{
	const char *known = known_name(attr);
	unsigned long long config = attr->config;

	if (known)
		snprintf(name, EVENT_NAME_MAX, "%s", known);
	else if (attr->type == PERF_TYPE_RAW)
		snprintf(name, EVENT_NAME_MAX, "raw 0x%llx", config);
	else
		snprintf(name, EVENT_NAME_MAX, "type %u 0x%llx", attr->type,
			 config);
}
