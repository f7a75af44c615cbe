/* SPDX-License-Identifier: GPL-2.0 */
/* What the commands that look at a file as it is have in common. */
#ifndef KERMON_FILE_COMMAND_H
#define KERMON_FILE_COMMAND_H

#include <kermon/file.h>

#include "ui/command.h"
#include "ui/options.h"

/**
 * struct file_command - a file that is shown
 * @name: of the command
 * @path: of the file
 * @no_pager: the user wants none
 * @told_all: each damage is told when it is found, and there is no pager that would
 *	be in the way; else the first ones, at the end
 * @damages: what is wrong with it
 * @file: open, when it is shown
 */
struct file_command {
	const char *name;
	const char *path;
	bool no_pager;
	bool told_all;
	struct kermon_damages *damages;
	struct kermon_file *file;
};

/* The table of a command that shows a file in a pager. */
extern const struct option_spec file_command_options[];

/*
 * Takes the options, opens the file and calls @show, which prints to standard
 * output and returns 0 or -errno. Returns the exit status: damage is a failure.
 */
int file_command_run(const struct command *command, int argc, char **argv,
		     int (*show)(struct file_command *command));

/* The same for a command that is about damages: each one is told. */
int file_command_run_telling_all(const struct command *command, int argc,
				 char **argv,
				 int (*show)(struct file_command *command));

#endif /* KERMON_FILE_COMMAND_H */
