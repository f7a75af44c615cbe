// SPDX-License-Identifier: GPL-2.0
/* kermon check: checks whether a file conforms to the format, and counts its records. */
#include <inttypes.h>
#include <stdio.h>

#include "input/file_command.h"
#include "input/input_options.h"
#include "ui/shown.h"

static void print_count(void *context, const struct kermon_file_count *count)
{
	char unknown[32];

	(void)context;
	snprintf(unknown, sizeof(unknown), "unknown type %" PRIu32,
		 count->type);
	printf("%-20s %12" PRIu64 " %-7s %14" PRIu64 " bytes\n",
	       count->name ? count->name : unknown, count->records,
	       count->records == 1 ? "record" : "records", count->bytes);
}

static int show(struct file_command *command)
{
	uint64_t late = 0;
	int err = kermon_file_check(command->file, print_count, NULL, &late);

	if (late)
		printf("%" PRIu64 " record%s older than FINISHED_ROUND records allow\n",
		       late, late == 1 ? " is" : "s are");
	if (!err && !kermon_damages_count(command->damages))
		shown_line(stdout, "%s conforms to the format", command->path);
	return err;
}

static const struct option_spec check_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	{}
};

static int run_check(const struct command *command, int argc, char **argv)
{
	return file_command_run_telling_all(command, argc, argv, show);
}

const struct command check_command = {
	.name = "check",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Check every record of a perf.data file, and count them by type",
	.options = check_options,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_check,
};
