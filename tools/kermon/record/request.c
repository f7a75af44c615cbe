// SPDX-License-Identifier: GPL-2.0
/* What the commands that record have in common on their command lines. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/events.h>

#include "machine/selection.h"
#include "plan.h"
#include "request.h"
#include "ui/common_options.h"
#include "ui/completion.h"
#include "ui/message.h"

static void say_fixed(const char *name, const struct kermon_selection *selection)
{
	unsigned int i;

	if (selection->nr_fixed)
		message(name, "instructions, cycles and reference cycles are "
			"always recorded: -e need not name them");
	for (i = 0; i < selection->nr; i++)
		if (selection->events[i].translated)
			break;
	if (i < selection->nr)
		message(name, "instructions and cycles are programmed events on "
			"this CPU, those of the set fixed");
}

int request_select(const struct request *request, const char *events,
		   struct kermon_selection *selection)
{
	struct kermon_event_error error;
	int result = kermon_events_select(events, request->count, selection,
					  &error);

	if (result) {
		selection_say(request->command->name, request->count, result, &error);
		return STATUS_USAGE;
	}
	if (!request->quiet)
		say_fixed(request->command->name, selection);
	return STATUS_OK;
}

bool request_runs(const struct request *request)
{
	return request->argv && !targets_exist(&request->targets);
}

static const struct value_range intervals = {
	.min = KERMON_INTERVAL_MIN_NS, .max = KERMON_INTERVAL_MAX_NS,
};

static const struct value_range turns = {
	.min = KERMON_ROTATE_MIN_NS, .max = KERMON_ROTATE_MAX_NS,
};

static const struct value_range log_sizes = {
	.min = KERMON_LOG_MIN_BYTES, .max = KERMON_LOG_MAX_BYTES,
	.power_of_two = true,
};

static void take_rotate(struct options *options, const struct option_spec *spec,
			void *to)
{
	struct request *request = to;

	request->rotate_ns = 0;
	request->by_signal = !strcmp(options->value, "signal");
	if (request->by_signal)
		return;
	if (isdigit((unsigned char)*options->value))
		value_duration.take(options, spec, &request->rotate_ns);
	else
		options_stop(options, "invalid value '%s' for '%s'; valid: a duration or 'signal'",
			     options->value, options->token);
}

static void complete_rotate(struct completion *completion)
{
	completion_offer(completion, "signal", NULL);
	value_duration.complete(completion);
}

static const struct value_type value_rotate = {
	.take = take_rotate,
	.complete = complete_rotate,
};

static const char *name_of_table(size_t index)
{
	return index ? NULL : "threads";
}

static void take_table(struct options *options, const struct option_spec *spec,
		       void *to)
{
	struct request *request = to;
	unsigned int index;

	request->report = REPORT_TOTALS;
	request->ended = ended_print;
	request->data = request;
	if (!options->value)
		return;
	request->report = REPORT_THREADS;
	value_take_name(options, spec, &index);
}

/* Otherwise it is the COMMAND. */
static bool is_table(const char *word)
{
	return !strcmp(word, name_of_table(0));
}

static const struct value_type value_table = {
	.what = "table",
	.whats = "tables",
	.name = name_of_table,
	.is_value = is_table,
	.take = take_table,
};

/*
 * kermon_events_select() checks them: it depends on the CPU which are known. "-e A -e B" is
 * "-e A,B", as in perf.
 */
static void take_events(struct options *options, const struct option_spec *spec,
			void *to)
{
	static char *joined;
	const char **events = to;
	char *last = joined;
	const bool again = last && *events == last;

	(void)spec;
	if (asprintf(&joined, "%s%s%s", again ? last : "", again ? "," : "",
		     options->value) < 0) {
		joined = NULL;
		options_stop(options, "out of memory");
	}
	free(last);
	*events = joined;
}

static const struct value_type value_events = {
	.separators = ",",
	.take = take_events,
	.complete = selection_complete,
};

#define VALUE_events	const char *

const struct option_spec counting_options[] = {
	{ 'e', "event", "SET|EVENT,...", "sets and events to count with the programmable counters, or to sample",
	  VALUE(events, struct request, events),
	  .preset = "the set fixed; cycles or cpu-clock to sample" },
	{ 0, "rotate", "TIME",
	  "time on the CPU per set if not all sets fit, or 'signal'",
	  .type = &value_rotate, .of = &turns, .preset = "10ms" },
	{ 'k', "kernel", NULL, "count in kernel mode as well",
	  VALUE(bits, struct request, count), .number = KERMON_COUNT_KERNEL },
	{ 'm', "log-size", "SIZE", "size of the log, or ring, of each CPU, a power of two",
	  VALUE(size, struct request, log_bytes), .of = &log_sizes,
	  .preset = "512K" },
	{}
};

const char request_default_events[] = "fixed";

const struct option_spec request_options[] = {
	{ .group = counting_options },
	GROUP(sampling, struct request, sampling),
	GROUP(target, struct request, targets),
	OUTPUT_OPTION(struct request, output, "perf.data"),
	{ 0, "interval", "TIME", "take a sample at a tick after TIME without one; period of a clock without KerMon",
	  VALUE(duration, struct request, interval_ns), .of = &intervals,
	  .preset = "50ms" },
	{ 0, "coalesce", NULL,
	  "sum short intervals up to the length of --interval",
	  VALUE(flag, struct request, coalesce) },
	{ 0, "overwrite", NULL,
	  "keep only the newest samples; write them on SIGUSR2 and at the end",
	  VALUE(flag, struct request, overwrite) },
	{ 0, "report", "[TABLE]",
	  "print the counts at the end, as kermon stat does",
	  .type = &value_table },
	{ 0, "raw-log", "FILE", "also write the log as read from the kernel",
	  VALUE(file, struct request, raw) },
	GROUP(compression, struct request, compression),
	GROUP(quiet, struct request, quiet),
	{}
};

const struct option_conflict request_conflicts[] = {
	{ "freq", "count" },
	{ "pid", "all-cpus" },
	{ "pid", "cpu" },
	{ "tid", "all-cpus" },
	{ "tid", "cpu" },
	{}
};

/* Who is recorded, in words. */
static void name_target(struct request *request, char *text, size_t size)
{
	const struct targets *targets = &request->targets;
	const size_t nr = targets->processes.nr + targets->threads.nr;

	if (targets->all)
		snprintf(text, size, targets->nr_cpus ? "all tasks on CPUs" :
							"all tasks");
	else if (nr > 1)
		snprintf(text, size, "%zu %s", nr, targets->threads.nr ?
			 "tasks" : "processes");
	else
		snprintf(text, size, "%s %d",
			 request->thread ? "thread" : "process", request->pid);
	request->target = text;
}

static void take_targets(struct request *request, char *text, size_t size)
{
	const struct targets *targets = &request->targets;

	if (!targets_exist(targets))
		return;
	request->thread = !targets->processes.nr;
	if (!targets->all && targets->processes.nr + targets->threads.nr == 1)
		request->pid = request->thread ? targets->threads.ids[0] :
						 targets->processes.ids[0];
	name_target(request, text, size);
	/* The targets keep their scheduling class. */
	request->inherit = true;
}

int request_record(struct request *request)
{
	struct plan plan;
	char target[64];
	int status;

	take_targets(request, target, sizeof(target));
	status = plan_make(&plan, request);
	return status ? status : run_record(request, &plan);
}
