// SPDX-License-Identifier: GPL-2.0
/* kermon help: prints the commands and their options, from the tables that define them. */
#include <string.h>

#include "completion.h"
#include "help.h"
#include "option_walk.h"
#include "pager.h"
#include "values.h"
#include "wrap.h"

#define DEFAULT_WIDTH	80
#define HELP_TEXT	(VALUE_NAMES + 1024)

static size_t width(void)
{
	size_t columns = terminal_width();

	return columns ? columns : DEFAULT_WIDTH;
}

void help_commands(FILE *out)
{
	const struct command_group *group;
	const struct command *const *command;

	fprintf(out, "Usage: kermon COMMAND [ARGUMENT]...\n"
		"       kermon --help | --version\n\n");
	wrap_text(out, "What each thread of an application does to the machine, sampled by the scheduler.",
		  0, 0, width());
	for (group = command_groups; group->title; group++) {
		fprintf(out, "\n%s:\n", group->title);
		for (command = group->commands; *command; command++)
			wrap_text(out, (*command)->summary,
				  fprintf(out, "  %-10s ", (*command)->name),
				  13, width());
	}
	fputc('\n', out);
	wrap_text(out, "See 'kermon COMMAND --help' for the options of a command. As in perf, 'record' is another name of 'run'.",
		  0, 0, width());
}

/* Format "what it does: one, two (default: one)". */
static const char *describe(const struct option_spec *spec, char text[HELP_TEXT])
{
	bool names = spec->arg && value_name(spec->type, 0);
	char list[VALUE_NAMES];

	snprintf(text, HELP_TEXT, "%s%s%s%s%s%s", spec->help,
		 names ? ": " : "", names ? value_names(spec->type, list) : "",
		 spec->preset ? " (default: " : "",
		 spec->preset ? spec->preset : "", spec->preset ? ")" : "");
	return text;
}

static size_t print_name(const struct option_spec *spec)
{
	size_t n = spec->letter ? printf("  -%c, ", spec->letter) :
				  printf("      ");

	n += printf("--%s", spec->name);
	return n + (spec->arg ? printf(" %s", spec->arg) : 0);
}

static void print_option(const struct option_spec *spec)
{
	const size_t indent = width() < 70 ? 10 : 30;
	size_t column = print_name(spec);
	char text[HELP_TEXT];

	if (column > indent - 2) {
		printf("\n");
		column = 0;
	}
	printf("%*s", (int)(indent - column), "");
	wrap_text(stdout, describe(spec, text), indent, indent, width());
}

void help_print(const struct command *command)
{
	struct option_row rows[OPTIONS_MAX];
	unsigned int nr = option_rows(command, rows);
	size_t column = printf("Usage: kermon %s ", command->name);
	char text[HELP_TEXT];

	wrap_text(stdout, command->synopsis, column, column, width());
	snprintf(text, sizeof(text), "%s.", command->summary);
	wrap_text(stdout, text, 0, 0, width());
	putchar('\n');
	for (unsigned int i = 0; i < nr; i++)
		print_option(rows[i].spec);
}

static void print_words(const struct command *command)
{
	struct option_row rows[OPTIONS_MAX];
	unsigned int nr;

	if (!command) {
		for (unsigned int i = 0; (command = command_at(i)); i++)
			printf("%s\n", command->name);
		return;
	}
	nr = option_rows(command, rows);
	for (unsigned int i = 0; i < nr; i++)
		printf("--%s%s\n", rows[i].spec->name,
		       rows[i].spec->arg ? "=" : "");
}

/* Print a row per option, for Documentation/options.rst and the tests. */
static void print_options_of(const struct command *command)
{
	struct option_row rows[OPTIONS_MAX];
	unsigned int nr = option_rows(command, rows);
	const struct option_spec *spec;
	char names[VALUE_NAMES];

	for (unsigned int i = 0; i < nr; i++) {
		spec = rows[i].spec;
		printf("%s\t%.1s\t%s\t%s\t%s\t%s\t%s\n", command->name,
		       &spec->letter, spec->name, spec->arg ? spec->arg : "",
		       spec->arg && value_name(spec->type, 0) ?
		       value_names(spec->type, names) : "",
		       spec->preset ? spec->preset : "", spec->help);
	}
}

static void print_options(const struct command *command)
{
	if (command) {
		print_options_of(command);
		return;
	}
	for (unsigned int i = 0; (command = command_at(i)); i++)
		print_options_of(command);
}

struct arguments {
	bool words;
	bool options;
	bool complete;
};

static const struct option_spec help_options[] = {
	{ 0, "words", NULL,
	  "print the commands, or the options of COMMAND, one per line",
	  VALUE(flag, struct arguments, words) },
	{ 0, "options", NULL,
	  "print the options of all commands, or of COMMAND, separated by tabs",
	  VALUE(flag, struct arguments, options) },
	{ 0, "complete", NULL,
	  "print completions of the last word after '--', for shells",
	  VALUE(flag, struct arguments, complete) },
	{}
};

static const struct option_conflict help_conflicts[] = {
	{ "words", "options" },
	{ "words", "complete" },
	{ "options", "complete" },
	{}
};

static const char *name_of_command(size_t index)
{
	const struct command *command = command_at(index);

	return command ? command->name : NULL;
}

static const struct value_type value_command = {
	.what = "command",
	.whats = "commands",
	.name = name_of_command,
};

static int run_help(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { 0 };
	const struct command *about = NULL;
	struct options options;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	if (arguments.complete) {
		completion_print(options.operands, options.nr_operands);
		return STATUS_OK;
	}
	if (options.nr_operands > 1)
		return options_bad(command, "unexpected argument '%s'",
				   options.operands[1]);
	if (options.nr_operands) {
		about = command_find(options.operands[0]);
		if (!about)
			return command_unknown(options.operands[0]);
	}
	if (arguments.words)
		print_words(about);
	else if (arguments.options)
		print_options(about);
	else if (about)
		help_print(about);
	else
		help_commands(stdout);
	return STATUS_OK;
}

const struct command help_command = {
	.name = "help",
	.synopsis = "[OPTION]... [COMMAND]",
	.summary = "Show the commands, or the help of one",
	.options = help_options,
	.conflicts = help_conflicts,
	.operand = &value_command,
	.max_operands = OPERANDS_ANY,	/* of --complete */
	.completed_operands = 1,
	.run = run_help,
};
