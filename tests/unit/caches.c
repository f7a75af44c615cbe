// SPDX-License-Identifier: GPL-2.0
/* The caches of the PMU model in tests/qemu: which line is replaced by another one. */
#include "kselftest_harness.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../qemu/files/target/i386/tcg/sysemu/cache.h"

#define SETS	4
#define WAYS	3
#define L3_SETS	8

FIXTURE(caches)
{
	uint64_t lines[3][SETS * WAYS];
	uint64_t l3_lines[L3_SETS * WAYS];
	X86Cache l3;
	X86Caches caches;
};

FIXTURE_SETUP(caches)
{
	X86Cache *private[] = {
		&self->caches.l1d, &self->caches.l1i, &self->caches.l2,
	};
	int i;

	for (i = 0; i < 3; i++) {
		*private[i] = (X86Cache){ self->lines[i], SETS, WAYS };
		cache_clear(private[i]);
	}
	self->l3 = (X86Cache){ self->l3_lines, L3_SETS, WAYS };
	cache_clear(&self->l3);
	self->caches.l3 = &self->l3;
}

FIXTURE_TEARDOWN(caches)
{
	(void)self;
}

/* Line @n of a set. */
static uint64_t line(uint64_t n, uint64_t set)
{
	return n * SETS + set;
}

TEST_F(caches, empty)
{
	uint64_t n;

	for (n = 0; n < SETS * WAYS; n++)
		EXPECT_FALSE(cache_use(&self->caches.l2, n));
	for (n = 0; n < SETS * WAYS; n++)
		EXPECT_TRUE(cache_use(&self->caches.l2, n));
}

/* The least recently used line is replaced, not the oldest one. */
TEST_F(caches, least_recently_used)
{
	X86Cache *cache = &self->caches.l2;

	cache_use(cache, line(0, 1));
	cache_use(cache, line(1, 1));
	cache_use(cache, line(2, 1));
	EXPECT_TRUE(cache_use(cache, line(0, 1)));
	EXPECT_FALSE(cache_use(cache, line(3, 1)));
	EXPECT_TRUE(cache_use(cache, line(0, 1)));
	EXPECT_TRUE(cache_use(cache, line(2, 1)));
	EXPECT_FALSE(cache_use(cache, line(1, 1)));
	EXPECT_FALSE(cache_use(cache, line(3, 1)));
}

TEST_F(caches, sets_are_apart)
{
	X86Cache *cache = &self->caches.l2;
	uint64_t n;

	cache_use(cache, line(0, 2));
	for (n = 0; n < 10; n++)
		EXPECT_FALSE(cache_use(cache, line(n, 3)));
	EXPECT_TRUE(cache_use(cache, line(0, 2)));
}

TEST_F(caches, more_lines_than_ways_come_round)
{
	int i;

	for (i = 0; i < 5 * (WAYS + 1); i++)
		EXPECT_FALSE(cache_use(&self->caches.l2,
				       line(i % (WAYS + 1), 0)));
}

/* An entry whose line was dropped is reused before any other. */
TEST_F(caches, dropped)
{
	X86Cache *cache = &self->caches.l2;

	cache_use(cache, line(0, 1));
	cache_use(cache, line(1, 1));
	cache_use(cache, line(2, 1));
	cache_drop(cache, line(1, 1));
	cache_drop(cache, line(7, 1));
	EXPECT_FALSE(cache_use(cache, line(3, 1)));
	EXPECT_TRUE(cache_use(cache, line(0, 1)));
	EXPECT_TRUE(cache_use(cache, line(2, 1)));
	EXPECT_FALSE(cache_use(cache, line(1, 1)));
}

TEST_F(caches, levels)
{
	X86Caches *caches = &self->caches;
	uint64_t n;

	EXPECT_EQ(CACHE_MEMORY, caches_use(caches, &caches->l1d, 0));
	EXPECT_EQ(CACHE_L1, caches_use(caches, &caches->l1d, 0));
	EXPECT_EQ(CACHE_L2, caches_use(caches, &caches->l1i, 0));
	EXPECT_EQ(CACHE_L1, caches_use(caches, &caches->l1i, 0));
	for (n = 1; n <= WAYS; n++)
		EXPECT_EQ(CACHE_MEMORY, caches_use(caches, &caches->l1d,
						   line(n, 0)));
	/* every second one of these is in the set of the L3 */
	EXPECT_EQ(CACHE_L3, caches_use(caches, &caches->l1d, 0));
	/* what the L2 has evicted remains in the L1 */
	EXPECT_EQ(CACHE_L1, caches_use(caches, &caches->l1i, 0));
}

TEST_F(caches, dropped_for_another_cpu)
{
	X86Caches *caches = &self->caches;

	caches_use(caches, &caches->l1d, 5);
	caches_use(caches, &caches->l1i, 5);
	caches_drop(caches, 5);
	EXPECT_EQ(CACHE_L3, caches_use(caches, &caches->l1d, 5));
	caches_drop(caches, 5);
	EXPECT_EQ(CACHE_L3, caches_use(caches, &caches->l1i, 5));
}

TEST_HARNESS_MAIN
