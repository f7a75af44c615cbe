// SPDX-License-Identifier: GPL-2.0
/* Parses the command line of a command according to the table of its options. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "habits.h"
#include "help.h"
#include "message.h"
#include "option_walk.h"
#include "util/nearmatch.h"
#include "values.h"

static int hint_at_help(const struct command *command)
{
	message_hint("try 'kermon %s --help'", command->name);
	return STATUS_USAGE;
}

int options_bad(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_write(command->name, format, args);
	va_end(args);
	return hint_at_help(command);
}

void options_unknown(struct options *options, const struct nearmatch *match,
		     const char *prefix, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_write(options->command->name, format, args);
	va_end(args);
	message_similar(match->names, match->nr, prefix);
	options->status = hint_at_help(options->command);
	options->done = true;
}

void options_add_operand(struct options *options, const char *word)
{
	if (options->nr_operands >= options->command->max_operands)
		options_stop(options, "unexpected argument '%s'", word);
	else if (!*word && options->command->operand->is_recording)
		options_stop(options, "empty file name");
	else
		options->operands[options->nr_operands++] = (char *)word;
}

/* End parsing at an option of perf that the command lacks. Returns whether it is one. */
static bool stop_at_habit(struct options *options, const char *token)
{
	const char *command = options->command->name;
	const char *advice = habits_option(command, token);

	if (!advice)
		return false;
	message(command, "option '%s' is not supported", token);
	message_hint("%s", advice);
	options->status = STATUS_USAGE;
	options->done = true;
	return true;
}

static void stop_at_unknown(struct options *options,
			    const struct option_walk *walk)
{
	const char *name = walk->token + strspn(walk->token, "-");
	char word[NEARMATCH_LENGTH];
	struct nearmatch match = { .word = word };

	if (stop_at_habit(options, walk->token))
		return;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "="), name);
	for (unsigned int i = 0; i < walk->nr_rows; i++)
		nearmatch_offer(&match, walk->rows[i].spec->name);
	options_unknown(options, &match, "--", "unknown option '%s'",
			walk->token);
}

static void take_option(struct options *options, const struct option_walk *walk,
			void *into)
{
	const struct option_row *row = &walk->rows[walk->row];

	options->token = walk->token;
	options->value = walk->value;
	options->given |= 1ULL << walk->row;
	if (!option_is_help(row->spec)) {
		row->spec->type->take(options, row->spec,
				      (char *)into + row->offset);
		return;
	}
	help_print(options->command);
	options->done = true;
	options->status = STATUS_OK;
}

/* The operand and everything after it are the command to run. */
static void take_command(struct options *options, const struct option_walk *walk)
{
	options->operands = walk->argv + walk->next - 1;
	while (options->operands[options->nr_operands])
		options->nr_operands++;
}

static bool take_next(struct options *options, struct option_walk *walk,
		      void *into)
{
	const char *arg;

	switch (option_walk_next(walk)) {
	case OPTION_END:
		return false;
	case OPTION_OPERAND:
		if (options->command->takes_command) {
			take_command(options, walk);
			return false;
		}
		options_add_operand(options, walk->token);
		break;
	case OPTION_KNOWN:
		take_option(options, walk, into);
		break;
	case OPTION_UNKNOWN:
		stop_at_unknown(options, walk);
		break;
	case OPTION_LACKS_VALUE:
		arg = walk->rows[walk->row].spec->arg;
		options_stop(options, "option '%s' requires an argument: %s",
			     walk->token, arg);
		break;
	case OPTION_TAKES_NONE:
		options_stop(options, "option '%s' takes no argument",
			     walk->token);
		break;
	}
	return !options->done;
}

bool options_given(const struct options *options, const char *name)
{
	struct option_row rows[OPTIONS_MAX];
	unsigned int nr = option_rows(options->command, rows);

	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(rows[i].spec->name, name))
			return options->given & 1ULL << i;
	return false;
}

static void check_conflicts(struct options *options)
{
	const struct option_conflict *each = options->command->conflicts;

	for (; each && each->option && !options->done; each++)
		if (options_given(options, each->option) &&
		    options_given(options, each->other))
			options_stop(options, "'--%s' cannot be used with '--%s'",
				     each->option, each->other);
}

bool options_parse(struct options *options, const struct command *command,
		   int argc, char **argv, void *into)
{
	struct option_walk walk;

	*options = (struct options){
		.command = command,
		.operands = argv + 1,
	};
	option_walk_begin(&walk, command, argv);
	while (take_next(options, &walk, into))
		;
	/* Do not write to @argv without operands: kermon attach records the command line. */
	if (!options->nr_operands)
		options->operands = argv + argc;
	else
		options->operands[options->nr_operands] = NULL;
	if (!options->done)
		check_conflicts(options);
	return !options->done;
}
