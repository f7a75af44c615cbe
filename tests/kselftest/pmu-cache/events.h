/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cache events, counted for this thread in user mode, in the counters that
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
 * Requests and responses that OFFCORE can count, in MSR_OFFCORE_RSP_0. The
 * response bits are those of a level with any snoop result; DRAM, which serves
 * misses, has one bit on Ivy Bridge and another one on Ice Lake.
 */
#define DATA_READ	(1ull << 0)
#define OWNERSHIP	(1ull << 1)
#define CODE_READ	(1ull << 2)
#define ANY_REQUEST	0x8fffull
#define ANY_RESPONSE	(1ull << 16)
#define ANY_SNOOP	(0x7full << 31)
#define L3_HIT		(0xfull << 18 | ANY_SNOOP)
#define L3_MISS		(1ull << 22 | 1ull << 26 | ANY_SNOOP)

/* Disabled initially, user mode only; @offcore must be 0 except for OFFCORE. */
struct perf_event_attr cache_event_attr(enum cache_event event,
					uint64_t offcore);

struct events {
	int fds[NR_COUNTERS];
	struct perf_event_mmap_page *pages[NR_COUNTERS];
	int counters[NR_COUNTERS];	/* counters in use */
};

/* Start counting; exits on failure. */
void events_open(struct events *events, const enum cache_event list[NR_COUNTERS],
		 uint64_t offcore);
void events_close(struct events *events);

/* The count of event @i in the last round of @walk. */
uint64_t events_count(const struct events *events, const struct walk *walk,
		      int i);

#endif
