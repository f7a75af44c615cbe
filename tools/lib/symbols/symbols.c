// SPDX-License-Identifier: GPL-2.0
/* The sorted array of symbols and the search in it. */
#define _GNU_SOURCE
#include <errno.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/guard.h"

/* Of the stubs that jump to functions of other files. */
#define PLT_SUFFIX	"@plt"
/* How far a search goes back for a function around one that has ended. */
#define NESTING_MAX	8
#define NAMES_MAX_SIZE	(1UL << 30)

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->all);
	free(symbols->names);
	free(symbols->segments.all);
	free(symbols);
}

static int add_name(struct symbols *symbols, const char *name, uint32_t *at)
{
	size_t size = strlen(name) + 1;

	if (array_room(symbols->names, symbols->names_room,
		       symbols->names_size + size))
		return -ENOMEM;
	memcpy(symbols->names + symbols->names_size, name, size);
	*at = symbols->names_size;
	symbols->names_size += size;
	return 0;
}

int symbols_add(struct symbols *symbols, uint64_t start, uint64_t end,
		const char *name, uint32_t rank)
{
	uint32_t at;

	if (strlen(name) > SYMBOL_NAME_MAX ||
	    symbols->names_size > NAMES_MAX_SIZE)
		return 0;
	if (array_room(symbols->all, symbols->room, symbols->nr + 1))
		return -ENOMEM;
	if (add_name(symbols, name, &at))
		return -ENOMEM;
	symbols->all[symbols->nr++] = (struct symbol){
		.start = start,
		.end = end,
		.name = at,
		.rank = rank,
	};
	return 0;
}

uint32_t symbol_rank(const char *name, bool has_size, bool is_weak,
		     bool is_global)
{
	size_t underscores = strspn(name, "_");
	size_t length = strlen(name);

	if (underscores > 15)
		underscores = 15;
	if (length > 0xffff)
		length = 0xffff;
	return (has_size ? SYMBOL_RANK_SIZED : 0) | (uint32_t)!is_weak << 30 |
	       (uint32_t)is_global << 29 | (uint32_t)(15 - underscores) << 16 |
	       (uint32_t)length;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

static bool is_sized(const struct symbol *symbol)
{
	return symbol->rank & SYMBOL_RANK_SIZED;
}

/* One for each address, and no labels within what has a size. */
static void drop_aliases(struct symbols *symbols)
{
	struct symbol *all = symbols->all;
	uint64_t sized_until = 0;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->nr; i++) {
		if (kept && all[i].start == all[kept - 1].start)
			continue;
		if (is_sized(&all[i]) && all[i].end > sized_until)
			sized_until = all[i].end;
		else if (!is_sized(&all[i]) && all[i].start < sized_until)
			continue;
		all[kept++] = all[i];
	}
	symbols->nr = kept;
}

/* In their order, and with an end for those that have no size. */
static void tidy(struct symbols *symbols)
{
	struct symbol *all = symbols->all;

	if (!symbols->nr)
		return;
	qsort(all, symbols->nr, sizeof(*all), compare_symbols);
	drop_aliases(symbols);
	for (size_t i = 0; i + 1 < symbols->nr; i++)
		if (!is_sized(&all[i]) && all[i].end > all[i + 1].start)
			all[i].end = all[i + 1].start;
}

int dso_refuse(struct dso *dso, enum symbols_state why)
{
	if (dso->loaded)
		return 0;
	dso->loaded = true;
	dso->symbols = calloc(1, sizeof(*dso->symbols));
	if (!dso->symbols)
		return -ENOMEM;
	dso->symbols->state = why;
	return 0;
}

/* A function of the kernel that is made at run time is all that is there. */
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

/* Of a file that was cut off, what is there may be wrong: it gives no names. */
static int load(struct dso *dso, const struct symbol_sources *sources)
{
	int err = dso_refuse(dso, SYMBOLS_NONE);
	unsigned int before;

	if (err)
		return err;
	before = guard_enter();
	err = load_kind(dso, sources);
	if (guard_leave(before)) {
		dso->symbols->state = SYMBOLS_CUT_OFF;
		dso->symbols->nr = 0;
	}
	tidy(dso->symbols);
	return err;
}

static const struct segment *segment_at(const struct segments *segments,
					uint64_t offset, bool with_bss)
{
	const struct segment *segment;

	for (size_t i = 0; i < segments->nr; i++) {
		segment = &segments->all[i];
		if (offset - segment->offset <
		    segment->size + (with_bss ? segment->bss_size : 0))
			return segment;
	}
	return NULL;
}

bool segments_find(const struct segments *segments, uint64_t offset,
		   uint64_t *address)
{
	const struct segment *segment = segment_at(segments, offset, false);

	if (!segment)
		segment = segment_at(segments, offset, true);
	if (segment)
		*address = offset - segment->offset + segment->address;
	return segment;
}

/* From an offset in the file to the address that symbols are given in. */
static uint64_t to_address(const struct symbols *symbols, uint64_t offset)
{
	uint64_t address = offset + symbols->move;

	segments_find(&symbols->segments, offset, &address);
	return address;
}

/* Index of the last symbol that starts at or before @address, plus one. */
static size_t count_up_to(const struct symbols *symbols, uint64_t address)
{
	return count_while(symbols->nr, i, symbols->all[i].start <= address);
}

static const struct symbol *find(struct symbols *symbols, uint64_t address)
{
	const struct symbol *symbol;
	size_t at;

	if (symbols->last + 1 < symbols->nr) {
		symbol = &symbols->all[symbols->last];
		if (symbol->start <= address && address < symbol->end &&
		    address < symbol[1].start)
			return symbol;
	}
	at = count_up_to(symbols, address);
	for (size_t i = 0; i < NESTING_MAX && at; i++) {
		symbol = &symbols->all[--at];
		if (address >= symbol->end)
			continue;
		symbols->last = at;
		return symbol;
	}
	return NULL;
}

const struct symbol *dso_symbol(struct dso *dso,
				const struct symbol_sources *sources,
				uint64_t offset)
{
	uint64_t address = dso_address(dso, sources, offset);

	if (!dso->symbols || !dso->symbols->nr)
		return NULL;
	return find(dso->symbols, address);
}

uint64_t dso_address(struct dso *dso, const struct symbol_sources *sources,
		     uint64_t offset)
{
	if (!dso->loaded && load(dso, sources))
		return offset;
	return dso->symbols ? to_address(dso->symbols, offset) : offset;
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
	return to_address(dso->symbols, offset) - symbol->start;
}

static bool is_stub(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(PLT_SUFFIX) &&
	       !strcmp(name + len - strlen(PLT_SUFFIX), PLT_SUFFIX);
}

/* Of some names of templates libiberty cannot tell the parameters, but the rest. */
char *symbol_demangle(const char *name)
{
	char *demangled = is_stub(name) ? NULL :
			  cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);

	return demangled ? demangled : symbol_demangle_short(name);
}

/* A stub has the name of its function, and PLT_SUFFIX behind it. */
char *symbol_demangle_short(const char *name)
{
	bool stub_name = is_stub(name);
	size_t len = strlen(name) - (stub_name ? strlen(PLT_SUFFIX) : 0);
	char *linked = strndup(name, len);
	char *demangled = linked ? cplus_demangle(linked, DMGL_NO_OPTS) : NULL;
	char *stub = NULL;

	free(linked);
	if (!demangled || !stub_name)
		return demangled;
	if (asprintf(&stub, "%s" PLT_SUFFIX, demangled) < 0)
		stub = NULL;
	free(demangled);
	return stub;
}
