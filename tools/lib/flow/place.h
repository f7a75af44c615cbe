/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Look up what is at an address of code or data.
 *
 * Call chains contain the same few addresses over and over, so results are cached in a
 * table of fixed size and remain valid until the address space changes.
 */
#ifndef KERMON_PLACE_H
#define KERMON_PLACE_H

#include "process.h"
#include "symbols/symbols.h"

/**
 * struct place - a place in code or data
 * @dso: what is mapped there; NULL: unknown, and the rest is 0
 * @offset: in @dso, as in struct mapping
 * @symbol: the function or variable, owned by @dso; NULL: none or unknown
 */
struct place {
	struct dso *dso;
	uint64_t offset;
	const struct symbol *symbol;
};

struct places;

/*
 * Look up places in threads of @processes, as of the time of the call, with symbols
 * from @sources. Both must outlive it. Return: NULL if out of memory.
 */
struct places *places_new(struct processes *processes,
			  const struct symbol_sources *sources);
void places_free(struct places *places);

/**
 * places_find - look up an address of code
 * @places: of the file
 * @thread: thread that the address belongs to
 * @mode: CPU mode of the address, record_mode()
 * @address: to look up
 * @back: 1 for a return address: look up the byte before it, because a call to a
 *	function that never returns may be the last instruction of its function. Else 0
 */
struct place places_find(struct places *places, struct thread *thread,
			 unsigned int mode, uint64_t address,
			 unsigned int back);

/**
 * struct place_search - an address of code that is being looked up
 * @place: what is there, but for its symbol
 * @symbols: where the symbol is to be found; NULL: @place is complete
 * @address: in the address space of @symbols
 * @index: the part of their index
 */
struct place_search {
	struct place place;
	const struct symbols *symbols;
	uint64_t address;
	const uint32_t *index;
};

/*
 * The same in three steps, for many addresses, each in the @space of its thread and mode
 * (NULL: unknown): each step asks for the memory that the next one needs, which takes
 * longer than the step itself. Nothing may be mapped in between.
 */
void places_begin(struct places *places, struct process *space,
		  uint64_t address, unsigned int back,
		  struct place_search *search);

static inline void places_prefetch(const struct place_search *search)
{
	if (search->symbols)
		symbols_prefetch(search->symbols, search->index);
}

static inline const struct place *places_end(struct place_search *search)
{
	if (search->index)
		search->place.symbol = symbols_find_in(search->symbols, search->index,
						       search->address);
	else if (search->symbols)
		search->place.symbol = symbols_find(search->symbols, search->address);
	return &search->place;
}

/*
 * The same for one end of a branch, which may be in the other mode than the sample: in
 * user space instead of the kernel, or vice versa.
 */
struct place places_find_branch_end(struct places *places,
				    struct thread *thread, unsigned int mode,
				    uint64_t address);

/*
 * The same for data, which may also be in code or in the kernel image after its code.
 * Requires the processes' @wants_data to have been set before the file was read.
 */
struct place places_find_data(struct places *places, struct thread *thread,
			      unsigned int mode, uint64_t address);

#endif /* KERMON_PLACE_H */
