// SPDX-License-Identifier: GPL-2.0
/*
 * Permissions to read logs and to enter the class. What may be counted for whom
 * is tested in matrix.c.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"

TEST(log_of_others)
{
	struct child child;
	int fd, status;
	pid_t pid;

	start_as(&child, SOMEBODY);
	fd = monitor(child.pid);
	ASSERT_LE(0, fd);
	pid = fork();
	if (!pid) {
		become(NOBODY, CAPABILITY(CAP_PERFMON));
		_exit(set_events(child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG) < 0 ?
		      errno : 0);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
	child_kill(&child);
	close(fd);
}

struct opening {
	uid_t uid;
	__u64 capabilities;
	const struct kermon_event_set *set;
};

/*
 * Open the log that the caller itself writes to, and with a set also change
 * what is counted; returns 0 or errno.
 */
static int open_own_log(void *arg)
{
	const struct opening *opening = arg;
	const struct kermon_event_set *set = opening->set;

	become(opening->uid, opening->capabilities);
	return set_events(0, set, set ? sizeof(*set) : 0, set ?
			  KERMON_FLAG_CHANGE : KERMON_FLAG_OPEN_LOG) < 0 ?
	       errno : 0;
}

/* Of an application with @first. */
static int change_as(uid_t uid, __u64 capabilities,
		     const struct kermon_event_set *first,
		     const struct kermon_event_set *set)
{
	struct opening opening = { uid, capabilities, set };
	struct child child;
	int fd, status;

	child_start(&child, open_own_log, &opening);
	fd = set_events(child.pid, first, sizeof(*first), 0);
	child_go(&child);
	status = child_wait(&child);
	close(fd);
	return fd >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int open_as(uid_t uid, __u64 capabilities,
		   const struct kermon_event_set *first)
{
	return change_as(uid, capabilities, first, NULL);
}

/*
 * A log covers the whole application: a task that has changed its user may
 * still be traceable itself, but must not be used to read what the others do.
 */
TEST(log_of_who_was_another)
{
	const struct kermon_event_set time = time_set();

	EXPECT_EQ(0, open_as(getuid(), 0, &time));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, 0, &time));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, CAPABILITY(CAP_SYS_PTRACE), &time));
	EXPECT_EQ(0, open_as(SOMEBODY, CAPABILITY(CAP_PERFMON), &time));
}

/* Who opens a log keeps the counters that it takes, and reads what they count. */
TEST(log_of_who_may_not_count)
{
	const struct kermon_event_set user = plain_set();
	int level = get_sysctl(PARANOID);

	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	EXPECT_EQ(EACCES, open_as(getuid(), 0, &user));
	EXPECT_EQ(0, open_as(getuid(), CAPABILITY(CAP_PERFMON), &user));
	ASSERT_TRUE(set_counters_group("0 0"));
	EXPECT_EQ(0, open_as(getuid(), 0, &user));
	ASSERT_TRUE(set_counters_group("1 0"));
	ASSERT_TRUE(set_sysctl(PARANOID, 0));
	EXPECT_EQ(0, open_as(getuid(), 0, &user));
	set_sysctl(PARANOID, level);
}

/*
 * Changing the set requires the privileges for opening the log and for the new
 * set.
 */
TEST(set_of_who_was_another)
{
	struct kermon_event_set user = plain_set(), kernel = plain_set();
	struct kermon_event_set time = time_set();
	int level = get_sysctl(PARANOID);

	kernel.count |= KERMON_COUNT_KERNEL;
	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	/* Counters require a privilege at this level, time does not. */
	EXPECT_EQ(EACCES, change_as(getuid(), 0, &time, &user));
	EXPECT_EQ(EACCES, change_as(getuid(), 0, &user, &time));
	EXPECT_EQ(0, change_as(getuid(), 0, &time, &time));
	EXPECT_EQ(EACCES, change_as(getuid(), 0, &time, &kernel));
	EXPECT_EQ(EPERM, change_as(SOMEBODY, 0, &user, &user));
	EXPECT_EQ(EPERM, change_as(SOMEBODY, CAPABILITY(CAP_SYS_PTRACE),
				   &user, &user));
	EXPECT_EQ(0, change_as(SOMEBODY, CAPABILITY(CAP_PERFMON), &user,
			       &kernel));
	set_sysctl(PARANOID, level);
}

/* As SOMEBODY without capabilities; returns 0 or errno. */
static int seize(pid_t pid)
{
	return ptrace(PTRACE_SEIZE, pid, 0, 0) ? errno : 0;
}

static int sample(pid_t pid)
{
	const struct kermon_event_set set = time_set();

	return set_events(pid, &set, sizeof(set), 0) < 0 ? errno : 0;
}

static int as_somebody(int (*access)(pid_t pid), pid_t pid)
{
	int status;
	pid_t child = fork();

	if (!child) {
		become(SOMEBODY, 0);
		_exit(access(pid));
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * A user watches processes of the same user that are no descendants, as with perf stat -p,
 * also where Yama does not let him trace them.
 */
TEST(what_yama_leaves)
{
	const int before = get_sysctl(YAMA);
	struct child child;
	int scope;

	ASSERT_NE(-100, before);
	start_as(&child, SOMEBODY);
	for (scope = 0; scope <= 2; scope++) {
		ASSERT_TRUE(set_sysctl(YAMA, scope));
		EXPECT_EQ(scope ? EPERM : 0, as_somebody(seize, child.pid));
		EXPECT_EQ(0, as_somebody(sample, child.pid));
	}
	set_sysctl(YAMA, before);
	child_kill(&child);
}

static int enter_class(__u64 capabilities)
{
	struct sched_param param = { 0 };
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		become(SOMEBODY, capabilities);
		_exit(sched_setscheduler(0, SCHED_KERMON, &param) ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

TEST(entering_the_class)
{
	EXPECT_EQ(EPERM, enter_class(0));
	EXPECT_EQ(0, enter_class(CAPABILITY(CAP_SYS_NICE)));
}

TEST_HARNESS_MAIN
