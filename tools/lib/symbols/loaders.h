/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The readers of symbols, one for each kind of source. Each adds symbols to a table and
 * sets the table's state.
 */
#ifndef KERMON_SYMBOL_LOADERS_H
#define KERMON_SYMBOL_LOADERS_H

#include "binary.h"
#include "symbol_table.h"

/* elf.c, kernel.c, jit.c, perfmap.c. Return: 0, -ECANCELED or -ENOMEM. */
int symbols_load_elf(struct symbols *symbols, const struct dso *dso,
		     const struct symbol_sources *sources);
int symbols_load_kernel(struct symbols *symbols, const struct dso *dso,
			const struct symbol_sources *sources);
int symbols_load_jitdump(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources);
int symbols_load_perfmap(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources);

/* elf.c: read an open file, with its segments. Return: 0, -ECANCELED or -ENOMEM. */
int symbols_load_binary(struct symbols *symbols, const struct dso *dso,
			const struct binary *binary,
			const struct kermon_cancel *cancel);

#endif /* KERMON_SYMBOL_LOADERS_H */
