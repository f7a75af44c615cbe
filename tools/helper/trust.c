// SPDX-License-Identifier: GPL-2.0
/* Checks the owners of files; gives up privilege. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trust.h"

/* Whether executing this program has given privilege to its caller. */
static bool is_elevated(void)
{
	return getauxval(AT_SECURE);
}

/* In a sticky folder such as /tmp, others cannot replace what is root's. */
static bool is_of_root(const char *path)
{
	struct stat stat;

	return !lstat(path, &stat) && !stat.st_uid && !S_ISLNK(stat.st_mode) &&
	       (!(stat.st_mode & (S_IWGRP | S_IWOTH)) ||
		(S_ISDIR(stat.st_mode) && stat.st_mode & S_ISVTX));
}

bool trust_path(const char *path)
{
	char part[PATH_MAX];
	char *slash;

	if (!is_elevated())
		return true;
	if (*path != '/' || strlen(path) >= sizeof(part))
		return false;
	strcpy(part, path);
	while (is_of_root(part)) {
		slash = strrchr(part, '/');
		if (slash == part && !slash[1])
			return true;
		/* The root folder keeps its slash. */
		slash[slash == part] = '\0';
	}
	return false;
}

long trust_read(const char *path, char *text, size_t size)
{
	size_t length = 0;
	ssize_t bytes;
	int fd;

	if (access(path, F_OK))
		return -errno;
	if (!trust_path(path))
		return -EPERM;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	do {
		bytes = read(fd, text + length, size - length);
		length += bytes > 0 ? bytes : 0;
	} while (bytes > 0 && length < size);
	if (bytes < 0)
		length = -errno;
	close(fd);
	return length == size ? -E2BIG : (long)length;
}

void trust_nobody(void)
{
	struct rlimit limit;

	setsid();
	close_range(STDERR_FILENO + 1, ~0U, 0);
	/* Those that can be; a fault ends the process nevertheless. */
	for (int number = 1; number <= SIGRTMAX; number++)
		signal(number, SIG_IGN);
	umask(S_IRWXG | S_IRWXO);
	/* A descriptor for each CPU. */
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	/* No debugger of this user may use the devices through this process. */
	prctl(PR_SET_DUMPABLE, 0);
}

bool trust_drop(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];

	memset(none, 0, sizeof(none));
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) &&
	       !syscall(SYS_capset, &header, none) &&
	       !prctl(PR_SET_DUMPABLE, 0);
}
