/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files needed for unwinding, in a libdwfl session.
 *
 * Each file is present once, no matter how many processes map it, at which addresses,
 * or in how many parts. Files are not placed at their mapped addresses, where they may
 * overlap (and libdwfl does not move files without PIE), but one after another in an
 * address range that no process can use.
 */
#ifndef KERMON_UNWIND_FILES_H
#define KERMON_UNWIND_FILES_H

#include <elfutils/libdwfl.h>

#include "symbols/symbols.h"
#include "util/hash.h"

/* libdwfl's first address. Bit of an address that no process on x86-64 can use. */
#define UNWIND_FILES_START	(1ULL << 62)

/**
 * struct unwind_files - all files; all zero: none yet
 * @dwfl: session with a module per file; NULL: none
 * @attached: its callbacks for memory and registers are set
 * @by_dso: struct unwind_file, including those that cannot be used
 * @nr_open: number of usable files
 * @max_open: maximum number of open descriptors
 * @next: address for the next file
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
 * Set @address to libdwfl's address of the code at @offset in @dso, as in struct
 * mapping. Return: false if there is no file, or it is not for x86-64 or lacks that
 * offset.
 */
bool unwind_files_find(struct unwind_files *files, struct dso *dso,
		       const struct symbol_sources *sources, uint64_t offset,
		       uint64_t *address);

/* Whether more files are open than should be: time to close them. */
bool unwind_files_are_many(const struct unwind_files *files);

/* Close all files; they are reopened when needed. */
void unwind_files_close(struct unwind_files *files);

/*
 * The call frame information of the code at libdwfl's @address, from where libdwfl takes
 * it. Return: to be freed, before the files are closed; NULL: there is none.
 */
Dwarf_Frame *unwind_files_frame(const struct unwind_files *files,
				uint64_t address);

/*
 * Whether finding the caller of the code at libdwfl's @address needs a register that is
 * not in the bit mask @known, by DWARF's register numbers.
 */
bool unwind_files_want(const struct unwind_files *files, uint64_t address,
		       uint32_t known);

#endif /* KERMON_UNWIND_FILES_H */
