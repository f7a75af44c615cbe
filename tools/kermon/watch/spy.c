// SPDX-License-Identifier: GPL-2.0
/* kermon spy: watches logical CPUs on any kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "machine/selection.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/values.h"
#include "util/array.h"
#include "util/cpulist.h"

static const struct value_range intervals = {
	.min = KERMON_SPY_MIN_NS, .max = KERMON_SPY_MAX_NS,
};

/* Unlike in a recording, each -e is a set of its own. */
static void take_set(struct options *options, const struct option_spec *spec, void *to)
{
	struct watch *watch = to;

	(void)spec;
	if (array_room(watch->sets, watch->room, watch->nr_sets + 1)) {
		options_stop(options, "out of memory");
		return;
	}
	watch->sets[watch->nr_sets++] = options->value;
}

static const struct value_type value_sets = {
	.separators = ",",
	.take = take_set,
	.complete = selection_complete,
};

static void take_cpu(struct options *options, const struct option_spec *spec, void *to)
{
	char *end;
	unsigned long cpu;

	(void)spec;
	errno = 0;
	cpu = strtoul(options->value, &end, 10);
	if (*options->value < '0' || *options->value > '9' || *end || errno ||
	    cpu >= CPULIST_MOST)
		options_stop(options, "invalid CPU '%s' for '%s'; valid: 0 to %d",
			     options->value, options->token, CPULIST_MOST - 1);
	*(int *)to = cpu;
}

#define VALUE_cpu	int

static const struct value_type value_cpu = {
	.take = take_cpu,
};

static void take_cpus(struct options *options, const struct option_spec *spec, void *to)
{
	unsigned int *cpus;
	int nr = cpulist_parse(options->value, &cpus);

	(void)spec;
	free(cpus);
	if (nr < 0)
		options_stop(options, "invalid list of CPUs '%s' for '%s'; valid: 0-3,8",
			     options->value, options->token);
	*(const char **)to = options->value;
}

#define VALUE_cpus	const char *

static const struct value_type value_cpus = {
	.take = take_cpus,
};

/* "0-3=set1", "4711:0=set0" */
static void take_request(struct options *options, const struct option_spec *spec, void *to)
{
	const char *set = strchr(options->value, '=');

	(void)spec;
	if (!set || set == options->value || !set[1])
		options_stop(options, "invalid value '%s' for '%s'; valid: CPUS=SET, such as "
			     "0-3=set1", options->value, options->token);
	*(const char **)to = options->value;
}

#define VALUE_request	const char *

static const struct value_type value_request = {
	.take = take_request,
};

static const char *name_of_backend(size_t index)
{
	return kermon_spy_backend_name(index);
}

static void take_backend(struct options *options, const struct option_spec *spec, void *to)
{
	unsigned int index = 0;

	value_take_name(options, spec, &index);
	*(unsigned int *)to = index + 1;
}

#define VALUE_backend	unsigned int

static const struct value_type value_backend = {
	.what = "backend",
	.whats = "backends",
	.name = name_of_backend,
	.take = take_backend,
};

static const char *name_of_format(size_t index)
{
	const struct watch_format *format =
		watch_format(&(struct watch){ .format = index });

	return format ? format->name : NULL;
}

static const char *help_of_format(size_t index)
{
	return watch_format(&(struct watch){ .format = index })->help;
}

#define VALUE_format	unsigned int

static const struct value_type value_format = {
	.what = "format",
	.whats = "formats",
	.name = name_of_format,
	.help = help_of_format,
	.take = value_take_name,
};

static const struct option_spec options_of_spy[] = {
	{ 'e', "event", "SET|EVENT,...", "sets and events to count with the programmable counters, or to sample",
	  .type = &value_sets, .preset = "the set fixed" },
	{ 'I', "interval", "TIME", "time between the samples of a CPU",
	  VALUE(duration, struct watch, interval_ns), .of = &intervals, .preset = "50ms" },
	{ 'C', "cpu", "CPU,...", "only these CPUs: 0-3,8",
	  VALUE(cpus, struct watch, cpus) },
	{ 0, "samples", "N", "stop after N samples of each CPU",
	  VALUE(count, struct watch, samples) },
	{ 0, "duration", "TIME", "stop after TIME",
	  VALUE(duration, struct watch, duration_ns), .of = &any_duration,
	  .preset = "when the command exits, or on Ctrl-C" },
	{ 0, "monitor-cpu", "CPU", "run the tool itself on this CPU",
	  VALUE(cpu, struct watch, monitor_cpu), .preset = "the last one" },
	{ 0, "backend", "BACKEND", "where counts come from",
	  VALUE(backend, struct watch, backend), .preset = "the first one that works" },
	{ 0, "watch", "DIR", "count what the files cpu0, cpu1 etc. in this folder say",
	  VALUE(folder, struct watch, folder) },
	{ 0, "set", "[PID:]CPUS=SET", "let a running spy count SET on these CPUs",
	  VALUE(request, struct watch, request) },
	OUTPUT_OPTION(struct watch, path, "standard output; with COMMAND, standard error"),
	{ 'f', "format", "FORMAT", "how samples are written",
	  VALUE(format, struct watch, format), .preset = "table" },
	GROUP(quiet, struct watch, quiet),
	{}
};

static const struct option_conflict conflicts_of_spy[] = {
	{ "set", "event" },   { "set", "interval" },	{ "set", "cpu" },
	{ "set", "samples" }, { "set", "duration" },	{ "set", "monitor-cpu" },
	{ "set", "backend" }, { "set", "watch" },	{ "set", "output" },
	{ "set", "format" },
	{}
};

static int open_spies(struct watch *watch, const unsigned int *cpus, unsigned int nr)
{
	const struct kermon_spy_options options = {
		.size = sizeof(options),
		.backend = watch->backend ? kermon_spy_backend_name(watch->backend - 1) :
			   NULL,
		.sets = watch->sets,
		.nr_sets = watch->nr_sets,
		.cpus = cpus,
		.nr_cpus = nr,
		.interval_ns = watch->interval_ns,
	};
	struct kermon_spy_trouble trouble;

	if (kermon_spy_open(&watch->spy, &options, &trouble))
		return trouble_say(watch, &trouble);
	if (!sums_prepare(&watch->sums, watch->spy))
		return STATUS_OK;
	message(watch->command->name, "out of memory");
	return STATUS_FAILED;
}

static int open_monitor(struct watch *watch)
{
	unsigned int *cpus = NULL;
	int nr = watch->cpus ? cpulist_parse(watch->cpus, &cpus) : 0;
	int status = STATUS_FAILED;

	if (nr < 0)
		message(watch->command->name, "out of memory");
	else
		status = open_spies(watch, cpus, nr);
	free(cpus);
	if (!status && !watch->quiet)
		trouble_say_backend(watch);
	return status;
}

static int say_open(const struct watch *watch, int error)
{
	message(watch->command->name, "cannot write '%s': %s", watch->path,
		output_reason(error));
	return STATUS_FAILED;
}

/* A file gets its name at once, so that it can be read while it grows. */
static int open_file(struct watch *watch)
{
	int err = output_open_export(&watch->output, watch->path);

	if (!err)
		err = output_keep(&watch->output);
	if (!err) {
		watch->out = fdopen(dup(watch->output.fd), "w");
		err = watch->out ? 0 : -errno;
	}
	return err ? say_open(watch, err) : STATUS_OK;
}

/* As kermon run. */
static int open_recording(struct watch *watch)
{
	int err;

	if (!watch->path)
		watch->path = "perf.data";
	err = output_open(&watch->output, watch->path);
	watch->out = stderr;
	return err ? say_open(watch, err) : STATUS_OK;
}

static int open_output(struct watch *watch)
{
	watch->output.fd = -1;
	if (watch_format(watch)->is_recording)
		return open_recording(watch);
	if (watch->path && strcmp(watch->path, "-"))
		return open_file(watch);
	watch->out = *watch->argv && !watch->path ? stderr : stdout;
	return STATUS_OK;
}

static void close_all(struct watch *watch)
{
	if (watch->out && watch->out != stdout && watch->out != stderr)
		fclose(watch->out);
	if (watch_format(watch)->close)
		watch_format(watch)->close(watch);
	output_close(&watch->output);
	kermon_spy_close(watch->spy);
	sums_free(&watch->sums);
	free(watch->sets);
}

static int run_spy(const struct command *command, int argc, char **argv)
{
	struct watch watch = {
		.command = command,
		.line = argv - 1,
		.interval_ns = 50000000,
		.monitor_cpu = -1,
		.output.fd = -1,
	};
	struct options options;
	int status;

	if (!options_parse(&options, command, argc, argv, &watch)) {
		free(watch.sets);
		return options.status;
	}
	watch.argv = options.operands;
	if (watch.request)
		return *watch.argv ? options_bad(command, "--set runs no command") :
				     request_send(&watch);
	status = open_monitor(&watch);
	if (!status)
		status = open_output(&watch);
	if (!status)
		status = watch_run(&watch);
	close_all(&watch);
	errno = -watch.error;
	return status;
}

const struct command spy_command = {
	.name = "spy",
	.synopsis = "[OPTION]... [[--] COMMAND [ARGUMENT]...]",
	.summary = "Watch logical CPUs on any kernel",
	.options = options_of_spy,
	.conflicts = conflicts_of_spy,
	.takes_command = true,
	.run = run_spy,
};
