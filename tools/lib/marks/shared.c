// SPDX-License-Identifier: GPL-2.0
/* The memory of a ring, which belongs to the application: it may say anything at any time. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "marks_private.h"

int shared_map(struct shared *shared, int fd, uint64_t bytes)
{
	const uint64_t size = RING_HEAD_SIZE + bytes;
	const int seals = fcntl(fd, F_GET_SEALS);
	struct stat status;
	void *map;

	/* Without the seal, it could shrink, and reading it would end the tool by SIGBUS. */
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd, &status))
		return -EBADMSG;
	if ((uint64_t)status.st_size != size)
		return -EBADMSG;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	*shared = (struct shared){
		.head = map,
		.records = (const char *)map + RING_HEAD_SIZE,
		.bytes = bytes,
	};
	return 0;
}

void shared_unmap(struct shared *shared)
{
	if (shared->head)
		munmap(shared->head, RING_HEAD_SIZE + shared->bytes);
	shared->head = NULL;
}

/* The end first: what was written before it is then before the head. Each is read once. */
int shared_look(struct shared *shared)
{
	const struct ring_head *head = shared->head;
	uint64_t until;

	shared->closed = __atomic_load_n(&head->closed, __ATOMIC_ACQUIRE);
	until = __atomic_load_n(&head->head, __ATOMIC_ACQUIRE);
	shared->lost = __atomic_load_n(&head->lost, __ATOMIC_RELAXED);
	if (until % sizeof(uint64_t) || until - shared->tail > shared->bytes)
		return -EBADMSG;
	shared->until = until;
	return 0;
}

void shared_copy(const struct shared *shared, void *to, size_t size)
{
	const uint64_t at = shared->tail & (shared->bytes - 1);
	const size_t first = shared->bytes - at < size ? shared->bytes - at : size;

	memcpy(to, shared->records + at, first);
	memcpy((char *)to + first, shared->records, size - first);
}

void shared_free(struct shared *shared, size_t size)
{
	shared->tail += size;
	__atomic_store_n(&shared->head->tail, shared->tail, __ATOMIC_RELEASE);
}
