/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to common_options.c: options with the same name, meaning and text in all
 * commands. See GROUP() in options.h.
 */
#ifndef KERMON_COMMON_OPTIONS_H
#define KERMON_COMMON_OPTIONS_H

#include "options.h"
#include "values.h"

/* -j, --json */
#define GROUP_json	bool
extern const struct option_spec json_options[];

/* -q, --quiet */
#define GROUP_quiet	bool
extern const struct option_spec quiet_options[];

/* --no-pager */
#define GROUP_pager	bool
extern const struct option_spec pager_options[];

/* -z, --compression-level: 0, or 1 to KERMON_COMPRESSION_MAX */
#define GROUP_compression	int
extern const struct option_spec compression_options[];

/* --color, for commands that print tables */
enum color {
	COLOR_AUTO,	/* on a terminal, unless NO_COLOR is set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

#define GROUP_color	enum color
extern const struct option_spec color_options[];

/*
 * -o, --output, into @member of @in, a const char *; @standard is the default in words. "-"
 * is standard output.
 */
#define OUTPUT_OPTION(in, member, standard)				\
	{ 'o', "output", "FILE", "write to FILE",			\
	  VALUE(file, in, member), .preset = (standard) }

/* -s, --sort, into @member of @in, a const char *; @standard is the default in words. */
#define SORT_OPTION(in, member, standard)				\
	{ 's', "sort", "KEY,...", "show one table with these sort keys", \
	  VALUE(keys, in, member), .preset = (standard) }

#endif /* KERMON_COMMON_OPTIONS_H */
