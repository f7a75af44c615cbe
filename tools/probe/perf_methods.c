// SPDX-License-Identifier: GPL-2.0
/*
 * perf_event: a group of events of this thread, read by a system call or, where perf shows
 * in a page of each event that it is on a counter, by RDPMC.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "probe.h"

#define PAGE	4096

static const uint64_t software[] = {
	PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_TASK_CLOCK,
	PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS,
};

#define NR_SOFTWARE	(sizeof(software) / sizeof(software[0]))

static int fds[PROBE_MAX_EVENTS];
static const struct perf_event_mmap_page *pages[PROBE_MAX_EVENTS];
static uint64_t begun[PROBE_MAX_EVENTS];
static unsigned int nr;

static int open_event(unsigned int i)
{
	struct perf_event_attr attr = {
		.type = probe_software ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = probe_software ? software[i % NR_SOFTWARE] : probe_event(i),
		.read_format = PERF_FORMAT_GROUP,
		.disabled = i == 0,
		.exclude_kernel = !probe_kernel,
		.exclude_hv = !probe_kernel,
	};

	fds[i] = syscall(SYS_perf_event_open, &attr, 0, -1, i ? fds[0] : -1,
			 PERF_FLAG_FD_CLOEXEC);
	return fds[i] < 0 ? -errno : 0;
}

static int open_group(unsigned int nr_events)
{
	char what[40];
	int ret;

	for (nr = 0; nr < nr_events; nr++) {
		ret = open_event(nr);
		if (!ret)
			continue;
		snprintf(what, sizeof(what), "perf_event_open: event %u", nr + 1);
		return probe_say_perf(ret, what);
	}
	return 0;
}

/* System calls without the C library, whose symbol a dynamic linker may have to find. */
static inline long call3(long number, long a, long b, long c)
{
	long ret;

	__asm__ volatile("syscall" : "=a" (ret)
			 : "0" (number), "D" (a), "S" (b), "d" (c)
			 : "rcx", "r11", "memory");
	return ret;
}

struct group {
	uint64_t nr;
	uint64_t values[PROBE_MAX_EVENTS];
};

static int take(const struct group *group, long size, uint64_t *counts)
{
	if (size < 0 || group->nr != nr)
		return -EIO;
	probe_copy(counts, group->values, nr);
	return 0;
}

static int start_by_ioctl(void)
{
	return ioctl(fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) ? -errno : 0;
}

static int read_by_read(uint64_t *counts)
{
	struct group group;

	return take(&group, read(fds[0], &group, sizeof(group)), counts);
}

static int stop_by_ioctl(uint64_t *counts)
{
	(void)counts;
	return ioctl(fds[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) ? -errno : 0;
}

static int read_by_call(uint64_t *counts)
{
	struct group group;

	return take(&group, call3(SYS_read, fds[0], (long)&group, sizeof(group)),
		    counts);
}

static int map_page(unsigned int i, int flags)
{
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED | flags, fds[i], 0);

	if (page == MAP_FAILED)
		return probe_say(-errno, "mmap of an event: %s; the sysctl kernel.perf_event_mlock_kb limits these pages",
				 strerror(errno));
	pages[i] = page;
	return 0;
}

static int map_pages(int flags)
{
	int ret = 0;

	if (probe_software)
		return probe_say(-EINVAL, "software events have no counter to read by RDPMC");
	for (unsigned int i = 0; !ret && i < nr; i++)
		ret = map_page(i, flags);
	return ret;
}

/*
 * Whether the group was on counters, which perf gives to a group as a whole. The times in its
 * page are those of now, so that it may be mapped after the measurement.
 */
static int check_group(void)
{
	int ret = pages[0] ? 0 : map_page(0, 0);

	if (ret || pages[0]->time_running)
		return ret;
	return probe_say(-ENODATA, "perf had no counters for these events: there are fewer, or others use them");
}

static int open_rdpmc(unsigned int nr_events)
{
	int ret = open_group(nr_events);

	return ret ? ret : map_pages(0);
}

static int open_rdpmc_populated(unsigned int nr_events)
{
	int ret = open_group(nr_events);

	return ret ? ret : map_pages(MAP_POPULATE);
}

static int open_rdpmc_touched(unsigned int nr_events)
{
	int ret = open_rdpmc(nr_events);
	unsigned int i;

	for (i = 0; !ret && i < nr; i++)
		ret = *(const volatile uint32_t *)&pages[i]->version & 0;
	return ret;
}

static inline uint64_t rdpmc(uint32_t counter)
{
	uint64_t low, high;

	__asm__ volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return high << 32 | low;
}

/* As linux/perf_event.h describes it; 0, or -EAGAIN if the event is on no counter. */
static inline int read_page(const struct perf_event_mmap_page *page, uint64_t *count)
{
	const volatile struct perf_event_mmap_page *v = page;
	uint32_t sequence, index, shift;
	uint64_t value;

	do {
		sequence = v->lock;
		__asm__ volatile("" : : : "memory");
		index = v->index;
		if (!v->cap_user_rdpmc || !index)
			return -EAGAIN;
		shift = 64 - v->pmc_width;
		value = v->offset + ((int64_t)(rdpmc(index - 1) << shift) >> shift);
		__asm__ volatile("" : : : "memory");
	} while (v->lock != sequence);
	*count = value;
	return 0;
}

static int read_by_rdpmc(uint64_t *counts)
{
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++) {
		ret = read_page(pages[i], &counts[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* Counters run already, and start and stop are two reads. */
static int open_free_running(unsigned int nr_events)
{
	int ret = open_rdpmc_touched(nr_events);

	return ret ? ret : start_by_ioctl();
}

static int start_by_rdpmc(void)
{
	return read_by_rdpmc(begun);
}

static int stop_by_rdpmc(uint64_t *counts)
{
	int ret = read_by_rdpmc(counts);
	unsigned int i;

	for (i = 0; !ret && i < nr; i++)
		counts[i] -= begun[i];
	return ret;
}

static const uint64_t *begun_by_rdpmc(void)
{
	return begun;
}

static const char *explain(int error)
{
	if (error == -EAGAIN)
		return "perf shows no counter for RDPMC: the event has none, or /sys/bus/event_source/devices/cpu/rdpmc is 0";
	return strerror(-error);
}

#define BY_RDPMC	.check = check_group, .explain = explain

const struct probe_method perf_methods[] = {
	{ "perf-read", open_group, start_by_ioctl, read_by_read, stop_by_ioctl,
	  .check = check_group },
	{ "perf-syscall", open_group, start_by_ioctl, read_by_call, stop_by_ioctl,
	  .check = check_group },
	{ "perf-rdpmc", open_rdpmc, start_by_ioctl, read_by_rdpmc, stop_by_ioctl, BY_RDPMC },
	{ "perf-rdpmc-populated", open_rdpmc_populated, start_by_ioctl, read_by_rdpmc,
	  stop_by_ioctl, BY_RDPMC },
	{ "perf-rdpmc-touched", open_rdpmc_touched, start_by_ioctl, read_by_rdpmc,
	  stop_by_ioctl, BY_RDPMC },
	{ "perf-rdpmc-running", open_free_running, start_by_rdpmc, read_by_rdpmc,
	  stop_by_rdpmc, BY_RDPMC, .begun = begun_by_rdpmc },
	{}
};
