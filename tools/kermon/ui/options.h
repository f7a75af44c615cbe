/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to options.c: the options of a command, declared in a table. Help, completion
 * and the values stored in the command's arguments all come from this table.
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
 *	... options.operands are the arguments that are not options
 */
#ifndef KERMON_OPTIONS_H
#define KERMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

#define OPTIONS_MAX	64

/**
 * struct option_spec - an option, or a group of options shared by several commands; an
 * array ends with {}
 * @letter: short form; 0 if there is only a long form
 * @name: long form, without "--"
 * @arg: name of the argument in the help, in brackets if it is optional; NULL if the option
 *	takes none
 * @help: what the option does; the help adds possible values and @preset
 * @type: kind of the value
 * @offset: where @type stores the value in the arguments of the command
 * @preset: the default in words; NULL if there is none
 * @of: parameter of @type: a struct value_range for VALUE(duration) and VALUE(size), and for
 *	VALUE(count) if its maximum is less than INT32_MAX
 * @number: number that VALUE(number) stores, or bits that VALUE(bits) sets
 * @group: table of a group, with offsets relative to @offset; other members are then 0
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

/* Offset of @member in @in; it does not compile if @member has another type. */
#define MEMBER(expected, in, member)					\
	(offsetof(in, member) + 0 * sizeof(char[__builtin_types_compatible_p( \
		__typeof__(((in *)0)->member), expected) ? 1 : -1]))

/*
 * Store the value, of the kind value_KIND, in @member of @in, whose type is VALUE_KIND.
 * Kinds are declared in values.h; a command may define others.
 */
#define VALUE(kind, in, member)						\
	.type = &value_##kind, .offset = MEMBER(VALUE_##kind, in, member)

/* Include the group KIND_options, for @member of @in, whose type is GROUP_KIND. */
#define GROUP(kind, in, member)						\
	{ .group = kind##_options, .offset = MEMBER(GROUP_##kind, in, member) }

/* --@option and --@other exclude each other; an array ends with {}. */
struct option_conflict {
	const char *option;
	const char *other;
};

/**
 * struct options - a command line that is being parsed
 * @token: the current option as typed: "-s", "--sort"
 * @value: its argument; NULL if it takes none, or an optional one is missing
 * @operands: arguments that are not options, ends with NULL
 * @nr_operands: number of operands
 * @given: bit mask of the options given, by option_rows()
 * @done: the command ends with @status, because of --help or an error
 * @status: exit status
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
 * Parse @argv into @into, the arguments to which the table of the command refers. Options
 * are accepted before and after operands, up to "--", except that the operands of a
 * command with takes_command end the options. @argv remains unchanged unless options
 * follow operands. Returns false if the command must return @options->status.
 */
bool options_parse(struct options *options, const struct command *command,
		   int argc, char **argv, void *into);

/* Add the value of an option, for example -i, to the operands. */
void options_add_operand(struct options *options, const char *word);

/* Whether the option --@name was given. */
bool options_given(const struct options *options, const char *name);

/* Report an error in the command line. Returns STATUS_USAGE. */
int options_bad(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same while parsing, which then ends. */
#define options_stop(options, ...)					\
	((options)->status = options_bad((options)->command, __VA_ARGS__), \
	 (options)->done = true)

struct nearmatch;

/* End parsing with a message about an unknown word, suggest @match, and name the help. */
void options_unknown(struct options *options, const struct nearmatch *match,
		     const char *prefix, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* KERMON_OPTIONS_H */
