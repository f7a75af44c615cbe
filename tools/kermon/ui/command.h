/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands of the tool: what main(), help and completion know of them.
 */
#ifndef KERMON_COMMAND_H
#define KERMON_COMMAND_H

#include <stdbool.h>

/* Exit statuses besides a command's own: those of perf and of the shell. */
enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_NOT_EXECUTABLE = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_USAGE = 129,
};

/**
 * struct option_spec - one option of a subcommand; an array ends with {}
 * @letter: of the short form; 0 if there is only a long one
 * @key: what options_next() returns: @letter, or any value from 256 on
 * @name: of the long form
 * @arg: name of the argument in the help; NULL if it takes none
 * @help: a line of text
 */
struct option_spec {
	char letter;
	int key;
	const char *name;
	const char *arg;
	const char *help;
};

/**
 * struct command - a subcommand
 * @name: exact; prefixes are not matched
 * @synopsis: what follows "kermon NAME" in the usage line
 * @summary: a line of text
 * @options: all that it takes besides --help
 * @takes_command: words behind the options are another command and its options
 * @run: does it. argv[0] is @name; returns the exit status.
 */
struct command {
	const char *name;
	const char *synopsis;
	const char *summary;
	const struct option_spec *options;
	bool takes_command;
	int (*run)(const struct command *command, int argc, char **argv);
};

extern const struct command attach_command;
extern const struct command check_command;
extern const struct command cost_command;
extern const struct command diff_command;
extern const struct command dump_command;
extern const struct command export_command;
extern const struct command header_command;
extern const struct command list_command;
extern const struct command merge_command;
extern const struct command readperf_command;
extern const struct command report_command;
extern const struct command run_command;
extern const struct command script_command;
extern const struct command status_command;

#endif /* KERMON_COMMAND_H */
