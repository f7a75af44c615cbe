/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names for places in code and data.
 *
 * The symbols of a DSO are read when they are first asked for, sorted into one
 * array and kept. A file that is not the one that ran (its build id is another)
 * gives no names rather than wrong ones.
 */
#ifndef KERMON_SYMBOLS_H
#define KERMON_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dso.h"

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

enum symbols_state {
	SYMBOLS_FOUND,
	SYMBOLS_NO_FILE,	/* there is no such file any more */
	SYMBOLS_OTHER_FILE,	/* there is, but it is not what ran */
	SYMBOLS_OTHER_KERNEL,	/* another kernel runs here than was recorded */
	SYMBOLS_ANY_KERNEL,	/* the file does not say which kernel was recorded */
	SYMBOLS_NONE,		/* it is the one, and has no symbols */
	SYMBOLS_OTHER_CLOCK,	/* it tells of times by another clock than was recorded */
	SYMBOLS_HIDDEN,		/* the kernel does not show its addresses */
	SYMBOLS_CUT_OFF,	/* the file was cut off while it was read */
};

/**
 * struct segment - a part of the file and where the linker put it
 * @offset: in the file; of a module the address that the kernel gave it
 * @size: bytes of it in the file
 * @bss_size: zeroes behind these that are mapped as if they were there: what comes next in
 *	the file has the same offsets
 */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t bss_size;
	uint64_t address;
};

struct segments {
	struct segment *all;
	size_t nr;
};

/* From @offset to @address. Return: false if it is in none of them. */
bool segments_find(const struct segments *segments, uint64_t offset,
		   uint64_t *address);

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
 */
struct symbols {
	enum symbols_state state;
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

/**
 * struct symbol_sources - where to look
 * @symfs: folder below which all paths are looked up; NULL: /
 * @kallsyms: file to take the kernel's symbols from, whatever its build id;
 *	NULL: /proc/kallsyms if this is the kernel that was recorded
 */
struct symbol_sources {
	const char *symfs;
	const char *kallsyms;
};

/**
 * dso_symbol - the function at a place
 * @dso: where
 * @sources: used if the symbols have not been read yet
 * @offset: struct mapping's: in the file, or the address in the kernel
 *
 * Return: owned by @dso; NULL if there is none or nobody knows.
 */
const struct symbol *dso_symbol(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset);

/*
 * The address of that place in the numbering of its symbols: in that of the ELF
 * file, or of kallsyms.
 */
uint64_t dso_address(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t offset);

/*
 * Whether an address of the kernel, which is not said to be mapped, is in its code of
 * initialisation: idle tasks were called from there.
 */
bool dso_initialises(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t address);

/* The same of what the kernel has behind its code at @start: its variables are there. */
bool dso_is_image(struct dso *dso, const struct symbol_sources *sources,
		  uint64_t start, uint64_t address);

/* As found in the file. */
const char *symbol_name(const struct dso *dso, const struct symbol *symbol);

/* Bytes from the start of @symbol to a place in @dso, both from dso_symbol(). */
uint64_t symbol_offset(const struct dso *dso, const struct symbol *symbol,
		       uint64_t offset);

/* For people to read: to be freed. NULL: it was not mangled. */
char *symbol_demangle(const char *name);

/* The same without the parameters of the function. */
char *symbol_demangle_short(const char *name);

/* Nothing is looked up there, for this reason. 0 or -ENOMEM. */
int dso_refuse(struct dso *dso, enum symbols_state why);

void symbols_free(struct symbols *symbols);

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

/* symbols_*.c: fill @symbols and set its state. */
int symbols_load_elf(struct symbols *symbols, const struct dso *dso,
		     const struct symbol_sources *sources);
int symbols_load_kernel(struct symbols *symbols, const struct dso *dso,
			const struct symbol_sources *sources);
int symbols_load_jitdump(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources);
int symbols_load_perfmap(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources);

#endif /* KERMON_SYMBOLS_H */
