// SPDX-License-Identifier: GPL-2.0
/* Memory of the collector, from mmap(). */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "arena.h"

#define ALIGNMENT	16
#define CHUNK		(64 << 10)

static char *chunk;
static size_t left;

static void *pages(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void *arena_take(size_t size)
{
	void *taken;

	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (size > CHUNK)
		return NULL;
	if (size > left) {
		taken = pages(CHUNK);
		if (!taken)
			return NULL;
		left = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		chunk = taken;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		left = CHUNK;
	}
	/* In this order: fork() in another thread may come between. */
	left -= size;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	taken = chunk;
	chunk += size;
	return taken;
}

void *arena_wiped(size_t size)
{
	void *memory = pages(size);

	if (memory && madvise(memory, size, MADV_WIPEONFORK)) {
		munmap(memory, size);
		return NULL;
	}
	return memory;
}
