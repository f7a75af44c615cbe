// SPDX-License-Identifier: GPL-2.0
/*
 * The table of subcommands, and what is made of it: dispatch, usage and the
 * words for completion.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kermon/version.h>

#include "ui/command.h"
#include "ui/message.h"
#include "ui/options.h"

static const struct command help_command;

static const struct command *const commands[] = {
	&run_command,
	&attach_command,
	&cost_command,
	&list_command,
	&status_command,
	&report_command,
	&diff_command,
	&script_command,
	&export_command,
	&header_command,
	&dump_command,
	&check_command,
	&merge_command,
	&readperf_command,
	&help_command,
	NULL,
};

static const struct command *find_command(const char *name)
{
	const struct command *const *command;

	for (command = commands; *command; command++)
		if (!strcmp((*command)->name, name))
			return *command;
	return NULL;
}

static void print_usage(FILE *out)
{
	const struct command *const *command;

	fprintf(out, "Usage: kermon COMMAND [ARGUMENT]...\n"
		"       kermon --help | --version\n\n"
		"What each thread of an application does to the machine, "
		"sampled by the scheduler.\n\n");
	for (command = commands; *command; command++)
		fprintf(out, "  %-10s %s\n", (*command)->name,
			(*command)->summary);
	fprintf(out, "\n'kermon COMMAND --help' tells more.\n");
}

static int unknown_command(const char *name)
{
	message(NULL, "there is no command '%s'", name);
	message_hint("'kermon help' lists them");
	return STATUS_USAGE;
}

static const struct option_spec help_options[] = {
	{ 0, 'w', "words", NULL,
	  "print the commands, or the options of COMMAND, one to a line" },
	{}
};

static void print_words(const struct command *command)
{
	const struct command *const *each;
	const struct option_spec *spec;

	if (!command) {
		for (each = commands; *each; each++)
			printf("%s\n", (*each)->name);
		return;
	}
	for (spec = command->options; spec->name; spec++)
		printf("--%s%s\n", spec->name, spec->arg ? "=" : "");
	printf("--help\n");
}

static int run_help(const struct command *command, int argc, char **argv)
{
	const struct command *about = NULL;
	struct options options;
	bool words = false;

	options_begin(&options, command, argc, argv);
	while (options_next(&options) == 'w')
		words = true;
	if (options.done)
		return options.status;
	if (argc - options.index > 1)
		return options_bad(command, "one COMMAND at most");
	if (argv[options.index]) {
		about = find_command(argv[options.index]);
		if (!about)
			return unknown_command(argv[options.index]);
	}
	if (words)
		print_words(about);
	else if (about)
		options_help(about);
	else
		print_usage(stdout);
	return STATUS_OK;
}

static const struct command help_command = {
	.name = "help",
	.synopsis = "[OPTION]... [COMMAND]",
	.summary = "Show the commands, or the help of one",
	.options = help_options,
	.run = run_help,
};

/* What was printed must have got to where it was to go. */
static int close_stdout(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
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

int main(int argc, char **argv)
{
	const struct command *command;

	reserve_streams();
	if (argc < 2) {
		print_usage(stderr);
		return STATUS_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("kermon %s\n", kermon_version());
		return close_stdout(STATUS_OK);
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage(stdout);
		return close_stdout(STATUS_OK);
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return close_stdout(command->run(command, argc - 1, argv + 1));
}
