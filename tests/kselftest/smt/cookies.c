// SPDX-License-Identifier: GPL-2.0
/*
 * Core scheduling: the two CPUs are threads of one core, and only tasks with
 * the same cookie may run there at once.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/prctl.h>

#include "kselftest_harness.h"

#include "tasks.h"

FIXTURE(cookies)
{
	struct team team;
};

FIXTURE_SETUP(cookies)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(cookies)
{
	team_free(&self->team);
}

static int core(int command, pid_t pid)
{
	return prctl(PR_SCHED_CORE, command, pid, PR_SCHED_CORE_SCOPE_THREAD, 0);
}

/* Without one, nobody minds. */
TEST_F(cookies, none)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_measure(&self->team, 1000);
	EXPECT_LE(950, self->team.tasks[0].share);
	EXPECT_LE(950, self->team.tasks[1].share);
}

TEST_F(cookies, same)
{
	pid_t one = team_add(&self->team, hog, SCHED_KERMON, 0);
	pid_t two = team_add(&self->team, hog, SCHED_KERMON, 1);

	/* By way of the test, which has it from then on. */
	ASSERT_EQ(0, core(PR_SCHED_CORE_CREATE, one));
	ASSERT_EQ(0, core(PR_SCHED_CORE_SHARE_FROM, one));
	ASSERT_EQ(0, core(PR_SCHED_CORE_SHARE_TO, two));
	team_measure(&self->team, 1000);
	/* Threads of the kernel have none: one CPU idles while they run. */
	EXPECT_LE(850, self->team.tasks[0].share);
	EXPECT_LE(850, self->team.tasks[1].share);
}

TEST_HARNESS_MAIN
