// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"

enum { KEY_HELP = 1 << 16 };

static void add_short(char **end, char letter, bool has_arg)
{
	if (!letter)
		return;
	*(*end)++ = letter;
	if (has_arg)
		*(*end)++ = ':';
}

void options_begin(struct options *options, const struct command *command,
		   int argc, char **argv)
{
	const struct option_spec *spec;
	struct option *option;
	char *shorts;

	*options = (struct options){
		.command = command,
		.argc = argc,
		.argv = argv,
	};
	option = options->longs;
	shorts = options->shorts;
	if (command->takes_command)
		*shorts++ = '+';
	*shorts++ = ':';
	for (spec = command->options; spec->name; spec++) {
		*option++ = (struct option){
			.name = spec->name,
			.has_arg = spec->arg ? required_argument : no_argument,
			.val = spec->key,
		};
		add_short(&shorts, spec->letter, spec->arg);
	}
	*option = (struct option){ .name = "help", .val = KEY_HELP };
	add_short(&shorts, 'h', false);
	optind = 0;
	opterr = 0;
}

static int find_key(const struct command *command, int letter)
{
	const struct option_spec *spec;

	for (spec = command->options; spec->name; spec++)
		if (spec->letter == letter)
			return spec->key;
	return letter;
}

/*
 * Whether @word is the long option that getopt_long() refused because it takes no
 * argument; optopt is its key then. In a cluster of letters that is not yet at its end,
 * @word is still the option before it, which may be long as well.
 */
static bool has_needless_argument(const struct options *options,
				  const char *word)
{
	const size_t length = strcspn(word, "=");
	const struct option *option = options->longs;

	if (!word[length])
		return false;
	for (; option->name; option++)
		if (option->val == optopt && length > 2 &&
		    !strncmp(option->name, word + 2, length - 2))
			return true;
	return false;
}

/* getopt_long() says which: optopt is 0 for a long one that it does not know. */
static void bad_option(struct options *options, bool lacks_argument)
{
	const char *word = options->argv[optind - 1];
	bool needless = !lacks_argument && has_needless_argument(options, word);
	const char *what = lacks_argument ? "needs an argument" :
			   needless ? "takes no argument" : "is not known";

	if (!strncmp(word, "--", 2) && (lacks_argument || needless || !optopt))
		options_stop(options, "option '%s' %s", word, what);
	else
		options_stop(options, "option '-%c' %s", optopt, what);
}

int options_next(struct options *options)
{
	int key;

	if (options->done)
		return 0;
	key = getopt_long(options->argc, options->argv, options->shorts,
			  options->longs, NULL);
	options->index = optind;
	options->value = optarg;
	switch (key) {
	case -1:
		return 0;
	case '?':
	case ':':
		bad_option(options, key == ':');
		return 0;
	case 'h':
	case KEY_HELP:
		options->done = true;
		options->status = STATUS_OK;
		options_help(options->command);
		return 0;
	}
	return key < 256 ? find_key(options->command, key) : key;
}

int options_bad(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_write(command->name, format, args);
	va_end(args);
	fprintf(stderr, "  try 'kermon %s --help'\n", command->name);
	return STATUS_USAGE;
}

bool options_no_words(struct options *options, const char *instead)
{
	const char *word = options->argv[options->index];

	if (!options->done && word)
		options_stop(options, "unexpected argument '%s'%s%s", word,
			     instead ? "; use " : "", instead ? instead : "");
	return !options->done;
}

struct unit {
	const char *suffix;
	uint64_t factor;
};

static int parse_unit(const char *text, const struct unit *units, uint64_t *out)
{
	unsigned long long number;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -ERANGE;
	for (; units->suffix; units++) {
		if (strcmp(end, units->suffix))
			continue;
		if (__builtin_mul_overflow(number, units->factor, out))
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

int options_size(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "K", 1 << 10 },
		{ "M", 1 << 20 },
		{ "G", 1 << 30 },
		{ 0 },
	};

	return parse_unit(text, units, bytes);
}

int options_duration(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "", 1000000 },
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ 0 },
	};

	return parse_unit(text, units, ns);
}

static int print_option(char letter, const char *name, const char *arg)
{
	int n = letter ? printf("  -%c, ", letter) : printf("      ");

	n += printf("--%s", name);
	return n + (arg ? printf(" %s", arg) : 0);
}

static void help_option(char letter, const char *name, const char *arg,
			const char *help)
{
	const int column = 30;
	int n = print_option(letter, name, arg);

	if (n > column - 2) {
		printf("\n");
		n = 0;
	}
	printf("%*s%s\n", column - n, "", help);
}

void options_help(const struct command *command)
{
	const struct option_spec *spec;

	printf("Usage: kermon %s %s\n%s.\n\n", command->name,
	       command->synopsis, command->summary);
	for (spec = command->options; spec->name; spec++)
		help_option(spec->letter, spec->name, spec->arg, spec->help);
	help_option('h', "help", NULL, "show this text");
}
