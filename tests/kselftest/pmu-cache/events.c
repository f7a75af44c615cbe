// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counter.h"

#define PAGE	4096

/* Counters are 48 bits wide. */
#define MASK	((1ull << 48) - 1)

/* Unit mask and event select as in the SDM's tables of events. */
static uint64_t config_of(enum cache_event event)
{
	static const uint64_t configs[] = {
		[L1D_FILLS] = 0x0151,
		[LLC_REFERENCES] = 0x4f2e,
		[LLC_MISSES] = 0x412e,
		[L2_CODE_MISSES] = 0x2024,
		[OFFCORE] = 0x01b7,
	};
	unsigned int eax, ebx, ecx, edx;

	__cpuid(0xa, eax, ebx, ecx, edx);
	if (event == L2_CODE_MISSES && (eax & 0xff) >= 4)
		return 0x2424;	/* from Haswell on */
	return configs[event];
}

struct perf_event_attr cache_event_attr(enum cache_event event,
					uint64_t offcore)
{
	struct perf_event_attr attr = event_attr(config_of(event));

	attr.config1 = event == OFFCORE ? offcore : 0;
	return attr;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* RDPMC is permitted while there is a mapping. */
static struct perf_event_mmap_page *map(int fd)
{
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		die("cannot map an event");
	return page;
}

/* The number of the counter that an event currently uses. */
static int counter_of(const struct perf_event_mmap_page *page)
{
	int counter = (int)page->index - 1;

	if (counter < 0 || counter >= NR_COUNTERS) {
		fprintf(stderr, "an event uses counter %d\n", counter);
		exit(1);
	}
	return counter;
}

void events_open(struct events *events, const enum cache_event list[NR_COUNTERS],
		 uint64_t offcore)
{
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		struct perf_event_attr attr = cache_event_attr(list[i], offcore);

		attr.disabled = !i;
		events->fds[i] = event_open(&attr, i ? events->fds[0] : -1);
		if (events->fds[i] < 0)
			die("cannot count an event");
	}
	ioctl(events->fds[0], PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < NR_COUNTERS; i++) {
		events->pages[i] = map(events->fds[i]);
		events->counters[i] = counter_of(events->pages[i]);
	}
}

void events_close(struct events *events)
{
	int i;

	for (i = NR_COUNTERS - 1; i >= 0; i--) {
		munmap(events->pages[i], PAGE);
		close(events->fds[i]);
	}
}

uint64_t events_count(const struct events *events, const struct walk *walk,
		      int i)
{
	int counter = events->counters[i];

	return (walk->after[counter] - walk->before[counter]) & MASK;
}
