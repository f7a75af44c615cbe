/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to option_walk.c: the arguments of a command line one by one, with the syntax
 * of GNU's getopt_long(). Unlike there, names of options are exact: a prefix that is
 * unique now may be ambiguous later.
 */
#ifndef KERMON_OPTION_WALK_H
#define KERMON_OPTION_WALK_H

#include "options.h"

/* An option of a command, and the offset of its value in the command's arguments. */
struct option_row {
	const struct option_spec *spec;
	size_t offset;
};

/* List all options of a command, including groups and --help. Returns their number. */
unsigned int option_rows(const struct command *command,
			 struct option_row rows[OPTIONS_MAX]);

/* Whether @spec is --help, which every command has. */
bool option_is_help(const struct option_spec *spec);

enum option_found {
	OPTION_END,
	OPTION_OPERAND,
	OPTION_KNOWN,
	OPTION_UNKNOWN,
	OPTION_LACKS_VALUE,	/* known, but its argument is missing */
	OPTION_TAKES_NONE,	/* known, but has an argument that it does not take */
};

/**
 * struct option_walk - position in a command line
 * @rows: options of the command
 * @nr_rows: number of @rows
 * @row: index in @rows of the option that was found
 * @argv: the command line; ends with NULL
 * @next: index of the next argument
 * @no_options: "--" was found: only operands follow
 * @letters: remaining letters of a cluster such as "-qk"
 * @token: the option or operand as typed
 * @value: argument of the option; NULL if it takes none, or an optional one is missing
 * @name: buffer of @token
 */
struct option_walk {
	struct option_row rows[OPTIONS_MAX];
	unsigned int nr_rows;
	unsigned int row;
	char **argv;
	unsigned int next;
	bool no_options;
	const char *letters;
	const char *token;
	const char *value;
	char name[48];
};

/* @argv[0] is the name of the command; @argv ends with NULL. */
void option_walk_begin(struct option_walk *walk, const struct command *command,
		       char **argv);
enum option_found option_walk_next(struct option_walk *walk);

#endif /* KERMON_OPTION_WALK_H */
