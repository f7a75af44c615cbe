// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "credentials.h"

static FILE *open_sysctl(const char *name, const char *mode)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	return fopen(path, mode);
}

bool set_sysctl(const char *name, int value)
{
	FILE *file = open_sysctl(name, "w");

	if (!file)
		return false;
	fprintf(file, "%d\n", value);
	return !fclose(file);
}

int get_sysctl(const char *name)
{
	FILE *file = open_sysctl(name, "r");
	int value = -100;

	if (file) {
		if (fscanf(file, "%d", &value) != 1)
			value = -100;
		fclose(file);
	}
	return value;
}

bool set_counters_group(const char *range)
{
	FILE *file = open_sysctl("kernel/kermon_counters_group", "w");

	return file && fputs(range, file) >= 0 && !fclose(file);
}

static bool set_capabilities(__u64 mask)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = mask, .permitted = mask },
		{ .effective = mask >> 32, .permitted = mask >> 32 },
	};

	return !syscall(SYS_capset, &header, data);
}

static void become_in(uid_t uid, size_t nr_groups, const gid_t *groups, __u64 mask)
{
	prctl(PR_SET_KEEPCAPS, 1);
	if (setgroups(nr_groups, groups) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid) || !set_capabilities(mask))
		_exit(100);
	/*
	 * Changing ids makes a process undumpable, so that nobody may trace it.
	 */
	prctl(PR_SET_DUMPABLE, 1);
}

void become(uid_t uid, __u64 mask)
{
	become_in(uid, 0, NULL, mask);
}

void become_member(uid_t uid, gid_t group)
{
	become_in(uid, 1, &group, 0);
}

static void name_user_namespace(char *path, size_t size, pid_t pid)
{
	snprintf(path, size, "/proc/%d/ns/user", pid);
}

/* The caller gets all capabilities in the namespace. */
static bool enter_user_namespace(pid_t pid)
{
	char path[64];
	int fd;

	name_user_namespace(path, sizeof(path), pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && !setns(fd, CLONE_NEWUSER) && !close(fd);
}

void become_contained(uid_t uid, pid_t pid, __u64 mask)
{
	become(uid, 0);
	if (!enter_user_namespace(pid) || !set_capabilities(mask))
		_exit(101);
}

int count_as(uid_t uid, __u32 count)
{
	struct kermon_event_set set = { .count = count };
	pid_t pid = fork();
	int status;

	if (!pid) {
		become(uid, 0);
		_exit(set_events(0, &set, sizeof(set), 0) < 0 ? errno : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static int wait_as(void *arg)
{
	become(*(uid_t *)arg, 0);
	for (;;)
		pause();
	return 0;
}

void start_as(struct child *child, uid_t uid)
{
	char path[64];
	struct stat st;

	child_start(child, wait_as, &uid);
	child_go(child);
	snprintf(path, sizeof(path), "/proc/%d", child->pid);
	do
		usleep(1000);
	while (stat(path, &st) || st.st_uid != uid);
}

static int wait_contained(void *arg)
{
	become(*(uid_t *)arg, 0);
	if (unshare(CLONE_NEWUSER))
		_exit(101);
	for (;;)
		pause();
	return 0;
}

static bool shares_user_namespace(pid_t pid)
{
	struct stat ours, its;
	char path[64];

	name_user_namespace(path, sizeof(path), pid);
	return stat("/proc/self/ns/user", &ours) || stat(path, &its) ||
	       ours.st_ino == its.st_ino;
}

void start_contained(struct child *child, uid_t uid)
{
	child_start(child, wait_contained, &uid);
	child_go(child);
	while (shares_user_namespace(child->pid))
		usleep(1000);
}
