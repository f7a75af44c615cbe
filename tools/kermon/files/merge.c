// SPDX-License-Identifier: GPL-2.0
/* kermon merge: combines recordings of several runs with different events into one file. */
#include <errno.h>
#include <string.h>

#include <kermon/events.h>
#include <kermon/merge.h>

#include "input/input_options.h"
#include "input/runs.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/output.h"
#include "ui/pager.h"

struct arguments {
	const char *path;
	int compression;
	bool quiet;
	enum color color;
};

static const struct option_spec merge_options[] = {
	FILE_OPTION(NULL),
	OUTPUT_OPTION(struct arguments, path, "perf.data"),
	GROUP(compression, struct arguments, compression),
	GROUP(quiet, struct arguments, quiet),
	GROUP(color, struct arguments, color),
	{}
};

static int tell_failure(const struct kermon_merge *merge, const char *path,
			int err)
{
	const char *error = kermon_merge_error(merge);

	if (err == -EINVAL && *error)
		message("merge", "%s", error);
	else if (err == -E2BIG)
		message("merge", "%s: a file can have at most %d runs and %d "
			"events", path, KERMON_MAX_RUNS,
			KERMON_MAX_SELECTED);
	else
		message("merge", "%s: %s", path, strerror(-err));
	return STATUS_FAILED;
}

static int read_runs(struct kermon_merge *merge, char *const *paths)
{
	int err;

	for (; *paths; paths++) {
		err = kermon_merge_add(merge, *paths);
		if (err)
			return tell_failure(merge, *paths, err);
	}
	return STATUS_OK;
}

static int tell_unwritten(const char *path, int err)
{
	message("merge", "cannot write %s: %s", path, output_reason(err));
	return STATUS_FAILED;
}

static int write_file(struct kermon_merge *merge, const char *path)
{
	struct output output;
	int err = output_open(&output, path);

	if (!err)
		err = kermon_merge_write(merge, output.fd);
	if (!err)
		err = output_keep(&output);
	output_close(&output);
	return err ? tell_unwritten(path, err) : STATUS_OK;
}

/* The output has to be seekable, since its header is written last. */
static int check_file(const char *path, char *const *inputs)
{
	int err = output_check(path);

	if (err)
		return tell_unwritten(path, err);
	for (; *inputs; inputs++)
		if (!output_spares_old("merge", path, *inputs))
			return STATUS_FAILED;
	return STATUS_OK;
}

static int show_runs(const struct kermon_merge *merge, enum color color)
{
	const struct table_style style = {
		.width = terminal_width(),
		.colour = terminal_colour(color),
	};
	struct kermon_run runs[KERMON_MAX_RUNS];
	const struct kermon_run *run;
	size_t nr;

	for (nr = 0; (run = kermon_merge_run(merge, nr)); nr++)
		runs[nr] = *run;
	return runs_print(runs, nr, kermon_merge_is_of_cpus(merge), &style) ? STATUS_FAILED : STATUS_OK;
}

static int merge_files(const struct arguments *arguments, char *const *paths)
{
	const struct kermon_merge_options options = {
		.size = sizeof(options),
		.compression = arguments->compression,
	};
	struct kermon_merge *merge = kermon_merge_new(&options);
	int status;

	if (!merge) {
		message("merge", "out of memory");
		return STATUS_FAILED;
	}
	status = read_runs(merge, paths);
	if (!status)
		status = write_file(merge, arguments->path);
	if (!status && !arguments->quiet)
		status = show_runs(merge, arguments->color);
	kermon_merge_free(merge);
	return status;
}

static int run_merge(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { .path = "perf.data" };
	struct options options;
	int status;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	if (options.nr_operands < 2)
		return options_bad(command, "need at least two files");
	if (!strcmp(arguments.path, "-"))
		return options_bad(command, "cannot write to standard output: the file must be seekable");
	status = check_file(arguments.path, options.operands);
	return status ? status : merge_files(&arguments, options.operands);
}

const struct command merge_command = {
	.name = "merge",
	.synopsis = "[OPTION]... FILE FILE...",
	.summary = "Make one file of several runs, each with different events",
	.options = merge_options,
	.operand = &value_input,
	.max_operands = OPERANDS_ANY,
	.run = run_merge,
};
