// SPDX-License-Identifier: GPL-2.0
/*
 * Constrained events are assigned to counters that can count them, in any
 * order; if they do not fit, the set is rejected.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		10000
#define MAX_EVENTS	8

/* Server models of Intel's family 6. */
#define SKY_LAKE	0x55
#define ICE_LAKE	0x6a

#define USER(code)	{ .config = (code) | 1 << 16 }

/**
 * struct crowd - events that use all counters, if they are assigned correctly
 * @nr: number of events
 * @events: the events
 * @quantities: the quantity that each counts
 */
struct crowd {
	unsigned int nr;
	struct kermon_event events[MAX_EVENTS];
	enum quantity quantities[MAX_EVENTS];
};

/* Four of the eight counters can count memory events. */
static const struct crowd intel_crowd = {
	.nr = 8,
	.events = { USER(0xc0), USER(0xc4), USER(0xc0), USER(0xc4),
		    USER(0x81d0), USER(0xc0), USER(0x82d0), USER(0xc4) },
	.quantities = { INSTRUCTIONS, BRANCHES, INSTRUCTIONS, BRANCHES,
			LOADS, INSTRUCTIONS, STORES, BRANCHES },
};

static const struct kermon_event intel_too_many[] = {
	USER(0x81d0), USER(0x82d0), USER(0x81d0), USER(0x82d0), USER(0x81d0),
};

/* Events of operations need an even counter and the next one. */
static const struct crowd amd_crowd = {
	.nr = 4,
	.events = { USER(0xc0), USER(0x0103), USER(0xc2), USER(0x0203) },
	.quantities = { INSTRUCTIONS, ADD_FLOPS, BRANCHES, MULTIPLY_FLOPS },
};

static const struct kermon_event amd_too_many[] = {
	USER(0x0103), USER(0x0203), USER(0x0103), USER(0xc0),
};

static const struct crowd legacy_crowd = {
	.nr = 3,
	.events = { USER(0xc0), USER(0x0103), USER(0xc2) },
	.quantities = { INSTRUCTIONS, ADD_FLOPS, BRANCHES },
};

static const struct kermon_event legacy_too_many[] = {
	USER(0x0103), USER(0x0203), USER(0xc0),
};

/* perf does not merge legacy counters, so beside it there are no pairs. */
static const struct crowd single_crowd = {
	.nr = 2,
	.events = { USER(0xc0), USER(0xc2) },
	.quantities = { INSTRUCTIONS, BRANCHES },
};

static const struct kermon_event single_too_many[] = {
	USER(0xc0), USER(0xc2), USER(0xc0), USER(0xc2), USER(0xc0),
};

static bool lacks_pairs(void)
{
	return cpu_is_amd() && cpu_is_legacy() && counters_are_shared();
}

static const struct crowd *crowd_of_cpu(void)
{
	if (!cpu_is_amd())
		return &intel_crowd;
	if (lacks_pairs())
		return &single_crowd;
	return cpu_is_legacy() ? &legacy_crowd : &amd_crowd;
}

/* A set with one event too many. */
static struct kermon_event_set too_large_set(void)
{
	struct kermon_event_set set = plain_set();

	if (!cpu_is_amd()) {
		set.nr_events = ARRAY_SIZE(intel_too_many);
		set.events = (uintptr_t)intel_too_many;
	} else if (lacks_pairs()) {
		set.nr_events = ARRAY_SIZE(single_too_many);
		set.events = (uintptr_t)single_too_many;
	} else if (cpu_is_legacy()) {
		set.nr_events = ARRAY_SIZE(legacy_too_many);
		set.events = (uintptr_t)legacy_too_many;
	} else {
		set.nr_events = ARRAY_SIZE(amd_too_many);
		set.events = (uintptr_t)amd_too_many;
	}
	return set;
}

static uint64_t memory[8];

static void work(void *data)
{
	const uint64_t *rounds = data;

	code_arithmetic(*rounds, NULL);
	code_memory(*rounds, memory);
}

static void count(struct __test_metadata *_metadata, const struct crowd *crowd,
		  uint64_t rounds, struct tally *tally)
{
	struct kermon_event_set set = plain_set();

	set.nr_events = crowd->nr;
	set.events = (uintptr_t)crowd->events;
	ASSERT_EQ(tally_worker(work, &rounds, &set, tally), 0)
		TH_LOG("%s", strerror(errno));
}

TEST(every_event_has_a_counter)
{
	const struct crowd *crowd = crowd_of_cpu();
	struct tally with, without;
	unsigned int i;

	count(_metadata, crowd, ROUNDS, &with);
	count(_metadata, crowd, 0, &without);
	for (i = 0; i < crowd->nr; i++) {
		enum quantity quantity = crowd->quantities[i];

		EXPECT_EQ(with.events[i] - without.events[i],
			  ROUNDS * (arithmetic_round[quantity] +
				    memory_round[quantity]))
			TH_LOG("event %u", i);
	}
}

/* Rather than counts that are too low. */
TEST(pairs_need_perf)
{
	const struct kermon_event flops = USER(0x0103);
	struct kermon_event_set set = plain_set();
	int fd;

	set.nr_events = 1;
	set.events = (uintptr_t)&flops;
	fd = set_events(0, &set, sizeof(set), 0);
	if (lacks_pairs()) {
		EXPECT_EQ(fd, -1);
		EXPECT_EQ(errno, EBUSY);
	} else if (cpu_is_amd()) {
		EXPECT_GE(fd, 0);
	}
}

TEST(too_many_for_some_counters)
{
	struct kermon_event_set set = too_large_set();

	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, ENOSPC);
	set.nr_events--;
	EXPECT_GE(set_events(0, &set, sizeof(set), 0), 0);
}

/*
 * Monitor a set of @nr equal events: 0 or errno. EINVAL means that the events
 * fit but the PMU model does not support them.
 */
static int count_copies(struct kermon_event event, unsigned int nr)
{
	struct kermon_event events[MAX_EVENTS + 1];
	struct kermon_event_set set = plain_set();
	unsigned int i;
	int fd;

	for (i = 0; i < nr; i++)
		events[i] = event;
	set.nr_events = nr;
	set.events = (uintptr_t)events;
	fd = set_events(0, &set, sizeof(set), 0);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/**
 * struct scarce - an event that only some counters can count
 * @model: of an Intel CPU
 * @event: its event select and unit mask
 * @counters: number of counters that can count it: Intel's event lists, by model
 */
static const struct scarce {
	unsigned int model;
	struct kermon_event event;
	unsigned int counters;
} scarce[] = {
	{ SKY_LAKE, USER(0x01c0), 1 },	/* INST_RETIRED.PREC_DIST */
	{ SKY_LAKE, USER(0x01d1), 4 },	/* MEM_LOAD_RETIRED.L1_HIT */
	{ SKY_LAKE, USER(0x00c4), 8 },	/* BR_INST_RETIRED.ALL_BRANCHES */
	{ ICE_LAKE, USER(0x0148), 4 },	/* L1D_PEND_MISS.PENDING */
	{ ICE_LAKE, USER(0x0151), 4 },	/* L1D.REPLACEMENT */
	{ ICE_LAKE, USER(0x08a3), 4 },	/* CYCLE_ACTIVITY.CYCLES_L1D_MISS */
	{ ICE_LAKE, USER(0x04a3), 8 },	/* CYCLE_ACTIVITY.STALLS_TOTAL */
	{ ICE_LAKE, USER(0x00c4), 8 },	/* BR_INST_RETIRED.ALL_BRANCHES */
};

TEST(as_many_as_count_it)
{
	unsigned int i, tried = 0;

	for (i = 0; i < ARRAY_SIZE(scarce); i++) {
		const struct scarce *each = &scarce[i];

		if (cpu_is_amd() || each->model != cpu_model())
			continue;
		tried++;
		EXPECT_NE(count_copies(each->event, each->counters), ENOSPC)
			TH_LOG("event %u", i);
		EXPECT_EQ(count_copies(each->event, each->counters + 1),
			  ENOSPC) TH_LOG("event %u", i);
	}
	EXPECT_EQ(tried > 0, !cpu_is_amd());
}

/* What they count depends on a register that KerMon does not set. */
TEST(events_of_other_registers_are_refused)
{
	static const struct kermon_event branches = USER(0x00c4), latency = USER(0x01cd),
					 frontend = USER(0x01c6);

	if (cpu_is_amd())
		return;
	EXPECT_EQ(count_copies(branches, 1), 0);
	EXPECT_EQ(count_copies(latency, 1), EINVAL);
	if (cpu_model() == SKY_LAKE || cpu_model() == ICE_LAKE)
		EXPECT_EQ(count_copies(frontend, 1), EINVAL);
}

/* Two events that use the same offcore register must agree on its value. */
TEST(offcore_registers_are_shared)
{
	const struct kermon_event reads = { .config = 0x101b7, .extra = 0x10001 };
	const struct kermon_event writes = { .config = 0x101b7,
					     .extra = 0x10002 };
	const struct kermon_event two[] = { reads, writes };
	const struct kermon_event hostile = { .config = 0x101b7,
					      .extra = 1ULL << 63 };
	struct kermon_event_set set = plain_set();

	EXPECT_EQ(count_copies(hostile, 1), EINVAL);
	if (cpu_is_amd())
		return;
	EXPECT_EQ(count_copies((struct kermon_event)USER(0x01b7), 1), EINVAL);
	EXPECT_NE(count_copies(reads, 2), ENOSPC);
	set.nr_events = 2;
	set.events = (uintptr_t)two;
	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, ENOSPC);
}

/*
 * Bits 32 to 35 are allowed on AMD only, and the merge event is reserved for
 * the kernel.
 */
TEST(event_select_of_twelve_bits)
{
	const struct kermon_event merge = USER(0xf000000ff);
	const struct kermon_event wide = USER(0x100000120);
	struct kermon_event_set set = plain_set();
	int fd;

	set.nr_events = 1;
	set.events = (uintptr_t)&merge;
	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, EINVAL);
	set.events = (uintptr_t)&wide;
	fd = set_events(0, &set, sizeof(set), 0);
	EXPECT_EQ(fd >= 0, cpu_is_amd());
	close(fd);
}

TEST_HARNESS_MAIN
