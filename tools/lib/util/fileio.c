// SPDX-License-Identifier: GPL-2.0
/* Complete writes, and temporary files without a name. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fileio.h"

/**
 * struct hold - of SIGXFSZ in this thread
 * @pending: it was there before
 */
struct hold {
	bool pending;
	sigset_t before;
};

static sigset_t only_xfsz(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	return set;
}

static bool is_pending(void)
{
	sigset_t pending;

	return !sigpending(&pending) && sigismember(&pending, SIGXFSZ) == 1;
}

static void hold(struct hold *hold)
{
	const sigset_t set = only_xfsz();

	pthread_sigmask(SIG_BLOCK, &set, &hold->before);
	hold->pending = is_pending();
}

/* What came meanwhile has been told by an error. */
static void release(const struct hold *hold)
{
	const struct timespec at_once = { 0 };
	const sigset_t set = only_xfsz();

	if (!hold->pending && is_pending())
		sigtimedwait(&set, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}

static int write_held(int fd, const void *data, size_t size)
{
	const char *at = data;
	ssize_t n;

	while (size) {
		n = write(fd, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		size -= n;
	}
	return 0;
}

int write_all(int fd, const void *data, size_t size)
{
	struct hold held;
	int err;

	hold(&held);
	err = write_held(fd, data, size);
	release(&held);
	return err;
}

int allocate_part(int fd, off_t offset, off_t size)
{
	struct hold held;
	int err;

	hold(&held);
	err = posix_fallocate(fd, offset, size);
	release(&held);
	return -err;
}

const char *temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/var/tmp";
}

int temporary_file(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/kermon-XXXXXX", temporary_folder());
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}
