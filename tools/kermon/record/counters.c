// SPDX-License-Identifier: GPL-2.0
/*
 * Counts a command with perf_event_open(2): each counter is inherited by all threads and
 * processes that the command creates, as in perf stat.
 */
#include <errno.h>
#include <unistd.h>

#include <kermon/report.h>

#include "counters.h"
#include "util/perfevent.h"

/* What KerMon's fixed counters count, and the names of their columns. */
static const struct fixed {
	const char *user;
	const char *both;
	uint64_t config;
} fixed[] = {
	{ "instructions:u", "instructions", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles:u", "cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "ref-cycles:u", "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
};

static void add(struct counters *counters, const char *name,
		struct perf_event_attr *attr, pid_t pid)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = 1;
	attr->inherit = 1;
	attr->enable_on_exec = 1;
	attr->exclude_hv = 1;
	fd = perfevent_open(attr, pid, -1, -1);
	counters->counts[counters->nr] = (struct outcome_count){
		.name = name,
		.attr_type = attr->type,
		.config = attr->config,
		.error = fd < 0 ? fd : 0,
	};
	counters->fds[counters->nr++] = fd < 0 ? -1 : fd;
}

/* Time needs no counter of the CPU, and is the same in all modes. */
static void add_time(struct counters *counters, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};

	add(counters, "task-clock", &attr, pid);
}

/* They happen in the kernel, and need its permission: without it, rusage has them. */
static void add_software(struct counters *counters, pid_t pid)
{
	static const struct {
		const char *name;
		uint64_t config;
	} events[] = {
		{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = events[i].config,
		};

		add(counters, events[i].name, &attr, pid);
	}
}

/* Whether an event of that meaning is selected, as on CPUs without fixed counters. */
static bool is_selected(const struct kermon_selection *selection,
			const struct fixed *wanted)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_RAW };
	struct kermon_metric metric, other;

	kermon_metric_of(wanted->both, &attr, &metric);
	for (unsigned int i = 0; i < selection->nr; i++) {
		kermon_metric_of(selection->events[i].name, &attr, &other);
		if (metric.kind == other.kind && metric.kind != KERMON_METRIC_COUNT)
			return true;
	}
	return false;
}

static void add_fixed(struct counters *counters,
		      const struct kermon_selection *selection,
		      unsigned int modes, pid_t pid)
{
	const bool both = modes & KERMON_COUNT_KERNEL;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (is_selected(selection, &fixed[i]))
			continue;
		struct perf_event_attr attr = {
			.type = PERF_TYPE_HARDWARE,
			.config = fixed[i].config,
			.exclude_kernel = !both,
		};

		add(counters, both ? fixed[i].both : fixed[i].user, &attr, pid);
	}
}

static void add_selected(struct counters *counters,
			 const struct kermon_selected_event *event, pid_t pid)
{
	const uint64_t config = event->event.config;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.config = config & ~PERFEVENT_MODES,
		.config1 = event->event.extra,
		.exclude_user = !(config & PERFEVENT_USER),
		.exclude_kernel = !(config & PERFEVENT_KERNEL),
	};

	add(counters, event->name, &attr, pid);
}

int counters_open(struct counters *counters,
		  const struct kermon_selection *selection, unsigned int modes,
		  pid_t pid)
{
	add_time(counters, pid);
	if (counters->counts[0].error)
		return counters->counts[0].error;
	add_software(counters, pid);
	add_fixed(counters, selection, modes, pid);
	for (unsigned int i = 0; i < selection->nr; i++)
		add_selected(counters, &selection->events[i], pid);
	return 0;
}

static void read_counter(struct outcome_count *count, int fd)
{
	uint64_t values[3];
	ssize_t size = read(fd, values, sizeof(values));

	if (size != sizeof(values)) {
		count->error = size < 0 ? -errno : -EIO;
		return;
	}
	count->value = values[0];
	count->enabled = values[1];
	count->running = values[2];
}

void counters_read(struct counters *counters)
{
	for (unsigned int i = 0; i < counters->nr; i++)
		if (counters->fds[i] >= 0)
			read_counter(&counters->counts[i], counters->fds[i]);
}

void counters_close(struct counters *counters)
{
	for (unsigned int i = 0; i < counters->nr; i++)
		if (counters->fds[i] >= 0)
			close(counters->fds[i]);
	counters->nr = 0;
}
