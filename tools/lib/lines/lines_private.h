/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the lines share with each other and with nobody else. */
#ifndef KERMON_LINES_PRIVATE_H
#define KERMON_LINES_PRIVATE_H

#include "jit.h"
#include "lines.h"
#include "symbols/symbols.h"
#include "table.h"
#include "util/spans.h"

/* Functions in one place: deeper inlining is cut off at the inside. */
#define SCOPES_MAX	64

/**
 * struct unit - a compilation unit
 * @die: that describes it
 * @functions: spans of its functions, to offsets of their DIEs
 * @indexed: @functions have been filled
 */
struct unit {
	Dwarf_Die die;
	struct spans functions;
	bool indexed;
};

/**
 * struct lines - the debugging information of a DSO
 * @binary: its file; NULL: there is none
 * @jit: of code that was made at run time: what its dump has; NULL: nothing
 * @text: of a kernel: where it was linked to
 * @segments: of a module
 * @table: the line table of @binary; NULL: not opened yet, or there is none
 * @has_table: it has been looked for
 * @has_units: @units have been
 * @cut_off: the file was while it was read: what is left of it may be wrong
 * @bias: from addresses of the debugging information to those of the file
 * @units: @nr_units of them
 * @spans: of the units, to their indices
 * @known: table of struct source, by address; those of places without have none
 * @known_lines: table of struct known_line, the same
 * @strings: that they point to
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
	Dwarf_Addr bias;
	struct unit *units;
	size_t nr_units;
	size_t room_units;
	struct spans spans;
	struct hash known;
	struct hash known_lines;
	struct interned strings;
};

/* index.c: the units of @lines. Return: 0 or -ENOMEM. */
int lines_index(struct lines *lines);
/* The unit that has the code at an address of the debugging information. */
struct unit *lines_unit(struct lines *lines, Dwarf_Addr address);
/*
 * The function there and what is inlined in it, the outermost first. Return: how
 * many of SCOPES_MAX there are, or -ENOMEM.
 */
int unit_scopes(struct unit *unit, Dwarf_Addr address, Dwarf_Die *scopes);

#endif /* KERMON_LINES_PRIVATE_H */
