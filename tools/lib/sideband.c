// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfdata/attrs.h"
#include "sideband.h"

/* As much as kernel.perf_event_mlock_kb lets any user have. */
#define RING_SIZE	(512 * 1024)

#define RECORD_MAX	65536

/* One CPU's. */
struct ring {
	int fd;
	struct perf_event_mmap_page *page;
};

struct sideband {
	size_t nr;
	struct ring *rings;
	uint64_t *ids;
	char *record;	/* room for one that wraps around */
};

static size_t map_size(void)
{
	return sysconf(_SC_PAGESIZE) + RING_SIZE;
}

static int open_ring(struct ring *ring, uint64_t *id, pid_t pid, int cpu,
		     enum kermon_clock_kind kind)
{
	struct perf_event_attr attr;
	void *map;

	attrs_sideband(&attr, kind);
	ring->fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1,
			   PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return -errno;
	if (ioctl(ring->fd, PERF_EVENT_IOC_ID, id))
		return -errno;
	map = mmap(NULL, map_size(), PROT_READ | PROT_WRITE, MAP_SHARED,
		   ring->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	ring->page = map;
	return 0;
}

/* An offline CPU has no event and needs none. */
static int open_rings(struct sideband *sideband, pid_t pid, int nr_cpus,
		      enum kermon_clock_kind kind)
{
	int cpu, result;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		result = open_ring(&sideband->rings[sideband->nr],
				   &sideband->ids[sideband->nr], pid, cpu,
				   kind);
		if (result == -ENODEV)
			continue;
		sideband->nr++;
		if (result)
			return result;
	}
	return 0;
}

int sideband_open(struct sideband **sideband, pid_t pid,
		  enum kermon_clock_kind kind)
{
	struct sideband *new = calloc(1, sizeof(*new));
	int nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	int result;

	*sideband = NULL;
	if (!new)
		return -ENOMEM;
	new->rings = calloc(nr_cpus, sizeof(*new->rings));
	new->ids = calloc(nr_cpus, sizeof(*new->ids));
	new->record = malloc(RECORD_MAX);
	result = new->rings && new->ids && new->record ?
		 open_rings(new, pid, nr_cpus, kind) : -ENOMEM;
	if (result) {
		sideband_close(new);
		return result;
	}
	*sideband = new;
	return 0;
}

void sideband_close(struct sideband *sideband)
{
	size_t i;

	if (!sideband)
		return;
	for (i = 0; i < sideband->nr; i++) {
		if (sideband->rings[i].page)
			munmap(sideband->rings[i].page, map_size());
		if (sideband->rings[i].fd >= 0)
			close(sideband->rings[i].fd);
	}
	free(sideband->rings);
	free(sideband->ids);
	free(sideband->record);
	free(sideband);
}

const uint64_t *sideband_ids(const struct sideband *sideband)
{
	return sideband->ids;
}

size_t sideband_count(const struct sideband *sideband)
{
	return sideband->nr;
}

void sideband_poll(const struct sideband *sideband, struct pollfd *fds)
{
	size_t i;

	for (i = 0; i < sideband->nr; i++)
		fds[i] = (struct pollfd){
			.fd = sideband->rings[i].fd,
			.events = POLLIN,
		};
}

/* The record at @tail, in one piece. */
static const struct perf_event_header *
get_record(const struct sideband *sideband, const char *data, uint64_t tail)
{
	const size_t at = tail % RING_SIZE;
	const struct perf_event_header *record = (const void *)(data + at);
	const size_t first = RING_SIZE - at;

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

	for (i = 0; i < sideband->nr && !result; i++)
		result = drain_ring(sideband, &sideband->rings[i], fn, data);
	return result;
}
