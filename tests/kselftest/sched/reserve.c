// SPDX-License-Identifier: GPL-2.0
/* The reserve of lower classes beside tasks of the class that never sleep. */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "files.h"
#include "tasks.h"

#define PERIOD	"/proc/sys/kernel/sched_kermon_period_us"
#define RESERVE	"/proc/sys/kernel/sched_kermon_reserve_us"

FIXTURE(reserve)
{
	struct team team;
};

FIXTURE_SETUP(reserve)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(reserve)
{
	team_free(&self->team);
	EXPECT_TRUE(write_file(PERIOD, "90000"));
	EXPECT_TRUE(write_file(RESERVE, "5000"));
}

/* The reserve, plus what the deadline server may add at the start. */
TEST_F(reserve, of_a_fair_task)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(0, 945, 20);
	EXPECT_SHARE(1, 55, 20);
}

TEST_F(reserve, on_every_cpu)
{
	int cpu;

	for (cpu = 0; cpu < 2; cpu++) {
		team_add(&self->team, hog, SCHED_KERMON, cpu);
		team_add(&self->team, hog, SCHED_OTHER, cpu);
	}
	team_measure(&self->team, 10000);
	EXPECT_SHARE(1, 55, 20);
	EXPECT_SHARE(3, 55, 20);
}

/* The reserve does not depend on the number of tasks in the class. */
TEST_F(reserve, beside_many)
{
	int i;

	for (i = 0; i < 5; i++)
		team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(5, 55, 20);
}

TEST_F(reserve, wakes_a_fair_sleeper_in_time)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	usleep(500000);
	team_add(&self->team, sleep_by_the_millisecond, SCHED_OTHER, 1);
	team_measure(&self->team, 10000);
	EXPECT_LE(100, self->team.rounds->nr);
	EXPECT_GE(100000, self->team.rounds->worst_us);
}

/*
 * The reserve applies to the time that a real-time task leaves. A deadline
 * server gives the fair task 50 ms per second of all time, if it gets less.
 */
TEST_F(reserve, beside_a_real_time_task)
{
	int served = real_time_leaves() ? 0 : 50;

	team_add(&self->team, busy_3_ms_of_5, SCHED_FIFO, 1);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(0, 600, 10);
	EXPECT_LE(22 - 4, self->team.tasks[2].share);
	EXPECT_GE(22 + 4 + served, self->team.tasks[2].share);
}

/* 10 ms in 40 ms. */
TEST_F(reserve, is_what_the_administrator_says)
{
	ASSERT_TRUE(write_file(PERIOD, "40000"));
	ASSERT_TRUE(write_file(RESERVE, "10000"));
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(1, 250, 50);
}

TEST_F(reserve, has_bounds)
{
	static const char * const values[][2] = {
		{ PERIOD, "19999" }, { PERIOD, "500001" }, { PERIOD, "-1" },
		{ RESERVE, "999" }, { RESERVE, "10001" }, { RESERVE, "0" },
	};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		EXPECT_FALSE(write_file(values[i][0], values[i][1]));
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_HARNESS_MAIN
