/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of caches, counted for this thread in user mode, in the counters that
 * walk.h reads.
 */
#ifndef KERMON_TEST_EVENTS_H
#define KERMON_TEST_EVENTS_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "walk.h"

enum cache_event {
	L1D_FILLS,		/* L1D.REPLACEMENT */
	LLC_REFERENCES,		/* LONGEST_LAT_CACHE.REFERENCE */
	LLC_MISSES,		/* LONGEST_LAT_CACHE.MISS */
	L2_CODE_MISSES,		/* L2_RQSTS.CODE_RD_MISS */
	OFFCORE,		/* OFFCORE_RESPONSE_0 */
};

/*
 * Requests and responses that OFFCORE can count, in MSR_OFFCORE_RSP_0: those of
 * a level with any outcome of snoops; misses are served by DRAM, which has a bit
 * of its own on Ivy Bridge, and another one on Ice Lake.
 */
#define DATA_READ	(1ull << 0)
#define OWNERSHIP	(1ull << 1)
#define CODE_READ	(1ull << 2)
#define ANY_REQUEST	0x8fffull
#define ANY_RESPONSE	(1ull << 16)
#define ANY_SNOOP	(0x7full << 31)
#define L3_HIT		(0xfull << 18 | ANY_SNOOP)
#define L3_MISS		(1ull << 22 | 1ull << 26 | ANY_SNOOP)

/* Disabled, for user mode; @offcore is zero but for OFFCORE. */
struct perf_event_attr cache_event_attr(enum cache_event event,
					uint64_t offcore);

struct events {
	int fds[NR_COUNTERS];
	struct perf_event_mmap_page *pages[NR_COUNTERS];
	int counters[NR_COUNTERS];	/* that they are in */
};

/* Count them from now on; exits if it cannot. */
void events_open(struct events *events, const enum cache_event list[NR_COUNTERS],
		 uint64_t offcore);
void events_close(struct events *events);

/* What event @i of the list counted in the last round of @walk. */
uint64_t events_count(const struct events *events, const struct walk *walk,
		      int i);

#endif
