/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder and no others. */
#ifndef KERMON_LINES_PRIVATE_H
#define KERMON_LINES_PRIVATE_H

#include "jit.h"
#include "lines.h"
#include "symbols/symbols.h"
#include "table.h"
#include "util/spans.h"

/* Maximum number of functions at a place: deeper inlining is cut off at the innermost. */
#define SCOPES_MAX	64

/**
 * struct unit - a compilation unit
 * @die: its entry
 * @functions: spans of its functions; their values are offsets of DIEs
 * @indexed: @functions is filled
 */
struct unit {
	Dwarf_Die die;
	struct spans functions;
	bool indexed;
};

/**
 * struct lines - the debugging information of a DSO
 * @binary: its file; NULL: there is none
 * @jit: lines of run-time generated code from its dump; NULL: none
 * @text: link address of a kernel
 * @segments: of a module
 * @table: the line table of @binary; NULL: not opened yet, or none
 * @has_table: opening @table has been tried
 * @has_units: reading @units has been tried
 * @cancel: cancels reading; NULL: not cancellable
 * @cut_off: the file was truncated while it was read: its contents may be wrong
 * @bias: to convert addresses of the debugging information to those of the file
 * @units: @nr_units of them
 * @spans: of the units; their values are indices of @units
 * @known: cached struct source, by address; also for places without lines
 * @known_lines: cached struct known_line, likewise
 * @strings: the strings that they point to
 */
struct lines {
	struct binary *binary;
	struct jit_lines *jit;
	uint64_t text;
	struct segments segments;
	struct line_table *table;
	bool has_table;
	bool has_units;
	bool cut_off;
	const struct kermon_cancel *cancel;
	Dwarf_Addr bias;
	struct unit *units;
	size_t nr_units;
	size_t room_units;
	struct spans spans;
	struct hash known;
	struct hash known_lines;
	struct interned strings;
};

/* index.c: read the units of @lines. Return: 0, -ECANCELED or -ENOMEM. */
int lines_index(struct lines *lines);
/* The unit with the code at an address of the debugging information. */
struct unit *lines_unit(struct lines *lines, Dwarf_Addr address);
/*
 * The function at @address and those inlined into it, the outermost first. Return:
 * number of @scopes, at most SCOPES_MAX, -ECANCELED or -ENOMEM.
 */
int unit_scopes(struct unit *unit, Dwarf_Addr address, Dwarf_Die *scopes,
		const struct kermon_cancel *cancel);

#endif /* KERMON_LINES_PRIVATE_H */
