// SPDX-License-Identifier: GPL-2.0
/* Read the symbols of a DSO when they are first needed, with the loader for its kind. */
#include <errno.h>
#include <stdlib.h>

#include "loaders.h"
#include "symbols.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/guard.h"

int dso_refuse(struct dso *dso, enum symbols_state why)
{
	if (dso->symbols)
		return 0;
	dso->symbols = calloc(1, sizeof(*dso->symbols));
	if (!dso->symbols)
		return -ENOMEM;
	dso->free_symbols = symbols_free;
	dso->symbols->state = why;
	return 0;
}

/* The only symbol of a run-time generated kernel function is the function itself. */
static int load_ksymbol(struct symbols *symbols, const struct dso *dso)
{
	symbols->state = SYMBOLS_FOUND;
	return symbols_add(symbols, 0, UINT64_MAX, dso->path,
			   SYMBOL_RANK_SIZED);
}

static int load_kind(struct dso *dso, const struct symbol_sources *sources)
{
	switch (dso->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		return symbols_load_kernel(dso->symbols, dso, sources);
	case DSO_ANONYMOUS:
		return 0;
	case DSO_KSYMBOL:
		return load_ksymbol(dso->symbols, dso);
	case DSO_JITDUMP:
		return symbols_load_jitdump(dso->symbols, dso, sources);
	case DSO_JIT:
		return symbols_load_perfmap(dso->symbols, dso, sources);
	default:
		return symbols_load_elf(dso->symbols, dso, sources);
	}
}

/*
 * The contents of a file that was truncated may be wrong: use no names from it. If
 * cancelled, the symbols are read again when they are needed next.
 */
static int load(struct dso *dso, const struct symbol_sources *sources)
{
	int err = dso_refuse(dso, SYMBOLS_NONE);
	unsigned int before;
	int sort_err;

	if (err)
		return err;
	before = guard_enter();
	err = load_kind(dso, sources);
	if (guard_leave(before)) {
		dso->symbols->state = SYMBOLS_CUT_OFF;
		dso->symbols->nr = 0;
	}
	if (err == -ECANCELED) {
		symbols_free(dso->symbols);
		dso->symbols = NULL;
		return err;
	}
	sort_err = symbols_sort(dso->symbols);
	return err ? err : sort_err;
}

const struct symbol *dso_symbol(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset)
{
	uint64_t address = dso_address(dso, sources, offset);

	if (!dso->symbols || !dso->symbols->nr)
		return NULL;
	return symbols_find(dso->symbols, address);
}

uint64_t dso_address(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t offset)
{
	if (!dso->symbols && load(dso, sources))
		return offset;
	return symbols_address(dso->symbols, offset);
}

bool dso_initialises(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t address)
{
	address = dso_address(dso, sources, address);
	return dso->symbols && dso->symbols->init_start <= address &&
	       address < dso->symbols->init_end;
}

bool dso_is_image(struct dso *dso, const struct symbol_sources *sources,
		  uint64_t start, uint64_t address)
{
	start = dso_address(dso, sources, start);
	address = dso_address(dso, sources, address);
	return dso->symbols && start <= address &&
	       address < dso->symbols->image_end;
}

const char *symbol_name(const struct dso *dso, const struct symbol *symbol)
{
	return dso->symbols->names + symbol->name;
}

uint64_t symbol_offset(const struct dso *dso, const struct symbol *symbol,
		       uint64_t offset)
{
	return symbols_address(dso->symbols, offset) - symbol->start;
}

