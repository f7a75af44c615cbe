// SPDX-License-Identifier: GPL-2.0
/* Keep the mappings of an address space in sorted blocks that are shared until changed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mappings.h"
#include "util/array.h"
#include "util/bisect.h"

/* Enough for most processes. */
#define BLOCK_FIRST_ROOM	16

/* Position of a mapping; @block is one past the last block at the end. */
struct spot {
	size_t block;
	size_t at;
};

static const struct mapping *last_of(const struct mapping_block *block)
{
	return &block->all[block->nr - 1];
}

/* Position of the first mapping that ends after @address. */
static struct spot spot_of(const struct mappings *mappings, uint64_t address)
{
	struct mapping_block *const *blocks = mappings->blocks;
	struct spot spot = {};

	spot.block = count_while(mappings->nr_blocks, i,
				 last_of(blocks[i])->end <= address);
	if (spot.block < mappings->nr_blocks)
		spot.at = count_while(blocks[spot.block]->nr, i,
				      blocks[spot.block]->all[i].end <= address);
	return spot;
}

static const struct mapping *mapping_at(const struct mappings *mappings,
					struct spot spot)
{
	return spot.block < mappings->nr_blocks ?
	       &mappings->blocks[spot.block]->all[spot.at] : NULL;
}

static struct mapping_block *resize(struct mapping_block *block, size_t room)
{
	block = realloc(block, sizeof(*block) + room * sizeof(*block->all));
	if (block)
		block->room = room;
	return block;
}

/* Copy the mappings of @from, from @at on, to a block with a single user. */
static struct mapping_block *copy_block(const struct mapping_block *from,
					size_t at, size_t room)
{
	struct mapping_block *block = resize(NULL, room);

	if (!block)
		return NULL;
	block->users = 1;
	block->nr = from->nr - at;
	memcpy(block->all, from->all + at, block->nr * sizeof(*block->all));
	return block;
}

static void leave_block(struct mapping_block *block)
{
	if (!--block->users)
		free(block);
}

/*
 * Make the block at @at exclusive, with room for @nr mappings. Return: NULL if out of
 * memory.
 */
static struct mapping_block *own(struct mappings *mappings, size_t at, size_t nr)
{
	struct mapping_block *old = mappings->blocks[at], *block = old;
	size_t room = old->room;

	mappings->last = NULL;
	while (room < nr)
		room *= 2;
	if (old->users > 1) {
		block = copy_block(old, 0, room);
		if (block)
			old->users--;
	} else if (room > old->room) {
		block = resize(old, room);
	}
	if (block)
		mappings->blocks[at] = block;
	return block;
}

/* Insert @block before the one at @at. */
static int put_block(struct mappings *mappings, size_t at,
		     struct mapping_block *block)
{
	if (!block || array_room(mappings->blocks, mappings->room,
				 mappings->nr_blocks + 1)) {
		free(block);
		return -ENOMEM;
	}
	memmove(mappings->blocks + at + 1, mappings->blocks + at,
		(mappings->nr_blocks - at) * sizeof(block));
	mappings->blocks[at] = block;
	mappings->nr_blocks++;
	return 0;
}

static void drop_block(struct mappings *mappings, size_t at)
{
	mappings->last = NULL;
	leave_block(mappings->blocks[at]);
	mappings->nr_blocks--;
	memmove(mappings->blocks + at, mappings->blocks + at + 1,
		(mappings->nr_blocks - at) * sizeof(*mappings->blocks));
}

/* Split a full block: move half of its mappings to a new block after it. */
static int halve(struct mappings *mappings, size_t at)
{
	struct mapping_block *block = own(mappings, at, MAPPINGS_BLOCK);
	size_t half = MAPPINGS_BLOCK / 2;

	if (!block || put_block(mappings, at + 1,
				copy_block(block, half, MAPPINGS_BLOCK)))
		return -ENOMEM;
	block->nr = half;
	return 0;
}

/* Append: mappings mostly arrive in the order of addresses, and fill the blocks. */
static int make_room_behind(struct mappings *mappings, struct spot *spot)
{
	static const struct mapping_block none;
	const struct mapping_block *last = NULL;

	if (spot->block)
		last = mappings->blocks[spot->block - 1];
	if (!last || last->nr == MAPPINGS_BLOCK)
		return put_block(mappings, spot->block,
				 copy_block(&none, 0, BLOCK_FIRST_ROOM));
	spot->at = last->nr;
	spot->block--;
	return 0;
}

/* Make room at @spot. */
static int make_room(struct mappings *mappings, struct spot *spot)
{
	if (spot->block == mappings->nr_blocks)
		return make_room_behind(mappings, spot);
	if (mappings->blocks[spot->block]->nr < MAPPINGS_BLOCK)
		return 0;
	if (halve(mappings, spot->block))
		return -ENOMEM;
	if (spot->at > MAPPINGS_BLOCK / 2) {
		spot->at -= MAPPINGS_BLOCK / 2;
		spot->block++;
	}
	return 0;
}

static int insert(struct mappings *mappings, struct spot spot,
		  const struct mapping *new)
{
	struct mapping_block *block;

	if (make_room(mappings, &spot))
		return -ENOMEM;
	block = own(mappings, spot.block, mappings->blocks[spot.block]->nr + 1);
	if (!block)
		return -ENOMEM;
	memmove(block->all + spot.at + 1, block->all + spot.at,
		(block->nr - spot.at) * sizeof(*new));
	block->all[spot.at] = *new;
	block->nr++;
	return 0;
}

/* Remove @nr mappings from a block. */
static int drop(struct mappings *mappings, struct spot spot, size_t nr)
{
	struct mapping_block *block = mappings->blocks[spot.block];

	if (nr == block->nr) {
		drop_block(mappings, spot.block);
		return 0;
	}
	block = own(mappings, spot.block, 0);
	if (!block)
		return -ENOMEM;
	block->nr -= nr;
	memmove(block->all + spot.at, block->all + spot.at + nr,
		(block->nr - spot.at) * sizeof(*block->all));
	return 0;
}

/* Number of mappings in a block, from @spot on, that start before @end. */
static size_t count_before(const struct mappings *mappings, struct spot spot,
			   uint64_t end)
{
	const struct mapping_block *block;

	if (spot.block == mappings->nr_blocks)
		return 0;
	block = mappings->blocks[spot.block];
	return count_while(block->nr - spot.at, i,
			   block->all[spot.at + i].start < end);
}

/* Remove all mappings between two addresses that are not inside a mapping. */
static int clear(struct mappings *mappings, uint64_t start, uint64_t end)
{
	struct spot spot = spot_of(mappings, start);
	size_t nr = count_before(mappings, spot, end);

	while (nr) {
		if (drop(mappings, spot, nr))
			return -ENOMEM;
		spot = spot_of(mappings, start);
		nr = count_before(mappings, spot, end);
	}
	return 0;
}

/* Split the mapping around @address in two. */
static int cut(struct mappings *mappings, uint64_t address)
{
	struct spot spot = spot_of(mappings, address);
	const struct mapping *around = mapping_at(mappings, spot);
	struct mapping before, *old;

	if (!around || around->start >= address)
		return 0;
	before = *around;
	before.end = address;
	if (!own(mappings, spot.block, 0))
		return -ENOMEM;
	old = &mappings->blocks[spot.block]->all[spot.at];
	old->offset += address - old->start;
	old->start = address;
	return insert(mappings, spot, &before);
}

int mappings_put(struct mappings *mappings, const struct mapping *new)
{
	if (cut(mappings, new->start) || cut(mappings, new->end) ||
	    clear(mappings, new->start, new->end))
		return -ENOMEM;
	return insert(mappings, spot_of(mappings, new->start), new);
}

int mappings_remove(struct mappings *mappings, uint64_t start)
{
	struct spot spot = spot_of(mappings, start);
	const struct mapping *old = mapping_at(mappings, spot);

	return old && old->start == start ? drop(mappings, spot, 1) : 0;
}

int mappings_copy(struct mappings *to, const struct mappings *from)
{
	if (array_room(to->blocks, to->room, from->nr_blocks))
		return -ENOMEM;
	for (size_t i = 0; i < from->nr_blocks; i++) {
		to->blocks[i] = from->blocks[i];
		to->blocks[i]->users++;
	}
	to->nr_blocks = from->nr_blocks;
	return 0;
}

void mappings_free(struct mappings *mappings)
{
	for (size_t i = 0; i < mappings->nr_blocks; i++)
		leave_block(mappings->blocks[i]);
	free(mappings->blocks);
	*mappings = (struct mappings){};
}

/* Return the mapping that was found last, if it covers @address. */
static const struct mapping *last_found(const struct mappings *mappings,
					uint64_t address)
{
	const struct mapping *last = mappings->last;

	return last && last->start <= address && address < last->end ? last : NULL;
}

const struct mapping *mappings_find(struct mappings *mappings, uint64_t address)
{
	const struct mapping *found = last_found(mappings, address);

	if (found)
		return found;
	mappings->last = mappings_from(mappings, address);
	return last_found(mappings, address);
}

const struct mapping *mappings_from(const struct mappings *mappings,
				    uint64_t address)
{
	return mapping_at(mappings, spot_of(mappings, address));
}

const struct mapping *mappings_below(const struct mappings *mappings,
				     uint64_t address)
{
	struct spot spot = spot_of(mappings, address);

	if (spot.at)
		return &mappings->blocks[spot.block]->all[spot.at - 1];
	return spot.block ? last_of(mappings->blocks[spot.block - 1]) : NULL;
}
