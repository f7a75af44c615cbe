// SPDX-License-Identifier: GPL-2.0
/* Complete writes, small files as a whole, and temporary files without a name. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

/* Read up to @size bytes. Return: their number or -errno. */
static ssize_t read_up_to(int fd, char *text, size_t size)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		got = read(fd, text + done, size - done);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (!got)
			break;
		if (got > 0)
			done += got;
	}
	return done;
}

ssize_t read_small(const char *path, char *text, size_t most)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat file;
	ssize_t size;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &file))
		size = -errno;
	else if (S_ISREG(file.st_mode))
		size = read_up_to(fd, text, most + 1);
	else
		size = -EINVAL;
	close(fd);
	return size > (ssize_t)most ? -EFBIG : size;
}
