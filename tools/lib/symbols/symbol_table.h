/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of one DSO: added by the loaders, sorted once, then searched. */
#ifndef KERMON_SYMBOL_TABLE_H
#define KERMON_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segments.h"
#include "sources.h"

/**
 * struct symbol - a function or variable
 * @start: first address, as in the ELF file or kallsyms
 * @end: end address, exclusive; before sorting, the maximum for a symbol without a size
 * @name: offset of the mangled name in the names of the DSO
 * @number: for the use of those who number the functions of samples; 0 in the beginning
 */
struct symbol {
	uint64_t start;
	uint64_t end;
	uint32_t name;
	uint32_t rank;	/* of several at the same address, the highest is kept */
	uint32_t number;
};

/**
 * struct symbols - the symbols of one DSO
 * @all: @nr of them, by address, not overlapping at their starts
 * @names: concatenated names
 * @segments: of an ELF file
 * @code: the one with most of the code, where most look-ups end; size 0: there is none
 * @init_start: kernel: start of the code that runs before initialisation is complete and
 *	is not part of any mapping
 * @init_end: kernel: end of that code
 * @image_end: kernel: end of its last variable
 * @move: added to an address before it is looked up
 * @index: for parts of 2^@shift bytes from the first symbol on: number of symbols that
 *	start before the part; @nr_parts of them and one for the end. NULL: there are few
 *	symbols
 * @owner: user that owns the file, if it is not trusted for that reason
 */
struct symbols {
	enum symbols_state state;
	uint32_t owner;
	struct symbol *all;
	size_t nr;
	size_t room;
	char *names;
	size_t names_size;
	size_t names_room;
	struct segments segments;
	struct segment code;
	uint64_t init_start;
	uint64_t init_end;
	uint64_t image_end;
	uint64_t move;
	uint32_t *index;
	size_t nr_parts;
	unsigned int shift;
};

/*
 * Longer names are not kept: in damaged files, the name of each symbol may extend over
 * the rest of the file.
 */
#define SYMBOL_NAME_MAX	(1UL << 16)

/*
 * Add a symbol. @rank: see symbol_rank(). A symbol without a size ends where the next
 * one begins, but not beyond @end. Return: 0 or -ENOMEM.
 */
int symbols_add(struct symbols *symbols, uint64_t start, uint64_t end,
		const char *name, uint32_t rank);

/* Rank of a name among those of an address: sized, global and plain names are preferred. */
uint32_t symbol_rank(const char *name, bool has_size, bool is_weak,
		     bool is_global);

/* Set in the rank of symbols that have a size. */
#define SYMBOL_RANK_SIZED	(1U << 31)

/*
 * Call after all symbols have been added: sort by address, keep one per address, and index
 * them, so that one is found by two accesses to memory instead of a binary search. Return:
 * 0 or -ENOMEM: then there are no symbols.
 */
int symbols_sort(struct symbols *symbols);

/* For offsets that are not in @code. */
uint64_t symbols_address_elsewhere(const struct symbols *symbols, uint64_t offset);

/* Convert an offset in the file to the address space of the symbols. */
static inline uint64_t symbols_address(const struct symbols *symbols, uint64_t offset)
{
	const struct segment *code = &symbols->code;

	if (offset - code->offset < code->size)
		return offset - code->offset + code->address;
	return symbols_address_elsewhere(symbols, offset);
}

/*
 * The part of the index for an address; NULL: there is none. To have it, and then the
 * symbol, in the cache of the CPU when symbols_find() is called.
 */
static inline const uint32_t *symbols_index_at(const struct symbols *symbols,
					       uint64_t address)
{
	uint64_t part;

	if (!symbols->index || address < symbols->all[0].start)
		return NULL;
	part = (address - symbols->all[0].start) >> symbols->shift;
	return part < symbols->nr_parts ? &symbols->index[part] : NULL;
}

static inline void symbols_prefetch(const struct symbols *symbols,
				    const uint32_t *index)
{
	if (index && index[1])
		__builtin_prefetch(&symbols->all[index[1] - 1]);
}

/* The symbol at an address; NULL: none. */
const struct symbol *symbols_find(const struct symbols *symbols,
				  uint64_t address);

/* The same with the part of the index for the address. */
const struct symbol *symbols_find_in(const struct symbols *symbols,
				     const uint32_t *index, uint64_t address);

void symbols_free(struct symbols *symbols);

#endif /* KERMON_SYMBOL_TABLE_H */
