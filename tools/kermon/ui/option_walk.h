/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a command line, one after the other, as GNU's getopt_long() takes them.
 * Names of options are exact, as those of commands are: a prefix that is unambiguous
 * today need not be so tomorrow.
 */
#ifndef KERMON_OPTION_WALK_H
#define KERMON_OPTION_WALK_H

#include "options.h"

/* An option of a command, with the place of its value in all the command's arguments. */
struct option_row {
	const struct option_spec *spec;
	size_t offset;
};

/* All options of a command, groups resolved, and --help behind them. Returns how many. */
unsigned int option_rows(const struct command *command,
			 struct option_row rows[OPTIONS_MAX]);

/* Whether @spec is --help, which every command has. */
bool option_is_help(const struct option_spec *spec);

enum option_found {
	OPTION_END,
	OPTION_OPERAND,
	OPTION_KNOWN,
	OPTION_UNKNOWN,
	OPTION_LACKS_VALUE,	/* known, but there is nothing behind it */
	OPTION_TAKES_NONE,	/* known, but there is "=value" behind it */
};

/**
 * struct option_walk - a walk over a command line
 * @row: index of the option that was found
 * @token: the option or operand, as it was typed
 * @value: of the option; NULL: it takes none
 * @next: index of the word behind
 * @no_options: "--" was found: what follows is no option
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

/* @argv[0] is the command, and behind the last word is NULL. */
void option_walk_begin(struct option_walk *walk, const struct command *command,
		       char **argv);
enum option_found option_walk_next(struct option_walk *walk);

#endif /* KERMON_OPTION_WALK_H */
