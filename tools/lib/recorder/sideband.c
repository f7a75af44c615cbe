// SPDX-License-Identifier: GPL-2.0
/* Open perf events for the side-band of an application and read their rings. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfdata/write/write.h"
#include "sideband.h"

/*
 * What kernel.perf_event_mlock_kb allows any user by default; less if the log or other
 * programs have used a part of it.
 */
#define RING_MAX	(512 * 1024)
#define RING_MIN	(64 * 1024)

#define RECORD_MAX	65536

/*
 * Most scans for new threads. Scans are repeated until none is new, because a thread
 * may have been created before its creator's event could be inherited.
 */
#define LOOKS_MAX	8

/**
 * struct ring - where the events of a CPU write
 * @fd: of the event that has it mapped
 * @page: NULL: the CPU is offline
 */
struct ring {
	int fd;
	struct perf_event_mmap_page *page;
};

/**
 * struct sideband - an event for each thread and CPU
 * @kind: clock of the records
 * @ring_size: bytes of each ring
 * @rings: by CPU
 * @nr_cpus: length of @rings
 * @fds: of the events
 * @ids: of the events
 * @nr: length of @fds and @ids
 * @room: number of elements allocated for them
 * @tids: threads that have been examined
 * @nr_tids: length of @tids
 * @record: buffer for a record that wraps around
 */
struct sideband {
	enum kermon_clock_kind kind;
	size_t ring_size;
	struct ring *rings;
	size_t nr_cpus;
	int *fds;
	uint64_t *ids;
	size_t nr;
	size_t room;
	pid_t *tids;
	size_t nr_tids;
	char *record;
};

static size_t map_size(const struct sideband *sideband)
{
	return sysconf(_SC_PAGESIZE) + sideband->ring_size;
}

static int make_room(struct sideband *sideband)
{
	size_t room = sideband->room ? 2 * sideband->room : 64;
	uint64_t *ids;
	int *fds;

	if (sideband->nr < sideband->room)
		return 0;
	fds = realloc(sideband->fds, room * sizeof(*fds));
	if (fds)
		sideband->fds = fds;
	ids = realloc(sideband->ids, room * sizeof(*ids));
	if (ids)
		sideband->ids = ids;
	if (!fds || !ids)
		return -ENOMEM;
	sideband->room = room;
	return 0;
}

static int open_event(struct sideband *sideband, pid_t tid, int cpu)
{
	struct perf_event_attr attr;
	int fd;

	if (make_room(sideband))
		return -ENOMEM;
	attrs_sideband(&attr, sideband->kind);
	fd = syscall(SYS_perf_event_open, &attr, tid, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	sideband->fds[sideband->nr] = fd;
	if (ioctl(fd, PERF_EVENT_IOC_ID, &sideband->ids[sideband->nr++]))
		return -errno;
	return fd;
}

/* The first event of a CPU maps the ring; the others write to the same one. */
static int join_ring(const struct sideband *sideband, struct ring *ring, int fd)
{
	void *map;

	if (ring->page)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ?
		       -errno : 0;
	map = mmap(NULL, map_size(sideband), PROT_READ | PROT_WRITE, MAP_SHARED,
		   fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	ring->fd = fd;
	ring->page = map;
	return 0;
}

/* No event is opened, or needed, on an offline CPU. */
static int watch_thread(struct sideband *sideband, pid_t tid)
{
	int result = 0;
	size_t cpu;

	for (cpu = 0; cpu < sideband->nr_cpus && !result; cpu++) {
		result = open_event(sideband, tid, cpu);
		if (result >= 0)
			result = join_ring(sideband, &sideband->rings[cpu],
					   result);
		else if (result == -ENODEV)
			result = 0;
	}
	return result;
}

/* Whether @tid has not been examined yet; marks it as examined. */
static bool is_new(struct sideband *sideband, pid_t tid)
{
	pid_t *tids;
	size_t i;

	for (i = 0; i < sideband->nr_tids; i++)
		if (sideband->tids[i] == tid)
			return false;
	tids = realloc(sideband->tids, (i + 1) * sizeof(*tids));
	if (tids) {
		tids[i] = tid;
		sideband->tids = tids;
		sideband->nr_tids++;
	}
	return tid > 0;
}

/* Return: number of new threads or -errno. Threads that end meanwhile are ignored. */
static int watch_new_threads(struct sideband *sideband, pid_t pid)
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
		if (!is_new(sideband, tid))
			continue;
		result = watch_thread(sideband, tid);
		nr++;
	}
	closedir(dir);
	return result && result != -ESRCH ? result : nr;
}

static int watch_process(struct sideband *sideband, pid_t pid)
{
	int nr, looks = 0;

	do
		nr = watch_new_threads(sideband, pid);
	while (nr > 0 && ++looks < LOOKS_MAX);
	if (nr < 0)
		return nr;
	return sideband->nr ? 0 : -ESRCH;
}

static int set_up(struct sideband *sideband)
{
	size_t i;

	sideband->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	sideband->rings = calloc(sideband->nr_cpus, sizeof(*sideband->rings));
	sideband->record = malloc(RECORD_MAX);
	if (!sideband->rings || !sideband->record)
		return -ENOMEM;
	for (i = 0; i < sideband->nr_cpus; i++)
		sideband->rings[i] = (struct ring){ .fd = -1 };
	return 0;
}

static int open_sized(struct sideband **sideband, pid_t pid,
		      enum kermon_clock_kind kind, size_t ring_size)
{
	struct sideband *new = calloc(1, sizeof(*new));
	int result;

	*sideband = NULL;
	if (!new)
		return -ENOMEM;
	new->kind = kind;
	new->ring_size = ring_size;
	result = set_up(new);
	if (!result)
		result = watch_process(new, pid);
	if (result) {
		sideband_close(new);
		return result;
	}
	*sideband = new;
	return 0;
}

/* Open the side-band with the largest rings that this user may have. */
int sideband_open(struct sideband **sideband, pid_t pid,
		  enum kermon_clock_kind kind)
{
	size_t size;
	int result = -EPERM;

	for (size = RING_MAX; size >= RING_MIN && result == -EPERM; size /= 2)
		result = open_sized(sideband, pid, kind, size);
	return result;
}

void sideband_close(struct sideband *sideband)
{
	size_t i;

	if (!sideband)
		return;
	for (i = 0; sideband->rings && i < sideband->nr_cpus; i++)
		if (sideband->rings[i].page)
			munmap(sideband->rings[i].page, map_size(sideband));
	for (i = 0; i < sideband->nr; i++)
		close(sideband->fds[i]);
	free(sideband->rings);
	free(sideband->fds);
	free(sideband->ids);
	free(sideband->tids);
	free(sideband->record);
	free(sideband);
}

const uint64_t *sideband_ids(const struct sideband *sideband)
{
	return sideband->ids;
}

size_t sideband_nr_ids(const struct sideband *sideband)
{
	return sideband->nr;
}

size_t sideband_count(const struct sideband *sideband)
{
	return sideband->nr_cpus;
}

void sideband_poll(const struct sideband *sideband, struct pollfd *fds)
{
	size_t i;

	for (i = 0; i < sideband->nr_cpus; i++)
		fds[i] = (struct pollfd){
			.fd = sideband->rings[i].fd,
			.events = POLLIN,
		};
}

/* The record at @tail in contiguous memory. */
static const struct perf_event_header *
get_record(const struct sideband *sideband, const char *data, uint64_t tail)
{
	const size_t at = tail % sideband->ring_size;
	const struct perf_event_header *record = (const void *)(data + at);
	const size_t first = sideband->ring_size - at;

	if (record->size <= first)
		return record;
	memcpy(sideband->record, data + at, first);
	memcpy(sideband->record + first, data, record->size - first);
	return (const void *)sideband->record;
}

static int drain_ring(struct sideband *sideband, struct ring *ring,
		      int (*fn)(void *data,
				const struct perf_event_header *record),
		      void *arg)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	const struct perf_event_header *record;
	uint64_t head, tail = ring->page->data_tail;
	int result = 0;

	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	while (tail != head && !result) {
		record = get_record(sideband, data, tail);
		result = fn(arg, record);
		tail += record->size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	return result;
}

int sideband_drain(struct sideband *sideband,
		   int (*fn)(void *data, const struct perf_event_header *record),
		   void *data)
{
	int result = 0;
	size_t i;

	for (i = 0; i < sideband->nr_cpus && !result; i++)
		if (sideband->rings[i].page)
			result = drain_ring(sideband, &sideband->rings[i], fn,
					    data);
	return result;
}
