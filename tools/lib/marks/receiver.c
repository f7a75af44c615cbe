// SPDX-License-Identifier: GPL-2.0
/*
 * The socket to which collectors connect. A thread of the application waits for the answer,
 * so this is quick and never blocks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "marks_private.h"
#include "util/sized.h"

#define RINGS_MAX	8192

/* Descriptors that a message may carry and still be answered: one, and room to see more. */
#define DESCRIPTORS	4

int source_add(struct kermon_marks *marks, struct source *source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = source };

	return epoll_ctl(marks->epoll, EPOLL_CTL_ADD, source->fd, &event) ? -errno : 0;
}

/* Closing it is not enough if the application has a copy of the descriptor. */
void source_close(struct kermon_marks *marks, struct source *source)
{
	if (source->fd < 0)
		return;
	epoll_ctl(marks->epoll, EPOLL_CTL_DEL, source->fd, NULL);
	close(source->fd);
	source->fd = -1;
}

/* What one connection has sent. */
struct message {
	struct ring_hello hello;
	ssize_t size;
	int fds[DESCRIPTORS];
	size_t nr_fds;
};

static void take_descriptors(struct message *message, struct msghdr *header)
{
	struct cmsghdr *control;
	size_t bytes;

	for (control = CMSG_FIRSTHDR(header); control; control = CMSG_NXTHDR(header, control)) {
		if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
			continue;
		bytes = control->cmsg_len - CMSG_LEN(0);
		message->nr_fds = bytes / sizeof(int);
		memcpy(message->fds, CMSG_DATA(control), bytes);
	}
}

/* Return: 0, or -EAGAIN: nothing has arrived yet. */
static int receive(int fd, struct message *message)
{
	char room[CMSG_SPACE(sizeof(message->fds))] __attribute__((aligned(8)));
	struct iovec text = { &message->hello, sizeof(message->hello) };
	struct msghdr header = {
		.msg_iov = &text, .msg_iovlen = 1,
		.msg_control = room, .msg_controllen = sizeof(room),
	};

	message->nr_fds = 0;
	message->size = recvmsg(fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (message->size < 0)
		return errno == EAGAIN || errno == EINTR ? -EAGAIN : 0;
	take_descriptors(message, &header);
	if (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
		message->size = -1;
	return 0;
}

static bool is_hello(const struct message *message)
{
	const struct ring_hello *hello = &message->hello;

	return message->size == sizeof(*hello) && message->nr_fds == 1 &&
	       hello->magic == RING_MAGIC && hello->version == RING_VERSION &&
	       (hello->kind == RING_MARKS || hello->kind == RING_NAMES);
}

/* One that says nothing has gone away, which is no matter. Refused: closed without answer. */
static void answer(struct kermon_marks *marks, int fd, const struct message *message)
{
	if (message->size == 0)
		return;
	if (!is_hello(message))
		marks->totals.refused_form++;
	else if (peers_take(marks, fd, &message->hello, message->fds[0]))
		(void)!send(fd, marks->answer, marks->answer_size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Whether the connection has said all that it has to say. */
static bool converse(struct kermon_marks *marks, int fd)
{
	struct message message;

	if (receive(fd, &message) == -EAGAIN)
		return false;
	answer(marks, fd, &message);
	for (size_t i = 0; i < message.nr_fds; i++)
		close(message.fds[i]);
	return true;
}

/* Wait for what it has to say; who has been silent for longest has to go. */
static void postpone(struct kermon_marks *marks, int fd)
{
	struct source *pending = &marks->pending[marks->next_pending];

	marks->next_pending = (marks->next_pending + 1) % MARKS_PENDING;
	if (pending->fd >= 0)
		marks->totals.refused_limit++;
	source_close(marks, pending);
	pending->fd = fd;
	if (source_add(marks, pending))
		source_close(marks, pending);
}

static void accept_all(struct kermon_marks *marks)
{
	int fd;

	while ((fd = accept4(marks->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
		if (converse(marks, fd))
			close(fd);
		else
			postpone(marks, fd);
}

static void serve_source(struct kermon_marks *marks, struct source *source)
{
	switch (source->kind) {
	case SOURCE_LISTENER:
		accept_all(marks);
		break;
	case SOURCE_CONNECTION:
		if (source->fd >= 0 && converse(marks, source->fd))
			source_close(marks, source);
		break;
	case SOURCE_PROCESS:
		((struct process *)source)->ended = true;
		source_close(marks, source);
		break;
	}
}

void marks_serve(struct kermon_marks *marks)
{
	struct epoll_event events[MARKS_PENDING];
	const int nr = epoll_wait(marks->epoll, events, MARKS_PENDING, 0);

	for (int i = 0; i < nr; i++)
		serve_source(marks, events[i].data.ptr);
}

int marks_fd(const struct kermon_marks *marks)
{
	return marks->epoll;
}

/* A name that nobody can guess: who knows it may connect. */
static int name_socket(struct kermon_marks *marks)
{
	uint64_t random[2];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -errno;
	snprintf(marks->name, sizeof(marks->name), "kermon-marks-%016llx%016llx",
		 (unsigned long long)random[0], (unsigned long long)random[1]);
	return 0;
}

static int listen_socket(struct kermon_marks *marks)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t length = strlen(marks->name);

	marks->epoll = epoll_create1(EPOLL_CLOEXEC);
	marks->listener.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (marks->epoll < 0 || marks->listener.fd < 0)
		return -errno;
	memcpy(address.sun_path + 1, marks->name, length);
	if (bind(marks->listener.fd, (struct sockaddr *)&address,
		 offsetof(struct sockaddr_un, sun_path) + 1 + length) ||
	    listen(marks->listener.fd, SOMAXCONN))
		return -errno;
	return source_add(marks, &marks->listener);
}

static void add_string(struct kermon_marks *marks, const char *text)
{
	const size_t size = text ? strlen(text) + 1 : 1;

	if (marks->answer_size + size <= RING_CONFIG_MAX)
		memcpy(marks->answer + marks->answer_size, text ? text : "", size);
	marks->answer_size += size;
}

static int make_answer(struct kermon_marks *marks, const struct kermon_marks_options *options)
{
	const struct ring_config config = {
		.magic = RING_MAGIC,
		.version = RING_VERSION,
		.flags = (options->counts ? RING_COUNTS : 0) | (options->wait ? RING_WAIT : 0) |
			 (options->paused ? RING_PAUSED : 0),
		.ring_bytes = marks->ring_bytes,
		.first = options->first,
		.last = options->last,
	};

	memcpy(marks->answer, &config, sizeof(config));
	marks->answer_size = sizeof(config);
	add_string(marks, options->iterations);
	add_string(marks, options->include);
	add_string(marks, options->exclude);
	return marks->answer_size > RING_CONFIG_MAX ? -E2BIG : 0;
}

static int set_up(struct kermon_marks *marks, const struct kermon_marks_options *options)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	const uint64_t bytes = options->ring_bytes ? options->ring_bytes :
						     KERMON_MARKS_RING_DEFAULT;
	int result;

	if (bytes < KERMON_MARKS_RING_MIN || bytes > KERMON_MARKS_RING_MAX ||
	    (bytes & (bytes - 1)))
		return -EINVAL;
	marks->ring_bytes = bytes;
	marks->max_rings = options->max_rings ? options->max_rings : RINGS_MAX;
	marks->max_bytes = options->max_bytes ? options->max_bytes : memory / 2;
	result = make_answer(marks, options);
	if (!result)
		result = name_socket(marks);
	return result ? result : listen_socket(marks);
}

int kermon_marks_open(struct kermon_marks **marks, const struct kermon_marks_options *options)
{
	struct kermon_marks_options known;
	int result = sized_take(&known, sizeof(known), options);
	struct kermon_marks *new;

	*marks = NULL;
	if (result)
		return result;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->epoll = -1;
	new->listener = (struct source){ SOURCE_LISTENER, -1 };
	for (size_t i = 0; i < MARKS_PENDING; i++)
		new->pending[i] = (struct source){ SOURCE_CONNECTION, -1 };
	result = set_up(new, &known);
	if (result) {
		kermon_marks_close(new);
		return result;
	}
	*marks = new;
	return 0;
}

const char *kermon_marks_socket(const struct kermon_marks *marks)
{
	return marks->name;
}

void kermon_marks_totals(const struct kermon_marks *marks, struct kermon_marks_totals *totals)
{
	*totals = marks->totals;
}

void kermon_marks_close(struct kermon_marks *marks)
{
	if (!marks)
		return;
	peers_free(marks);
	for (size_t i = 0; i < MARKS_PENDING; i++)
		source_close(marks, &marks->pending[i]);
	source_close(marks, &marks->listener);
	if (marks->epoll >= 0)
		close(marks->epoll);
	free(marks);
}
