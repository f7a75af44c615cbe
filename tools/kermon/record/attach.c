// SPDX-License-Identifier: GPL-2.0
/* kermon attach: records running processes or threads. */
#include "request.h"
#include "ui/values.h"

static const struct option_spec options_of_attach[] = {
	{ 0, "duration", "TIME", "stop after TIME",
	  VALUE(duration, struct request, duration_ns), .of = &any_duration,
	  .preset = "when the target exits, or on Ctrl-C" },
	{ .group = request_options },
	{}
};

static int run_attach(const struct command *command, int argc, char **argv)
{
	struct request request = REQUEST_DEFAULTS(command, argv);
	struct options options;
	int status;

	if (!options_parse(&options, command, argc, argv, &request))
		status = options.status;
	else if (!targets_exist(&request.targets))
		status = options_bad(command, "-p PID, -t TID or -a is required");
	else
		status = request_record(&request);
	targets_free(&request.targets);
	return status;
}

const struct command attach_command = {
	.name = "attach",
	.synopsis = "-p PID,... | -t TID,... | -a [OPTION]...",
	.summary = "Record what the threads of a running process do",
	.conflicts = request_conflicts,
	.options = options_of_attach,
	.run = run_attach,
};
