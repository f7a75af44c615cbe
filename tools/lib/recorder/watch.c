// SPDX-License-Identifier: GPL-2.0
/* Open the events of perf_event that a recording needs, for each task and CPU. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "perfdata/write/write.h"
#include "util/array.h"
#include "util/perfevent.h"
#include "watch.h"

/*
 * What kernel.perf_event_mlock_kb allows any user by default; less if the log or other
 * programs have used a part of it.
 */
#define RING_MAX	(512 * 1024)
#define RING_MIN	(64 * 1024)

/* With copies of stacks, which fill a ring within milliseconds. */
#define RING_STACKS	(2 * 1024 * 1024)

/*
 * Most scans for new threads. Scans are repeated until none is new, because a thread
 * may have been created before its creator's event could be inherited.
 */
#define LOOKS_MAX	8

/**
 * struct watched - an event, on all CPUs and for all tasks
 * @attr: with which it is opened
 * @name: of one that samples
 * @fds: its descriptors; -1: the CPU was offline
 * @ids: as many ids
 * @places: as many: what each was opened for
 * @nr: length of all three
 * @room: number of elements allocated for @fds
 * @id_room: likewise for @ids
 * @place_room: likewise for @places
 */
struct watched {
	struct perf_event_attr attr;
	const char *name;
	int *fds;
	uint64_t *ids;
	struct place_of_event {
		int cpu;
		uint64_t lost;		/* by events that were replaced */
	} *places;
	size_t nr;
	size_t room;
	size_t id_room;
	size_t place_room;
};

/* The id that the kernel has given to an event that replaces another, and the one in the file. */
struct alias {
	uint64_t own;
	uint64_t in_file;
};

/* Ids for events of CPUs that are offline: above those of the kernel, below those of the log. */
#define FIRST_RESERVED	(1ULL << 47)

/**
 * struct watch - all events of a recording
 * @rings: where they write
 * @events: those that sample, and the side-band
 * @application: the side-band of the process alone, if all tasks are sampled beside its log
 * @nr_events: number of those that sample
 * @from_exec: these begin with the exec
 * @all: all tasks are watched
 * @started: the events are enabled
 * @offline: by CPU: no event was opened
 * @tids: threads that have been examined
 * @nr_tids: length of @tids
 * @tid_room: number of elements allocated for them
 * @aliases: @nr_aliases of them
 * @alias_room: number of elements allocated for them
 * @renamed: buffer for a record whose id is replaced
 */
struct watch {
	struct rings *rings;
	struct watched events[KERMON_MAX_SAMPLED + 1];
	struct watched application;
	size_t nr_events;
	bool from_exec;
	bool all;
	bool started;
	bool *offline;
	pid_t *tids;
	size_t nr_tids;
	size_t tid_room;
	struct alias *aliases;
	size_t nr_aliases;
	size_t alias_room;
	uint64_t renamed[(UINT16_MAX + 1) / sizeof(uint64_t)];
};

static struct watched *sideband_of(struct watch *watch)
{
	return &watch->events[watch->nr_events];
}

static int make_room(struct watched *event)
{
	return array_room(event->fds, event->room, event->nr + 1) ||
	       array_room(event->ids, event->id_room, event->nr + 1) ||
	       array_room(event->places, event->place_room, event->nr + 1) ? -ENOMEM : 0;
}

/* Open @event for a task, or for all, on a CPU. Return: its descriptor or -errno. */
static int open_event(struct watched *event, pid_t tid, int cpu)
{
	int fd;

	if (make_room(event))
		return -ENOMEM;
	fd = perfevent_open(&event->attr, tid, cpu, -1);
	if (fd < 0)
		return fd;
	event->fds[event->nr] = fd;
	event->places[event->nr] = (struct place_of_event){ .cpu = cpu };
	if (ioctl(fd, PERF_EVENT_IOC_ID, &event->ids[event->nr++]))
		return -errno;
	return fd;
}

/* Reserve ids for the events of a CPU that is offline: it may come online. */
static int reserve_cpu(struct watch *watch, size_t cpu)
{
	struct watched *event;

	for (size_t i = 0; i <= watch->nr_events; i++) {
		event = &watch->events[i];
		if (make_room(event))
			return -ENOMEM;
		event->fds[event->nr] = -1;
		event->places[event->nr] = (struct place_of_event){ .cpu = cpu };
		event->ids[event->nr++] = FIRST_RESERVED +
					  cpu * (KERMON_MAX_SAMPLED + 1) + i;
	}
	return 0;
}

/* The event that follows a task of the application. */
static struct watched *follower_of(struct watch *watch)
{
	return watch->application.attr.size ? &watch->application : sideband_of(watch);
}

/* All events of a task, or of all with @tid -1, on @cpu. */
static int watch_cpu(struct watch *watch, pid_t tid, size_t cpu)
{
	struct watched *first = tid < 0 ? sideband_of(watch) : follower_of(watch);
	int fd = open_event(first, tid, cpu);
	int result;

	if (fd < 0)
		return fd;
	if (first == &watch->application)
		return rings_follow(watch->rings, cpu, fd);
	result = tid < 0 ? rings_join(watch->rings, cpu, fd) :
			   rings_follow(watch->rings, cpu, fd);
	for (size_t i = 0; i < watch->nr_events && !result; i++) {
		fd = open_event(&watch->events[i], tid, cpu);
		result = fd < 0 ? fd : rings_join(watch->rings, cpu, fd);
	}
	return result;
}

/* No event is opened, or needed, on an offline CPU. */
static int watch_thread(struct watch *watch, pid_t tid)
{
	int result = 0;

	for (size_t cpu = 0; cpu < rings_count(watch->rings) && !result; cpu++) {
		result = watch_cpu(watch, tid, cpu);
		if (result != -ENODEV)
			continue;
		watch->offline[cpu] = true;
		result = tid < 0 ? reserve_cpu(watch, cpu) : 0;
	}
	return result;
}

static int watch_cpus(struct watch *watch, const struct kermon_watch *asked)
{
	int result = 0;

	if (!asked->nr_cpus)
		return watch_thread(watch, -1);
	for (size_t i = 0; i < asked->nr_cpus && !result; i++)
		result = asked->cpus[i] < rings_count(watch->rings) ?
			 watch_cpu(watch, -1, asked->cpus[i]) : -ENODEV;
	return result;
}

/* Whether @tid has not been examined yet; marks it as examined. */
static bool is_new(struct watch *watch, pid_t tid)
{
	for (size_t i = 0; i < watch->nr_tids; i++)
		if (watch->tids[i] == tid)
			return false;
	if (!array_room(watch->tids, watch->tid_room, watch->nr_tids + 1))
		watch->tids[watch->nr_tids++] = tid;
	return tid > 0;
}

/* Return: number of new threads or -errno. Threads that end meanwhile are ignored. */
static int watch_new_threads(struct watch *watch, pid_t pid)
{
	struct dirent *entry;
	int nr = 0, result = 0;
	char path[64];
	pid_t tid;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	while ((!result || result == -ESRCH) && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (!is_new(watch, tid))
			continue;
		result = watch_thread(watch, tid);
		nr++;
	}
	closedir(dir);
	return result && result != -ESRCH ? result : nr;
}

static int watch_process(struct watch *watch, pid_t pid)
{
	const size_t before = follower_of(watch)->nr;
	int nr, looks = 0;

	do
		nr = watch_new_threads(watch, pid);
	while (nr > 0 && ++looks < LOOKS_MAX);
	if (nr < 0)
		return nr;
	return follower_of(watch)->nr > before ? 0 : -ESRCH;
}

static int watch_tasks(struct watch *watch, const struct watch_options *options)
{
	const struct kermon_watch *asked = options->asked;
	int result = 0;

	if (options->blind)
		return 0;
	if (asked && asked->all) {
		result = watch_cpus(watch, asked);
		return result || asked->alone ? result :
		       watch_process(watch, options->pid);
	}
	if (!asked || (!asked->nr_pids && !asked->nr_tids))
		return watch_process(watch, options->pid);
	for (size_t i = 0; i < asked->nr_pids && !result; i++)
		result = watch_process(watch, asked->pids[i]);
	for (size_t i = 0; i < asked->nr_tids && !result; i++)
		if (is_new(watch, asked->tids[i]))
			result = watch_thread(watch, asked->tids[i]);
	return result;
}

/* Whether the kernel counts the lost records of each event: since Linux 6.0. */
static bool counts_lost(const struct perf_event_attr *attr)
{
	struct perf_event_attr try = *attr;

	try.read_format = PERF_FORMAT_LOST;
	return !perfevent_try(&try, 0, -1);
}

static void describe_events(struct watch *watch,
			    const struct watch_options *options)
{
	const struct kermon_watch *asked = options->asked;
	struct perf_event_attr *attr = &sideband_of(watch)->attr;
	bool lost;

	attrs_sideband(attr, options->kind);
	if (!asked)
		return;
	if (asked->all && !asked->alone)
		watch->application.attr = *attr;
	lost = counts_lost(attr);
	/* As in perf: wake up when half of the ring is full. */
	attr->watermark = 0;
	attr->wakeup_watermark = 0;
	attr->inherit = !asked->all;
	attr->read_format = lost ? PERF_FORMAT_LOST : 0;
	for (size_t i = 0; i < watch->nr_events; i++) {
		watch->events[i].name = asked->events[i].name;
		attr = &watch->events[i].attr;
		kermon_sampling_attr(&asked->events[i], options->kind, attr);
		attr->inherit = !asked->all;
		attr->read_format = lost ? PERF_FORMAT_LOST : 0;
		attr->disabled = 1;
		attr->enable_on_exec = watch->from_exec;
	}
}

static int open_sized(struct watch **watch, const struct watch_options *options,
		      size_t bytes)
{
	struct watch *new = calloc(1, sizeof(*new));
	int result;

	*watch = NULL;
	if (!new)
		return -ENOMEM;
	new->nr_events = options->asked ? options->asked->nr_events : 0;
	new->from_exec = options->from_exec &&
			 !(options->asked && options->asked->all);
	new->all = options->asked && options->asked->all;
	describe_events(new, options);
	new->rings = rings_new(bytes);
	if (new->rings)
		new->offline = calloc(rings_count(new->rings), sizeof(*new->offline));
	result = new->offline ? watch_tasks(new, options) : -ENOMEM;
	if (result) {
		watch_close(new);
		return result;
	}
	*watch = new;
	return 0;
}

static size_t largest_ring(const struct kermon_watch *asked)
{
	for (size_t i = 0; asked && i < asked->nr_events; i++)
		if (asked->events[i].chains == KERMON_CHAINS_DWARF)
			return RING_STACKS;
	return RING_MAX;
}

/* By default with the largest rings that this user may have. */
int watch_open(struct watch **watch, const struct watch_options *options)
{
	const uint64_t bytes = options->asked ? options->asked->ring_bytes : 0;
	int result = -EPERM;

	if (options->asked && options->asked->nr_events > KERMON_MAX_SAMPLED)
		return -E2BIG;
	if (bytes)
		return open_sized(watch, options, bytes);
	for (size_t size = largest_ring(options->asked);
	     size >= RING_MIN && result == -EPERM; size /= 2)
		result = open_sized(watch, options, size);
	return result;
}

static void close_event(struct watched *event)
{
	for (size_t i = 0; i < event->nr; i++)
		if (event->fds[i] >= 0)
			close(event->fds[i]);
	free(event->fds);
	free(event->ids);
	free(event->places);
}

void watch_close(struct watch *watch)
{
	if (!watch)
		return;
	rings_free(watch->rings);
	for (size_t i = 0; i <= watch->nr_events; i++)
		close_event(&watch->events[i]);
	close_event(&watch->application);
	free(watch->offline);
	free(watch->tids);
	free(watch->aliases);
	free(watch);
}

int watch_start(struct watch *watch)
{
	const struct watched *event;

	watch->started = true;
	for (size_t i = 0; i < watch->nr_events && !watch->from_exec; i++) {
		event = &watch->events[i];
		for (size_t j = 0; j < event->nr; j++)
			if (event->fds[j] >= 0 && ioctl(event->fds[j], PERF_EVENT_IOC_ENABLE, 0))
				return -errno;
	}
	return 0;
}

bool watch_is_application(const struct watch *watch,
			  const struct perf_event_header *record)
{
	const struct watched *application = &watch->application;
	struct perfdata_sample_id id;

	if (record->size < sizeof(*record) + sizeof(id))
		return false;
	memcpy(&id, (const char *)record + record->size - sizeof(id), sizeof(id));
	for (size_t i = 0; i < application->nr; i++)
		if (application->ids[i] == id.id)
			return true;
	return false;
}

/* What read(2) returns with PERF_FORMAT_LOST. */
struct reading {
	uint64_t value;
	uint64_t lost;
};

/* Number of records that an event has lost, as far as the kernel counts them. */
static uint64_t lost_of(const struct watched *event, size_t index)
{
	struct reading reading;

	if (!(event->attr.read_format & PERF_FORMAT_LOST) || event->fds[index] < 0 ||
	    read(event->fds[index], &reading, sizeof(reading)) != sizeof(reading))
		return event->places[index].lost;
	return event->places[index].lost + reading.lost;
}

/* The place of an event of all tasks on a CPU; -1: it has none there. */
static ssize_t find_place(const struct watched *event, size_t cpu)
{
	for (size_t i = 0; i < event->nr; i++)
		if (event->places[i].cpu == (int)cpu)
			return i;
	return -1;
}

bool watch_needs(const struct watch *watch, size_t cpu)
{
	if (watch->all)
		return cpu < rings_count(watch->rings) &&
		       find_place(&watch->events[watch->nr_events], cpu) >= 0;
	return cpu < rings_count(watch->rings) && watch->offline[cpu];
}

/* Open @event again on @cpu, in a new ring if it is the @first one there. */
static int replace(struct watch *watch, struct watched *event, size_t cpu, bool first)
{
	const ssize_t at = find_place(event, cpu);
	struct perf_event_attr attr = event->attr;
	struct alias *alias;
	int fd;

	if (at < 0 || array_room(watch->aliases, watch->alias_room, watch->nr_aliases + 1))
		return at < 0 ? -ENOENT : -ENOMEM;
	attr.disabled &= !watch->started;
	fd = perfevent_open(&attr, -1, cpu, -1);
	if (fd < 0)
		return fd;
	alias = &watch->aliases[watch->nr_aliases];
	alias->in_file = event->ids[at];
	if (!ioctl(fd, PERF_EVENT_IOC_ID, &alias->own))
		watch->nr_aliases++;
	event->places[at].lost = lost_of(event, at);
	if (event->fds[at] >= 0)
		close(event->fds[at]);
	event->fds[at] = fd;
	return first ? rings_renew(watch->rings, cpu, fd) : rings_join(watch->rings, cpu, fd);
}

/* The side-band first, as in watch_cpu(). */
int watch_return(struct watch *watch, size_t cpu)
{
	int result;

	if (!watch->all)
		return -EOPNOTSUPP;
	result = replace(watch, sideband_of(watch), cpu, true);
	for (size_t i = 0; i < watch->nr_events && !result; i++)
		result = replace(watch, &watch->events[i], cpu, false);
	return result;
}

const struct perf_event_header *watch_rename(struct watch *watch,
					     const struct perf_event_header *record)
{
	const size_t words = record->size / sizeof(uint64_t);
	/* Samples begin with it, other records end with it. */
	const size_t at = record->type == PERF_RECORD_SAMPLE ? 1 : words - 1;
	const uint64_t *id = (const uint64_t *)record + at;

	for (size_t i = 0; i < watch->nr_aliases && words > 1; i++)
		if (watch->aliases[i].own == *id) {
			memcpy(watch->renamed, record, record->size);
			watch->renamed[at] = watch->aliases[i].in_file;
			return (const void *)watch->renamed;
		}
	return record;
}

struct rings *watch_rings(const struct watch *watch)
{
	return watch->rings;
}

const uint64_t *watch_sideband_ids(const struct watch *watch, size_t *nr)
{
	const struct watched *sideband = &watch->events[watch->nr_events];

	*nr = sideband->nr;
	return sideband->ids;
}

const struct perf_event_attr *watch_sideband_attr(const struct watch *watch)
{
	return &watch->events[watch->nr_events].attr;
}

struct kermon_sampled_event watch_event(const struct watch *watch, size_t index)
{
	const struct watched *event = &watch->events[index];

	return (struct kermon_sampled_event){
		.name = event->name,
		.attr = &event->attr,
		.ids = event->ids,
		.nr_ids = event->nr,
	};
}

static int tell_lost(const struct watched *event, size_t index,
		     int (*fn)(void *data, const struct perf_event_header *record),
		     void *data)
{
	struct {
		struct perf_event_header header;
		uint64_t lost;
		struct perfdata_sample_id id;
	} record = {
		.header = { .type = PERF_RECORD_LOST_SAMPLES, .size = sizeof(record) },
		.id.id = event->ids[index],
	};

	record.lost = lost_of(event, index);
	if (!record.lost)
		return 0;
	return fn(data, &record.header);
}

int watch_lost(const struct watch *watch,
	       int (*fn)(void *data, const struct perf_event_header *record),
	       void *data)
{
	const struct watched *event;
	int result = 0;

	for (size_t i = 0; i <= watch->nr_events && !result; i++) {
		event = &watch->events[i];
		if (!(event->attr.read_format & PERF_FORMAT_LOST))
			continue;
		for (size_t j = 0; j < event->nr && !result; j++)
			result = tell_lost(event, j, fn, data);
	}
	return result;
}
