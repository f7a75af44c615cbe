/* SPDX-License-Identifier: GPL-2.0 */
/* Walks through memory with a known number of cache misses. */
#ifndef KERMON_TEST_WALK_H
#define KERMON_TEST_WALK_H

#include <stdint.h>

#define LINE		64
#define NR_COUNTERS	4

/* Keep in sync with the offsets in walk.S. */
struct walk {
	uint64_t start;
	uint64_t stride;
	uint64_t steps;		/* at least 1 */
	uint64_t rounds;	/* at least 1 */
	uint64_t advance;	/* added to start after each round */
	uint64_t before[NR_COUNTERS];
	uint64_t after[NR_COUNTERS];
};

/*
 * Walk @rounds times through memory, and read the counters 0 to NR_COUNTERS - 1
 * with RDPMC before and after the last round. A round accesses only the memory
 * of the walk, and only its own code, two lines that earlier rounds have
 * executed.
 */
void walk_loads(struct walk *walk);
void walk_stores(struct walk *walk);
void walk_locked(struct walk *walk);

/* Jump from step to step through code written by walk_write_code(). */
void walk_code(struct walk *walk);
void walk_write_code(const struct walk *walk);

#endif
