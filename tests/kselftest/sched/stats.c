// SPDX-License-Identifier: GPL-2.0
/* Statistics of tasks of the class and of their queues. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "files.h"
#include "tasks.h"

/* See syslog(2). */
#define SYSLOG_ACTION_READ_ALL	3

#define SCHEDSTATS	"/proc/sys/kernel/sched_schedstats"

FIXTURE(stats)
{
	struct team team;
};

FIXTURE_SETUP(stats)
{
	ASSERT_TRUE(team_init(&self->team));
	ASSERT_TRUE(write_file(SCHEDSTATS, "1"));
}

FIXTURE_TEARDOWN(stats)
{
	team_free(&self->team);
	EXPECT_TRUE(write_file(SCHEDSTATS, "0"));
}

TEST_F(stats, of_a_task_in_proc)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);

	EXPECT_EQ(SCHED_KERMON, value_of_task(pid, "policy"));
	EXPECT_EQ(120, value_of_task(pid, "prio"));
	EXPECT_EQ(3000000, value_of_task(pid, "kermon.slice"));
	usleep(100000);
	EXPECT_LT(0, value_of_task(pid, "kermon.vruntime"));
	EXPECT_EQ(-1, value_of_task(getpid(), "kermon.slice"));
}

/* In milliseconds: two tasks that never sleep wait half of the time each. */
TEST_F(stats, of_waiting)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	double before;

	team_add(&self->team, hog, SCHED_KERMON, 1);
	usleep(100000);
	before = value_of_task(pid, "wait_sum");
	usleep(1000000);
	EXPECT_LE(450, value_of_task(pid, "wait_sum") - before);
	EXPECT_GE(550, value_of_task(pid, "wait_sum") - before);
	EXPECT_LE(50, value_of_task(pid, "wait_count"));
}

/*
 * A running task whose attributes change has not waited, not even since boot.
 */
TEST_F(stats, of_changes)
{
	pid_t pid = team_add(&self->team, hog, SCHED_OTHER, 1);

	usleep(20000);
	ASSERT_EQ(0, set_policy(pid, SCHED_KERMON));
	usleep(20000);
	ASSERT_EQ(0, setpriority(PRIO_PROCESS, pid, 5));
	usleep(20000);
	EXPECT_GE(20, value_of_task(pid, "wait_max"));
	EXPECT_LE(0, value_of_task(pid, "wait_max"));
}

TEST_F(stats, of_sleeping)
{
	pid_t pid = team_add(&self->team, sleep_by_the_millisecond,
			     SCHED_KERMON, 1);
	double before;

	usleep(100000);
	before = value_of_task(pid, "sum_sleep_runtime");
	usleep(1000000);
	EXPECT_LE(900, value_of_task(pid, "sum_sleep_runtime") - before);
	EXPECT_GE(1000, value_of_task(pid, "sum_sleep_runtime") - before);
}

TEST_F(stats, of_queues_in_debugfs)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	setpriority(PRIO_PROCESS, team_add(&self->team, hog, SCHED_KERMON, 1),
		    5);
	usleep(100000);
	EXPECT_EQ(2, value_in(QUEUES, "kermon_rq[1]", "nr_running"));
	EXPECT_EQ(1024 + 335, value_in(QUEUES, "kermon_rq[1]", "load"));
	EXPECT_EQ(0, value_in(QUEUES, "kermon_rq[0]", "nr_running"));
}

/* SysRq-T prints them to the kernel log; keep it off the console. */
TEST_F(stats, of_queues_in_the_log)
{
	static char log[1 << 20];
	int size;

	ASSERT_TRUE(write_file("/proc/sys/kernel/printk", "1"));
	EXPECT_TRUE(write_file("/proc/sysrq-trigger", "t"));
	EXPECT_TRUE(write_file("/proc/sys/kernel/printk", "7"));
	size = klogctl(SYSLOG_ACTION_READ_ALL, log, sizeof(log) - 1);
	ASSERT_LT(0, size);
	log[size] = '\0';
	EXPECT_NE(NULL, strstr(log, "kermon_rq[1]:"));
}

TEST_HARNESS_MAIN
