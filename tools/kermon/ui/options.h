/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a subcommand, from its table.
 *
 *	struct options options;
 *	int key;
 *
 *	options_begin(&options, command, argc, argv);
 *	while ((key = options_next(&options))) {
 *		if (key == 'o')
 *			output = options.value;
 *		...
 *	}
 *	if (options.done)
 *		return options.status;
 *	... argv[options.index] and on are the words that are no options
 */
#ifndef KERMON_OPTIONS_H
#define KERMON_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "command.h"

#define OPTIONS_MAX	40

/**
 * struct options - a walk over the options
 * @value: argument of the option that options_next() returned
 * @index: after the walk, of the first word that is no option
 * @done: the command has nothing left to do: help was shown, or an error
 * @status: what it returns then
 */
struct options {
	const struct command *command;
	int argc;
	char **argv;
	const char *value;
	int index;
	bool done;
	int status;
	struct option longs[OPTIONS_MAX + 2];
	char shorts[2 * OPTIONS_MAX + 4];
};

/*
 * Options may stand behind other words, up to "--"; but not if these are a command with
 * options of its own.
 */
void options_begin(struct options *options, const struct command *command,
		   int argc, char **argv);

/* Key of the next option; 0 when there is none or options->done is set. */
int options_next(struct options *options);

/* Says what is wrong with the command line; returns STATUS_USAGE. */
int options_bad(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same, and ends the walk. */
#define options_stop(options, ...)					\
	((options)->status = options_bad((options)->command, __VA_ARGS__), \
	 (options)->done = true)

/*
 * After the walk, of a command that takes no words: one is an error, with @instead, the
 * option that it may belong to, or NULL. Whether the command can go on.
 */
bool options_no_words(struct options *options, const char *instead);

/* "12", "64K", "2M", "1G": bytes. */
int options_size(const char *text, uint64_t *bytes);

/* "50ms", "2s", "100us": nanoseconds. A number alone is of milliseconds. */
int options_duration(const char *text, uint64_t *ns);

/* The whole help of a command, to standard output. */
void options_help(const struct command *command);

#endif /* KERMON_OPTIONS_H */
