// SPDX-License-Identifier: GPL-2.0
/* The cost of an access, from the times of runs of a loop. */
#include <errno.h>

#include "kselftest_harness.h"

#include "machine/costs.h"

#define TIMES	16
#define NR	10

/* A loop that takes 32 cycles, disturbed once in ten times. */
FIXTURE(costs) {
	struct kermon_access_costs costs;
	uint32_t cycles[NR];
};

FIXTURE_SETUP(costs)
{
	int i;

	memset(&self->costs, 0, sizeof(self->costs));
	for (i = 0; i < NR; i++)
		self->cycles[i] = i == 3 ? 100000 : 32;
	ASSERT_EQ(0, costs_add(&self->costs, KERMON_ACCESS_NONE, TIMES,
			       self->cycles, NR));
}

FIXTURE_TEARDOWN(costs)
{
}

TEST_F(costs, of_the_loop)
{
	EXPECT_EQ(1U << KERMON_ACCESS_NONE, self->costs.known);
	EXPECT_EQ(2, self->costs.of[KERMON_ACCESS_NONE].minimum);
	EXPECT_EQ(2, self->costs.of[KERMON_ACCESS_NONE].median);
	EXPECT_EQ(2, self->costs.of[KERMON_ACCESS_NONE].most);
}

TEST_F(costs, without_the_loop)
{
	const struct kermon_access_cost *cost =
		&self->costs.of[KERMON_ACCESS_WRMSR];
	int i;

	for (i = 0; i < NR; i++)
		self->cycles[i] = 32 + TIMES * (100 + (NR - i));
	ASSERT_EQ(0, costs_add(&self->costs, KERMON_ACCESS_WRMSR, TIMES,
			       self->cycles, NR));
	EXPECT_EQ(101, cost->minimum);
	EXPECT_EQ(105, cost->median);
	EXPECT_EQ(109, cost->most);
}

TEST_F(costs, never_below_nothing)
{
	self->cycles[0] = 31;
	ASSERT_EQ(0, costs_add(&self->costs, KERMON_ACCESS_RDTSC, TIMES,
			       self->cycles, 1));
	EXPECT_EQ(0, self->costs.of[KERMON_ACCESS_RDTSC].minimum);
}

TEST_F(costs, that_make_no_sense)
{
	EXPECT_EQ(-EBADMSG, costs_add(&self->costs, KERMON_ACCESS_COUNT, TIMES,
				      self->cycles, NR));
	EXPECT_EQ(-EBADMSG, costs_add(&self->costs, KERMON_ACCESS_RDPMC, 0,
				      self->cycles, NR));
	EXPECT_EQ(-EBADMSG, costs_add(&self->costs, KERMON_ACCESS_RDPMC, TIMES,
				      self->cycles, 0));
	EXPECT_EQ(-EBADMSG, costs_add(&self->costs, KERMON_ACCESS_NONE, TIMES,
				      self->cycles, NR));
	self->costs.known = 0;
	EXPECT_EQ(-EBADMSG, costs_add(&self->costs, KERMON_ACCESS_RDPMC, TIMES,
				      self->cycles, NR));
}

TEST_HARNESS_MAIN
