// SPDX-License-Identifier: GPL-2.0
/*
 * Loops of known instructions take exactly the time of the busiest unit of the CPU,
 * which TSC, cycles and timers agree on. Computed by hand from the defaults of
 * tests/qemu/README.md:
 *
 *	any instruction		1/4 cycle
 *	addition, multiplication	1 cycle of a unit each
 *	division		14 cycles, with 256 bits 28
 *	load			1/2 cycle, with 256 bits 1
 *	store			1 cycle, with 256 bits 2
 */
#include "kselftest_harness.h"

#include <signal.h>
#include <sys/time.h>
#include <x86intrin.h>

#include "stretch.h"

#define ROUNDS	1000

static const struct {
	const char *name;
	stretch_fn run;
	unsigned int cycles;
	unsigned int flops;
} loops[] = {
	/* 62 instructions: 15.5 cycles, rounded up */
	{ "nothing", loop_nothing, 16, 0 },
	{ "add, scalar", loop_add_scalar, 60, 60 },
	{ "add, SSE", loop_add_sse, 60, 120 },
	{ "add, AVX", loop_add_avx, 60, 240 },
	{ "multiply, scalar", loop_mul_scalar, 60, 60 },
	{ "multiply, AVX single", loop_mul_avx, 60, 480 },
	{ "both, SSE", loop_mix_sse, 30, 120 },
	{ "both, AVX", loop_mix_avx, 30, 240 },
	{ "divide, SSE", loop_div_sse, 840, 120 },
	{ "divide, AVX", loop_div_avx, 1680, 240 },
	{ "x87", loop_x87, 60, 60 },
	{ "load, scalar", loop_load_scalar, 30, 0 },
	{ "load, SSE", loop_load_sse, 30, 0 },
	{ "load, AVX", loop_load_avx, 60, 0 },
	{ "store, scalar", loop_store_scalar, 60, 0 },
	{ "store, SSE", loop_store_sse, 60, 0 },
	{ "store, AVX", loop_store_avx, 120, 0 },
	{ "2 loads, 1 store, AVX", loop_copy_avx, 40, 0 },
	{ "both with loads, AVX", loop_fused, 20, 160 },
};

static double line[64 / sizeof(double)] __attribute__((aligned(64)));

TEST(units)
{
	struct stretch stretch = {
		.counter = stretch_counter(),
		.area = (uintptr_t)line,
	};
	size_t i;

	for (i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		struct clocks took = stretch_time(loops[i].run, stretch, ROUNDS);
		uint64_t cycles = ROUNDS * loops[i].cycles;

		TH_LOG("%s: %lu cycles, %.3f GFLOP/s", loops[i].name,
		       took.cycles, loops[i].flops * ROUNDS * (MHZ / 1e3) /
		       took.cycles);
		EXPECT_EQ(cycles, took.cycles);
		EXPECT_EQ(cycles, took.tsc);
	}
}

/* The paper's machine: 8 operations per cycle and 3.5 GHz. */
TEST(peak)
{
	struct stretch stretch = { .counter = stretch_counter() };
	struct clocks took = stretch_time(loop_mix_avx, stretch, ROUNDS);

	EXPECT_EQ(28.0, 240.0 * ROUNDS / took.tsc * MHZ / 1000);
}

static volatile int ticks;

static void on_tick(int sig)
{
	(void)sig;
	ticks++;
}

/*
 * A timer uses the virtual clock, not the TSC: while a loop runs, it must expire in each
 * millisecond of the TSC, however many or few instructions that are.
 */
static void expect_ticks(struct __test_metadata *_metadata, stretch_fn run,
			 uint64_t rounds)
{
	const struct itimerval each = { { 0, 1000 }, { 0, 1000 } }, never = {};
	struct stretch stretch = {
		.counter = stretch_counter(),
		.area = (uintptr_t)line,
		.rounds = rounds,
	};
	uint64_t start = __rdtsc();

	ticks = 0;
	signal(SIGALRM, on_tick);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &each, NULL));
	while (__rdtsc() - start < 20 * MHZ * 1000)
		run(&stretch);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
	TH_LOG("%d ticks in 20 ms", ticks);
	EXPECT_GE(ticks, 19);
	EXPECT_LE(ticks, 20);
}

TEST(timers_of_fast_instructions)
{
	expect_ticks(_metadata, loop_nothing, 2000);
}

TEST(timers_of_slow_instructions)
{
	expect_ticks(_metadata, loop_div_avx, 50);
}

TEST_HARNESS_MAIN
