/* SPDX-License-Identifier: GPL-2.0 */
/* The page in which perf says how its clock is made of the TSC. */
#ifndef KERMON_CLOCKPAGE_H
#define KERMON_CLOCKPAGE_H

#include <kermon/clock.h>
#include <linux/perf_event.h>

/**
 * struct clockpage - an event that counts nothing, for its page
 * @fd: the event, -1 if there is none
 * @page: its page
 */
struct clockpage {
	int fd;
	struct perf_event_mmap_page *page;
};

/*
 * Makes @clock the best that this machine has: perf's own if its page tells how
 * it is made, else pairs, with the first one taken.
 */
int clockpage_open(struct clockpage *page, struct kermon_clock *clock,
		   uint32_t tsc_khz);

/* Takes a pair, or what has changed since: the kernel may refine its clock. */
int clockpage_update(struct clockpage *page, struct kermon_clock *clock);

void clockpage_close(struct clockpage *page);

#endif /* KERMON_CLOCKPAGE_H */
