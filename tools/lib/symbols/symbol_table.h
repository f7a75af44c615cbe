/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of one DSO: added by whoever reads them, sorted once, then searched.
 */
#ifndef KERMON_SYMBOL_TABLE_H
#define KERMON_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segments.h"
#include "sources.h"

/**
 * struct symbol - a function or variable
 * @start: first address; in the numbering of the ELF file, or of kallsyms
 * @end: first address behind; before the symbols are sorted, of one without a
 *	size the most that it can be
 * @name: where in the names of its DSO; mangled
 */
struct symbol {
	uint64_t start;
	uint64_t end;
	uint32_t name;
	uint32_t rank;	/* of several at the same address the highest is kept */
};

/**
 * struct symbols - of one DSO
 * @all: @nr of them, by address, not overlapping at their starts
 * @names: their names, one after the other
 * @segments: of an ELF file
 * @init_start: of the kernel: from here to @init_end is what it executes before it has
 *	initialised itself, and nobody has mapped
 * @image_end: of the kernel: behind its last variable
 * @move: added to an address before it is looked up
 * @last: index of the symbol that was found last
 * @owner: user whose file it is, if that is why it is not trusted
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
	uint64_t init_start;
	uint64_t init_end;
	uint64_t image_end;
	uint64_t move;
	size_t last;
};

/*
 * No name is longer, of those that are kept: damaged files may have all of their bytes as
 * the name of each symbol.
 */
#define SYMBOL_NAME_MAX	(1UL << 16)

/*
 * For those who fill a struct symbols. 0 or -ENOMEM. @rank: see symbol_rank();
 * a symbol without a size ends where the next one begins, at @end at the latest.
 */
int symbols_add(struct symbols *symbols, uint64_t start, uint64_t end,
		const char *name, uint32_t rank);

/* Of names for the same address: sized ones, global ones, plain ones first. */
uint32_t symbol_rank(const char *name, bool has_size, bool is_weak,
		     bool is_global);

/* In the rank of those that have a size. */
#define SYMBOL_RANK_SIZED	(1U << 31)

/* Once all have been added: in the order of their addresses, one for each. */
void symbols_sort(struct symbols *symbols);

/* From an offset in the file to the address that symbols are given in. */
uint64_t symbols_address(const struct symbols *symbols, uint64_t offset);

/* The one at an address; NULL: there is none. */
const struct symbol *symbols_find(struct symbols *symbols, uint64_t address);

void symbols_free(struct symbols *symbols);

#endif /* KERMON_SYMBOL_TABLE_H */
