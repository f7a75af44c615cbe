// SPDX-License-Identifier: GPL-2.0
/*
 * Reads files into memory of exactly their size instead of mapping them: a mapping
 * extends to the end of its last page, where reads beyond the end of the file would not
 * be detected. Linked with --wrap=mmap etc.; other mappings are not changed.
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

/* Where @at is stored, or a free entry if @at is NULL. */
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

/* Memory of malloc() has no file from which its contents could be read again. */
int __wrap_madvise(void *at, size_t size, int advice)
{
	return map_of(at) ? 0 : __real_madvise(at, size, advice);
}
