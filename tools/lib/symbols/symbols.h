/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols for places in code and data.
 *
 * The symbols of a DSO are read when they are first needed, sorted into one array and
 * kept. A file that is not the one that ran (its build id differs) provides no names
 * rather than wrong ones.
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
 * dso_symbol - find the symbol of a place
 * @dso: where
 * @sources: used if the symbols have not been read yet
 * @offset: as in struct mapping: in the file, or the address in the kernel
 *
 * Return: owned by @dso; NULL if there is none or it is unknown.
 */
const struct symbol *dso_symbol(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset);

/*
 * Convert that offset to the address space of the symbols: addresses of the ELF file,
 * or of kallsyms.
 */
uint64_t dso_address(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t offset);

/*
 * Whether an unmapped kernel address is in the kernel's initialisation code, from which
 * the idle tasks were called.
 */
bool dso_initialises(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t address);

/* The same for the kernel image behind its code at @start, where its variables are. */
bool dso_is_image(struct dso *dso, const struct symbol_sources *sources,
		  uint64_t start, uint64_t address);

/* As found in the file, not demangled. */
const char *symbol_name(const struct dso *dso, const struct symbol *symbol);

/* Bytes from the start of @symbol to a place in @dso, both from dso_symbol(). */
uint64_t symbol_offset(const struct dso *dso, const struct symbol *symbol,
		       uint64_t offset);

/* The number of @symbol, or of all code of @dso without a symbol if that is NULL. */
static inline uint32_t *dso_number(struct dso *dso, const struct symbol *symbol)
{
	struct symbols *symbols = dso->symbols;

	return symbol ? &symbols->all[symbol - symbols->all].number :
			&dso->number;
}

/* Look up nothing in @dso, for this reason. Return: 0 or -ENOMEM. */
int dso_refuse(struct dso *dso, enum symbols_state why);

#endif /* KERMON_SYMBOLS_H */
