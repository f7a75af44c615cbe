// SPDX-License-Identifier: GPL-2.0
/* What the commands that record have in common on their command lines. */
#include <errno.h>
#include <string.h>

#include <kermon/events.h>

#include "request.h"
#include "ui/message.h"

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
	case EEXIST:
		message(name, "'%s' is named twice, or is part of a set that is "
			"named too", error->word);
		return;
	case EALREADY:
		message(name, "'%s': the fixed counters of a recording count %s",
			error->word, request->count & KERMON_COUNT_KERNEL ?
			"user and kernel mode together" : "user mode");
		message_hint("%s", request->count & KERMON_COUNT_KERNEL ?
			     "leave out -k to count user mode alone" :
			     "-k has them count the kernel as well");
		return;
	case EOPNOTSUPP:
		message(name, "'%s' is no event of a programmable counter, nor "
			"of a fixed one that KerMon records", error->word);
		return;
	case ENXIO:
		message(name, "'%s': this CPU has no such event", error->word);
		message_hint("-e fixed counts instructions and cycles");
		return;
	case E2BIG:
		message(name, "'%s' is one event too many: %d are the most, "
			"in all sets", error->word, KERMON_MAX_SELECTED);
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

static int select_events(const struct request *request,
			 struct kermon_selection *selection)
{
	struct kermon_event_error error;
	int result = kermon_events_select(request->events, request->count,
					  selection, &error);

	if (result) {
		say_event(request, result, &error);
		return STATUS_USAGE;
	}
	if (!request->quiet)
		say_fixed(request->command->name, selection);
	return STATUS_OK;
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

static void set_rotate(struct options *options, struct request *request)
{
	request->by_signal = !strcmp(options->value, "signal");
	if (request->by_signal)
		request->rotate_ns = 0;
	else if (options_duration(options->value, &request->rotate_ns) ||
	    request->rotate_ns < KERMON_ROTATE_MIN_NS ||
	    request->rotate_ns > KERMON_ROTATE_MAX_NS)
		options_stop(options, "--rotate %s: not a time from %llums to "
			     "%llus, nor 'signal'", options->value,
			     KERMON_ROTATE_MIN_NS / 1000000,
			     KERMON_ROTATE_MAX_NS / 1000000000);
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

void request_option(struct request *request, struct options *options, int key)
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
	case KEY_ROTATE:
		set_rotate(options, request);
		break;
	case 'k':
		request->count |= KERMON_COUNT_KERNEL;
		break;
	case 'm':
		set_log_bytes(options, request);
		break;
	case KEY_COALESCE:
		request->coalesce = true;
		break;
	case KEY_OVERWRITE:
		request->overwrite = true;
		break;
	case KEY_RAW:
		request->raw = options->value;
		break;
	case 'q':
		request->quiet = true;
		break;
	}
}

int request_record(struct request *request)
{
	struct kermon_selection selection;
	int status;

	if (!strcmp(request->output, "-"))
		return options_bad(request->command,
				   "cannot write to standard output: the file "
				   "must be seekable");
	status = select_events(request, &selection);
	return status ? status : run_record(request, &selection);
}
