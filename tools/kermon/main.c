// SPDX-License-Identifier: GPL-2.0
/* The table of commands, and main(), which runs one of them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/events.h>
#include <kermon/version.h>

#include "ui/command.h"
#include "ui/habits.h"
#include "ui/help.h"
#include "ui/message.h"
#include "util/nearmatch.h"

#define COMMANDS(...)	(const struct command *const[]){ __VA_ARGS__, NULL }

const struct command_group command_groups[] = {
	{ "Record", COMMANDS(&run_command, &attach_command, &stat_command,
			    &spy_command, &top_command) },
	{ "Report", COMMANDS(&report_command, &diff_command, &regions_command,
			     &script_command, &roofline_command) },
	{ "Convert", COMMANDS(&export_command, &readperf_command,
			      &merge_command) },
	{ "Inspect a file", COMMANDS(&header_command, &dump_command,
					      &check_command) },
	{ "Inspect the machine", COMMANDS(&status_command, &revoke_command, &list_command,
					  &cost_command, &msr_command,
					  &roofline_bench_command,
					  &bench_overhead_command) },
	{ "Help", COMMANDS(&help_command) },
	{}
};

const struct command *command_at(unsigned int index)
{
	const struct command_group *group;
	const struct command *const *command;

	for (group = command_groups; group->title; group++)
		for (command = group->commands; *command; command++)
			if (!index--)
				return *command;
	return NULL;
}

const struct command *command_find(const char *name)
{
	const struct command *command;

	name = habits_alias(name);
	for (unsigned int i = 0; (command = command_at(i)); i++)
		if (!strcmp(command->name, name))
			break;
	return command;
}

const struct command *command_of(char **words, unsigned int nr, unsigned int *taken)
{
	const struct command *command = NULL;
	char joined[COMMAND_JOINED];

	if (nr > 1) {
		snprintf(joined, sizeof(joined), "%s-%s", words[0], words[1]);
		command = command_find(joined);
	}
	*taken = command ? 2 : 1;
	return command ? command : command_find(words[0]);
}

int command_unknown(const char *name)
{
	struct nearmatch match = { .word = name };
	const char *advice = habits_command(name);
	const struct command *command;

	if (advice) {
		message(NULL, "command '%s' is not supported", name);
		message_hint("%s", advice);
		return STATUS_USAGE;
	}
	for (unsigned int i = 0; (command = command_at(i)); i++)
		nearmatch_offer(&match, command->name);
	message(NULL, "unknown command '%s'", name);
	message_similar(match.names, match.nr, "");
	message_hint("'kermon help' lists the commands");
	return STATUS_USAGE;
}

/* Options of commands follow the command. */
static int option_unknown(const char *name)
{
	static const char *const options[] = { "help", "version" };
	struct nearmatch match = { .word = name + strspn(name, "-") };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		nearmatch_offer(&match, options[i]);
	message(NULL, "unknown option '%s'", name);
	message_similar(match.names, match.nr, "--");
	message_hint("options of a command follow it: kermon COMMAND [OPTION]...");
	return STATUS_USAGE;
}

/*
 * What was printed must have got to where it was to go. If its reader has ended, as "head"
 * does, so does the tool, even if SIGPIPE was blocked or ignored while it worked.
 */
static int close_stdout(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno == EPIPE)
		raise(SIGPIPE);
	message(NULL, "cannot write to standard output: %m");
	return status ? status : STATUS_FAILED;
}

/*
 * A file that the tool opens must not get the number of a standard stream that is closed:
 * what is printed would be in it. To use one of these is as much of an error as before, for
 * they are opened the other way round, and programs that are run find them closed.
 */
static void reserve_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_CLOEXEC | (fd == STDIN_FILENO ?
						       O_WRONLY : O_RDONLY));
}

/* Event files that the command needed, and that are not used. */
static void say_event_files(const char *name)
{
	const char *problem;

	for (unsigned int i = 0; (problem = kermon_events_problem(i)); i++)
		message(name, "this event file is not used: %s", problem);
}

/*
 * Commands reorder their arguments: run on a copy, for callers that use them again. Messages
 * have the name that was typed, in @words words, which may be another one than in the table.
 */
static int run_on_copy(const struct command *command, int argc, char **argv,
		       unsigned int words)
{
	char **copy = calloc(argc + 1, sizeof(*copy));
	struct command called = *command;
	char name[COMMAND_JOINED];
	int status;

	snprintf(name, sizeof(name), words > 1 ? "%s %s" : "%s", argv[1], argv[words]);
	called.name = name;
	if (!copy) {
		message(command->name, "out of memory");
		return STATUS_FAILED;
	}
	memcpy(copy, argv, argc * sizeof(*copy));
	status = called.run(&called, argc - words, copy + words);
	say_event_files(called.name);
	free(copy);
	return status;
}

/* perf has all three. */
static bool asks_for_version(const char *word)
{
	return !strcmp(word, "--version") || !strcmp(word, "-v") ||
	       !strcmp(word, "version");
}

int main(int argc, char **argv)
{
	const struct command *command;
	unsigned int words;

	reserve_streams();
	if (argc < 2) {
		help_commands(stderr);
		return STATUS_USAGE;
	}
	if (asks_for_version(argv[1])) {
		printf("kermon %s\n", kermon_version());
		return close_stdout(STATUS_OK);
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_commands(stdout);
		return close_stdout(STATUS_OK);
	}
	if (*argv[1] == '-')
		return option_unknown(argv[1]);
	command = command_of(argv + 1, argc - 1, &words);
	if (!command)
		return command_unknown(argv[1]);
	return close_stdout(run_on_copy(command, argc, argv, words));
}
