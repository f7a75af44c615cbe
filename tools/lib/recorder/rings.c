// SPDX-License-Identifier: GPL-2.0
/* Map the rings of perf events and read their records. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rings.h"
#include "util/array.h"

#define RECORD_MAX	65536

/**
 * struct ring - where the events of a CPU write
 * @fd: of the event that has it mapped
 * @page: NULL: the CPU is offline, or not watched
 * @followed: events of tasks
 * @nr: length of @followed
 * @room: number of elements allocated for them
 * @current: the first of them that has not hung up, as far as is known
 */
struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	int *followed;
	size_t nr;
	size_t room;
	size_t current;
};

/**
 * struct rings - the rings of all CPUs
 * @bytes: of each ring
 * @cpus: by CPU
 * @nr: length of @cpus
 * @record: buffer for a record that wraps around
 */
struct rings {
	size_t bytes;
	struct ring *cpus;
	size_t nr;
	char *record;
};

static size_t map_size(const struct rings *rings)
{
	return sysconf(_SC_PAGESIZE) + rings->bytes;
}

struct rings *rings_new(size_t bytes)
{
	struct rings *rings = calloc(1, sizeof(*rings));

	if (!rings)
		return NULL;
	rings->bytes = bytes;
	rings->nr = sysconf(_SC_NPROCESSORS_CONF);
	rings->cpus = calloc(rings->nr, sizeof(*rings->cpus));
	rings->record = malloc(RECORD_MAX);
	if (!rings->cpus || !rings->record) {
		rings_free(rings);
		return NULL;
	}
	for (size_t i = 0; i < rings->nr; i++)
		rings->cpus[i].fd = -1;
	return rings;
}

void rings_free(struct rings *rings)
{
	if (!rings)
		return;
	for (size_t i = 0; rings->cpus && i < rings->nr; i++) {
		if (rings->cpus[i].page)
			munmap(rings->cpus[i].page, map_size(rings));
		free(rings->cpus[i].followed);
	}
	free(rings->cpus);
	free(rings->record);
	free(rings);
}

size_t rings_count(const struct rings *rings)
{
	return rings->nr;
}

int rings_join(struct rings *rings, size_t cpu, int fd)
{
	struct ring *ring = &rings->cpus[cpu];
	void *map;

	if (ring->page)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ?
		       -errno : 0;
	map = mmap(NULL, map_size(rings), PROT_READ | PROT_WRITE, MAP_SHARED,
		   fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	ring->fd = fd;
	ring->page = map;
	return 0;
}

int rings_renew(struct rings *rings, size_t cpu, int fd)
{
	struct ring *ring = &rings->cpus[cpu];
	int result;

	if (ring->page)
		munmap(ring->page, map_size(rings));
	ring->page = NULL;
	ring->fd = -1;
	result = rings_join(rings, cpu, fd);
	for (size_t i = ring->current; i < ring->nr && !result; i++)
		result = rings_join(rings, cpu, ring->followed[i]);
	return result;
}

int rings_follow(struct rings *rings, size_t cpu, int fd)
{
	struct ring *ring = &rings->cpus[cpu];

	if (array_room(ring->followed, ring->room, ring->nr + 1))
		return -ENOMEM;
	ring->followed[ring->nr++] = fd;
	return rings_join(rings, cpu, fd);
}

/* The one that is followed now, the one that has it mapped if none is, or -1. */
static int fd_of(const struct ring *ring)
{
	if (!ring->nr)
		return ring->fd;
	return ring->current < ring->nr ? ring->followed[ring->current] : -1;
}

void rings_poll(const struct rings *rings, struct pollfd *fds)
{
	for (size_t i = 0; i < rings->nr; i++)
		fds[i] = (struct pollfd){
			.fd = fd_of(&rings->cpus[i]),
			.events = POLLIN,
		};
}

void rings_polled(struct rings *rings, struct pollfd *fds)
{
	for (size_t i = 0; i < rings->nr; i++)
		if (fds[i].fd >= 0 && fds[i].revents & (POLLHUP | POLLERR))
			rings->cpus[i].current++;
	rings_poll(rings, fds);
}

bool rings_ended(const struct rings *rings)
{
	for (size_t i = 0; i < rings->nr; i++)
		if (fd_of(&rings->cpus[i]) >= 0)
			return false;
	return true;
}

/* The record at @tail in contiguous memory. */
static const struct perf_event_header *
get_record(const struct rings *rings, const char *data, uint64_t tail)
{
	const size_t at = tail % rings->bytes;
	const struct perf_event_header *record = (const void *)(data + at);
	const size_t first = rings->bytes - at;

	if (record->size <= first)
		return record;
	memcpy(rings->record, data + at, first);
	memcpy(rings->record + first, data, record->size - first);
	return (const void *)rings->record;
}

static int drain_ring(struct rings *rings, struct ring *ring,
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
		record = get_record(rings, data, tail);
		result = fn(arg, record);
		tail += record->size;
		/* Give room back early: what is drained now may take long to write. */
		if (tail - ring->page->data_tail > rings->bytes / 8)
			__atomic_store_n(&ring->page->data_tail, tail,
					 __ATOMIC_RELEASE);
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	return result;
}

int rings_drain(struct rings *rings,
		int (*fn)(void *data, const struct perf_event_header *record),
		void *data)
{
	int result = 0;

	for (size_t i = 0; i < rings->nr && !result; i++)
		if (rings->cpus[i].page)
			result = drain_ring(rings, &rings->cpus[i], fn, data);
	return result;
}
