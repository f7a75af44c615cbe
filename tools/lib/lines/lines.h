/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source lines of places in code, and the functions that were inlined there.
 *
 * The debugging information of a DSO is opened when it is first asked for and
 * stays open; where a function is is indexed by compilation unit, when that is
 * first met. Lines alone are read from the line table. What was found is kept.
 */
#ifndef KERMON_LINES_H
#define KERMON_LINES_H

#include "symbols/symbols.h"

/**
 * struct source_line - a function at a place, and the line that is executed
 * @function: as a linker would know it, or else as the source calls it; of equal
 *	names in a DSO there is one. NULL: not known
 * @file: absolute, as far as the compiler was told; NULL: not known
 * @line: from 1 on; 0: not known
 */
struct source_line {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * struct source - what the source has at a place
 * @address: of the place, in the numbering of the file
 * @nr: how many functions there are in one
 * @lines: the innermost first; all but the last are inlined into the next
 */
struct source {
	uint64_t address;
	size_t nr;
	struct source_line lines[];
};

/**
 * dso_source - the source of a place
 * @dso: where
 * @sources: used if its file has not been opened yet
 * @offset: as of dso_symbol(); of a place behind a call, that of the byte before
 *
 * Return: owned by @dso; NULL if nobody knows.
 */
const struct source *dso_source(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset);

/**
 * dso_line - the line of a place, without the function and what is inlined there
 * @dso: where
 * @sources: used if its file has not been opened yet
 * @offset: as of dso_source()
 *
 * Reads the line table alone, which is far less than dso_source() does.
 *
 * Return: owned by @dso, @function is NULL; NULL if nobody knows.
 */
const struct source_line *dso_line(struct dso *dso,
				   const struct symbol_sources *sources,
				   uint64_t offset);

struct lines;

void lines_free(struct lines *lines);

#endif /* KERMON_LINES_H */
