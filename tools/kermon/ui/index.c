// SPDX-License-Identifier: GPL-2.0
/*
 * A hash table of array indices, with open addressing.
 */
#include <stdlib.h>

#include "index.h"

#define FIRST_ROOM	1024

static struct index_slot *first_free(struct index_slot *slots, size_t room,
				     uint64_t hash)
{
	size_t at = hash & (room - 1);

	while (slots[at].number != INDEX_FREE)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

/* Grow the table so that a third of the slots stays free. */
static bool make_room(struct index *index)
{
	size_t room = index->room ? 2 * index->room : FIRST_ROOM;
	struct index_slot *slots;

	if (3 * (index->nr + 1) <= 2 * index->room)
		return true;
	slots = malloc(room * sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < room; i++)
		slots[i].number = INDEX_FREE;
	for (size_t i = 0; i < index->room; i++)
		if (index->slots[i].number != INDEX_FREE)
			*first_free(slots, room, index->slots[i].hash) =
				index->slots[i];
	free(index->slots);
	index->slots = slots;
	index->room = room;
	return true;
}

struct index_slot *index_slot(struct index *index, uint64_t hash,
			      index_same same, const void *context)
{
	struct index_slot *slot;
	size_t at;

	if (!make_room(index))
		return NULL;
	for (at = hash & (index->room - 1);; at = (at + 1) & (index->room - 1)) {
		slot = &index->slots[at];
		if (slot->number == INDEX_FREE)
			break;
		if (slot->hash == hash && same(context, slot->number))
			return slot;
	}
	slot->hash = hash;
	index->nr++;
	return slot;
}

void index_free(struct index *index)
{
	free(index->slots);
}
