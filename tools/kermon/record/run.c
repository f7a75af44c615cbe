// SPDX-License-Identifier: GPL-2.0
/* kermon run: starts a command and records it. */
#include "request.h"
#include "ui/command.h"
#include "ui/values.h"

enum {
	CLASS_KERMON,
	CLASS_INHERIT,
};

static const char *const class_names[] = {
	[CLASS_KERMON] = "kermon",
	[CLASS_INHERIT] = "inherit",
	NULL
};

static void take_class(struct options *options, const struct option_spec *spec,
		       void *to)
{
	struct request *request = to;
	unsigned int class = CLASS_KERMON;

	value_take_name(options, spec, &class);
	request->inherit = class == CLASS_INHERIT;
	request->insist = !request->inherit;
}

static const struct value_type value_class = {
	.what = "scheduling class",
	.whats = "classes",
	.names = class_names,
	.take = take_class,
};

static const struct option_spec options_of_run[] = {
	{ .group = request_options },
	{ 0, "sched", "CLASS", "scheduling class of COMMAND",
	  .type = &value_class, .preset = "kermon, if permitted" },
	{ 0, "wait-all", NULL,
	  "record until the last descendant of COMMAND exits",
	  VALUE(flag, struct request, wait_all) },
	{}
};

static int run_run(const struct command *command, int argc, char **argv)
{
	struct request request = REQUEST_DEFAULTS(command, argv);
	struct options options;
	int status;

	if (!options_parse(&options, command, argc, argv, &request)) {
		status = options.status;
	} else if (!*options.operands && !targets_exist(&request.targets)) {
		status = options_bad(command, "need a COMMAND to run");
	} else {
		request.argv = *options.operands ? options.operands : NULL;
		status = request_record(&request);
	}
	targets_free(&request.targets);
	return status;
}

const struct command run_command = {
	.name = "run",
	.synopsis = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.summary = "Run a command and record what each of its threads does",
	.options = options_of_run,
	.conflicts = request_conflicts,
	.takes_command = true,
	.run = run_run,
};
