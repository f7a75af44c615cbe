// SPDX-License-Identifier: GPL-2.0
/* For any number of tasks and CPUs, each task gets its share of all CPUs. */
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "tasks.h"

FIXTURE(hogs)
{
	struct team team;
};

FIXTURE_VARIANT(hogs)
{
	int tasks;
	int cpus;
};

FIXTURE_VARIANT_ADD(hogs, 2_on_1) { .tasks = 2, .cpus = 1 };
FIXTURE_VARIANT_ADD(hogs, 2_on_2) { .tasks = 2, .cpus = 2 };
FIXTURE_VARIANT_ADD(hogs, 3_on_2) { .tasks = 3, .cpus = 2 };
FIXTURE_VARIANT_ADD(hogs, 5_on_2) { .tasks = 5, .cpus = 2 };
FIXTURE_VARIANT_ADD(hogs, 7_on_4) { .tasks = 7, .cpus = 4 };
FIXTURE_VARIANT_ADD(hogs, 16_on_4) { .tasks = 16, .cpus = 4 };

FIXTURE_SETUP(hogs)
{
	ASSERT_EQ(4, sysconf(_SC_NPROCESSORS_ONLN));
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(hogs)
{
	team_free(&self->team);
}

/* Within 3 % of the share. */
TEST_F(hogs, share_evenly)
{
	int share = CPU * variant->cpus / variant->tasks;
	int i;

	for (i = 0; i < variant->tasks; i++)
		ASSERT_EQ(0, confine(team_add(&self->team, hog, SCHED_KERMON,
					      ANY_CPU), variant->cpus));
	team_measure(&self->team, 10000);
	for (i = 0; i < variant->tasks; i++)
		EXPECT_SHARE(i, share, share * 3 / 100);
}

FIXTURE(balance)
{
	struct team team;
};

FIXTURE_SETUP(balance)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(balance)
{
	team_free(&self->team);
}

static pid_t add_hog(struct team *team, int cpus, int nice)
{
	pid_t pid = team_add(team, hog, SCHED_KERMON, ANY_CPU);

	if (confine(pid, cpus) || setpriority(PRIO_PROCESS, pid, nice))
		return -1;
	return pid;
}

/*
 * Balanced by weight, not by number: two tasks per CPU would be equal in
 * number, too.
 */
TEST_F(balance, heavy_tasks_are_kept_apart)
{
	int i;

	for (i = 0; i < 4; i++)
		ASSERT_LT(0, add_hog(&self->team, 2, i < 2 ? 0 : 19));
	team_measure(&self->team, 3000);
	EXPECT_SHARE(0, 985, 15);
	EXPECT_SHARE(1, 985, 15);
}

/* A task that waits for a real-time task moves to a CPU that runs the class. */
TEST_F(balance, real_time_is_left_alone)
{
	int left = real_time_leaves();

	ASSERT_LT(0, add_hog(&self->team, 2, 0));
	ASSERT_LT(0, add_hog(&self->team, 2, 0));
	team_add(&self->team, hog, SCHED_FIFO, 1);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(0, (CPU + left) / 2, 15 + left / 2);
	EXPECT_SHARE(1, (CPU + left) / 2, 15 + left / 2);
	EXPECT_SHARE(2, CPU - left, left ? 20 : 5);
}

/* One task is pinned, so the others are rotated around it. */
TEST_F(balance, around_a_pinned_task)
{
	ASSERT_LT(0, add_hog(&self->team, 1, 0));
	ASSERT_LT(0, add_hog(&self->team, 2, 0));
	ASSERT_LT(0, add_hog(&self->team, 2, 0));
	team_measure(&self->team, 3000);
	EXPECT_LE(500, self->team.tasks[0].share);
	EXPECT_LE(500, self->team.tasks[1].share);
	EXPECT_LE(500, self->team.tasks[2].share);
	EXPECT_SHARE(1, self->team.tasks[2].share, 60);
}

TEST_HARNESS_MAIN
