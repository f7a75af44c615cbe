// SPDX-License-Identifier: GPL-2.0
/*
 * Set 2 as the module counts it for a process: each round of a walk adds a
 * known number of misses.
 */
#include "kselftest_harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "area.h"
#include "counter.h"
#include "events.h"
#include "log.h"
#include "msr.h"
#include "registers.h"
#include "tally.h"
#include "walk.h"
#include "worker.h"

#define ROUNDS		1000

/* Tolerance in percent, for lines evicted by interrupts. */
#define SLACK		1

#define USER(code)	((code) | 1 << 16)

/*
 * Misses per round, in the order of the events: 65 lines in a set of the L1, 9
 * of them in one set of the L2; 17 lines in a set of the L3; code like the
 * first.
 */
static const uint64_t round_misses[NR_COUNTERS] = {
	65 + 17, 9 + 17 + 9, 9, 17,
};

static void work(void *data)
{
	const uint64_t *rounds = data;
	struct walk walk = {
		.start = (uintptr_t)area,
		.stride = PAGE,
		.steps = 65,
		.rounds = *rounds,
	};

	walk_loads(&walk);
	walk_write_code(&walk);
	walk_code(&walk);
	walk.stride = L3_PAGES * PAGE;
	walk.steps = 17;
	walk_loads(&walk);
}

static void fill_events(struct kermon_event events[NR_COUNTERS])
{
	static const enum cache_event list[NR_COUNTERS] = {
		L1D_FILLS, LLC_REFERENCES, L2_CODE_MISSES, OFFCORE,
	};
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		struct perf_event_attr attr =
			cache_event_attr(list[i], ANY_REQUEST | L3_MISS);

		events[i] = (struct kermon_event) {
			.config = USER(attr.config),
			.extra = attr.config1,
		};
	}
}

/* Set 2, in @events. */
static struct kermon_event_set fill_set(struct kermon_event events[NR_COUNTERS])
{
	struct kermon_event_set set = plain_set();

	fill_events(events);
	set.nr_events = NR_COUNTERS;
	set.events = (uintptr_t)events;
	return set;
}

/* The events from @from on. */
static void count(struct __test_metadata *_metadata, int from, uint64_t rounds,
		  struct tally *tally)
{
	struct kermon_event events[NR_COUNTERS];
	struct kermon_event_set set = fill_set(events);

	set.nr_events -= from;
	set.events = (uintptr_t)&events[from];
	ASSERT_EQ(tally_worker(work, &rounds, &set, tally), 0)
		TH_LOG("%s", strerror(errno));
}

/* The cold misses around the rounds are the same in all runs. */
static void check_misses(struct __test_metadata *_metadata, int from)
{
	struct tally first, second;
	int i;

	ASSERT_TRUE(rdpmc_allow("2"));	/* walks read counters */
	count(_metadata, from, ROUNDS, &first);
	count(_metadata, from, ROUNDS, &first);
	count(_metadata, from, 2 * ROUNDS, &second);
	ASSERT_TRUE(rdpmc_allow("1"));
	for (i = from; i < NR_COUNTERS; i++) {
		int64_t misses = second.events[i - from] - first.events[i - from];
		int64_t known = ROUNDS * round_misses[i];

		TH_LOG("event %d: %ld, expected %ld", i, misses, known);
		EXPECT_LE(labs(misses - known), known * SLACK / 100);
	}
}

TEST(misses_of_a_process)
{
	check_misses(_metadata, 0);
}

/* Another application has the first register: perf gives the second one, and its code. */
TEST(misses_beside_another_value)
{
	const struct kermon_event event = {
		.config = USER(cache_event_attr(OFFCORE, 0).config),
		.extra = ANY_REQUEST | L3_HIT,
	};
	struct kermon_event_set set = plain_set();
	struct child child;
	int other;

	set.nr_events = 1;
	set.events = (uintptr_t)&event;
	child_start(&child, NULL, NULL);
	other = set_events(child.pid, &set, sizeof(set), 0);
	ASSERT_GE(other, 0) TH_LOG("%s", strerror(errno));
	check_misses(_metadata, 1);
	close(other);
	child_kill(&child);
}

/* perf leaves its value in the register after counting. */
static uint64_t leave_in_offcore(int msr, uint64_t value)
{
	struct perf_event_attr attr = cache_event_attr(OFFCORE, value);
	int fd;

	attr.disabled = 0;
	fd = event_open(&attr, -1);
	close(fd);
	return msr_value(msr, MSR_OFFCORE_RSP_0);
}

/* KerMon restores it where it has all counters; beside perf, that does as it does. */
TEST(offcore_register_is_as_before)
{
	const uint64_t before = DATA_READ | ANY_RESPONSE;
	struct kermon_event events[NR_COUNTERS];
	struct kermon_event_set set = fill_set(events);
	const bool shared = counters_are_shared();
	int msr = msr_open(), fd;

	share_counters(false);
	ASSERT_EQ(leave_in_offcore(msr, before), before);
	fd = set_events(0, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	/* Let some time pass since it was switched in. */
	usleep(1000);
	EXPECT_EQ(msr_value(msr, MSR_OFFCORE_RSP_0), ANY_REQUEST | L3_MISS);
	close(fd);
	EXPECT_EQ(msr_value(msr, MSR_OFFCORE_RSP_0), before);
	close(msr);
	share_counters(shared);
}

TEST_HARNESS_MAIN
