// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "place.h"

/* Enough for what a large program executes; 2 MB of memory. */
#define SLOTS	(1U << 15)

/* What is kept: each address has one slot, and the newest one there stays. */
struct slot {
	uint64_t version;	/* of the address space; 0: free */
	uint64_t address;
	uint64_t back;
	struct place place;
};

struct places {
	struct slot slots[SLOTS];
};

struct places *places_new(void)
{
	return calloc(1, sizeof(struct places));
}

void places_free(struct places *places)
{
	free(places);
}

/*
 * perf says of the kernel that it is mapped up to _etext. Its code of initialisation is
 * behind that.
 */
static const struct mapping *find_init(const struct process *space,
				       const struct symbol_sources *sources,
				       uint64_t address)
{
	const struct mapping *below = mappings_below(&space->code, address);

	return below && below->dso->kind == DSO_KERNEL &&
	       dso_initialises(below->dso, sources, address) ? below : NULL;
}

/* Its variables are behind its code, too. */
static const struct mapping *find_image(const struct process *space,
					const struct symbol_sources *sources,
					uint64_t address)
{
	const struct mapping *below = mappings_below(&space->code, address);

	return below && below->dso->kind == DSO_KERNEL &&
	       dso_is_image(below->dso, sources, below->start, address) ?
	       below : NULL;
}

static struct place place_in(const struct mapping *mapping,
			     const struct symbol_sources *sources,
			     uint64_t address, unsigned int back)
{
	struct place place = {};

	if (!mapping)
		return place;
	place.dso = mapping->dso;
	place.offset = mapping->offset + (address - mapping->start);
	place.symbol = dso_symbol(place.dso, sources, place.offset - back);
	return place;
}

static struct place look_up(struct process *space,
			    const struct symbol_sources *sources,
			    uint64_t address, unsigned int back)
{
	const struct mapping *mapping = mappings_find(&space->code,
						      address - back);

	if (!mapping)
		mapping = find_init(space, sources, address - back);
	return place_in(mapping, sources, address, back);
}

/*
 * Of a module kallsyms tells functions only, and not where they end: no name is better than
 * that of the last one before the data.
 */
struct place places_find_data(struct process *space,
			      const struct symbol_sources *sources,
			      uint64_t address)
{
	const struct mapping *mapping = mappings_find(&space->data, address);
	struct place place;

	if (!mapping)
		mapping = mappings_find(&space->code, address);
	if (!mapping)
		mapping = find_image(space, sources, address);
	place = place_in(mapping, sources, address, 0);
	if (place.symbol && place.dso->kind == DSO_MODULE &&
	    !(place.symbol->rank & SYMBOL_RANK_SIZED))
		place.symbol = NULL;
	return place;
}

struct place places_find(struct places *places, struct process *space,
			 const struct symbol_sources *sources,
			 uint64_t address, unsigned int back)
{
	uint64_t hash = hash_mix(address ^ space->version << 48);
	struct slot *slot = &places->slots[hash % SLOTS];

	if (!address)
		back = 0;
	if (!space->version)	/* nothing was ever mapped there */
		return (struct place){};
	if (slot->version != space->version || slot->address != address ||
	    slot->back != back)
		*slot = (struct slot){
			.version = space->version,
			.address = address,
			.back = back,
			.place = look_up(space, sources, address, back),
		};
	return slot->place;
}
