// SPDX-License-Identifier: GPL-2.0
/* Consecutive numbers for 64-bit keys: a hash table of indexes into an array. */
#include <errno.h>
#include <stdlib.h>

#include "hash.h"
#include "numbering.h"

#define FIRST_ROOM	1024
#define MOST_ROOM	(1U << 30)

/* Slot of @key, or the free slot where it would be. */
static uint32_t *find(const struct numbering *numbering, uint64_t key)
{
	uint32_t mask = 2 * numbering->room - 1;
	uint32_t at = hash_mix(key * 0xff51afd7ed558ccdULL) & mask;
	uint32_t *slots = numbering->slots;

	while (slots[at] && numbering->keys[slots[at] - 1] != key)
		at = (at + 1) & mask;
	return &slots[at];
}

static int grow(struct numbering *numbering)
{
	uint32_t room = numbering->room ? 2 * numbering->room : FIRST_ROOM;
	uint64_t *keys;
	uint32_t *slots;

	if (room > MOST_ROOM)
		return -ENOMEM;
	keys = realloc(numbering->keys, room * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	numbering->keys = keys;
	slots = calloc(2 * (size_t)room, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(numbering->slots);
	numbering->slots = slots;
	numbering->room = room;
	for (uint32_t i = 0; i < numbering->nr; i++)
		*find(numbering, keys[i]) = i + 1;
	return 0;
}

uint32_t numbering_get(struct numbering *numbering, uint64_t key)
{
	uint32_t *slot;

	if (numbering->nr == numbering->room && grow(numbering))
		return NUMBERING_FULL;
	slot = find(numbering, key);
	if (*slot)
		return *slot - 1;
	numbering->keys[numbering->nr] = key;
	*slot = ++numbering->nr;
	return numbering->nr - 1;
}

uint32_t numbering_find(const struct numbering *numbering, uint64_t key)
{
	return numbering->nr ? *find(numbering, key) - 1 : NUMBERING_FULL;
}

void numbering_settle(struct numbering *numbering)
{
	uint64_t *keys = realloc(numbering->keys,
				 (numbering->nr + 1) * sizeof(*keys));

	free(numbering->slots);
	numbering->slots = NULL;
	if (keys)
		numbering->keys = keys;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->keys);
	free(numbering->slots);
	*numbering = (struct numbering){};
}
