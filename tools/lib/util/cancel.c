// SPDX-License-Identifier: GPL-2.0
/* Requests to stop: a flag for those who compute, an eventfd for those who wait. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cancel.h"

struct kermon_cancel *kermon_cancel_new(void)
{
	struct kermon_cancel *cancel = calloc(1, sizeof(*cancel));

	if (!cancel)
		return NULL;
	cancel->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (cancel->fd >= 0)
		return cancel;
	free(cancel);
	return NULL;
}

void kermon_cancel_free(struct kermon_cancel *cancel)
{
	if (!cancel)
		return;
	close(cancel->fd);
	free(cancel);
}

/* Only what is allowed in a signal handler. A full counter is readable, too. */
void kermon_cancel(struct kermon_cancel *cancel)
{
	const uint64_t one = 1;
	int saved = errno;

	atomic_store(&cancel->is_set, true);
	if (write(cancel->fd, &one, sizeof(one)) < 0)
		errno = saved;
}

bool kermon_cancel_is_set(const struct kermon_cancel *cancel)
{
	return cancel_check(cancel);
}

static void drain(const struct kermon_cancel *cancel)
{
	uint64_t count;

	while (read(cancel->fd, &count, sizeof(count)) > 0)
		;
}

void kermon_cancel_reset(struct kermon_cancel *cancel)
{
	drain(cancel);
	atomic_store(&cancel->is_set, false);
}

/*
 * Wait until @fd is readable. Return: 0, -ECANCELED or -errno. The request may also have
 * been made in a child process, which shares the eventfd but not the flag.
 */
static int wait_for(const struct kermon_cancel *cancel, int fd)
{
	struct pollfd fds[2] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = cancel->fd, .events = POLLIN },
	};

	while (!cancel_check(cancel)) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[0].revents)
			return cancel_check(cancel);
		if (fds[1].revents && !cancel_check(cancel))
			drain(cancel);
	}
	return -ECANCELED;
}

ssize_t cancel_read(const struct kermon_cancel *cancel, int fd, void *to,
		    size_t size)
{
	ssize_t nr;
	int err;

	do {
		err = cancel ? wait_for(cancel, fd) : 0;
		if (err)
			return err;
		nr = read(fd, to, size);
	} while (nr < 0 && (errno == EINTR || (cancel && errno == EAGAIN)));
	return nr < 0 ? -errno : nr;
}

int cancel_open(const struct kermon_cancel *cancel, const char *path)
{
	struct stat status;
	int flags = O_RDONLY | O_CLOEXEC, fd;

	if (cancel && !stat(path, &status) && S_ISFIFO(status.st_mode))
		flags |= O_NONBLOCK;
	fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}
