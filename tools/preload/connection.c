// SPDX-License-Identifier: GPL-2.0
/* The socket of the tool: one connection for each ring. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"

/* A tool that has been stopped does not stop the application. */
#define PATIENCE_SECONDS	5

/* A thread that waits for room yields some times, then sleeps, and asks now and then. */
#define YIELDS		16
#define SLEEP_NS	50000
#define ASK_ROUNDS	1000

static int tool_is_gone;

static int tool_connect(void)
{
	const struct timeval limit = { .tv_sec = PATIENCE_SECONDS };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *name = secure_getenv(RING_ENVIRONMENT);
	size_t length;
	int fd, error;

	length = name ? strlen(name) : 0;
	if (!length)
		return -ENOENT;
	if (length >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	/* Abstract: a NUL is before the name. */
	memcpy(address.sun_path + 1, name, length);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	while (connect(fd, (struct sockaddr *)&address,
		       offsetof(struct sockaddr_un, sun_path) + 1 + length)) {
		if (errno == EINTR)
			continue;
		error = errno;
		close(fd);
		return -error;
	}
	return fd;
}

static int hello_send(int fd, enum ring_kind kind, int memory_fd)
{
	struct ring_hello hello = {
		.magic = RING_MAGIC, .version = RING_VERSION, .kind = kind,
		.pid = getpid(), .tid = gettid(),
	};
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec bytes = { &hello, sizeof(hello) };
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &memory_fd, sizeof(int));
	while (sendmsg(fd, &message, MSG_NOSIGNAL) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static long config_receive(int fd, struct ring_config *config, size_t room)
{
	ssize_t size;

	do {
		size = recv(fd, config, room, 0);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		return -errno;
	if ((size_t)size < sizeof(*config) || config->magic != RING_MAGIC ||
	    config->version != RING_VERSION)
		return -EPROTO;
	return size;
}

static long exchange(enum ring_kind kind, int memory_fd, struct ring_config *config,
		     size_t room)
{
	const int fd = tool_connect();
	long ret;

	if (fd < 0)
		return fd;
	ret = hello_send(fd, kind, memory_fd);
	if (!ret)
		ret = config_receive(fd, config, room);
	close(fd);
	return ret;
}

long connection_offer(enum ring_kind kind, struct memory *memory, uint64_t bytes,
		      struct ring_config *config, size_t room)
{
	int fd, cancel;
	long ret;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ret = fd = memory_open(memory, bytes);
	if (fd >= 0) {
		ret = exchange(kind, fd, config, room);
		close(fd);
		if (ret < 0)
			memory_close(memory);
	}
	pthread_setcancelstate(cancel, NULL);
	return ret;
}

/* The socket listens as long as the tool lives, also if it is stopped. */
static bool tool_listens(void)
{
	const int fd = tool_connect();

	if (fd < 0)
		return fd != -ECONNREFUSED && fd != -ENOENT;
	close(fd);
	return true;
}

bool connection_wait(struct patience *patience)
{
	const struct timespec moment = { .tv_nsec = SLEEP_NS };
	int cancel;

	if (__atomic_load_n(&tool_is_gone, __ATOMIC_RELAXED))
		return false;
	if (++patience->rounds <= YIELDS) {
		sched_yield();
		return true;
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	nanosleep(&moment, NULL);
	if (patience->rounds % ASK_ROUNDS == 0 && !tool_listens())
		__atomic_store_n(&tool_is_gone, 1, __ATOMIC_RELAXED);
	pthread_setcancelstate(cancel, NULL);
	return true;
}
