/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source lines of places in code, and the functions that were inlined there.
 *
 * The debugging information of a DSO is opened on first use and stays open. Functions
 * are indexed per compilation unit when the unit is first needed. Lines alone are read
 * from the line table. Results are cached.
 */
#ifndef KERMON_LINES_H
#define KERMON_LINES_H

#include "symbols/symbols.h"

/**
 * struct source_line - a function at a place, and the line that is executed
 * @function: linkage name, or else the name in the source; equal names in a DSO share one
 *	string. NULL: unknown
 * @file: absolute, as far as the compiler knew; NULL: unknown
 * @line: from 1 on; 0: unknown
 */
struct source_line {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * struct source - the source of a place
 * @address: of the place, in the address space of the file
 * @nr: number of functions that are inlined into each other
 * @lines: the innermost first; all but the last are inlined into the next
 */
struct source {
	uint64_t address;
	size_t nr;
	struct source_line lines[];
};

/**
 * dso_source - find the source of a place
 * @dso: where
 * @sources: used if its file has not been opened yet
 * @offset: as for dso_symbol(); for a return address, pass the byte before it
 *
 * Return: owned by @dso; NULL if unknown.
 */
const struct source *dso_source(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset);

/**
 * dso_line - find the line of a place, without functions and inlining
 * @dso: where
 * @sources: used if its file has not been opened yet
 * @offset: as for dso_source()
 *
 * Reads only the line table, which is far cheaper than dso_source().
 *
 * Return: owned by @dso, @function is NULL; NULL if unknown.
 */
const struct source_line *dso_line(struct dso *dso,
				   const struct symbol_sources *sources,
				   uint64_t offset);

struct lines;

void lines_free(struct lines *lines);

#endif /* KERMON_LINES_H */
