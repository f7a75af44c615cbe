// SPDX-License-Identifier: GPL-2.0
/* kermon header: prints the events of a file and its headers about the recording. */
#include <stdio.h>

#include "input/file_command.h"
#include "input/input_options.h"
#include "ui/shown.h"

static int show(struct file_command *command)
{
	kermon_file_header(command->file, shown_header, NULL);
	return 0;
}

static int run_header(const struct command *command, int argc, char **argv)
{
	return file_command_run(command, argc, argv, show);
}

const struct command header_command = {
	.name = "header",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Show the events and all other headers of a perf.data file",
	.options = file_command_options,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_header,
};
