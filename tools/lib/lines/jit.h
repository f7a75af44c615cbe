/* SPDX-License-Identifier: GPL-2.0 */
/* Source lines of run-time generated code, from its jitdump file. */
#ifndef KERMON_LINES_JIT_H
#define KERMON_LINES_JIT_H

#include "symbols/symbols.h"

struct jit_lines;

/* @lines: NULL if the dump has none. Return: 0 or -ENOMEM. */
int jit_lines_open(const struct dso *dso, const struct symbol_sources *sources,
		   struct jit_lines **lines);
void jit_lines_free(struct jit_lines *lines);

/*
 * The file and line at an offset in the dump, valid as long as @lines. Return: NULL if
 * unknown.
 */
const char *jit_lines_find(const struct jit_lines *lines, uint64_t offset,
			   unsigned int *line);

#endif /* KERMON_LINES_JIT_H */
