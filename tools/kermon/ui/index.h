/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to index.c: a hash table to find elements of an array by their content.
 *
 *	slot = index_slot(&index, hash, same, context);
 *	if (!slot)
 *		return -ENOMEM;
 *	if (slot->number == INDEX_FREE)
 *		slot->number = ... of the element that has been added
 */
#ifndef KERMON_INDEX_H
#define KERMON_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_FREE	UINT32_MAX

struct index_slot {
	uint64_t hash;
	uint32_t number;
};

struct index {
	struct index_slot *slots;
	size_t nr;
	size_t room;	/* a power of two, or 0 */
};

/* Whether element @number is the wanted one. */
typedef bool (*index_same)(const void *context, uint32_t number);

/*
 * The slot of the wanted element, or a free one that the caller fills immediately. NULL if
 * out of memory.
 */
struct index_slot *index_slot(struct index *index, uint64_t hash,
			      index_same same, const void *context);
void index_free(struct index *index);

/* Hash several numbers: start with 0, and mix in one after the other. */
static inline uint64_t index_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;	/* 2^64 / golden ratio */
	return hash ^ hash >> 29;
}

#endif /* KERMON_INDEX_H */
