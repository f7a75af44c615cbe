// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through memory that is indexed as if it were contiguous, with misses
 * computed by hand: a cache replaces the least recently used line, so repeated
 * walks find all lines of a set if these fit into it, and none if they do not.
 *
 *	level	ways	sets	distance between lines of a set
 *	L1	8	64	4 KiB
 *	L2	8	512	32 KiB
 *	L3	16	8192	512 KiB
 */
#include "kselftest_harness.h"

#include <string.h>

#include "area.h"
#include "events.h"
#include "walk.h"

#define KIB		1024

/* An interrupt in the middle of a walk adds lines of its own. */
#define TRIES		3

/* All rounds but the last one bring the caches into a steady state. */
#define ROUNDS		4

enum level {
	L1,
	L2,
	L3,
	NR_LEVELS
};

static const struct pattern {
	uint64_t stride;
	uint64_t steps;
	uint64_t offset;
	uint64_t misses[NR_LEVELS];
} patterns[] = {
	/* a few lines; exactly the L1; one more line; one more in each set */
	{ LINE, 1, 0, { 0, 0, 0 } },
	{ LINE, 100, 0, { 0, 0, 0 } },
	{ LINE, 512, 0, { 0, 0, 0 } },
	{ LINE, 513, 0, { 9, 0, 0 } },
	{ LINE, 576, 0, { 576, 0, 0 } },
	/* lines of one set of the L1, spread over eight sets of the L2 */
	{ 4 * KIB, 8, 0, { 0, 0, 0 } },
	{ 4 * KIB, 9, 0, { 9, 0, 0 } },
	{ 4 * KIB, 64, 0, { 64, 0, 0 } },
	{ 4 * KIB, 65, 0, { 65, 9, 0 } },
	/* one set of the L2 */
	{ 32 * KIB, 9, 0, { 9, 9, 0 } },
	/* exactly the L2; one more line */
	{ LINE, 4096, 0, { 4096, 0, 0 } },
	{ LINE, 4097, 0, { 4097, 9, 0 } },
	/* one line per page, in 128 sets of the L3 */
	{ 4 * KIB, 2048, 0, { 2048, 2048, 0 } },
	{ 4 * KIB, 2049, 0, { 2049, 2049, 17 } },
	/* one set of the L3 */
	{ 512 * KIB, 16, 0, { 16, 16, 0 } },
	{ 512 * KIB, 17, 0, { 17, 17, 17 } },
	/* one more line in each set than the L3 holds */
	{ LINE, 17 * 8192, 0, { 17 * 8192, 17 * 8192, 17 * 8192 } },
	/* across line and page boundaries: one line more than steps */
	{ LINE, 511, 62, { 0, 0, 0 } },
	{ LINE, 512, 62, { 9, 0, 0 } },
};

#define NR_PATTERNS	(sizeof(patterns) / sizeof(patterns[0]))

struct counts {
	uint64_t of[NR_COUNTERS];
};

/* The minimum of several attempts, for each event. */
static struct counts count(void (*run)(struct walk *), const struct walk *walk,
			   const struct events *events)
{
	struct counts least;
	int try, i;

	memset(&least, 0xff, sizeof(least));
	for (try = 0; try < TRIES; try++) {
		struct walk each = *walk;

		run(&each);
		for (i = 0; i < NR_COUNTERS; i++) {
			uint64_t n = events_count(events, &each, i);

			if (n < least.of[i])
				least.of[i] = n;
		}
	}
	return least;
}

static struct walk walk_of(const struct pattern *pattern)
{
	return (struct walk) {
		.start = (uintptr_t)area + pattern->offset,
		.stride = pattern->stride,
		.steps = pattern->steps,
		.rounds = ROUNDS,
	};
}

/* Misses of all levels, and those of the last level as requests. */
static const enum cache_event data_events[NR_COUNTERS] = {
	L1D_FILLS, LLC_REFERENCES, LLC_MISSES, OFFCORE,
};

/* The last event counts @offcore requests. */
static void expect_data_misses(struct __test_metadata *_metadata,
			       void (*run)(struct walk *), uint64_t offcore)
{
	struct events events;
	size_t i;

	events_open(&events, data_events, offcore | L3_MISS);
	for (i = 0; i < NR_PATTERNS; i++) {
		const struct pattern *pattern = &patterns[i];
		struct walk walk = walk_of(pattern);
		struct counts counts = count(run, &walk, &events);

		TH_LOG("%lu steps of %lu bytes from %lu on: %lu %lu %lu %lu",
		       pattern->steps, pattern->stride, pattern->offset,
		       counts.of[0], counts.of[1], counts.of[2], counts.of[3]);
		EXPECT_EQ(pattern->misses[L1], counts.of[0]);
		EXPECT_EQ(pattern->misses[L2], counts.of[1]);
		EXPECT_EQ(pattern->misses[L3], counts.of[2]);
		EXPECT_EQ(pattern->misses[L3], counts.of[3]);
	}
	events_close(&events);
}

TEST(loads)
{
	expect_data_misses(_metadata, walk_loads, DATA_READ);
}

TEST(stores)
{
	expect_data_misses(_metadata, walk_stores, OWNERSHIP);
}

/* Whether a locked operation reads first depends on the emulation. */
TEST(locked_operations)
{
	expect_data_misses(_metadata, walk_locked, DATA_READ | OWNERSHIP);
}

/* Only new lines, since each round walks through others. */
TEST(new_lines)
{
	struct walk walk = {
		.start = (uintptr_t)area,
		.stride = LINE,
		.steps = 4096,
		.rounds = AREA_SIZE / LINE / 4096,
		.advance = 4096 * LINE,
	};
	struct events events;
	struct counts counts;

	events_open(&events, data_events, ANY_REQUEST | ANY_RESPONSE);
	counts = count(walk_loads, &walk, &events);
	EXPECT_EQ(4096, counts.of[0]);
	EXPECT_EQ(4096, counts.of[1]);
	EXPECT_EQ(4096, counts.of[2]);
	EXPECT_EQ(4096, counts.of[3]);
	events_close(&events);
}

/*
 * Code with one jump per step has the same misses as data, except in the L1D.
 */
TEST(code)
{
	static const enum cache_event list[NR_COUNTERS] = {
		L1D_FILLS, LLC_REFERENCES, L2_CODE_MISSES, OFFCORE,
	};
	struct events events;
	size_t i;

	events_open(&events, list, CODE_READ | L3_MISS);
	for (i = 0; i < NR_PATTERNS; i++) {
		const struct pattern *pattern = &patterns[i];
		struct walk walk = walk_of(pattern);
		struct counts counts;

		if (pattern->stride < 4 * KIB)
			continue;
		walk_write_code(&walk);
		counts = count(walk_code, &walk, &events);
		TH_LOG("%lu jumps of %lu bytes: %lu %lu %lu %lu",
		       pattern->steps, pattern->stride,
		       counts.of[0], counts.of[1], counts.of[2], counts.of[3]);
		EXPECT_EQ(0, counts.of[0]);
		EXPECT_EQ(pattern->misses[L2], counts.of[1]);
		EXPECT_EQ(pattern->misses[L2], counts.of[2]);
		EXPECT_EQ(pattern->misses[L3], counts.of[3]);
	}
	events_close(&events);
}

TEST_HARNESS_MAIN
