/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A producer of marks for tests, which speaks the protocol of marks/ring.h, and may lie. It
 * shares no code with the collector.
 */
#ifndef TESTS_UNIT_PRODUCED_H
#define TESTS_UNIT_PRODUCED_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "marks/ring.h"

/**
 * struct produced - a ring
 * @fd: its memory
 * @bytes: of records
 */
struct produced {
	int fd;
	uint64_t bytes;
	struct ring_head *head;
	char *records;
};

/* A ring of @bytes in memory with @seals. Return: 0 or -errno. */
static inline int produced_make(struct produced *ring, uint64_t bytes, int seals)
{
	const size_t size = RING_HEAD_SIZE + bytes;

	ring->bytes = bytes;
	ring->fd = memfd_create("marks", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (ring->fd < 0 || ftruncate(ring->fd, size))
		return -errno;
	ring->head = (struct ring_head *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
					      ring->fd, 0);
	if (ring->head == MAP_FAILED || fcntl(ring->fd, F_ADD_SEALS, seals))
		return -errno;
	ring->records = (char *)ring->head + RING_HEAD_SIZE;
	return 0;
}

static inline void produced_free(struct produced *ring)
{
	munmap(ring->head, RING_HEAD_SIZE + ring->bytes);
	close(ring->fd);
}

/* Return: a connection or -errno. */
static inline int produced_connect(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + 1, name, strlen(name));
	if (fd < 0 || connect(fd, (struct sockaddr *)&address,
			      offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)))
		return -errno;
	return fd;
}

/* Send @size bytes and, unless it is -1, a descriptor. Return: 0 or -errno. */
static inline int produced_send(int connection, const void *data, size_t size, int fd)
{
	char room[CMSG_SPACE(sizeof(fd))] __attribute__((aligned(8))) = { 0 };
	struct iovec text = { (void *)data, size };
	struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1 };
	struct cmsghdr *control;

	if (fd >= 0) {
		message.msg_control = room;
		message.msg_controllen = sizeof(room);
		control = CMSG_FIRSTHDR(&message);
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(control), &fd, sizeof(fd));
	}
	return sendmsg(connection, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static inline struct ring_hello produced_hello(enum ring_kind kind, pid_t tid)
{
	return (struct ring_hello){
		.magic = RING_MAGIC, .version = RING_VERSION, .kind = kind,
		.pid = getpid(), .tid = tid,
	};
}

/* Hand a ring over, and wait for the answer. Return: its size, 0 if it is refused, -errno. */
static inline ssize_t produced_give(const char *name, const struct ring_hello *hello, int fd,
				    void *answer, size_t room)
{
	const int connection = produced_connect(name);
	ssize_t result;

	if (connection < 0)
		return connection;
	result = produced_send(connection, hello, sizeof(*hello), fd);
	if (!result)
		result = recv(connection, answer, room, 0);
	if (result < 0)
		result = -errno;
	close(connection);
	return result;
}

/* Copy @size bytes behind the last record, and publish them; there has to be room. */
static inline void produced_put(struct produced *ring, const void *record, size_t size)
{
	uint64_t head = ring->head->head;

	for (size_t i = 0; i < size; i++)
		ring->records[(head + i) % ring->bytes] = ((const char *)record)[i];
	__atomic_store_n(&ring->head->head, head + size, __ATOMIC_RELEASE);
}

static inline bool produced_has_room(const struct produced *ring, size_t size)
{
	return ring->head->head + size -
	       __atomic_load_n(&ring->head->tail, __ATOMIC_ACQUIRE) <= ring->bytes;
}

static inline void produced_mark_at(struct produced *ring, enum mark kind, uint32_t id,
				    uint64_t tsc, const uint64_t *values, unsigned int nr)
{
	uint64_t record[UINT8_MAX];
	const struct mark_record mark = {
		.kind = kind, .words = MARK_WORDS + nr, .cpu = MARK_NO_CPU, .id = id, .tsc = tsc,
	};

	memcpy(record, &mark, sizeof(mark));
	if (nr)
		memcpy(record + MARK_WORDS, values, nr * sizeof(*values));
	produced_put(ring, record, (MARK_WORDS + nr) * sizeof(*record));
}

static inline void produced_mark(struct produced *ring, enum mark kind, uint32_t id)
{
	produced_mark_at(ring, kind, id, __builtin_ia32_rdtsc(), NULL, 0);
}

static inline void produced_name_of(struct produced *ring, enum mark_name kind, uint32_t id,
				    pid_t thread, const char *text)
{
	char record[sizeof(struct name_record) + RING_NAME_MAX + 8] __attribute__((aligned(8))) = "";
	struct name_record *name = (struct name_record *)record;
	size_t length = strlen(text);

	*name = (struct name_record){
		.size = (sizeof(*name) + length + 1 + 7) / 8 * 8,
		.kind = kind, .id = id, .thread = thread,
	};
	memcpy(name->name, text, length);
	produced_put(ring, record, name->size);
}

static inline void produced_name(struct produced *ring, uint32_t id, const char *text)
{
	produced_name_of(ring, MARK_NAME_REGION, id, 0, text);
}

#endif /* TESTS_UNIT_PRODUCED_H */
