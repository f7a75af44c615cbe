/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to file_command.c: commands that show a file as it is. */
#ifndef KERMON_FILE_COMMAND_H
#define KERMON_FILE_COMMAND_H

#include <kermon/file.h>

#include "ui/command.h"
#include "ui/options.h"

/**
 * struct file_command - a file that is shown
 * @name: name of the command
 * @path: path of the file
 * @no_pager: --no-pager
 * @told_all: print each damage when it is found, without a pager; otherwise only the first
 *	ones, at the end
 * @failed: set by the command if it told of another failure
 * @damages: damages found so far
 * @file: the open file
 */
struct file_command {
	const char *name;
	const char *path;
	bool no_pager;
	bool told_all;
	bool failed;
	struct kermon_damages *damages;
	struct kermon_file *file;
};

/* Options of commands that show a file in a pager. */
extern const struct option_spec file_command_options[];

/*
 * Parse the options, open the file and call @show, which prints to standard output and
 * returns 0 or -errno. Returns the exit status; damage is a failure.
 */
int file_command_run(const struct command *command, int argc, char **argv,
		     int (*show)(struct file_command *command));

/*
 * The same for a command that has parsed its options into others than these, and has set
 * @name, @path and @told_all.
 */
int file_command_show(struct file_command *command,
		      int (*show)(struct file_command *command));

#endif /* KERMON_FILE_COMMAND_H */
