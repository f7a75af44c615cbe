// SPDX-License-Identifier: GPL-2.0
/*
 * SELinux decides who may monitor, as for perf: set_events() asks for the permissions of
 * the class perf_event, reading for the use of the descriptor. All callers are root, who
 * has every capability.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"

#define SELINUX	"/sys/fs/selinux"

extern const char policy[], policy_end[];

/* At once, or the kernel refuses it. */
static bool write_file(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, data, size) == (ssize_t)size;
	close(fd);
	return done;
}

static bool load_policy(void)
{
	mount("selinuxfs", SELINUX, "selinuxfs", 0, NULL);
	return write_file(SELINUX "/load", policy, policy_end - policy);
}

static bool become_type(const char *type)
{
	char context[64];

	snprintf(context, sizeof(context), "system_u:system_r:%s", type);
	return write_file("/proc/self/attr/current", context, strlen(context));
}

/* Returns 0 in a child of @type. */
static pid_t fork_as(const char *type)
{
	pid_t pid = fork();

	if (!pid && !become_type(type))
		_exit(200);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a process of @type: 0 or errno, as the others. */
static int set_events_as(const char *type, pid_t target,
			 const struct kermon_event_set *set, unsigned int flags)
{
	pid_t pid = fork_as(type);

	if (!pid)
		_exit(set_events(target, set, set ? sizeof(*set) : 0, flags) < 0 ?
		      errno : 0);
	return status_of(pid);
}

static int sample_as(const char *type, const struct kermon_event_set *set)
{
	return set_events_as(type, 0, set, 0);
}

static int open_as(const char *type, pid_t target)
{
	return set_events_as(type, target, NULL, KERMON_FLAG_OPEN_LOG);
}

static int change_as(const char *type, pid_t target, const struct kermon_event_set *set)
{
	return set_events_as(type, target, set, KERMON_FLAG_CHANGE);
}

static int read_as(const char *type, int fd, bool by_read)
{
	char buf[KERMON_RECORD_MAX];
	pid_t pid = fork_as(type);
	ssize_t len;

	if (!pid) {
		len = by_read ? read(fd, buf, sizeof(buf)) :
				read_event_log(fd, buf, sizeof(buf), 0);
		_exit(len < 0 ? errno : 0);
	}
	return status_of(pid);
}

static struct kermon_event_set kernel_set(void)
{
	struct kermon_event_set set = plain_set();

	set.count = KERMON_COUNT_KERNEL;
	return set;
}

TEST(what_types_may_count)
{
	const struct kermon_event_set time = time_set(), user = plain_set();
	const struct kermon_event_set kernel = kernel_set();

	ASSERT_TRUE(load_policy());
	EXPECT_EQ(0, sample_as("kernel_t", &time));
	EXPECT_EQ(0, sample_as("kernel_t", &user));
	EXPECT_EQ(0, sample_as("kernel_t", &kernel));

	EXPECT_EQ(0, sample_as("user_t", &time));
	EXPECT_EQ(0, sample_as("user_t", &user));
	EXPECT_EQ(EACCES, sample_as("user_t", &kernel));

	EXPECT_EQ(0, sample_as("open_t", &time));
	EXPECT_EQ(EACCES, sample_as("open_t", &user));
	EXPECT_EQ(EACCES, sample_as("open_t", &kernel));

	EXPECT_EQ(EACCES, sample_as("none_t", &time));
	EXPECT_EQ(EACCES, sample_as("none_t", &user));
}

/* As energy is of the whole package, it needs the permission for a CPU. */
TEST(energy_is_of_the_cpu)
{
	struct kermon_event_set set = time_set();

	set.flags = KERMON_SET_ENERGY;
	ASSERT_TRUE(load_policy());
	EXPECT_EQ(0, sample_as("kernel_t", &set));
	EXPECT_EQ(0, sample_as("user_t", &set));
	EXPECT_EQ(EACCES, sample_as("open_t", &set));
}

static int exit_now(void *arg)
{
	(void)arg;
	return 0;
}

/* Also of the same user, and with every capability. */
TEST(who_may_open_and_change)
{
	const struct kermon_event_set time = time_set(), user = plain_set();
	const struct kermon_event_set kernel = kernel_set();
	struct child child;
	int fd;

	ASSERT_TRUE(load_policy());
	child_start(&child, exit_now, NULL);
	fd = set_events(child.pid, &user, sizeof(user), 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, open_as("kernel_t", child.pid));
	EXPECT_EQ(0, open_as("user_t", child.pid));
	EXPECT_EQ(EACCES, open_as("open_t", child.pid));
	EXPECT_EQ(EACCES, open_as("none_t", child.pid));

	EXPECT_EQ(EACCES, change_as("user_t", child.pid, &kernel));
	EXPECT_EQ(EACCES, change_as("open_t", child.pid, &user));
	EXPECT_EQ(EACCES, change_as("none_t", child.pid, &time));
	EXPECT_EQ(0, change_as("user_t", child.pid, &user));
	EXPECT_EQ(0, change_as("kernel_t", child.pid, &kernel));
	EXPECT_EQ(EACCES, open_as("user_t", child.pid));
	close(fd);
	child_go(&child);
	child_wait(&child);
}

/* What was opened by another type may be read by those who may use its descriptors. */
TEST(who_may_read)
{
	const struct kermon_event_set set = time_set();
	struct child child;
	int fd;

	ASSERT_TRUE(load_policy());
	child_start(&child, exit_now, NULL);
	fd = set_events(child.pid, &set, sizeof(set), 0);
	ASSERT_LE(0, fd);
	child_go(&child);
	child_wait(&child);
	EXPECT_EQ(EACCES, read_as("stranger_t", fd, false));
	EXPECT_EQ(EACCES, read_as("stranger_t", fd, true));
	EXPECT_EQ(0, read_as("none_t", fd, false));
	EXPECT_EQ(0, read_as("none_t", fd, true));
	close(fd);
}

TEST_HARNESS_MAIN
