// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through more memory than a level holds have the bandwidth of the next one,
 * unless computations or stores take longer, in which case these alone count:
 * 70 GB/s from L2, 42 from L3, 29.9 from memory; from L1, 32 bytes per cycle, or 16
 * to it.
 */
#include "kselftest_harness.h"

#include "area.h"
#include "stretch.h"

#define KIB		1024
#define STEP		512
#define LINE		64

/* Cycles per line with this many MB/s */
#define RATE(mbs)	((double)LINE * MHZ / (mbs))

#define L1_LOADS	2.0
#define L1_STORES	4.0
#define L2		RATE(70000)
#define L3		RATE(42000)
#define DRAM		RATE(29900)
#define ADDITIONS	5.0	/* 40 per 8 lines */

static const struct {
	const char *name;
	uint64_t size;
	double loads;
	double stores;
	double compute;
} levels[] = {
	{ "L1", 16 * KIB, L1_LOADS, L1_STORES, ADDITIONS },
	{ "L2", 128 * KIB, L2, L1_STORES, ADDITIONS },
	{ "L3", 4096 * KIB, L3, L3, L3 },
	{ "memory", AREA_SIZE, DRAM, DRAM, DRAM },
};

static void expect_rate(struct __test_metadata *_metadata, stretch_fn run,
			const struct stretch *stretch, double cycles,
			const char *name, const char *what)
{
	double lines = stretch->steps * STEP / LINE;
	/* Small areas several times: a round takes a while. */
	uint64_t rounds = 1 + 2000 / stretch->steps;
	struct clocks took = stretch_time(run, *stretch, rounds);
	double each = took.cycles / lines / rounds;

	TH_LOG("%s %s: %.4f cycles per line of %.4f, %.2f GB/s", name, what,
	       each, cycles, LINE * (MHZ / 1e3) / each);
	EXPECT_EQ(took.cycles, took.tsc);
	/* A round ends with a block of its own, and reads the stretch. */
	EXPECT_TRUE(took.cycles >= cycles * lines * rounds - 1);
	EXPECT_TRUE(took.cycles <= cycles * lines * rounds + 1 + 10 * rounds);
}

TEST(bandwidth)
{
	struct stretch stretch = {
		.counter = stretch_counter(),
		.area = (uintptr_t)area,
	};
	size_t i;

	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		stretch.steps = levels[i].size / STEP;
		expect_rate(_metadata, walk_loads, &stretch, levels[i].loads,
			    levels[i].name, "loads");
		expect_rate(_metadata, walk_stores, &stretch, levels[i].stores,
			    levels[i].name, "stores");
		expect_rate(_metadata, walk_compute, &stretch,
			    levels[i].compute, levels[i].name, "compute");
	}
}

TEST_HARNESS_MAIN
