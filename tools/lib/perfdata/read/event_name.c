// SPDX-License-Identifier: GPL-2.0
/*
 * Make up a name for an event that the file does not name, as perf does: from the type
 * and config of its attr, with the modifiers that its exclude bits stand for.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

static const char *const cache_names[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "L1-dcache",
	[PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
	[PERF_COUNT_HW_CACHE_LL] = "LLC",
	[PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
	[PERF_COUNT_HW_CACHE_ITLB] = "iTLB",
	[PERF_COUNT_HW_CACHE_BPU] = "branch",
	[PERF_COUNT_HW_CACHE_NODE] = "node",
};

static const char *const cache_operations[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = "load",
	[PERF_COUNT_HW_CACHE_OP_WRITE] = "store",
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = "prefetch",
};

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* "L1-dcache-load-misses"; false: there is no such event. */
static bool cache_name(uint64_t config, char name[EVENT_NAME_MAX])
{
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff;
	uint64_t result = config >> 16;

	if (cache >= ARRAY_SIZE(cache_names) ||
	    operation >= ARRAY_SIZE(cache_operations) ||
	    result > PERF_COUNT_HW_CACHE_RESULT_MISS)
		return false;
	if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
		snprintf(name, EVENT_NAME_MAX, "%s-%s-misses",
			 cache_names[cache], cache_operations[operation]);
	else
		snprintf(name, EVENT_NAME_MAX, "%s-%s%s", cache_names[cache],
			 cache_operations[operation],
			 operation == PERF_COUNT_HW_CACHE_OP_PREFETCH ? "es" :
									"s");
	return true;
}

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

void event_name_add_modifiers(const struct perf_event_attr *attr,
			      char name[EVENT_NAME_MAX])
{
	bool modes = attr->exclude_user || attr->exclude_kernel ||
		     attr->exclude_hv;
	size_t length = strlen(name), size;
	char modifiers[sizeof(":ukhpppG")];

	size = snprintf(modifiers, sizeof(modifiers), ":%s%s%s%.*s%s",
		 modes && !attr->exclude_user ? "u" : "",
		 modes && !attr->exclude_kernel ? "k" : "",
		 modes && !attr->exclude_hv ? "h" : "",
		 (int)attr->precise_ip, "ppp",
		 attr->exclude_host && !attr->exclude_guest ? "G" : "");
	if (size > 1 && length + size < EVENT_NAME_MAX)
		memcpy(name + length, modifiers, size + 1);
}

void event_name(const struct perf_event_attr *attr, char name[EVENT_NAME_MAX])
{
	const char *known = known_name(attr);
	unsigned long long config = attr->config;

	if (known)
		snprintf(name, EVENT_NAME_MAX, "%s", known);
	else if (attr->type == PERF_TYPE_RAW)
		snprintf(name, EVENT_NAME_MAX, "raw 0x%llx", config);
	else if (attr->type != PERF_TYPE_HW_CACHE || !cache_name(config, name))
		snprintf(name, EVENT_NAME_MAX, "type %u 0x%llx", attr->type,
			 config);
	event_name_add_modifiers(attr, name);
}
