// SPDX-License-Identifier: GPL-2.0
/*
 * With rotated sets, the counts of a steady program, scaled by the share of
 * time in which each set was counted, equal those of each set counted alone.
 */
#include "kselftest_harness.h"

#include <stdlib.h>

#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define NR_TURNS		3
/* Enough for about twenty turns of a tick each. */
#define BLOCKS		1500
#define ARITHMETIC	2000
#define MEMORY		1000
#define USER(code)	((code) | 1 << 16)

/* Two percent. */
#define TOLERANCE	50

static const struct kermon_event branches[] = {
	{ .config = USER(0x00c0) }, { .config = USER(0x00c4) },
};

static void steady(void *data)
{
	unsigned long block, blocks = *(unsigned long *)data;
	static uint64_t memory[8];

	for (block = 0; block < blocks; block++) {
		code_arithmetic(ARITHMETIC, memory);
		code_memory(MEMORY, memory);
	}
}

/* Run under @nr sets from @first on; return their sums by set. */
static void count(struct __test_metadata *_metadata, unsigned int first,
		  unsigned int nr, struct tally sums[NR_TURNS])
{
	const struct kermon_more_events sets[NR_TURNS] = {
		{ 0, SET_SIZE, (uintptr_t)quantity_set(0)->events },
		{ 1, SET_SIZE, (uintptr_t)quantity_set(1)->events },
		{ 2, 2, (uintptr_t)branches },
	};
	struct kermon_event_set set = plain_set();
	struct records records = {};
	unsigned long blocks = BLOCKS;
	unsigned int i;
	pid_t pid;
	int fd;

	set.set_id = sets[first].set_id;
	set.nr_events = sets[first].nr_events;
	set.events = sets[first].events;
	set.nr_more = nr - 1;
	set.more = (uintptr_t)&sets[first + 1];
	set.rotate_ns = nr > 1 ? KERMON_ROTATE_MIN_NS : 0;
	pid = worker_start(steady, &blocks);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&records, fd), 0);
	close(fd);
	for (i = first; i < first + nr; i++)
		records_tally_set(&records, 0, i, &sums[i]);
	free(records.data);
}

static bool is_near(double estimate, double counted)
{
	double off = estimate > counted ? estimate - counted :
					  counted - estimate;

	return off * TOLERANCE <= counted;
}

TEST(each_is_as_in_a_run_of_its_own)
{
	struct tally turns[NR_TURNS], alone[NR_TURNS];
	unsigned int i, j;
	double total = 0;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	count(_metadata, 0, NR_TURNS, turns);
	for (i = 0; i < NR_TURNS; i++) {
		count(_metadata, i, 1, alone);
		total += turns[i].oncpu;
	}
	for (i = 0; i < NR_TURNS; i++) {
		double scale = total / turns[i].oncpu;

		EXPECT_GT(scale, 2);
		EXPECT_LT(scale, 4);
		for (j = 0; j < (i < 2 ? SET_SIZE : 2); j++) {
			EXPECT_GT(alone[i].events[j], 1000);
			EXPECT_TRUE(is_near(scale * turns[i].events[j],
					    alone[i].events[j]))
				TH_LOG("set %u, event %u: %.0f, alone %lu", i, j,
				       scale * turns[i].events[j],
				       alone[i].events[j]);
		}
	}
}

TEST_HARNESS_MAIN
