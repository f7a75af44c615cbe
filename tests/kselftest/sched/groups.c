// SPDX-License-Identifier: GPL-2.0
/* How groups of tasks, cgroups and sessions, affect the class. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "files.h"
#include "tasks.h"

#define ROOT	"/sys/fs/cgroup"
#define GROUP	ROOT "/kermon"

static bool join(const char *group, pid_t pid)
{
	char path[128], number[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	snprintf(number, sizeof(number), "%d", pid);
	return write_file(path, number);
}

/* Kernels before 6.2 reset the affinity of a task that joins a cpuset. */
static bool join_on_cpu_1(const char *group, pid_t pid)
{
	return join(group, pid) && !pin(pid, 1);
}

FIXTURE(groups)
{
	struct team team;
};

FIXTURE_SETUP(groups)
{
	ASSERT_TRUE(team_init(&self->team));
	ASSERT_TRUE(write_file(ROOT "/cgroup.subtree_control", "+cpu +cpuset"));
	ASSERT_EQ(0, mkdir(GROUP, 0755));
}

FIXTURE_TEARDOWN(groups)
{
	team_free(&self->team);
	rmdir(GROUP);
}

/* The number in a line "key number" of cpu.stat and cgroup.events. */
static long long number_of(const char *path, const char *key)
{
	long long number = -1, n;
	FILE *file = fopen(path, "re");
	char word[64];

	while (file && fscanf(file, "%63s %lld", word, &n) == 2) {
		if (!strcmp(word, key))
			number = n;
	}
	if (file)
		fclose(file);
	return number;
}

/* The lowest weight, which would matter for fair tasks. */
TEST_F(groups, are_accounted_but_not_weighted)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	long long before, used;

	team_add(&self->team, hog, SCHED_KERMON, 1);
	ASSERT_TRUE(write_file(GROUP "/cpu.weight", "1"));
	ASSERT_TRUE(join_on_cpu_1(GROUP, pid));
	before = number_of(GROUP "/cpu.stat", "usage_usec");
	team_measure(&self->team, 1000);
	used = number_of(GROUP "/cpu.stat", "usage_usec") - before;
	EXPECT_LE(470, self->team.tasks[0].share);
	EXPECT_LE(500000, used);
	EXPECT_GE(700000, used);
}

static long long wait_until_frozen(long long frozen)
{
	int left = 100;

	while (number_of(GROUP "/cgroup.events", "frozen") != frozen && left--)
		usleep(10000);
	return number_of(GROUP "/cgroup.events", "frozen");
}

TEST_F(groups, freeze_and_thaw)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	int round;

	team_add(&self->team, hog, SCHED_KERMON, 1);
	ASSERT_TRUE(join_on_cpu_1(GROUP, pid));
	for (round = 0; round < 5; round++) {
		ASSERT_TRUE(write_file(GROUP "/cgroup.freeze", "1"));
		ASSERT_EQ(1, wait_until_frozen(1));
		ASSERT_TRUE(write_file(GROUP "/cgroup.freeze", "0"));
		ASSERT_EQ(0, wait_until_frozen(0));
	}
	ASSERT_TRUE(write_file(GROUP "/cgroup.freeze", "1"));
	ASSERT_EQ(1, wait_until_frozen(1));
	team_measure(&self->team, 200);
	EXPECT_EQ(0, self->team.tasks[0].share);
	ASSERT_TRUE(write_file(GROUP "/cgroup.freeze", "0"));
	team_measure(&self->team, 1000);
	EXPECT_LE(470, self->team.tasks[0].share);
}

#define STAT_CPU	39

TEST_F(groups, confine_to_cpus)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	int round;

	ASSERT_TRUE(join(GROUP, pid));
	for (round = 0; round < 20; round++) {
		ASSERT_TRUE(write_file(GROUP "/cpuset.cpus",
				       round % 2 ? "1" : "0"));
		usleep(20000);
		EXPECT_EQ(round % 2, stat_field(pid, STAT_CPU));
	}
	team_measure(&self->team, 500);
	EXPECT_LE(950, self->team.tasks[0].share);
}

static int hog_in_a_session(void *rounds)
{
	if (setsid() < 0)
		abort();
	return hog(rounds);
}

/*
 * The autogroup of one session has the highest nice value, which affects only
 * fair tasks.
 */
TEST_F(groups, of_sessions_do_not_count)
{
	char path[64];
	pid_t pid;

	pid = team_add(&self->team, hog_in_a_session, SCHED_KERMON, 1);
	team_add(&self->team, hog_in_a_session, SCHED_KERMON, 1);
	usleep(50000);
	snprintf(path, sizeof(path), "/proc/%d/autogroup", pid);
	ASSERT_TRUE(write_file(path, "19"));
	team_measure(&self->team, 1000);
	EXPECT_LE(470, self->team.tasks[0].share);
	EXPECT_LE(470, self->team.tasks[1].share);
}

TEST_HARNESS_MAIN
