// SPDX-License-Identifier: GPL-2.0
/* The memory of a ring: a memfd that cannot shrink, mapped with its records twice. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory.h"

static uint64_t mapped_bytes(uint64_t bytes)
{
	return RING_HEAD_SIZE + 2 * bytes;
}

/* Where files may not be that large, ftruncate() would send SIGXFSZ. */
static int file_of(uint64_t size)
{
	struct rlimit limit;
	int fd, error;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < size)
		return -EFBIG;
	fd = memfd_create("kermon-marks", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, size) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		return fd;
	error = errno;
	close(fd);
	return -error;
}

static char *map(char *at, uint64_t bytes, int fd, uint64_t offset)
{
	return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
		    fd, offset);
}

int memory_open(struct memory *memory, uint64_t bytes)
{
	const uint64_t first = RING_HEAD_SIZE + bytes;
	const int fd = file_of(first);
	char *begin;
	int error;

	if (fd < 0)
		return fd;
	begin = mmap(NULL, mapped_bytes(bytes), PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (begin == MAP_FAILED) {
		error = errno;
		close(fd);
		return -error;
	}
	if (map(begin, first, fd, 0) == MAP_FAILED ||
	    map(begin + first, bytes, fd, RING_HEAD_SIZE) == MAP_FAILED ||
	    madvise(begin, mapped_bytes(bytes), MADV_DONTFORK)) {
		error = errno;
		munmap(begin, mapped_bytes(bytes));
		close(fd);
		return -error;
	}
	madvise(begin, mapped_bytes(bytes), MADV_DONTDUMP);
	memory->head = (struct ring_head *)begin;
	memory->records = begin + RING_HEAD_SIZE;
	memory->bytes = bytes;
	return fd;
}

void memory_close(struct memory *memory)
{
	if (memory->head)
		munmap(memory->head, mapped_bytes(memory->bytes));
	memory->head = NULL;
}
