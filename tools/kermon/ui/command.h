/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of the tool, as main(), help and completion see them. Their table is in main.c.
 */
#ifndef KERMON_COMMAND_H
#define KERMON_COMMAND_H

#include <stdbool.h>

struct option_conflict;
struct option_spec;
struct value_type;

/* Exit statuses besides a command's own: those of perf and of the shell. */
enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_NOT_EXECUTABLE = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_USAGE = 129,
};

#define OPERANDS_ANY	(~0U)

/**
 * struct command - a subcommand
 * @name: exact; prefixes are not matched. "ONE-TWO" is also typed as two words
 * @synopsis: what follows "kermon NAME" in the usage line
 * @summary: a line of text
 * @options: all that it takes besides --help
 * @conflicts: which options exclude each other; NULL: none
 * @operand: kind of its operands, the arguments that are not options; NULL: it has none
 * @max_operands: maximum number of operands
 * @completed_operands: number of operands that are completed, if it is less; 0: all
 * @takes_command: the operands are another command with its options
 * @run: does it. argv[0] is @name; returns the exit status.
 */
struct command {
	const char *name;
	const char *synopsis;
	const char *summary;
	const struct option_spec *options;
	const struct option_conflict *conflicts;
	const struct value_type *operand;
	unsigned int max_operands;
	unsigned int completed_operands;
	bool takes_command;
	int (*run)(const struct command *command, int argc, char **argv);
};

/* A group of commands by purpose, as in the help; an array ends with {}. */
struct command_group {
	const char *title;
	const struct command *const *commands;	/* ends with NULL */
};

extern const struct command_group command_groups[];

/* The command of exactly this name, or that perf calls so, or NULL. */
const struct command *command_find(const char *name);

/* Room for two words of a command line. */
#define COMMAND_JOINED	64

/*
 * The command that the @nr words of a command line begin with. "roofline bench" is in the
 * table as "roofline-bench", which may be typed as well. Sets the number of its words.
 */
const struct command *command_of(char **words, unsigned int nr, unsigned int *taken);

/* Command @index in the order of the groups; NULL after the last. */
const struct command *command_at(unsigned int index);

/* Report an unknown command, and suggest others. Returns STATUS_USAGE. */
int command_unknown(const char *name);

extern const struct command attach_command;
extern const struct command bench_overhead_command;
extern const struct command check_command;
extern const struct command cost_command;
extern const struct command diff_command;
extern const struct command dump_command;
extern const struct command export_command;
extern const struct command header_command;
extern const struct command help_command;
extern const struct command list_command;
extern const struct command merge_command;
extern const struct command msr_command;
extern const struct command readperf_command;
extern const struct command regions_command;
extern const struct command report_command;
extern const struct command revoke_command;
extern const struct command roofline_bench_command;
extern const struct command roofline_command;
extern const struct command run_command;
extern const struct command spy_command;
extern const struct command stat_command;
extern const struct command script_command;
extern const struct command status_command;
extern const struct command top_command;

#endif /* KERMON_COMMAND_H */
