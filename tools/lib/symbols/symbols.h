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

#include "binary.h"
#include "demangle.h"
#include "dso.h"
#include "jitdump.h"
#include "sources.h"
#include "symbol_table.h"

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

/* Nothing is looked up there, for this reason. 0 or -ENOMEM. */
int dso_refuse(struct dso *dso, enum symbols_state why);

#endif /* KERMON_SYMBOLS_H */
