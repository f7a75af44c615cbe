/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to memory.c: memory of a thread, of regular or of huge pages.
 */
#ifndef KERMON_MEMORY_H
#define KERMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct memory - a mapping
 * @data: aligned to a huge page
 * @bytes: its size
 * @huge_bytes: of these, so many are in huge pages
 */
struct memory {
	char *data;
	uint64_t bytes;
	uint64_t huge_bytes;
};

/*
 * Map and write at least @bytes, which places them in the NUMA node of the calling thread,
 * in huge pages if they are wanted and the kernel has some. Return: 0 or -errno.
 */
int memory_map(struct memory *memory, uint64_t bytes, bool huge);
void memory_unmap(struct memory *memory);

/* Whether nearly all of it is in huge pages. */
bool memory_is_huge(const struct memory *memory);

/* Bytes that can be used without swapping; 0: not known. */
uint64_t memory_available(void);

#endif /* KERMON_MEMORY_H */
