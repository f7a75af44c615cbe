// SPDX-License-Identifier: GPL-2.0
/*
 * The policy in system calls, and operations on tasks of the class. The verdict
 * checks that the kernel remains healthy.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "attributes.h"
#include "files.h"
#include "tasks.h"

FIXTURE(changes)
{
	struct team team;
};

FIXTURE_SETUP(changes)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(changes)
{
	team_free(&self->team);
}

TEST_F(changes, priority_is_0)
{
	struct sched_param param = { .sched_priority = 1 };

	EXPECT_EQ(0, sched_get_priority_min(SCHED_KERMON));
	EXPECT_EQ(0, sched_get_priority_max(SCHED_KERMON));
	EXPECT_EQ(-1, sched_setscheduler(0, SCHED_KERMON, &param));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(changes, enter_and_leave)
{
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(0));
	EXPECT_EQ(0, set_policy(0, SCHED_OTHER));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(0));
}

static int policy_of_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(sched_getscheduler(0));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

TEST_F(changes, inherited_unless_reset)
{
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(SCHED_KERMON, policy_of_child());
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON | SCHED_RESET_ON_FORK));
	EXPECT_EQ(SCHED_OTHER, policy_of_child());
	EXPECT_EQ(SCHED_KERMON | SCHED_RESET_ON_FORK, sched_getscheduler(0));
}

TEST_F(changes, nice_value_is_kept)
{
	EXPECT_EQ(0, setpriority(PRIO_PROCESS, 0, 7));
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(7, getpriority(PRIO_PROCESS, 0));
	EXPECT_EQ(0, setpriority(PRIO_PROCESS, 0, -3));
	EXPECT_EQ(0, set_policy(0, SCHED_OTHER));
	EXPECT_EQ(-3, getpriority(PRIO_PROCESS, 0));
}

TEST_F(changes, attributes)
{
	struct attributes set = {
		.policy = SCHED_KERMON,
		.nice = 5,
		.runtime = 20000000,
	}, got = { 0 };
	struct timespec slice = { 0 };

	ASSERT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(0, sched_rr_get_interval(0, &slice));
	EXPECT_EQ(4000000, slice.tv_nsec);

	EXPECT_EQ(0, set_attributes(0, &set));
	EXPECT_EQ(0, get_attributes(0, &got));
	EXPECT_EQ(SCHED_KERMON, got.policy);
	EXPECT_EQ(5, got.nice);
	EXPECT_EQ(20000000, got.runtime);
	EXPECT_EQ(0, sched_rr_get_interval(0, &slice));
	EXPECT_EQ(20000000, slice.tv_nsec);
}

static __u64 slice_of(pid_t pid)
{
	struct attributes got = { 0 };

	return get_attributes(pid, &got) ? 0 : got.runtime;
}

static __u64 slice_of_child(void)
{
	int status;
	pid_t pid = fork();

	/* In milliseconds. */
	if (!pid)
		_exit(slice_of(0) / 1000000);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int set_slice(int policy, __u64 runtime)
{
	struct attributes set = { .policy = policy, .runtime = runtime };

	return set_attributes(0, &set) ? errno : 0;
}

/* It is the class's own, not the one that a fair task may have. */
TEST_F(changes, slice)
{
	__u64 fair;

	/* Until then, fair tasks report 0. */
	EXPECT_EQ(0, set_policy(0, SCHED_OTHER));
	fair = slice_of(0);
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(3000000, slice_of(0));
	EXPECT_EQ(EINVAL, set_slice(SCHED_KERMON, 99999));
	EXPECT_EQ(EINVAL, set_slice(SCHED_KERMON, 100000001));
	EXPECT_EQ(3000000, slice_of(0));
	EXPECT_EQ(0, set_slice(SCHED_KERMON, 100000));
	EXPECT_EQ(100000, slice_of(0));
	EXPECT_EQ(0, set_slice(SCHED_KERMON, 100000000));
	EXPECT_EQ(100, slice_of_child());

	EXPECT_EQ(0, setpriority(PRIO_PROCESS, 0, 1));
	EXPECT_EQ(100000000, slice_of(0));
	EXPECT_EQ(0, set_policy(0, SCHED_OTHER));
	EXPECT_EQ(fair, slice_of(0));
	EXPECT_EQ(0, set_policy(0, SCHED_KERMON));
	EXPECT_EQ(100000000, slice_of(0));
	EXPECT_EQ(0, set_slice(SCHED_KERMON, 0));
	EXPECT_EQ(3000000, slice_of(0));
}

/* All tasks still run after the changes. */
static void expect_all_run(struct __test_metadata *_metadata, struct team *team,
			   int expected)
{
	int i;

	usleep(300000);
	team_measure(team, 1000);
	for (i = 0; i < team->nr; i++) {
		EXPECT_LE(expected - 30, team->tasks[i].share);
		EXPECT_GE(expected + 30, team->tasks[i].share);
	}
}

TEST_F(changes, policy_while_running)
{
	static const int policies[] = { SCHED_KERMON, SCHED_FIFO, SCHED_OTHER,
					SCHED_KERMON, SCHED_BATCH, SCHED_IDLE };
	pid_t pid = team_add(&self->team, hog, SCHED_OTHER, 1);
	int round;

	for (round = 0; round < 300; round++) {
		EXPECT_EQ(0, set_policy(pid, policies[round % 6]));
		usleep(1000);
	}
	expect_all_run(_metadata, &self->team, 980);
}

TEST_F(changes, policy_while_sleeping)
{
	pid_t pid = team_add(&self->team, sleep_by_the_millisecond,
			     SCHED_OTHER, 1);
	unsigned int before;
	int round;

	for (round = 0; round < 300; round++) {
		EXPECT_EQ(0, set_policy(pid, round % 2 ? SCHED_KERMON :
							 SCHED_OTHER));
		usleep(700);
	}
	before = self->team.rounds->nr;
	usleep(100000);
	EXPECT_LE(before + 50, self->team.rounds->nr);
}

TEST_F(changes, affinity_and_nice_while_running)
{
	int round, i;
	pid_t pid;

	for (i = 0; i < 4; i++)
		team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	for (round = 0; round < 300; round++) {
		pid = self->team.tasks[round % 4].child.pid;
		EXPECT_EQ(0, pin(pid, round % 3 % 2));
		EXPECT_EQ(0, setpriority(PRIO_PROCESS, pid, round % 40 - 20));
		usleep(1000);
	}
	for (i = 0; i < 4; i++) {
		pid = self->team.tasks[i].child.pid;
		EXPECT_EQ(0, pin(pid, i % 2));
		EXPECT_EQ(0, setpriority(PRIO_PROCESS, pid, 0));
	}
	expect_all_run(_metadata, &self->team, 490);
}

TEST_F(changes, stopped_and_continued)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	int round;

	for (round = 0; round < 100; round++) {
		EXPECT_EQ(0, kill(pid, round % 2 ? SIGCONT : SIGSTOP));
		usleep(1000);
	}
	expect_all_run(_metadata, &self->team, 980);
}

/* In ms: threads of a lower class, which have 5 % of the CPU, take it down in many steps. */
#define HOTPLUG_MOST	2000

/* All tasks move to the other CPU, and back. */
TEST_F(changes, cpu_goes_and_comes)
{
	const char *online = "/sys/devices/system/cpu/cpu1/online";
	int round;

	team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	for (round = 0; round < 6; round++) {
		long long begin = now_ns(), ms;

		ASSERT_TRUE(write_file(online, round % 2 ? "1" : "0"));
		ms = (now_ns() - begin) / 1000000;
		printf("#   %s: %lld ms\n", round % 2 ? "online" : "offline",
		       ms);
		EXPECT_GE(HOTPLUG_MOST, ms);
		usleep(50000);
	}
	expect_all_run(_metadata, &self->team, 980);
}

#define CGROUPS	"/tmp/kermon-cgroups"

static bool join_group(const char *group, pid_t pid)
{
	char path[128], number[16];

	snprintf(path, sizeof(path), CGROUPS "/%scgroup.procs", group);
	snprintf(number, sizeof(number), "%d", pid);
	return write_file(path, number);
}

TEST_F(changes, group_while_running)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	int round;

	mkdir(CGROUPS, 0755);
	ASSERT_EQ(0, mount("none", CGROUPS, "cgroup2", 0, NULL));
	ASSERT_TRUE(write_file(CGROUPS "/cgroup.subtree_control", "+cpu"));
	ASSERT_EQ(0, mkdir(CGROUPS "/group", 0755));
	for (round = 0; round < 100; round++) {
		EXPECT_TRUE(join_group(round % 2 ? "" : "group/", pid));
		usleep(1000);
	}
	expect_all_run(_metadata, &self->team, 980);
	EXPECT_EQ(0, rmdir(CGROUPS "/group"));
	EXPECT_EQ(0, umount(CGROUPS));
}

/*
 * Tasks of the class that it leaves, or of lower ones, may have waited for it.
 */
TEST_F(changes, steps_down_before_a_real_time_waiter)
{
	struct sched_param param = { .sched_priority = 15 };
	pid_t pid = team_add(&self->team, hog, SCHED_FIFO, 1);

	ASSERT_EQ(0, sched_setscheduler(pid, SCHED_FIFO, &param));
	team_add(&self->team, hog, SCHED_FIFO, 1);
	usleep(20000);
	ASSERT_EQ(0, set_policy(pid, SCHED_KERMON));
	team_measure(&self->team, 500);
	EXPECT_GE(real_time_leaves() + 10, self->team.tasks[0].share);
	EXPECT_LE(900, self->team.tasks[1].share);
}

static int hold_the_mutex(void *arg)
{
	pthread_mutex_t *mutex = arg;

	for (;;) {
		pthread_mutex_lock(mutex);
		spin_ms(2);
		pthread_mutex_unlock(mutex);
	}
	return 0;
}

/*
 * A priority-inheritance mutex in memory shared by both tasks: whenever the
 * test waits for it, the holder is boosted to the test's FIFO priority.
 */
TEST_F(changes, boosted_by_a_real_time_waiter)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t *mutex;
	int round;

	mutex = mmap(NULL, sizeof(*mutex), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, mutex);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	ASSERT_EQ(0, pthread_mutexattr_setprotocol(&attributes,
						   PTHREAD_PRIO_INHERIT));
	ASSERT_EQ(0, pthread_mutex_init(mutex, &attributes));

	child_start(&self->team.tasks[0].child, hold_the_mutex, mutex);
	self->team.nr = 1;
	ASSERT_EQ(0, set_policy(self->team.tasks[0].child.pid, SCHED_KERMON));
	ASSERT_EQ(0, pin(self->team.tasks[0].child.pid, 1));
	child_go(&self->team.tasks[0].child);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	usleep(20000);
	for (round = 0; round < 50; round++) {
		ASSERT_EQ(0, pthread_mutex_lock(mutex));
		ASSERT_EQ(0, pthread_mutex_unlock(mutex));
	}
	EXPECT_EQ(SCHED_KERMON,
		  sched_getscheduler(self->team.tasks[0].child.pid));
	expect_all_run(_metadata, &self->team, 490);
}

TEST_HARNESS_MAIN
