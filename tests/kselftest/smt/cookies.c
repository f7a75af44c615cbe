// SPDX-License-Identifier: GPL-2.0
/*
 * Core scheduling: the two CPUs are threads of one core, and only tasks with
 * the same cookie may run there at the same time.
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

/* Without cookies there are no restrictions. */
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

	/* Through the test itself, which has the cookie from then on. */
	ASSERT_EQ(0, core(PR_SCHED_CORE_CREATE, one));
	ASSERT_EQ(0, core(PR_SCHED_CORE_SHARE_FROM, one));
	ASSERT_EQ(0, core(PR_SCHED_CORE_SHARE_TO, two));
	team_measure(&self->team, 1000);
	/* Kernel threads have none: one CPU is forced idle while they run. */
	EXPECT_LE(850, self->team.tasks[0].share);
	EXPECT_LE(850, self->team.tasks[1].share);
}

/* Each with a cookie of its own. */
static void set_apart(struct __test_metadata *_metadata, struct team *team)
{
	int i;

	for (i = 0; i < team->nr; i++)
		ASSERT_EQ(0, core(PR_SCHED_CORE_CREATE,
				  team->tasks[i].child.pid));
}

/* They take turns on the core. */
TEST_F(cookies, two)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	set_apart(_metadata, &self->team);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(0, 475, 50);
	EXPECT_SHARE(1, 475, 50);
}

/* Each task has its share of the core, whichever CPU it waits on. */
TEST_F(cookies, three)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	set_apart(_metadata, &self->team);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(0, 320, 30);
	EXPECT_SHARE(1, 320, 30);
	EXPECT_SHARE(2, 320, 30);
}

/* A fair task keeps its reserve on the other CPU of a core as well. */
TEST_F(cookies, fair_beside_one)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	set_apart(_metadata, &self->team);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(0, 940, 25);
	EXPECT_SHARE(1, 55, 20);
}

TEST_F(cookies, fair_beside_two)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	set_apart(_metadata, &self->team);
	team_measure(&self->team, 10000);
	EXPECT_SHARE(0, 470, 50);
	EXPECT_SHARE(1, 470, 50);
	EXPECT_SHARE(2, 55, 20);
}

TEST_F(cookies, sleeper_beside_one)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, sleep_by_the_millisecond, SCHED_OTHER, 1);
	set_apart(_metadata, &self->team);
	team_measure(&self->team, 10000);
	EXPECT_LE(100, self->team.rounds->nr);
	EXPECT_GE(100000, self->team.rounds->worst_us);
}

#define AWAY_MS	3000

static int go_away_for_long(void *rounds)
{
	long long begin = now_ns();

	while (now_ns() < begin + 300000000)
		;
	usleep(AWAY_MS * 1000);
	return hog(rounds);
}

/* A task that slept for long while its core was contended gets no bonus. */
TEST_F(cookies, back_after_long)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_add(&self->team, go_away_for_long, SCHED_KERMON, 1);
	set_apart(_metadata, &self->team);
	usleep((AWAY_MS + 400) * 1000);
	team_measure(&self->team, 500);
	EXPECT_SHARE(0, 470, 60);
	EXPECT_SHARE(2, 470, 60);
}

/* Tasks without cookies, while a task elsewhere has one. */
static void have_a_cookie_elsewhere(struct __test_metadata *_metadata)
{
	ASSERT_EQ(0, core(PR_SCHED_CORE_CREATE, getpid()));
}

TEST_F(cookies, elsewhere_fair_beside_one)
{
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_OTHER, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	have_a_cookie_elsewhere(_metadata);
	team_measure(&self->team, 3000);
	EXPECT_SHARE(1, 55, 20);
	EXPECT_LE(985, self->team.tasks[2].share);
}

TEST_F(cookies, elsewhere_beside_real_time)
{
	team_add(&self->team, hog, SCHED_FIFO, 0);
	team_add(&self->team, hog, SCHED_OTHER, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	have_a_cookie_elsewhere(_metadata);
	team_measure(&self->team, 5000);
	EXPECT_LE(940, self->team.tasks[2].share);
}

/*
 * A real-time task takes the whole core from the class. In stock 6.12, the task
 * chosen by the deadline server of a CPU is compared with the tasks of the
 * sibling CPU as the fair task that it is, and may wait there for a real-time
 * task forever, and real-time tasks of its own CPU behind it. So there is no
 * such test with a fair task.
 */
TEST_F(cookies, real_time_first)
{
	team_add(&self->team, hog, SCHED_FIFO, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	set_apart(_metadata, &self->team);
	ASSERT_EQ(0, pin(0, 0));
	team_measure(&self->team, 3000);
	EXPECT_LE(900, self->team.tasks[0].share);
	EXPECT_GE(real_time_leaves() + 10, self->team.tasks[1].share);
	/* Otherwise the other task cannot even exit. */
	EXPECT_EQ(0, set_policy(self->team.tasks[0].child.pid, SCHED_OTHER));
}

TEST_HARNESS_MAIN
