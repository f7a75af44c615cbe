/* SPDX-License-Identifier: GPL-2.0 */
/* Read from perf's mapped page how its clock is computed from the TSC. */
#ifndef KERMON_CLOCKPAGE_H
#define KERMON_CLOCKPAGE_H

#include <kermon/clock.h>
#include <linux/perf_event.h>

/**
 * struct clockpage - an event that counts nothing, opened for its mapped page
 * @fd: the event, -1 if there is none
 * @page: its page
 */
struct clockpage {
	int fd;
	struct perf_event_mmap_page *page;
};

/*
 * Without perf_event: compare clocks, and measure the frequency of the TSC for some
 * milliseconds if it is not known. Return: 0 or -errno.
 */
int clockpage_compare(struct kermon_clock *clock, uint32_t tsc_khz);

/*
 * Initialise @clock with the best source on this machine: perf's parameters if the page
 * has them, else pairs of readings, of which the first is taken now.
 */
int clockpage_open(struct clockpage *page, struct kermon_clock *clock,
		   uint32_t tsc_khz);

/* Take another pair, or update the parameters: the kernel may refine its clock. */
int clockpage_update(struct clockpage *page, struct kermon_clock *clock);

void clockpage_close(struct clockpage *page);

#endif /* KERMON_CLOCKPAGE_H */
