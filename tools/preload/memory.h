/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of a ring, on the side of the producer. */
#ifndef KERMON_PRELOAD_MEMORY_H
#define KERMON_PRELOAD_MEMORY_H

#include <stdint.h>

#include "marks/ring.h"

/**
 * struct memory - a ring that is mapped
 * @head: its begin, or NULL
 * @records: the records, twice in a row: none is split by the end of the ring
 * @bytes: size of the records, a power of two
 */
struct memory {
	struct ring_head *head;
	char *records;
	uint64_t bytes;
};

/**
 * memory_open() - create and map the memory of a ring
 * @memory: to be closed by memory_close(), in this process: a child does not inherit it
 * @bytes: of the records, a power of two and at least a page
 *
 * Return: a descriptor for the tool, which the caller closes, or a negative error.
 */
int memory_open(struct memory *memory, uint64_t bytes);
void memory_close(struct memory *memory);

/**
 * memory_tail() - bytes of records that the tool has read
 * @memory: open
 * @head: bytes written so far
 *
 * Return: a number that is not larger than @head. If the tool has written one that cannot be,
 * the ring is full: nothing is overwritten.
 */
static inline uint64_t memory_tail(const struct memory *memory, uint64_t head)
{
	const uint64_t tail = __atomic_load_n(&memory->head->tail, __ATOMIC_ACQUIRE);

	return head - tail <= memory->bytes ? tail : head - memory->bytes;
}

/* Hands all records up to @head to the consumer. */
static inline void memory_publish(struct ring_head *ring, uint64_t head)
{
	__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
}

#endif /* KERMON_PRELOAD_MEMORY_H */
