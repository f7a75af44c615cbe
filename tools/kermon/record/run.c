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
	GROUP(marking, struct request, regions),
	{ 'n', "no-samples", NULL, "record only regions",
	  VALUE(flag, struct request, regions.alone) },
	{ 0, "wait-all", NULL,
	  "record until the last descendant of COMMAND exits",
	  VALUE(flag, struct request, wait_all) },
	{}
};

/* What --no-samples leaves out. */
static const char *const sampled[] = {
	"event", "freq", "count", "call-graph", "interval", "kernel", "pid", "tid", "all-cpus",
	"cpu", "report",
};

/* The first mistake that concerns regions is said. */
static int check_regions(const struct options *options, const struct request *request)
{
	const struct marking *regions = &request->regions;

	for (size_t i = 0; regions->alone && i < sizeof(sampled) / sizeof(sampled[0]); i++)
		if (options_given(options, sampled[i]))
			return options_bad(options->command, "--no-samples and --%s exclude each other",
					   sampled[i]);
	if (regions->how == MARKING_OFF && marking_asked(regions))
		return options_bad(options->command, "--regions off and %s exclude each other",
				   marking_asked(regions));
	if (targets_exist(&request->targets) && marking_asked(regions))
		return options_bad(options->command, "%s is for the regions of a COMMAND: the collector is loaded when a program starts",
				   marking_asked(regions));
	return STATUS_OK;
}

static int run_run(const struct command *command, int argc, char **argv)
{
	struct request request = REQUEST_DEFAULTS(command, argv);
	struct options options;
	int status;

	request.regions.how = MARKING_AUTO;
	if (!options_parse(&options, command, argc, argv, &request)) {
		status = options.status;
	} else if ((status = check_regions(&options, &request))) {
		;
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
