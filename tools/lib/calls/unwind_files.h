/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that stacks are unwound by, as libdwfl knows them.
 *
 * Each file is there once, whichever processes have it mapped, and wherever: at several
 * addresses of one process, or in parts. So they are not put where they were mapped, where
 * files may overlap each other (and libdwfl puts no file without PIE), but side by side
 * into an address space of their own, in which no process can have anything.
 */
#ifndef KERMON_UNWIND_FILES_H
#define KERMON_UNWIND_FILES_H

#include <elfutils/libdwfl.h>

#include "symbols/symbols.h"
#include "util/hash.h"

/**
 * struct unwind_files - all of them; all zero: none yet
 * @dwfl: with a module for each; NULL: there is none
 * @attached: to what gives it memory and registers
 * @by_dso: struct unwind_file, also of those that cannot be used
 * @nr_open: how many can be
 * @max_open: how many may have a descriptor at a time
 * @next: address that the next one may be put to
 */
struct unwind_files {
	Dwfl *dwfl;
	bool attached;
	struct hash by_dso;
	size_t nr_open;
	size_t max_open;
	uint64_t next;
};

/*
 * Where libdwfl has the code that @dso has at @offset (struct mapping's); sets @address.
 * Return: false if there is no file, or none of x86-64 that has such a place.
 */
bool unwind_files_find(struct unwind_files *files, struct dso *dso,
		       const struct symbol_sources *sources, uint64_t offset,
		       uint64_t *address);

/* More are open than should be, which are as many descriptors: time to forget them. */
bool unwind_files_are_many(const struct unwind_files *files);

/* Closes them; they are opened again when they are needed. */
void unwind_files_close(struct unwind_files *files);

/*
 * Whether finding the caller of the code at libdwfl's @address takes another register than
 * those with a bit in @known, by their numbers in DWARF.
 */
bool unwind_files_want(const struct unwind_files *files, uint64_t address,
		       uint32_t known);

#endif /* KERMON_UNWIND_FILES_H */
