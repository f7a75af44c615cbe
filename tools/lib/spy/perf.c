// SPDX-License-Identifier: GPL-2.0
/*
 * The backend perf: one group of perf_event per CPU, pinned, so that it is never
 * multiplexed, and read by one system call. The fixed events lead the group and stay in it
 * when the set is changed; the others are members that come and go.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <kermon/report.h>

#include "backend.h"
#include "util/perfevent.h"

#define BOTH_MODES	(KERMON_COUNT_USER | KERMON_COUNT_KERNEL)

static const struct kermon_spy_event fixed[] = {
	{ "instructions", .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles", .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES },
	{ "ref-cycles", .type = PERF_TYPE_HARDWARE,
	  .config = PERF_COUNT_HW_REF_CPU_CYCLES },
};

#define NR_FIXED	(sizeof(fixed) / sizeof(fixed[0]))

/**
 * struct group - the events of a CPU
 * @cpu: the CPU
 * @set: what is counted
 * @fds: descriptors by event of the set; the first one leads
 */
struct group {
	unsigned int cpu;
	const struct spy_set *set;
	int fds[KERMON_SPY_EVENTS];
};

int spy_open_event(const struct kermon_spy_event *event, unsigned int cpu, int leader)
{
	const bool raw = event->type == PERF_TYPE_RAW;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->type,
		.config = raw ? event->config & ~PERFEVENT_MODES : event->config,
		.config1 = event->extra,
		.exclude_user = raw && !(event->config & PERFEVENT_USER),
		.exclude_kernel = raw && !(event->config & PERFEVENT_KERNEL),
		.pinned = leader < 0,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return perfevent_open(&attr, -1, cpu, leader);
}

static bool can_open(const struct kermon_spy_event *event, unsigned int cpu, int *err)
{
	int fd = spy_open_event(event, cpu, -1);

	*err = fd < 0 ? fd : 0;
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Why an event alone cannot be counted. */
static enum kermon_spy_kind kind_of(int err)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		return KERMON_SPY_DENIED;
	case EBUSY:
		return KERMON_SPY_HELD;
	case ENODEV:
	case ENXIO:
		return KERMON_SPY_CPU;
	case ENOENT:
	case EINVAL:
	case EOPNOTSUPP:
		return KERMON_SPY_REFUSED;
	default:
		return KERMON_SPY_SYSTEM;
	}
}

static int perf_probe(struct spy_machine *machine, struct kermon_spy_trouble *trouble)
{
	enum kermon_spy_kind kind;
	int err, first = 0;

	machine->fixed = 0;
	for (size_t i = 0; i < NR_FIXED; i++) {
		if (can_open(&fixed[i], machine->cpu, &err))
			machine->fixed |= 1U << i;
		else if (!first)
			first = err;
	}
	if (machine->fixed)
		return 0;
	kind = kind_of(first);
	return spy_fail(trouble, kind == KERMON_SPY_REFUSED ? KERMON_SPY_NO_PMU : kind,
			first, machine->cpu, NULL);
}

/* Whether a fixed event counts the same already, as on CPUs where these are programmed. */
static bool is_fixed(const struct spy_set *set, const struct kermon_selected_event *selected)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_RAW };
	struct kermon_metric metric, other;

	kermon_metric_of(selected->name, &attr, &metric);
	for (unsigned int i = 0; i < set->kept; i++) {
		kermon_metric_of(set->events[i].name, &attr, &other);
		if (metric.kind == other.kind && metric.kind != KERMON_METRIC_COUNT &&
		    selected->event.config & PERFEVENT_USER &&
		    selected->event.config & PERFEVENT_KERNEL)
			return true;
	}
	return false;
}

static int add_selected(struct spy_set *set, const struct kermon_selected_event *selected,
			struct kermon_spy_trouble *trouble)
{
	struct kermon_spy_event event = {
		.type = PERF_TYPE_RAW,
		.config = selected->event.config,
		.extra = selected->event.extra,
	};

	if (is_fixed(set, selected))
		return 0;
	if (selected->absent)
		return spy_fail(trouble, KERMON_SPY_REFUSED, -EOPNOTSUPP, -1, selected->name);
	memcpy(event.name, selected->name, sizeof(event.name));
	return spy_add_event(set, &event, 0, trouble);
}

static int add_fixed(const struct spy_machine *machine, struct spy_set *set,
		     struct kermon_spy_trouble *trouble)
{
	int err = 0;

	for (size_t i = 0; i < NR_FIXED && !err; i++)
		if (machine->fixed & 1U << i)
			err = spy_add_event(set, &fixed[i], 0, trouble);
	set->kept = set->public.nr;
	return err;
}

int spy_select_hardware(const struct spy_machine *machine, struct spy_set *set,
			struct kermon_spy_trouble *trouble)
{
	struct kermon_selection selection;
	struct kermon_event_error error;
	int err = kermon_events_select(set->public.text, BOTH_MODES, &selection, &error);

	if (err) {
		spy_fail(trouble, KERMON_SPY_EVENT, err, -1, error.word);
		trouble->event = error;
		return err;
	}
	err = add_fixed(machine, set, trouble);
	for (unsigned int i = 0; i < selection.nr && !err; i++)
		err = add_selected(set, &selection.events[i], trouble);
	return err;
}

/* An event that can be counted alone, but not in the group, is one too many. */
static int explain(const struct group *group, const struct kermon_spy_event *event, int err,
		   struct kermon_spy_trouble *trouble)
{
	enum kermon_spy_kind kind = kind_of(err);
	int alone;

	if (kind == KERMON_SPY_REFUSED && can_open(event, group->cpu, &alone))
		kind = KERMON_SPY_EXCESS;
	return spy_fail(trouble, kind, err, group->cpu, event->name);
}

static void close_members(struct group *group, unsigned int first, unsigned int end)
{
	while (end > first)
		close(group->fds[--end]);
}

static int open_members(struct group *group, const struct spy_set *set, unsigned int first,
			struct kermon_spy_trouble *trouble)
{
	unsigned int i;
	int fd, err;

	for (i = first; i < set->public.nr; i++) {
		fd = spy_open_event(&set->events[i], group->cpu, i ? group->fds[0] : -1);
		if (fd < 0) {
			err = explain(group, &set->events[i], fd, trouble);
			close_members(group, first, i);
			return err;
		}
		group->fds[i] = fd;
	}
	return 0;
}

/* When a CPU goes offline, the kernel dissolves its groups. */
static int read_each(const int *fds, unsigned int nr, struct spy_values *values)
{
	struct spy_values one;

	for (unsigned int i = 0; i < nr; i++) {
		if (read(fds[i], &one, sizeof(one)) <= 0 || one.nr != 1)
			return -EIO;
		values->values[i] = one.values[0];
	}
	return 0;
}

/* A pinned group that cannot be on the CPU, because others hold counters, has an error. */
int spy_read_group(const int *fds, unsigned int nr, struct spy_values *values)
{
	ssize_t size = read(fds[0], values, sizeof(*values));

	if (size < 0)
		return -errno;
	if (!size)
		return -EAGAIN;
	return values->nr == nr ? 0 : read_each(fds, nr, values);
}

static int read_group(const struct group *group, struct spy_values *values)
{
	return spy_read_group(group->fds, group->set->public.nr, values);
}

static int check_group(const struct group *group, struct kermon_spy_trouble *trouble)
{
	struct spy_values values;
	int err = read_group(group, &values);

	if (err == -EAGAIN)
		return spy_fail(trouble, KERMON_SPY_HELD, -EBUSY, group->cpu, NULL);
	if (err)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, err, group->cpu, NULL);
	return 0;
}

static int perf_open(void **source, unsigned int cpu, const struct spy_set *set,
		     struct kermon_spy_trouble *trouble)
{
	struct group *group = calloc(1, sizeof(*group));
	int err;

	if (!group)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, cpu, NULL);
	group->cpu = cpu;
	group->set = set;
	err = open_members(group, set, 0, trouble);
	if (!err) {
		err = check_group(group, trouble);
		if (err)
			close_members(group, 0, set->public.nr);
	}
	if (err)
		free(group);
	*source = err ? NULL : group;
	return err;
}

/* After an error that others have caused, or a set that does not fit. */
static void enable(const struct group *group)
{
	ioctl(group->fds[0], PERF_EVENT_IOC_ENABLE, 0);
}

/* The former set fitted; should one of its events be refused now, it counts nothing. */
static void restore(struct group *group)
{
	struct kermon_spy_trouble ignored;
	const struct spy_set *set = group->set;

	if (open_members(group, set, set->kept, &ignored))
		for (unsigned int i = set->kept; i < set->public.nr; i++)
			group->fds[i] = -1;
	enable(group);
}

static void begin_members(struct spy_reading *base, const struct spy_set *set)
{
	for (unsigned int i = set->kept; i < KERMON_SPY_EVENTS; i++)
		base->values[i] = 0;
}

static int perf_change(void *source, const struct spy_set *set, struct spy_reading *base,
		       struct kermon_spy_trouble *trouble)
{
	struct group *group = source;
	const struct spy_set *former = group->set;
	int err;

	close_members(group, former->kept, former->public.nr);
	begin_members(base, set);
	err = open_members(group, set, set->kept, trouble);
	if (!err) {
		group->set = set;
		err = check_group(group, trouble);
		if (!err)
			return 0;
		close_members(group, set->kept, set->public.nr);
	}
	group->set = former;
	restore(group);
	return err;
}

static int perf_read(void *source, struct spy_reading *reading, bool last)
{
	const struct group *group = source;
	struct spy_values values;
	int err = read_group(group, &values);

	(void)last;
	if (err == -EAGAIN)
		enable(group);
	if (err)
		return err;
	reading->enabled = values.enabled;
	reading->running = values.running;
	memcpy(reading->values, values.values,
	       group->set->public.nr * sizeof(values.values[0]));
	return 0;
}

static void perf_close(void *source)
{
	struct group *group = source;

	close_members(group, 0, group->set->public.nr);
	free(group);
}

const struct spy_backend spy_perf = {
	.name = "perf",
	.outlives_cpu = true,
	.probe = perf_probe,
	.select = spy_select_hardware,
	.open = perf_open,
	.change = perf_change,
	.read = perf_read,
	.close = perf_close,
};
