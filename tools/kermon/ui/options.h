/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a subcommand, from its table.
 *
 *	struct arguments {
 *		struct input input;
 *		bool json;
 *	};
 *
 *	static const struct option_spec options_of_command[] = {
 *		GROUP(input, struct arguments, input),
 *		{ 'j', "json", NULL, "print JSON", VALUE(flag, struct arguments, json) },
 *		{}
 *	};
 *
 *	if (!options_parse(&options, command, argc, argv, &arguments))
 *		return options.status;
 *	... options.operands are the words that are no options
 */
#ifndef KERMON_OPTIONS_H
#define KERMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

#define OPTIONS_MAX	64

/**
 * struct option_spec - an option of a subcommand, or a group of options that several
 * share; an array ends with {}
 * @letter: of the short form; 0 if there is only a long one
 * @name: of the long form
 * @arg: name of the argument in the help; NULL if it takes none
 * @help: what it does; possible values and @preset are added
 * @type: of the value, and @offset, where it is stored in the command's arguments
 * @preset: what holds without the option, in words; NULL: nothing does
 * @of: what @type wants to know: of VALUE(duration) a struct duration_range, of
 *	VALUE(size) a struct size_range, of VALUE(choice) a struct choice
 * @number: that VALUE(number) stores, or whose bits VALUE(bits) adds
 * @group: the options of a group, whose offsets begin at @offset; all else is 0 then
 */
struct option_spec {
	char letter;
	const char *name;
	const char *arg;
	const char *help;
	const struct value_type *type;
	size_t offset;
	const char *preset;
	const void *of;
	int number;
	const struct option_spec *group;
};

/* Where @member of @in is, which has to be of type @expected. */
#define MEMBER(expected, in, member)					\
	(offsetof(in, member) + 0 * sizeof(char[__builtin_types_compatible_p( \
		__typeof__(((in *)0)->member), expected) ? 1 : -1]))

/*
 * The value is of value_KIND and is stored in @member of @in, which is a VALUE_KIND;
 * a command may have kinds of its own.
 */
#define VALUE(kind, in, member)						\
	.type = &value_##kind, .offset = MEMBER(VALUE_##kind, in, member)

/* The options KIND_options, for @member of @in, which is a GROUP_KIND. */
#define GROUP(kind, in, member)						\
	{ .group = kind##_options, .offset = MEMBER(GROUP_##kind, in, member) }

enum option_relation {
	OPTION_EXCLUDES,
	OPTION_REQUIRES,
};

/* --@option cannot be with --@other, or cannot be without. An array ends with {}. */
struct option_rule {
	const char *option;
	enum option_relation relation;
	const char *other;
};

/**
 * struct options - a command line that is taken apart
 * @token: the option that is being taken, as it was typed: "-s", "--sort"
 * @value: its argument; NULL: it takes none
 * @operands: the words that are no options; NULL behind the last
 * @done: the command has nothing left to do: help was shown, or an error
 * @status: what it returns then
 */
struct options {
	const struct command *command;
	const char *token;
	const char *value;
	char **operands;
	unsigned int nr_operands;
	uint64_t given;
	bool done;
	int status;
};

/*
 * Stores what @argv asks for in @into, the arguments that the table of the command is
 * about. Options may stand behind operands, up to "--"; but not if these are a command
 * with options of its own. @argv keeps its order as long as there are no operands
 * before options. False: the command returns @options->status.
 */
bool options_parse(struct options *options, const struct command *command,
		   int argc, char **argv, void *into);

/* An operand that came as the value of an option. */
void options_add_operand(struct options *options, const char *word);

/* Whether the option --@name was given. */
bool options_given(const struct options *options, const char *name);

/* Says what is wrong with the command line; returns STATUS_USAGE. */
int options_bad(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same, and ends the walk. */
#define options_stop(options, ...)					\
	((options)->status = options_bad((options)->command, __VA_ARGS__), \
	 (options)->done = true)

struct nearmatch;

/* Ends the walk with a message about what is not known, what is like it, and the help. */
void options_unknown(struct options *options, const struct nearmatch *match,
		     const char *prefix, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* KERMON_OPTIONS_H */
