// SPDX-License-Identifier: GPL-2.0
#include "stretch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "counter.h"
#include "msr.h"

#define PAGE	4096
#define TRIES	3

/* Cycles after which no link between caches is busy any more */
#define PAUSE	10000

uint32_t stretch_counter(void)
{
	struct perf_event_attr attr = event_attr(event_config(CYCLES));
	struct perf_event_mmap_page *page = MAP_FAILED;
	int fd;

	attr.exclude_kernel = 0;
	attr.disabled = 0;
	attr.pinned = 1;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd >= 0)
		page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (!rdpmc_allow("2") || page == MAP_FAILED || !page->index) {
		perror("cannot count cycles");
		exit(1);
	}
	return page->index - 1;
}

/* Each attempt begins with idle links, so that as much of it overlaps. */
static void pause_links(void)
{
	uint64_t start = __rdtsc();

	while (__rdtsc() - start < PAUSE)
		;
}

static struct clocks least(stretch_fn run, struct stretch stretch,
			   uint64_t rounds)
{
	struct clocks least = { UINT64_MAX, UINT64_MAX };
	int try;

	stretch.rounds = rounds;
	for (try = 0; try < TRIES; try++) {
		uint64_t tsc, cycles;

		pause_links();
		run(&stretch);
		tsc = stretch.tsc_after - stretch.tsc_before;
		cycles = stretch.cycles_after - stretch.cycles_before;
		if (tsc < least.tsc)
			least.tsc = tsc;
		if (cycles < least.cycles)
			least.cycles = cycles;
	}
	return least;
}

struct clocks stretch_time(stretch_fn run, struct stretch stretch,
			   uint64_t rounds)
{
	struct clocks once, twice;

	/* Bring the caches into the state that they have after each round. */
	stretch.rounds = 1;
	run(&stretch);
	once = least(run, stretch, rounds);
	twice = least(run, stretch, 2 * rounds);
	return (struct clocks) {
		twice.tsc - once.tsc, twice.cycles - once.cycles,
	};
}
