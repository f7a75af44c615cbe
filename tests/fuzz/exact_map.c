// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are mapped to be read are read into memory of just their size
 * instead: a mapping ends with its last page, and what is read behind the file, but
 * in that page, would go unseen. Linked with --wrap=mmap and so on; other mappings
 * are what they were.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPS	16

static void *maps[MAPS];

void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from);
int __real_munmap(void *at, size_t size);
int __real_madvise(void *at, size_t size, int advice);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from);
int __wrap_munmap(void *at, size_t size);
int __wrap_madvise(void *at, size_t size, int advice);

/* Where @at is kept, or where a new one can be for NULL. */
static void **map_of(const void *at)
{
	for (size_t i = 0; i < MAPS; i++)
		if (maps[i] == at)
			return &maps[i];
	return NULL;
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from)
{
	void **map = map_of(NULL);

	if (fd < 0 || prot != PROT_READ || !map)
		return __real_mmap(at, size, prot, flags, fd, from);
	*map = malloc(size);
	if (!*map || pread(fd, *map, size, from) != (ssize_t)size)
		abort();
	return *map;
}

int __wrap_munmap(void *at, size_t size)
{
	void **map = map_of(at);

	if (!map)
		return __real_munmap(at, size);
	free(at);
	*map = NULL;
	return 0;
}

/* What is in the memory of malloc() has no file that it could come from again. */
int __wrap_madvise(void *at, size_t size, int advice)
{
	return map_of(at) ? 0 : __real_madvise(at, size, advice);
}
