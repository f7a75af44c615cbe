// SPDX-License-Identifier: GPL-2.0
/* kermon dump: prints every record of a file with its offset and fields. */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdio.h>

#include "input/file_command.h"
#include "input/input_options.h"
#include "ui/shown.h"

static int print_record(void *context, const struct kermon_file_record *record)
{
	(void)context;
	printf("0x%" PRIx64 "%s ", record->offset,
	       record->compressed ? "+" : "");
	if (record->name)
		fputs(record->name, stdout);
	else
		printf("type %" PRIu32, record->type);
	printf(" size %u", record->size);
	if (record->misc)
		printf(" misc 0x%x", record->misc);
	if (record->event)
		printf(" event ");
	kermon_text_print(stdout, record->event ? record->event : "");
	shown_line(stdout, "%s%s", *record->fields ? ": " : "", record->fields);
	return ferror(stdout) ? -EPIPE : 0;
}

static int show(struct file_command *command)
{
	return kermon_file_records(command->file, print_record, NULL);
}

static int run_dump(const struct command *command, int argc, char **argv)
{
	return file_command_run(command, argc, argv, show);
}

const struct command dump_command = {
	.name = "dump",
	.synopsis = "[OPTION]... [FILE]",
	.summary = "Print every record of a perf.data file, with its place",
	.options = file_command_options,
	.operand = &value_input,
	.max_operands = 1,
	.run = run_dump,
};
