// SPDX-License-Identifier: GPL-2.0
/* Shares of a CPU and latencies, within the class and beside it. */
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "tasks.h"

FIXTURE(shares)
{
	struct team team;
};

FIXTURE_SETUP(shares)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(shares)
{
	team_free(&self->team);
}

/* Real-time tasks preempt the class. */
TEST_F(shares, after_real_time)
{
	int left = real_time_leaves();

	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_FIFO, 1);
	/* The current period is not throttled any more. */
	usleep(1000000);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(0, left, left ? 20 : 1);
	EXPECT_SHARE(1, CPU - left, left ? 20 : 5);
}

/* If not pinned, it moves away from the CPU of the real-time task. */
TEST_F(shares, beside_real_time)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	cpu_set_t both;

	CPU_ZERO(&both);
	CPU_SET(0, &both);
	CPU_SET(1, &both);
	usleep(100000);
	ASSERT_EQ(0, sched_setaffinity(pid, sizeof(both), &both));
	team_add(&self->team, hog, SCHED_FIFO, 1);
	team_measure(&self->team, 1000);
	EXPECT_SHARE(0, 1000, 20);
	EXPECT_SHARE(1, 1000, 20);
}

TEST_F(shares, sleeper_over_a_fair_hog)
{
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_add(&self->team, sleep_by_the_millisecond, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_LE(800, self->team.rounds->nr);
	EXPECT_GE(1000, self->team.rounds->worst_us);
}

TEST_F(shares, sleeper_over_a_hog)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, sleep_by_the_millisecond, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_LE(800, self->team.rounds->nr);
	EXPECT_GE(1000, self->team.rounds->worst_us);
}

/* The sleepers run immediately on wakeup, the hogs get the rest. */
TEST_F(shares, of_hogs_and_sleepers)
{
	int i, rest = CPU;

	for (i = 0; i < 6; i++)
		team_add(&self->team, i < 2 ? hog : sleep_by_the_millisecond,
			 SCHED_KERMON, 1);
	team_measure(&self->team, 10000);
	EXPECT_GT(1000, rounds_median_us(self->team.rounds));
	for (i = 2; i < 6; i++)
		rest -= self->team.tasks[i].share;
	EXPECT_SHARE(0, rest / 2, rest / 2 * 3 / 100);
	EXPECT_SHARE(1, rest / 2, rest / 2 * 3 / 100);
}

TEST_F(shares, of_three_on_one_cpu)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_SHARE(0, 333, 10);
	EXPECT_SHARE(1, 333, 10);
	EXPECT_SHARE(2, 333, 10);
}

/* Weights 1024, 335 and 110. */
TEST_F(shares, by_nice)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	setpriority(PRIO_PROCESS,
		    team_add(&self->team, hog, SCHED_KERMON, 1), 5);
	setpriority(PRIO_PROCESS,
		    team_add(&self->team, hog, SCHED_KERMON, 1), 10);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(0, 697, 20);
	EXPECT_SHARE(1, 228, 6);
	EXPECT_SHARE(2, 75, 2);
}

/*
 * Before EEVDF, the fair class shares the remaining time of several CPUs less
 * evenly: deviations of up to 9 % were observed, and similar ones, 246 to 283,
 * beside a FIFO task that stock 6.1 throttles to the same share. Not accounting
 * for the time of the class would make it 20 to 50.
 */
static int fair_tolerance(void)
{
	return access("/sys/kernel/debug/sched/base_slice_ns", F_OK) ? 12 : 3;
}

/*
 * Fair load balancing must notice that a CPU is busy even if no fair task is on
 * it.
 */
TEST_F(shares, of_fair_tasks_beside_a_hog)
{
	int i, left = 0, tolerance = fair_tolerance();

	team_add(&self->team, hog, SCHED_KERMON, 1);
	for (i = 1; i < 5; i++)
		team_add(&self->team, hog, SCHED_OTHER, ANY_CPU);
	usleep(500000);
	team_measure(&self->team, 10000);
	for (i = 1; i < 5; i++)
		left += self->team.tasks[i].share;
	for (i = 1; i < 5; i++)
		EXPECT_SHARE(i, left / 4, left / 4 * tolerance / 100);
}

/* Each child starts one slice behind. */
TEST_F(shares, beside_one_that_forks)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, fork_often, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_LE(500, self->team.tasks[0].share);
	EXPECT_LE(20, self->team.rounds->nr);
}

/* It continues, but only after the others have had their slices. */
TEST_F(shares, beside_one_that_yields)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, yield_often, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_LE(950, self->team.tasks[0].share);
	EXPECT_LE(200, self->team.rounds->nr);
}

TEST_HARNESS_MAIN
