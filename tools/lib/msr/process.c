// SPDX-License-Identifier: GPL-2.0
/* Finds and starts kermon-msr-helper. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "private.h"
#include "util/location.h"

#define HELPER	"libexec/kermon/kermon-msr-helper"

/* The helper beside the program or the shared library that contains the library. */
static bool find_beside(char path[PATH_MAX])
{
	char folder[PATH_MAX];

	return location_folder(folder) &&
	       snprintf(path, PATH_MAX, "%s/../" HELPER, folder) < PATH_MAX &&
	       !access(path, F_OK);
}

bool msr_helper_find(char path[PATH_MAX])
{
	static const char *const prefixes[] = { "/usr/local", "/usr" };
	const char *named = secure_getenv("KERMON_MSR_HELPER");

	if (named)
		return snprintf(path, PATH_MAX, "%s", named) < PATH_MAX;
	if (find_beside(path))
		return true;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		snprintf(path, PATH_MAX, "%s/" HELPER, prefixes[i]);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

/* In the child: only functions that are safe in one of a process with threads. */
static void execute(const char *path, int fd)
{
	struct msr_header failed = { .type = MSR_HELLO };
	char *const argv[] = { (char *)path, NULL };
	const int null = open("/dev/null", O_RDWR);

	if (fd != MSR_SOCKET_FD)
		dup2(fd, MSR_SOCKET_FD);
	else
		fcntl(fd, F_SETFD, 0);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execv(path, argv);
	failed.error = -errno;
	failed.reason = errno == EACCES ? KERMON_MSR_NO_GROUP :
					  KERMON_MSR_NO_HELPER;
	send(MSR_SOCKET_FD, &failed, sizeof(failed), MSG_NOSIGNAL);
}

int msr_helper_start(const char *path)
{
	int ends[2], err;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	child = fork();
	if (!child) {
		/* The helper is a child of init, which waits for it. */
		if (!fork())
			execute(path, ends[1]);
		_exit(0);
	}
	err = child < 0 ? -errno : 0;
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return err;
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return ends[0];
}
