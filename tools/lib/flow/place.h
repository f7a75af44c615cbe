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

/*
 * Of the threads of @processes, as they are when a place is looked up; @sources says where
 * symbols are read from. Both live at least as long. NULL: no memory.
 */
struct places *places_new(struct processes *processes,
			  const struct symbol_sources *sources);
void places_free(struct places *places);

/**
 * places_find - where an address of code is
 * @places: of the file
 * @thread: whose address it is
 * @mode: CPU mode of the address, record_mode()
 * @address: looked up
 * @back: 1 for an address behind a call: the function is that of the byte before
 *	it, because a call of what never returns may be the last one of its
 *	function. 0 for all others
 */
struct place places_find(struct places *places, struct thread *thread,
			 unsigned int mode, uint64_t address,
			 unsigned int back);

/*
 * The same for one end of a branch, which may be on the other side than where the sample
 * was taken: in user space or in the kernel.
 */
struct place places_find_branch_end(struct places *places,
				    struct thread *thread, unsigned int mode,
				    uint64_t address);

/*
 * The same for data, which may be in code, too, and in what the kernel has behind its
 * code. More is known if the processes' @wants_data was set before the file was read.
 */
struct place places_find_data(struct places *places, struct thread *thread,
			      unsigned int mode, uint64_t address);

#endif /* KERMON_PLACE_H */
