// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include <kermon/events.h>

#include "command.h"
#include "message.h"
#include "options.h"
#include "run.h"

static void say_near(const struct kermon_event_error *error)
{
	unsigned int i;

	for (i = 0; i < error->nr_near; i++)
		message_hint("%s %s", i ? "            " : "did you mean",
			     error->near[i]);
	message_hint("'kermon list' shows the sets and events of this CPU");
}

static void say_event(const struct request *request, int result,
		      const struct kermon_event_error *error)
{
	const char *name = request->command->name;

	switch (-result) {
	case ENOENT:
		message(name, "this CPU has no event or set '%s'", error->word);
		break;
	case EALREADY:
		message(name, "'%s' is in every recording, by a fixed counter: "
			"leave it out", error->word);
		return;
	case E2BIG:
		message(name, "'%s' is one event too many: no CPU has more "
			"than %d counters", error->word, KERMON_MAX_EVENTS);
		return;
	case ENODEV:
		message(name, "libpfm4 does not know this CPU and so not '%s'",
			error->word);
		message_hint("name raw events: rUUEE, unit mask UU of event EE");
		return;
	case EINVAL:
		message(name, *error->word ? "'%s' lacks a unit mask or has a "
			"modifier that KerMon cannot count" :
			"there is an event without a name%s", error->word);
		break;
	default:
		message(name, "%s: %s", error->word, strerror(-result));
		return;
	}
	say_near(error);
}

int run_select(const struct request *request,
	       struct kermon_selection *selection)
{
	struct kermon_event_error error;
	int result = kermon_events_select(request->events, request->count,
					  selection, &error);

	if (!result)
		return STATUS_OK;
	say_event(request, result, &error);
	return STATUS_USAGE;
}

static void set_interval(struct options *options, struct request *request)
{
	if (options_duration(options->value, &request->interval_ns) ||
	    request->interval_ns < KERMON_INTERVAL_MIN_NS ||
	    request->interval_ns > KERMON_INTERVAL_MAX_NS)
		options_stop(options, "--interval %s: not a time from %llums "
			     "to %llus", options->value,
			     KERMON_INTERVAL_MIN_NS / 1000000,
			     KERMON_INTERVAL_MAX_NS / 1000000000);
}

static void set_log_bytes(struct options *options, struct request *request)
{
	uint64_t bytes;

	if (options_size(options->value, &bytes) ||
	    bytes < KERMON_LOG_MIN_BYTES || bytes > KERMON_LOG_MAX_BYTES ||
	    bytes & (bytes - 1))
		options_stop(options, "-m %s: not a power of two from %uK to "
			     "%uM", options->value, KERMON_LOG_MIN_BYTES >> 10,
			     KERMON_LOG_MAX_BYTES >> 20);
	request->log_bytes = bytes;
}

static void set_class(struct options *options, struct request *request)
{
	if (!strcmp(options->value, "inherit"))
		request->inherit = true;
	else if (!strcmp(options->value, "kermon"))
		request->inherit = false;
	else
		options_stop(options, "--sched %s: neither 'kermon' nor "
			     "'inherit'", options->value);
}

enum { KEY_INTERVAL = 256, KEY_SCHED, KEY_RAW };

static const struct option_spec options_of_run[] = {
	{ 'e', 'e', "events", "SET|EVENT,...",
	  "what the programmable counters count (default: fixed, nothing)" },
	{ 'o', 'o', "output", "FILE", "write FILE (default: perf.data)" },
	{ 0, KEY_INTERVAL, "interval", "TIME",
	  "sample at a tick after TIME without one (default: 50ms)" },
	{ 0, KEY_SCHED, "sched", "CLASS",
	  "run in class 'kermon' (default), or 'inherit' this shell's" },
	{ 'k', 'k', "kernel", NULL, "count in kernel mode too" },
	{ 'm', 'm', "log-size", "SIZE",
	  "bytes of each CPU's log, a power of two (default: 1M)" },
	{ 0, KEY_RAW, "raw-log", "FILE", "keep the log as the kernel wrote it" },
	{ 'q', 'q', "quiet", NULL, "print nothing but errors and losses" },
	{}
};

static void set_option(struct options *options, struct request *request,
		       int key)
{
	switch (key) {
	case 'e':
		request->events = options->value;
		break;
	case 'o':
		request->output = options->value;
		break;
	case KEY_INTERVAL:
		set_interval(options, request);
		break;
	case KEY_SCHED:
		set_class(options, request);
		break;
	case 'k':
		request->count |= KERMON_COUNT_KERNEL;
		break;
	case 'm':
		set_log_bytes(options, request);
		break;
	case KEY_RAW:
		request->raw = options->value;
		break;
	case 'q':
		request->quiet = true;
		break;
	}
}

static int run_run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.command = command,
		.events = "fixed",
		.output = "perf.data",
		.count = KERMON_COUNT_USER,
		.line = argv - 1,
	};
	struct kermon_selection selection;
	struct options options;
	int key, status;

	options_begin(&options, command, argc, argv);
	while ((key = options_next(&options)))
		set_option(&options, &request, key);
	if (options.done)
		return options.status;
	request.argv = argv + options.index;
	if (!*request.argv)
		return options_bad(command, "no COMMAND to run");
	if (!strcmp(request.output, "-"))
		return options_bad(command, "-o -: the file cannot be a pipe");
	status = run_select(&request, &selection);
	return status ? status : run_record(&request, &selection);
}

const struct command run_command = {
	.name = "run",
	.synopsis = "[OPTION]... [--] COMMAND [ARGUMENT]...",
	.summary = "Run a command and record what each of its threads does",
	.options = options_of_run,
	.run = run_run,
};
