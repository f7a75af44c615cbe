// SPDX-License-Identifier: GPL-2.0
/*
 * Find the compilation unit and the function at an address. .debug_aranges is optional,
 * so the ranges are read from the units themselves.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "lines_private.h"
#include "util/array.h"
#include "util/cancel.h"

/* Nesting of namespaces, functions and blocks; in damaged files there may be cycles. */
#define DEPTH_MAX	64

static int add_ranges(struct spans *spans, Dwarf_Die *die, uint64_t what)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	int err = 0;

	while (!err && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		err = spans_add(spans, start, end, what);
	return err;
}

static int add_unit(struct lines *lines, Dwarf_Die *die)
{
	if (array_room(lines->units, lines->room_units, lines->nr_units + 1))
		return -ENOMEM;
	lines->units[lines->nr_units] = (struct unit){ .die = *die };
	return add_ranges(&lines->spans, die, lines->nr_units++);
}

/* The next attempt starts from scratch. */
static void forget_units(struct lines *lines)
{
	spans_free(&lines->spans);
	lines->nr_units = 0;
}

int lines_index(struct lines *lines)
{
	Dwarf_Die *die = NULL;
	int err = 0;

	while (!err && (die = dwfl_module_nextcu(lines->binary->module, die,
						 &lines->bias))) {
		err = cancel_check(lines->cancel);
		if (!err)
			err = add_unit(lines, die);
	}
	spans_sort(&lines->spans);
	if (err)
		forget_units(lines);
	return err;
}

struct unit *lines_unit(struct lines *lines, Dwarf_Addr address)
{
	const struct span *span = spans_find(&lines->spans, address);

	return span ? &lines->units[span->what] : NULL;
}

/* Tags of entries that may contain functions. */
static bool is_container(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

static int index_functions(struct unit *unit, Dwarf_Die *parent,
			   unsigned int depth,
			   const struct kermon_cancel *cancel)
{
	Dwarf_Die die;
	int tag, err;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die))
		return 0;
	do {
		err = cancel_check(cancel);
		tag = dwarf_tag(&die);
		if (!err && tag == DW_TAG_subprogram)
			err = add_ranges(&unit->functions, &die,
					 dwarf_dieoffset(&die));
		if (!err && is_container(tag) && dwarf_haschildren(&die) > 0)
			err = index_functions(unit, &die, depth + 1, cancel);
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
}

/* The block or inlined function in @die that covers @address. */
static bool find_inside(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *found)
{
	int tag;

	if (dwarf_child(die, found))
		return false;
	do {
		tag = dwarf_tag(found);
		if ((tag == DW_TAG_inlined_subroutine ||
		     tag == DW_TAG_lexical_block) &&
		    dwarf_haspc(found, address) > 0)
			return true;
	} while (!dwarf_siblingof(found, found));
	return false;
}

/* Once; again if it failed. */
static int index_unit(struct unit *unit, const struct kermon_cancel *cancel)
{
	int err = unit->indexed ? 0 : index_functions(unit, &unit->die, 0,
						      cancel);

	if (err) {
		spans_free(&unit->functions);
		return err;
	}
	if (!unit->indexed)
		spans_sort(&unit->functions);
	unit->indexed = true;
	return 0;
}

int unit_scopes(struct unit *unit, Dwarf_Addr address, Dwarf_Die *scopes,
		const struct kermon_cancel *cancel)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(unit->die.cu);
	const struct span *span;
	Dwarf_Die at, inside;
	int nr = 0, err = index_unit(unit, cancel);

	if (err)
		return err;
	span = spans_find(&unit->functions, address);
	if (!span || !dwarf_offdie(dwarf, span->what, &at))
		return 0;
	scopes[nr++] = at;
	for (int depth = 0; depth < DEPTH_MAX && nr < SCOPES_MAX; depth++) {
		if (!find_inside(&at, address, &inside))
			break;
		at = inside;
		if (dwarf_tag(&at) == DW_TAG_inlined_subroutine)
			scopes[nr++] = at;
	}
	return nr;
}
