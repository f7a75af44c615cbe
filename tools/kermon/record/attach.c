// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "request.h"
#include "ui/command.h"
#include "ui/options.h"

enum { KEY_DURATION = REQUEST_KEYS };

static const struct option_spec options_of_attach[] = {
	{ 'p', 'p', "pid", "PID", "record all threads of process PID" },
	{ 't', 't', "tid", "TID", "record thread TID alone" },
	{ 0, KEY_DURATION, "duration", "TIME",
	  "end after TIME (default: when Ctrl-C is typed, or with the target)" },
	REQUEST_OPTIONS,
	{}
};

static void set_target(struct options *options, struct request *request,
		       bool thread)
{
	char *end;
	long pid;

	if (request->pid) {
		options_stop(options, "one process or thread at a time");
		return;
	}
	errno = 0;
	pid = strtol(options->value, &end, 10);
	if (errno || *end || pid <= 0 || pid != (pid_t)pid) {
		options_stop(options, "-%c %s: not the number of a %s",
			     thread ? 't' : 'p', options->value,
			     thread ? "thread" : "process");
		return;
	}
	request->pid = pid;
	request->thread = thread;
}

static void set_duration(struct options *options, struct request *request)
{
	if (options_duration(options->value, &request->duration_ns) ||
	    !request->duration_ns)
		options_stop(options, "--duration %s: not a time above 0",
			     options->value);
}

static void set_option(struct options *options, struct request *request,
		       int key)
{
	if (key == 'p' || key == 't')
		set_target(options, request, key == 't');
	else if (key == KEY_DURATION)
		set_duration(options, request);
	else
		request_option(request, options, key);
}

static int run_attach(const struct command *command, int argc, char **argv)
{
	struct request request = REQUEST_DEFAULTS(command, argv);
	struct options options;
	char target[32];
	int key;

	options_begin(&options, command, argc, argv);
	while ((key = options_next(&options)))
		set_option(&options, &request, key);
	if (!options_no_words(&options, NULL))
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
