// SPDX-License-Identifier: GPL-2.0
/* kermon attach: records a running process or thread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "request.h"
#include "ui/completion.h"
#include "ui/values.h"

static void take_target(struct options *options, const struct option_spec *spec,
			void *to)
{
	struct request *request = to;
	char *end;
	long pid;

	if (request->pid) {
		options_stop(options, "unexpected option '%s': only one process or thread can be recorded",
			     options->token);
		return;
	}
	errno = 0;
	pid = strtol(options->value, &end, 10);
	if (errno || *end || pid <= 0 || pid != (pid_t)pid) {
		options_stop(options, "invalid %s '%s' for '%s'",
			     spec->arg, options->value, options->token);
		return;
	}
	request->pid = pid;
	request->thread = spec->number;
}

static const struct value_type value_target = {
	.take = take_target,
	.complete = completion_pids,
};

static const struct option_spec options_of_attach[] = {
	{ 'p', "pid", "PID", "record all threads of this process",
	  .type = &value_target },
	{ 't', "tid", "TID", "record only this thread",
	  .type = &value_target, .number = true },
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
	char target[32];

	if (!options_parse(&options, command, argc, argv, &request))
		return options.status;
	if (!request.pid)
		return options_bad(command, "-p PID or -t TID is required");
	snprintf(target, sizeof(target), "%s %d",
		 request.thread ? "thread" : "process", request.pid);
	request.target = target;
	/* The target keeps its scheduling class. */
	request.inherit = true;
	return request_record(&request);
}

const struct command attach_command = {
	.name = "attach",
	.synopsis = "-p PID | -t TID [OPTION]...",
	.summary = "Record what the threads of a running process do",
	.options = options_of_attach,
	.run = run_attach,
};
