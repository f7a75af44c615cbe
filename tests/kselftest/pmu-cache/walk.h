/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks through memory, of which is known what they miss in caches.
 */
#ifndef KERMON_TEST_WALK_H
#define KERMON_TEST_WALK_H

#include <stdint.h>

#define LINE		64
#define NR_COUNTERS	4

/* Offsets are in walk.S. */
struct walk {
	uint64_t start;
	uint64_t stride;
	uint64_t steps;		/* at least 1 */
	uint64_t rounds;	/* at least 1 */
	uint64_t advance;	/* of start, from round to round */
	uint64_t before[NR_COUNTERS];
	uint64_t after[NR_COUNTERS];
};

/*
 * Go @rounds times through memory, and read the counters 0 to NR_COUNTERS - 1
 * by RDPMC before and after the last one. A round touches no memory but that of
 * the walk, and no code but its own, which two lines hold and earlier rounds
 * have executed.
 */
void walk_loads(struct walk *walk);
void walk_stores(struct walk *walk);
void walk_locked(struct walk *walk);

/* Jump from each step to the next, over code that walk_write_code() wrote. */
void walk_code(struct walk *walk);
void walk_write_code(const struct walk *walk);

#endif
