// SPDX-License-Identifier: GPL-2.0
/* Look up the mapping and the symbol of an address, with a cache of recent results. */
#include <stdlib.h>

#include "place.h"

/* Enough for the working set of a large program; 2 MB of memory. */
#define SLOTS	(1U << 15)

/* A cache entry; direct-mapped. */
struct slot {
	uint64_t version;	/* of the address space; 0: free */
	uint64_t address;
	uint64_t back;
	struct place place;
};

struct places {
	struct processes *processes;
	const struct symbol_sources *sources;
	struct slot slots[SLOTS];
};

struct places *places_new(struct processes *processes,
			  const struct symbol_sources *sources)
{
	struct places *places = calloc(1, sizeof(*places));

	if (places) {
		places->processes = processes;
		places->sources = sources;
	}
	return places;
}

void places_free(struct places *places)
{
	free(places);
}

/*
 * According to perf, the kernel is mapped up to _etext, but its initialisation code
 * follows that.
 */
static const struct mapping *find_init(const struct process *space,
				       const struct symbol_sources *sources,
				       uint64_t address)
{
	const struct mapping *below = mappings_below(&space->code, address);

	return below && below->dso->kind == DSO_KERNEL &&
	       dso_initialises(below->dso, sources, address) ? below : NULL;
}

/* The kernel's variables follow its code, too. */
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

static struct place find_code(struct places *places, struct process *space,
			      uint64_t address, unsigned int back)
{
	uint64_t hash = hash_mix(address ^ space->version << 48);
	struct slot *slot = &places->slots[hash % SLOTS];

	if (!address)
		back = 0;
	if (!space->version)	/* nothing has ever been mapped there */
		return (struct place){};
	if (slot->version != space->version || slot->address != address ||
	    slot->back != back)
		*slot = (struct slot){
			.version = space->version,
			.address = address,
			.back = back,
			.place = look_up(space, places->sources, address, back),
		};
	return slot->place;
}

struct place places_find(struct places *places, struct thread *thread,
			 unsigned int mode, uint64_t address, unsigned int back)
{
	struct process *space = processes_space(places->processes, thread,
						mode);

	return space ? find_code(places, space, address, back) :
		       (struct place){};
}

void places_begin(struct places *places, struct process *space,
		  uint64_t address, unsigned int back,
		  struct place_search *search)
{
	const struct mapping *mapping = NULL;
	struct dso *dso;

	if (!address)
		back = 0;
	if (space && space->version)
		mapping = mappings_find(&space->code, address - back);
	dso = mapping ? mapping->dso : NULL;
	*search = (struct place_search){ .symbols = dso ? dso->symbols : NULL };
	if (!search->symbols) {
		if (mapping || space == &places->processes->kernel)
			search->place = find_code(places, space, address, back);
		return;
	}
	search->place.dso = dso;
	search->place.offset = mapping->offset + (address - mapping->start);
	search->address = symbols_address(search->symbols,
					  search->place.offset - back);
	search->index = symbols_index_at(search->symbols, search->address);
	__builtin_prefetch(search->index);
}

/* User and kernel mode are swapped; guests are unaffected. */
static unsigned int other_side(unsigned int mode)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		return PERF_RECORD_MISC_USER;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return mode;
	default:
		return PERF_RECORD_MISC_KERNEL;
	}
}

struct place places_find_branch_end(struct places *places,
				    struct thread *thread, unsigned int mode,
				    uint64_t address)
{
	struct place place = places_find(places, thread, mode, address, 0);

	return place.dso ? place : places_find(places, thread,
					       other_side(mode), address, 0);
}

/*
 * For modules, kallsyms lists only functions, without their ends. No name is better
 * than that of the last function before the data.
 */
static struct place find_data(struct process *space,
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

static struct place find_data_of(struct places *places, struct thread *thread,
				 unsigned int mode, uint64_t address)
{
	struct process *space = processes_space(places->processes, thread,
						mode);

	return space ? find_data(space, places->sources, address) :
		       (struct place){};
}

struct place places_find_data(struct places *places, struct thread *thread,
			      unsigned int mode, uint64_t address)
{
	struct place place = find_data_of(places, thread, mode, address);

	return place.dso ? place : find_data_of(places, thread,
						other_side(mode), address);
}
