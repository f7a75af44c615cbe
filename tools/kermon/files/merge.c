// SPDX-License-Identifier: GPL-2.0
/* kermon merge: combines recordings of several runs with different events into one file. */
#include <errno.h>
#include <string.h>

#include <kermon/events.h>
#include <kermon/merge.h>

#include "input/runs.h"
#include "ui/command.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/output.h"
#include "ui/pager.h"

static const struct option_spec merge_options[] = {
	{ 'o', 'o', "output", "FILE", "write FILE (default: perf.data)" },
	{ 'q', 'q', "quiet", NULL, "print nothing but errors" },
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

static int show_runs(const struct kermon_merge *merge)
{
	const struct table_style style = {
		.width = terminal_width(),
		.colour = terminal_colour(),
	};
	struct kermon_run runs[KERMON_MAX_RUNS];
	const struct kermon_run *run;
	size_t nr;

	for (nr = 0; (run = kermon_merge_run(merge, nr)); nr++)
		runs[nr] = *run;
	return runs_print(runs, nr, &style) ? STATUS_FAILED : STATUS_OK;
}

static int run_merge(const struct command *command, int argc, char **argv)
{
	const char *path = "perf.data";
	struct kermon_merge *merge;
	struct options options;
	bool quiet = false;
	int key, status;

	options_begin(&options, command, argc, argv);
	while ((key = options_next(&options))) {
		if (key == 'o')
			path = options.value;
		else
			quiet = true;
	}
	if (options.done)
		return options.status;
	if (argc - options.index < 2)
		return options_bad(command, "two files at least are merged");
	status = check_file(path, argv + options.index);
	if (status)
		return status;
	merge = kermon_merge_new(NULL);
	if (!merge) {
		message("merge", "out of memory");
		return STATUS_FAILED;
	}
	status = read_runs(merge, argv + options.index);
	if (!status)
		status = write_file(merge, path);
	if (!status && !quiet)
		status = show_runs(merge);
	kermon_merge_free(merge);
	return status;
}

const struct command merge_command = {
	.name = "merge",
	.synopsis = "[OPTION]... FILE FILE...",
	.summary = "Make one file of several runs, each with other events",
	.options = merge_options,
	.run = run_merge,
};
