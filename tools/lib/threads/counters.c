// SPDX-License-Identifier: GPL-2.0
/* Opens and reads counters of single threads by perf_event_open(2). */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "threads_private.h"
#include "util/perfevent.h"

/* What read(2) returns for a group. */
struct group_values {
	uint64_t nr;
	uint64_t enabled;
	uint64_t running;
	uint64_t values[THREADS_EVENTS];
};

/*
 * Instructions and cycles stay on the CPU while other groups take turns. A group is disabled
 * until all of it is there: the thread may run meanwhile.
 */
int event_open(const struct threads_event *event, pid_t tid, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->type,
		.config = event->config,
		.config1 = event->config1,
		.exclude_user = !(event->modes & KERMON_COUNT_USER),
		.exclude_kernel = !(event->modes & KERMON_COUNT_KERNEL),
		.exclude_hv = 1,
		.disabled = leader < 0,
		.pinned = leader < 0 && !event->group,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return perfevent_open(&attr, tid, -1, leader);
}

static enum threads_uncounted reason_of(int err)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		return THREADS_DENIED;
	case EMFILE:
	case ENFILE:
		return THREADS_FILES;
	case EBUSY:
		return THREADS_WAITS;
	default:
		return THREADS_OTHER;
	}
}

static bool is_leader(const struct threads_events *events, unsigned int index)
{
	return !index ||
	       events->events[index].group != events->events[index - 1].group;
}

/* Return: 0 or -errno: a security module may permit to open events, but not this. */
static int enable_groups(const struct thread_counters *counters,
			 const struct threads_events *events)
{
	for (unsigned int i = 0; i < counters->nr; i++)
		if (is_leader(events, i) && ioctl(counters->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			return -errno;
	return 0;
}

static unsigned int give_up(struct thread_counters *counters, int err)
{
	thread_counters_close(counters);
	counters->error = reason_of(err);
	return 0;
}

unsigned int thread_counters_open(struct thread_counters *counters,
			   const struct threads_events *events, pid_t tid)
{
	int leader = -1, fd, err;

	*counters = (struct thread_counters){ .error = THREADS_COUNTED };
	for (unsigned int i = 0; i < events->nr; i++) {
		if (is_leader(events, i))
			leader = -1;
		fd = event_open(&events->events[i], tid, leader);
		if (fd < 0)
			return give_up(counters, fd);
		if (leader < 0)
			leader = fd;
		counters->fds[counters->nr++] = fd;
	}
	err = enable_groups(counters, events);
	return err ? give_up(counters, err) : counters->nr;
}

bool reading_since(const struct reading *now, const struct reading *last, double *count,
		   bool *estimate)
{
	const uint64_t enabled = now->enabled - last->enabled;
	const uint64_t running = now->running - last->running;

	*count = now->value - last->value;
	*estimate = running < enabled;
	if (*estimate && running)
		*count *= (double)enabled / running;
	return running || !enabled;
}

static void add_reading(struct thread_counters *counters, unsigned int index,
			const struct reading *now, struct threads_row *row)
{
	bool estimate;

	if (reading_since(now, &counters->last[index], &row->counts[index], &estimate)) {
		row->counted |= 1U << index;
		row->estimated |= (uint32_t)estimate << index;
	}
	counters->last[index] = *now;
}

/*
 * Read the group that begins with event @first. Returns the number of its events, 0 if
 * others hold the counters: a pinned group is not counted any more then.
 */
static unsigned int read_group(struct thread_counters *counters, unsigned int first,
			       struct threads_row *row)
{
	struct group_values group;
	ssize_t size = read(counters->fds[first], &group, sizeof(group));

	if (size < (ssize_t)sizeof(uint64_t) * 4 || group.nr > counters->nr - first)
		return 0;
	for (unsigned int i = 0; i < group.nr; i++) {
		const struct reading now = {
			group.values[i], group.enabled, group.running,
		};

		add_reading(counters, first + i, &now, row);
	}
	return group.nr;
}

void thread_counters_read(struct thread_counters *counters, const struct threads_events *events,
		   struct threads_row *row)
{
	unsigned int i = 0, nr;

	row->uncounted = counters->error;
	while (i < counters->nr && i < events->nr) {
		nr = read_group(counters, i, row);
		if (!nr)
			break;
		i += nr;
	}
	if (!row->uncounted && i < events->nr) {
		row->uncounted = THREADS_WAITS;
		row->counted = 0;
		thread_counters_close(counters);
	}
}

void thread_counters_close(struct thread_counters *counters)
{
	while (counters->nr)
		close(counters->fds[--counters->nr]);
}
