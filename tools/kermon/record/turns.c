// SPDX-License-Identifier: GPL-2.0
/* Decides which of the events of a recording are counted in turns: those that do not fit. */
#include <stdio.h>

#include <kermon/control.h>
#include <kermon/events.h>
#include <kermon/text.h>

#include "machine/erratum.h"
#include "recording.h"
#include "ui/message.h"

/* With hyperthreads, perf leaves half of the counters for such events (x86_schedule_events()). */
static bool has_half(const struct recording *recording)
{
	return recording->machine.shares && erratum_of(recording->selection);
}

static unsigned int usable_counters(const struct recording *recording)
{
	const unsigned int counters = recording->machine.info.counters;

	return has_half(recording) ? counters / 2 : counters;
}

static void say_too_many(const struct recording *recording, unsigned int counters)
{
	const struct kermon_selection *selection = recording->selection;
	const struct request *request = recording->request;
	const unsigned int nr = selection->nr;
	char taken[40] = "";

	if (selection->counters != nr)
		snprintf(taken, sizeof(taken), " that use%s %u",
			 nr == 1 ? "s" : "", selection->counters);
	message(request->command->name, "%u event%s%s, but a CPU of this machine "
		"has %u programmable counter%s%s", nr, kermon_plural(nr), taken,
		counters, kermon_plural(counters),
		has_half(recording) ? " for them beside perf" : "");
	message_hint("at most %u sets can be rotated, and each has to fit",
		     KERMON_MAX_SETS);
}

/* Named sets are made for all counters of a CPU, so half of them have no room for one. */
static int divide(struct recording *recording, unsigned int counters)
{
	struct kermon_selection selection = *recording->selection;

	for (unsigned int i = 0; has_half(recording) && i < selection.nr; i++)
		selection.events[i].list = 0;
	return kermon_events_split(&selection, counters, recording->sets);
}

int record_split_events(struct recording *recording)
{
	const struct request *request = recording->request;
	const unsigned int counters = usable_counters(recording);
	const char *name = request->command->name;
	int nr = divide(recording, counters);

	if (nr < 1) {
		say_too_many(recording, counters);
		return STATUS_USAGE;
	}
	if (recording->plan->timed && (request->rotate_ns || request->by_signal)) {
		message(name, "--rotate requires counters, which this user may not occupy");
		return STATUS_USAGE;
	}
	if (nr == 1 && (request->rotate_ns || request->by_signal)) {
		message(name, "--rotate requires more events than fit "
			"simultaneously; all fit the %u programmable counters",
			counters);
		return STATUS_USAGE;
	}
	recording->nr_sets = nr;
	if (nr > 1 && !request->quiet)
		message(name, "rotating %d sets%s: 'kermon report' shows "
			"measured counts and estimates", nr,
			request->by_signal ? " at SIGUSR1" : "");
	return STATUS_OK;
}
