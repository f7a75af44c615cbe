// SPDX-License-Identifier: GPL-2.0
/*
 * kermon check: checks whether a file conforms to the format, and counts its records; or
 * how far they are out of order.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/file_command.h"
#include "input/input_options.h"
#include "order.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/shown.h"

/**
 * struct check - the command
 * @order: --order
 * @picture: path of the picture of it; NULL: none
 */
struct check {
	struct file_command file;
	bool order;
	const char *picture;
};

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

static int show_counts(struct file_command *command)
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

static bool tell_unwritten(const char *path, int err)
{
	if (err)
		message("check", "cannot write %s: %s", path, output_reason(err));
	return err;
}

static bool is_standard_output(const char *path)
{
	return path && !strcmp(path, "-");
}

/* The text, the picture, or both. Returns whether they were written. */
static bool write_order(const struct check *check, const struct order_view *view)
{
	if (is_standard_output(check->picture))
		return !tell_unwritten("the picture", order_picture(view, stdout));
	order_print(view);
	return !check->picture ||
	       !tell_unwritten(check->picture,
			       output_write(check->picture, order_picture, view));
}

static int show_order(struct file_command *command)
{
	struct check *check = (struct check *)((char *)command -
					       offsetof(struct check, file));
	struct order_view *view = calloc(1, sizeof(*view));
	int err;

	if (!view)
		return -ENOMEM;
	view->path = command->path;
	err = order_read(view, command->file);
	if (!err)
		command->failed = !write_order(check, view);
	order_view_free(view);
	return err;
}

static const struct option_spec check_options[] = {
	FILE_OPTION(INPUT_DEFAULT),
	{ 0, "order", NULL, "print how far records are out of the order of time",
	  VALUE(flag, struct check, order) },
	{ 0, "svg", "FILE", "with --order, also draw it as SVG",
	  VALUE(file, struct check, picture) },
	{}
};

/* An early error, because reading the file may take long. */
static bool may_write(const struct check *check)
{
	return !check->picture || is_standard_output(check->picture) ||
	       (!tell_unwritten(check->picture,
				output_check_export(check->picture)) &&
		output_spares("check", check->picture, check->file.path));
}

static int run_check(const struct command *command, int argc, char **argv)
{
	struct check check = {
		.file = { .name = command->name, .told_all = true },
	};
	struct options options;

	if (!options_parse(&options, command, argc, argv, &check))
		return options.status;
	if (check.picture && !check.order)
		return options_bad(command, "--svg requires --order");
	check.file.path = input_path(&options);
	if (!may_write(&check))
		return STATUS_FAILED;
	return file_command_show(&check.file,
				 check.order ? show_order : show_counts);
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
