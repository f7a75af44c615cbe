/* SPDX-License-Identifier: GPL-2.0 */
/* Options that have one name, one meaning and one text wherever they are. */
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

/* --color, of commands that print tables */
enum color {
	COLOR_AUTO,	/* on a terminal, unless NO_COLOR is set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

#define GROUP_color	enum color
extern const struct option_spec color_options[];

/*
 * -o, --output: @member of @in is a const char *; without it, @standard is written. "-"
 * is standard output; a command that needs a file says so by output_is_file().
 */
#define OUTPUT_OPTION(in, member, standard)				\
	{ 'o', "output", "FILE", "write to this file",			\
	  VALUE(file, in, member), .preset = (standard) }

bool output_is_file(const struct command *command, const char *path);

/* -s, --sort: @member likewise; without it, rows are by @standard. */
#define SORT_OPTION(in, member, standard)				\
	{ 's', "sort", "KEY,...", "show one table, with rows by these keys", \
	  VALUE(keys, in, member), .preset = (standard) }

#endif /* KERMON_COMMON_OPTIONS_H */
