// SPDX-License-Identifier: GPL-2.0
/*
 * Placement and migration of tasks. CPUs 0 and 1 are threads of one core, 2 and
 * 3 of another.
 */
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "files.h"
#include "tasks.h"

#define PERIOD	"/proc/sys/kernel/sched_kermon_period_us"
#define RESERVE	"/proc/sys/kernel/sched_kermon_reserve_us"

FIXTURE(placement)
{
	struct team team;
};

FIXTURE_SETUP(placement)
{
	ASSERT_EQ(4, sysconf(_SC_NPROCESSORS_ONLN));
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(placement)
{
	team_free(&self->team);
}

/* See proc(5). */
static int cpu_of(pid_t pid)
{
	return stat_field(pid, 39);
}

/* Sum a field of kernel/sched/kermon_stats.c over the queues of all CPUs. */
static int sum_of(const char *name)
{
	char section[32];
	int cpu, sum = 0;

	for (cpu = 0; cpu < 4; cpu++) {
		snprintf(section, sizeof(section), "kermon_rq[%d]", cpu);
		sum += value_in(QUEUES, section, name);
	}
	return sum;
}

#define LOOKS	21

/*
 * The CPUs are read one after the other, so a task that migrates meanwhile is
 * counted twice or not at all. Returns how many of LOOKS gave @wanted.
 */
static int looks_that_find(const char *name, int wanted)
{
	int found = 0, look;

	for (look = 0; look < LOOKS; look++) {
		found += sum_of(name) == wanted;
		usleep(3000);
	}
	return found;
}

/* The CPU where it slept is idle, but its sibling is not. */
TEST_F(placement, on_an_idle_core)
{
	pid_t pid;

	/*
	 * The test itself must not run on the other core when the kernel looks.
	 */
	ASSERT_EQ(0, pin(0, 1));
	pid = team_add(&self->team, sleep_by_the_millisecond, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	usleep(50000);
	EXPECT_EQ(0, cpu_of(pid));
	ASSERT_EQ(0, confine(pid, 4));
	usleep(50000);
	EXPECT_LE(2, cpu_of(pid));
}

/* No other CPU can take pinned tasks, so none must try. */
TEST_F(placement, of_pinned_tasks_is_final)
{
	pid_t one = team_add(&self->team, hog, SCHED_KERMON, 1);

	team_add(&self->team, hog, SCHED_KERMON, 1);
	usleep(50000);
	EXPECT_EQ(2, sum_of("nr_running"));
	EXPECT_EQ(0, sum_of("nr_movable"));
	EXPECT_EQ(0, sum_of("overloaded"));

	/*
	 * Three tasks for two CPUs: one waits, and a task on that CPU may move.
	 */
	team_add(&self->team, hog, SCHED_KERMON, 0);
	ASSERT_EQ(0, confine(one, 2));
	usleep(50000);
	EXPECT_LT(LOOKS / 2, looks_that_find("nr_movable", 1));
	EXPECT_LT(LOOKS / 2, looks_that_find("overloaded", 1));
}

/* The number of movable tasks follows changes of affinity. */
TEST_F(placement, follows_affinity)
{
	int round, i;

	for (i = 0; i < 8; i++)
		team_add(&self->team, i % 2 ? sleep_by_the_millisecond : hog,
			 SCHED_KERMON, ANY_CPU);
	for (round = 0; round < 200; round++) {
		EXPECT_EQ(0, confine(self->team.tasks[round % 8].child.pid,
				     1 + round % 3));
		usleep(500);
	}
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, confine(self->team.tasks[i].child.pid, 1));
	usleep(50000);
	EXPECT_EQ(0, sum_of("nr_movable"));
	EXPECT_EQ(0, sum_of("overloaded"));
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, set_policy(self->team.tasks[i].child.pid,
					SCHED_OTHER));
	EXPECT_EQ(0, sum_of("nr_running"));
	EXPECT_EQ(0, sum_of("load"));
}

/*
 * A task waits behind a real-time task for 50 ms before it joins other tasks of
 * the class.
 */
TEST_F(placement, is_kept_for_a_while)
{
	pid_t pid;

	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_FIFO, 1);
	usleep(100000);
	pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	ASSERT_EQ(0, confine(pid, 2));
	usleep(25000);
	EXPECT_EQ(1, cpu_of(pid));
	usleep(50000);
	EXPECT_EQ(0, cpu_of(pid));
}

static int yield_and_hog(void *arg)
{
	struct rounds *rounds = arg;
	int i;

	for (i = 0; i < 1000; i++)
		sched_yield();
	rounds->nr = 1;
	return hog(arg);
}

/*
 * A task that yields did not receive the CPU time of the others: its due is two
 * thirds.
 */
TEST_F(placement, takes_no_yield_for_service)
{
	int i;
	pid_t pid;

	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, confine(team_add(&self->team, hog, SCHED_KERMON,
					      ANY_CPU), 2));
	usleep(500000);
	/*
	 * A light task, which is far behind after each slice: yielding to it
	 * has no effect.
	 */
	pid = team_add(&self->team, hog, SCHED_KERMON, 2);
	ASSERT_EQ(0, setpriority(PRIO_PROCESS, pid, 19));
	pid = team_add(&self->team, yield_and_hog, SCHED_KERMON, 2);
	for (i = 0; i < 1000 && !self->team.rounds->nr; i++)
		usleep(1000);
	ASSERT_EQ(1, self->team.rounds->nr);
	ASSERT_EQ(0, confine(pid, 2));
	team_measure(&self->team, 300);
	EXPECT_LE(CPU * 2 / 3, self->team.tasks[3].share);
}

FIXTURE(server)
{
	struct team team;
};

FIXTURE_SETUP(server)
{
	ASSERT_TRUE(team_init(&self->team));
	ASSERT_TRUE(write_file(PERIOD, "500000"));
	ASSERT_TRUE(write_file(RESERVE, "1000"));
}

FIXTURE_TEARDOWN(server)
{
	team_free(&self->team);
	EXPECT_TRUE(write_file(RESERVE, "5000"));
	EXPECT_TRUE(write_file(PERIOD, "90000"));
}

/*
 * With such a small reserve the deadline server, if there is one, gives fair
 * tasks 5 %. That is their due on each CPU, and no reason for tasks to migrate.
 */
TEST_F(server, does_not_make_tasks_move)
{
	pid_t pid;
	double before;

	team_add(&self->team, hog, SCHED_OTHER, 0);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	pid = team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	ASSERT_EQ(0, confine(pid, 2));
	usleep(100000);
	before = value_of_task(pid, "se.nr_migrations");
	team_measure(&self->team, 3000);
	EXPECT_EQ(before, value_of_task(pid, "se.nr_migrations"));
	EXPECT_LE(900, self->team.tasks[2].share);
}

TEST_HARNESS_MAIN
