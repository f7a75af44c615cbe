// SPDX-License-Identifier: GPL-2.0
/* kermon run: starts a command and records it. */
#include <string.h>

#include "request.h"
#include "ui/command.h"
#include "ui/options.h"

static void set_class(struct options *options, struct request *request)
{
	request->inherit = !strcmp(options->value, "inherit");
	request->insist = !request->inherit;
	if (!request->inherit && strcmp(options->value, "kermon"))
		options_stop(options, "--sched %s: neither 'kermon' nor "
			     "'inherit'", options->value);
}

enum {
	KEY_SCHED = REQUEST_KEYS,
	KEY_WAIT_ALL,
};

static const struct option_spec options_of_run[] = {
	REQUEST_OPTIONS,
	{ 0, KEY_SCHED, "sched", "CLASS",
	  "run in class 'kermon' (default), or 'inherit' this shell's" },
	{ 0, KEY_WAIT_ALL, "wait-all", NULL,
	  "record on until the last process that was started ends" },
	{}
};

static int run_run(const struct command *command, int argc, char **argv)
{
	struct request request = REQUEST_DEFAULTS(command, argv);
	struct options options;
	int key;

	options_begin(&options, command, argc, argv);
	while ((key = options_next(&options))) {
		if (key == KEY_SCHED)
			set_class(&options, &request);
		else if (key == KEY_WAIT_ALL)
			request.wait_all = true;
		else
			request_option(&request, &options, key);
	}
	if (options.done)
		return options.status;
	request.argv = argv + options.index;
	if (!*request.argv)
		return options_bad(command, "no COMMAND to run");
	return request_record(&request);
}

const struct command run_command = {
	.name = "run",
	.synopsis = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.summary = "Run a command and record what each of its threads does",
	.options = options_of_run,
	.takes_command = true,
	.run = run_run,
};
