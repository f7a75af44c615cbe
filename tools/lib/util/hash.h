/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hash table of pointers that only grows. It does not own what it points to.
 *
 *	void **place = hash_find(&table, hash_bytes(name, len), is_named, name);
 *
 *	if (!place)
 *		err = hash_add(&table, hash_bytes(name, len), item);
 */
#ifndef KERMON_HASH_H
#define KERMON_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
	struct hash_slot {
		uint64_t hash;
		void *item;	/* NULL: free */
	} *slots;
	size_t nr;
	size_t room;		/* slots, a power of two, or 0 */
};

typedef bool (*hash_same)(const void *item, const void *key);

/* Where the item with this key is, to be looked at or replaced; or NULL. */
void **hash_find(const struct hash *table, uint64_t hash, hash_same same,
		 const void *key);
/* Adds an item, not NULL, that is not there yet. Return: 0 or -ENOMEM. */
int hash_add(struct hash *table, uint64_t hash, void *item);
void hash_free(struct hash *table);

/* Spreads the bits of a number over all of the hash. */
static inline uint64_t hash_mix(uint64_t value)
{
	value ^= value >> 32;
	value *= 0x9e3779b97f4a7c15ULL;	/* 2^64 / golden ratio */
	return value ^ value >> 29;
}

/* The first @bits bits of a hash with few collisions of consecutive numbers. */
static inline uint64_t hash_spread(uint64_t value, int bits)
{
	return value * 0x9e3779b97f4a7c15ULL >> (64 - bits);
}

uint64_t hash_bytes(const void *data, size_t size);

#endif /* KERMON_HASH_H */
