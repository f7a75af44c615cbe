// SPDX-License-Identifier: GPL-2.0
/* The links between caches of the PMU model in tests/qemu: when a CPU has to wait. */
#include "kselftest_harness.h"

#include <stdint.h>

#include "../qemu/files/target/i386/tcg/sysemu/link.h"

#define MHZ	3500
#define LINES	1000000

/* The cycles that a CPU takes for @lines that it needs every @every cycles. */
static uint64_t run(X86Link *link, uint64_t now, uint64_t lines, uint64_t every)
{
	uint64_t start = now;

	while (lines--) {
		now += link_use(link, now);
		now += every;
	}
	return now - start;
}

/* 29.9 GB/s: not a whole number of cycles per line */
TEST(the_link_binds)
{
	double cycles = LINES * 64.0 * MHZ / 29900;
	X86Link link;

	link_open(&link, 64, 29900, MHZ);
	EXPECT_EQ(7, link.cost >> LINK_CYCLE_BITS);
	run(&link, 0, 1000, 1);
	EXPECT_TRUE(run(&link, link.now, LINES, 1) - cycles < LINK_AHEAD);
	EXPECT_TRUE(cycles - run(&link, link.now, LINES, 7) < LINK_AHEAD);
}

TEST(the_cpu_binds)
{
	X86Link link;

	link_open(&link, 64, 29900, MHZ);
	EXPECT_EQ(LINES * 8, run(&link, 1000, LINES, 8));
}

/* The CPU runs ahead of the first lines, and again after a pause. */
TEST(running_ahead)
{
	const uint64_t ahead = LINK_AHEAD / 8;
	X86Link link;
	uint64_t i;

	link_open(&link, 64, 28000, MHZ);
	ASSERT_EQ(8, link.cost >> LINK_CYCLE_BITS);
	for (i = 0; i < ahead; i++)
		EXPECT_EQ(0, link_use(&link, 5000));
	EXPECT_EQ(8, link_use(&link, 5000));
	EXPECT_EQ(8, link_use(&link, 5008));
	EXPECT_EQ(0, link_use(&link, 5024));
	EXPECT_EQ(0, link_use(&link, UINT64_MAX / 2));
	EXPECT_EQ(8, link.debt >> LINK_CYCLE_BITS);
}

TEST_HARNESS_MAIN
