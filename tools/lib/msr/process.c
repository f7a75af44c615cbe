// SPDX-License-Identifier: GPL-2.0
/* Finds and starts kermon-msr-helper. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "private.h"

#define HELPER	"libexec/kermon/kermon-msr-helper"

/* Whether an object of this process contains the function @data; its name goes there. */
struct object {
	uintptr_t address;
	char path[PATH_MAX];
};

static int is_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct object *object = data;
	const ElfW(Phdr) *header;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD || object->address -
		    (info->dlpi_addr + header->p_vaddr) >= header->p_memsz)
			continue;
		/* The program itself has no name. */
		snprintf(object->path, sizeof(object->path), "%s",
			 *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
		return 1;
	}
	return 0;
}

/* The helper beside the program or the shared library that contains this function. */
static bool find_beside(char path[PATH_MAX])
{
	struct object object = { .address = (uintptr_t)find_beside };
	char folder[PATH_MAX];

	if (!dl_iterate_phdr(is_object, &object) ||
	    !realpath(object.path, folder))
		return false;
	*strrchr(folder, '/') = '\0';
	return snprintf(path, PATH_MAX, "%s/../" HELPER, folder) < PATH_MAX &&
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
