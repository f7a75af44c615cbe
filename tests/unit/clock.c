// SPDX-License-Identifier: GPL-2.0
/* TSC to nanoseconds, by perf's parameters and by pairs of clock readings. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#include <kermon/clock.h>

#include "kselftest_harness.h"

#define GHZ2	2000000		/* kHz */

/* The same in 128 bits, where nothing overflows. */
static uint64_t exact(uint64_t cycles, uint32_t mult, uint16_t shift)
{
	return (unsigned __int128)cycles * mult >> shift;
}

TEST(perf_parameters)
{
	const uint16_t shift = 31;
	const uint32_t mult = 1073741824;	/* 2 GHz */
	struct kermon_clock clock;
	uint64_t tsc = 1;
	int i;

	kermon_clock_init(&clock, GHZ2);
	kermon_clock_set(&clock, 12345, mult, shift);
	for (i = 0; i < 63; i++, tsc = tsc * 2 + 1) {
		EXPECT_EQ(12345 + exact(tsc, mult, shift),
			  kermon_clock_time(&clock, tsc));
		EXPECT_EQ(exact(tsc, mult, shift),
			  kermon_clock_duration(&clock, tsc));
	}
}

TEST(pairs)
{
	struct kermon_clock clock;

	kermon_clock_init(&clock, GHZ2);
	kermon_clock_add_pair(&clock, 1000000, 5000000);
	EXPECT_EQ(5000000, kermon_clock_time(&clock, 1000000));
	EXPECT_EQ(5000500, kermon_clock_time(&clock, 1001000));
	EXPECT_EQ(4999500, kermon_clock_time(&clock, 999000));

	/* From here on, the TSC turns out to be a little faster. */
	kermon_clock_add_pair(&clock, 3000000, 5900000);
	EXPECT_EQ(5450000, kermon_clock_time(&clock, 2000000));
	kermon_clock_add_pair(&clock, 5000000, 6900000);
	EXPECT_EQ(5450000, kermon_clock_time(&clock, 2000000));
	EXPECT_EQ(6400000, kermon_clock_time(&clock, 4000000));
	kermon_clock_add_pair(&clock, 7000000, 7900000);
	EXPECT_EQ(6400000, kermon_clock_time(&clock, 4000000));
	EXPECT_EQ(7400000, kermon_clock_time(&clock, 6000000));

	EXPECT_EQ(1000000, kermon_clock_duration(&clock, GHZ2));
}

/* Whatever the pairs are: times that were converted in order remain in order. */
TEST(pairs_never_go_back)
{
	uint64_t tsc = 1ULL << 40, ns = 1ULL << 39, end, time, last = 0;
	struct kermon_clock clock;
	int i;

	srandom(1);
	kermon_clock_init(&clock, GHZ2);
	kermon_clock_add_pair(&clock, tsc, ns);
	for (i = 0; i < 1000; i++) {
		end = tsc + 40000000;
		ns += 20000000 + random() % 200 - 100;
		kermon_clock_add_pair(&clock, end, ns);
		for (; tsc <= end; tsc += 1 + random() % 1000000) {
			time = kermon_clock_time(&clock, tsc);
			ASSERT_GE(time, last);
			last = time;
		}
	}
}

static uint64_t monotonic_raw(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * On this machine: a TSC between two readings of the clock is converted to between them.
 */
TEST(real_pairs)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	uint64_t before, tsc, after, time;
	struct kermon_clock clock;

	kermon_clock_init(&clock, GHZ2);
	ASSERT_EQ(0, kermon_clock_take_pair(&clock));
	nanosleep(&pause, NULL);
	before = monotonic_raw();
	tsc = __rdtsc();
	after = monotonic_raw();
	nanosleep(&pause, NULL);
	ASSERT_EQ(0, kermon_clock_take_pair(&clock));
	time = kermon_clock_time(&clock, tsc);
	/* A pair is as accurate as the time to read a clock: some microseconds. */
	EXPECT_GE(time, before - 20000);
	EXPECT_LE(time, after + 20000);
}

TEST_HARNESS_MAIN
