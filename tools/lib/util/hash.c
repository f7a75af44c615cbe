// SPDX-License-Identifier: GPL-2.0
/* A hash table of pointers: open addressing with linear probing, at most half full. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"

#define FIRST_ROOM	64

void **hash_find(const struct hash *table, uint64_t hash, hash_same same,
		 const void *key)
{
	size_t mask = table->room - 1;
	struct hash_slot *slot;

	if (!table->room)
		return NULL;
	for (size_t i = hash & mask; table->slots[i].item; i = (i + 1) & mask) {
		slot = &table->slots[i];
		if (slot->hash == hash && same(slot->item, key))
			return &slot->item;
	}
	return NULL;
}

static void place(struct hash_slot *slots, size_t room, struct hash_slot new)
{
	size_t i = new.hash & (room - 1);

	while (slots[i].item)
		i = (i + 1) & (room - 1);
	slots[i] = new;
}

static int grow(struct hash *table)
{
	size_t room = table->room ? 2 * table->room : FIRST_ROOM;
	struct hash_slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < table->room; i++)
		if (table->slots[i].item)
			place(slots, room, table->slots[i]);
	free(table->slots);
	table->slots = slots;
	table->room = room;
	return 0;
}

int hash_add(struct hash *table, uint64_t hash, void *item)
{
	if (2 * (table->nr + 1) > table->room && grow(table))
		return -ENOMEM;
	place(table->slots, table->room,
	      (struct hash_slot){ .hash = hash, .item = item });
	table->nr++;
	return 0;
}

void hash_free(struct hash *table)
{
	free(table->slots);
	*table = (struct hash){};
}

uint64_t hash_bytes(const void *data, size_t size)
{
	const unsigned char *at = data;
	uint64_t hash = size, word;

	for (; size >= sizeof(word); at += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = hash_mix(hash ^ word);
	}
	word = 0;
	memcpy(&word, at, size);
	return hash_mix(hash ^ word);
}
