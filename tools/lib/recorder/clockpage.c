// SPDX-License-Identifier: GPL-2.0
/* Read from perf's mapped page how its clock is computed from the TSC. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clockpage.h"
#include "perfdata/write/write.h"
#include "util/perfevent.h"

static int open_event(void)
{
	struct perf_event_attr attr;

	attrs_sideband(&attr, KERMON_CLOCK_PERF);
	attr.inherit = 0;
	return perfevent_open(&attr, 0, -1, -1);
}

/* The kernel updates the page under a sequence lock. */
static bool read_page(const volatile struct perf_event_mmap_page *page,
		      struct kermon_clock *clock)
{
	uint32_t before, mult;
	uint64_t zero;
	uint16_t shift;
	bool usable;

	do {
		before = page->lock;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		usable = page->cap_user_time_zero;
		zero = page->time_zero;
		mult = page->time_mult;
		shift = page->time_shift;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (before != page->lock);
	if (usable)
		kermon_clock_set(clock, zero, mult, shift);
	return usable;
}

int clockpage_open(struct clockpage *page, struct kermon_clock *clock,
		   uint32_t tsc_khz)
{
	void *map;

	kermon_clock_init(clock, tsc_khz);
	page->fd = open_event();
	if (page->fd < 0)
		return page->fd;
	map = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, page->fd,
		   0);
	if (map != MAP_FAILED) {
		page->page = map;
		if (read_page(page->page, clock))
			return 0;
	}
	clockpage_close(page);
	return kermon_clock_take_pair(clock);
}

/* The error of a reading is less than a microsecond. */
#define MEASURE_NS	20000000

int clockpage_compare(struct kermon_clock *clock, uint32_t tsc_khz)
{
	const struct timespec pause = { .tv_nsec = MEASURE_NS };
	const struct kermon_clock_pair *pairs = clock->pairs;
	int result;

	kermon_clock_init(clock, tsc_khz);
	result = kermon_clock_take_pair(clock);
	if (tsc_khz || result)
		return result;
	nanosleep(&pause, NULL);
	result = kermon_clock_take_pair(clock);
	if (!result)
		clock->tsc_khz = (pairs[1].tsc - pairs[0].tsc) * 1000000 /
				 (pairs[1].ns - pairs[0].ns);
	return result;
}

/* A reset makes the kernel update the page. */
int clockpage_update(struct clockpage *page, struct kermon_clock *clock)
{
	if (clock->kind == KERMON_CLOCK_PAIRS)
		return kermon_clock_take_pair(clock);
	if (ioctl(page->fd, PERF_EVENT_IOC_RESET, 0))
		return -errno;
	read_page(page->page, clock);
	return 0;
}

void clockpage_close(struct clockpage *page)
{
	if (page->page)
		munmap(page->page, sysconf(_SC_PAGESIZE));
	if (page->fd >= 0)
		close(page->fd);
	page->page = NULL;
	page->fd = -1;
}
