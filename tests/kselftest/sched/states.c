// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks of the class that are stopped by a debugger, execute a program, are
 * clamped, come from the deadline class, or are reset by SysRq; and where their
 * state is visible.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "attributes.h"
#include "files.h"
#include "tasks.h"

FIXTURE(states)
{
	struct team team;
};

FIXTURE_SETUP(states)
{
	ASSERT_TRUE(team_init(&self->team));
}

FIXTURE_TEARDOWN(states)
{
	team_free(&self->team);
}

TEST_F(states, stopped_by_a_debugger)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	int round;

	ASSERT_EQ(0, ptrace(PTRACE_SEIZE, pid, 0, 0));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, pid, 0, 0));
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		usleep(1000);
		ASSERT_EQ(0, ptrace(PTRACE_CONT, pid, 0, 0));
	}
	ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, pid, 0, 0));
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	team_measure(&self->team, 100);
	EXPECT_EQ(0, self->team.tasks[0].share);
	ASSERT_EQ(0, ptrace(PTRACE_DETACH, pid, 0, 0));
	team_measure(&self->team, 500);
	EXPECT_LE(950, self->team.tasks[0].share);
}

/*
 * Set for the new program, which then reports its policy instead of running
 * tests.
 */
#define TELL_POLICY	"KERMON_TEST_TELL_POLICY"

static void __attribute__((constructor)) tell_policy(void)
{
	if (getenv(TELL_POLICY))
		_exit(sched_getscheduler(0));
}

TEST_F(states, executes_a_program)
{
	static char *const argv[] = { "states", NULL };
	static char *const envp[] = { TELL_POLICY "=1", NULL };
	int round, status;
	pid_t pid;

	ASSERT_EQ(0, set_policy(0, SCHED_KERMON));
	for (round = 0; round < 10; round++) {
		pid = fork();
		if (!pid) {
			execve("/proc/self/exe", argv, envp);
			_exit(1);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(SCHED_KERMON, WEXITSTATUS(status));
	}
}

TEST_F(states, comes_from_the_deadline_class)
{
	struct attributes deadline = {
		.policy = SCHED_DEADLINE,
		.runtime = 2000000,
		.deadline = 10000000,
		.period = 10000000,
	};
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, ANY_CPU);
	int round;

	for (round = 0; round < 50; round++) {
		ASSERT_EQ(0, set_attributes(pid, &deadline));
		usleep(3000);
		ASSERT_EQ(0, set_policy(pid, SCHED_KERMON));
		usleep(1000);
	}
	team_measure(&self->team, 500);
	EXPECT_LE(950, self->team.tasks[0].share);
}

TEST_F(states, keeps_its_policy_and_parameters)
{
	struct attributes set = {
		.policy = SCHED_FIFO,
		.flags = SCHED_FLAG_KEEP_POLICY | SCHED_FLAG_KEEP_PARAMS,
	}, got = { 0 };

	ASSERT_EQ(0, set_policy(0, SCHED_KERMON));
	ASSERT_EQ(0, nice(3) - 3);
	ASSERT_EQ(0, set_attributes(0, &set));
	ASSERT_EQ(0, get_attributes(0, &got));
	EXPECT_EQ(SCHED_KERMON, got.policy);
	EXPECT_EQ(3, got.nice);
}

/*
 * SysRq-n moves all tasks above the fair class to it, whatever their nice
 * value.
 */
TEST_F(states, is_made_fair_when_all_are)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);

	/* It clears exec_start, so real-time tasks would be throttled. */
	ASSERT_EQ(0, set_policy(0, SCHED_OTHER));
	ASSERT_EQ(0, setpriority(PRIO_PROCESS, pid, -5));
	ASSERT_TRUE(write_file("/proc/sysrq-trigger", "n"));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(pid));
	EXPECT_EQ(0, getpriority(PRIO_PROCESS, pid));
}

/*
 * There is no frequency scaling here; check only that the clamp is accounted.
 */
TEST_F(states, is_clamped)
{
	struct attributes clamp = {
		.policy = SCHED_KERMON,
		.flags = SCHED_FLAG_UTIL_CLAMP_MIN | SCHED_FLAG_UTIL_CLAMP_MAX,
		.util_max = 1024,
	}, got = { 0 };
	pid_t pid = team_add(&self->team, sleep_by_the_millisecond,
			     SCHED_KERMON, 1);
	int round;

	for (round = 0; round < 50; round++) {
		clamp.util_min = round * 20;
		ASSERT_EQ(0, set_attributes(pid, &clamp));
		usleep(1500);
	}
	ASSERT_EQ(0, get_attributes(pid, &got));
	EXPECT_EQ(980, got.util_min);
	EXPECT_EQ(1024, got.util_max);
}

/*
 * The number after the last occurrence of @key in a file, -1 if there is none.
 */
static long number_after(const char *path, const char *key)
{
	char line[512], *found;
	FILE *file = fopen(path, "re");
	long number = -1;

	while (file && fgets(line, sizeof(line), file)) {
		found = strstr(line, key);
		if (found && sscanf(found + strlen(key), "%*[ :]%ld", &number) != 1)
			number = -1;
	}
	if (file)
		fclose(file);
	return number;
}

#define STAT_POLICY	41

TEST_F(states, is_seen_in_proc)
{
	pid_t pid = team_add(&self->team, hog, SCHED_KERMON, 1);
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/sched", pid);
	EXPECT_EQ(SCHED_KERMON, number_after(path, "policy"));
	EXPECT_EQ(120, number_after(path, "prio"));
	EXPECT_EQ(SCHED_KERMON, stat_field(pid, STAT_POLICY));
}

/* Number of tasks of the class queued on all CPUs. */
static long queued(void)
{
	FILE *file = fopen("/sys/kernel/debug/sched/debug", "re");
	char line[512];
	long nr, sum = 0;
	bool here = false;

	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "kermon_rq["))
			here = true;
		if (!here || sscanf(line, " .nr_running : %ld", &nr) != 1)
			continue;
		sum += nr;
		here = false;
	}
	if (file)
		fclose(file);
	return sum;
}

/* A task that has just been waited for may not have left its queue yet. */
static long wait_until_queued(long nr)
{
	int left = 100;

	while (queued() != nr && left--)
		usleep(5000);
	return queued();
}

TEST_F(states, is_seen_in_the_queue)
{
	EXPECT_EQ(0, wait_until_queued(0));
	team_add(&self->team, hog, SCHED_KERMON, 0);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	EXPECT_EQ(3, wait_until_queued(3));
	team_free(&self->team);
	ASSERT_TRUE(team_init(&self->team));
	EXPECT_EQ(0, wait_until_queued(0));
}

TEST_HARNESS_MAIN
