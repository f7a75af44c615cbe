/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where in code or data an address is.
 *
 * Call chains ask for the same few addresses over and over: what was found is
 * kept in a table of fixed size, and found there again until the address space
 * that it is of changes.
 */
#ifndef KERMON_PLACE_H
#define KERMON_PLACE_H

#include "process.h"
#include "symbols/symbols.h"

/**
 * struct place - a place in code or data
 * @dso: what is mapped there; NULL: nobody knows, and the rest is 0
 * @offset: in @dso, as struct mapping has it
 * @symbol: the function or variable, owned by @dso; NULL: there is none or nobody knows
 */
struct place {
	struct dso *dso;
	uint64_t offset;
	const struct symbol *symbol;
};

struct places;

/* NULL: no memory. */
struct places *places_new(void);
void places_free(struct places *places);

/**
 * places_find - where an address of code is
 * @space: the address space that it is of
 * @sources: where symbols are read from
 * @back: 1 for an address behind a call: the function is that of the byte before
 *	it, because a call of what never returns may be the last one of its
 *	function. 0 for all others
 */
struct place places_find(struct places *places, struct process *space,
			 const struct symbol_sources *sources,
			 uint64_t address, unsigned int back);

/*
 * Where an address of data is. It may be in code, too, and in what the kernel has behind
 * its code.
 */
struct place places_find_data(struct process *space,
			      const struct symbol_sources *sources,
			      uint64_t address);

#endif /* KERMON_PLACE_H */
