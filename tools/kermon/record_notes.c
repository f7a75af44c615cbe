// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include <kermon/recorder.h>
#include <kermon/text.h>

#include "appcost.h"
#include "erratum.h"
#include "hypervisor.h"
#include "message.h"
#include "record.h"

uint64_t request_interval(const struct request *request)
{
	return request->interval_ns ? request->interval_ns :
				      KERMON_INTERVAL_DEFAULT_NS;
}

/* Which of the programmed events are counted at once, and for how long. */
static void add_turns(const struct recording *recording,
		      struct kermon_writer *writer)
{
	const struct request *request = recording->request;
	char text[4 * KERMON_MAX_SETS] = "";
	unsigned int i, n = 0;

	if (recording->nr_sets == 1)
		return;
	for (i = 0; i < recording->nr_sets; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%u", i ? "," : "",
			      recording->sets[i].nr);
	kermon_writer_note(writer, "sets", "%s", text);
	kermon_writer_note(writer, "rotate_ns", "%llu", request->by_signal ? 0 :
			   request->rotate_ns ?
			   (unsigned long long)request->rotate_ns :
			   KERMON_ROTATE_DEFAULT_NS);
}

void record_notes(const struct recording *recording)
{
	struct kermon_writer *writer =
		kermon_recorder_writer(recording->recorder);
	const struct request *request = recording->request;
	const struct kermon_info *info = &recording->info;
	struct kermon_writer_totals totals;
	char key[64], hypervisor[HYPERVISOR_SIZE];
	unsigned int i;

	kermon_writer_totals(writer, &totals);
	hypervisor_name(hypervisor);
	kermon_writer_note(writer, "version", "1");
	if (*hypervisor)
		kermon_writer_note(writer, "hypervisor", "%s", hypervisor);
	kermon_writer_note(writer, "events", "%s", request->events);
	add_turns(recording, writer);
	kermon_writer_note(writer, "class", "%s",
			   request->inherit ? "inherit" : "kermon");
	kermon_writer_note(writer, "interval_ns", "%llu",
			   (unsigned long long)request_interval(request));
	kermon_writer_note(writer, "coalesce", "%d", request->coalesce);
	kermon_writer_note(writer, "overwrite", "%d", request->overwrite);
	if (request->log_bytes)
		kermon_writer_note(writer, "log_bytes", "%u", request->log_bytes);
	kermon_writer_note(writer, "samples", "%llu",
			   (unsigned long long)totals.samples);
	kermon_writer_note(writer, "lost", "%llu",
			   (unsigned long long)totals.lost);
	kermon_writer_note(writer, "cost", "%llu",
			   (unsigned long long)recording->cost);
	kermon_writer_note(writer, "pmu", "%s", info->pmu_name);
	kermon_writer_note(writer, "counters", "%u", info->counters);
	kermon_writer_note(writer, "counter_width", "%u", info->counter_width);
	kermon_writer_note(writer, "tsc_khz", "%u", info->tsc_khz);
	for (i = 0; i < info->nr_domains && recording->energy; i++) {
		snprintf(key, sizeof(key), "unit.%s", info->domains[i].name);
		kermon_writer_note(writer, key, "%u", info->domains[i].unit);
	}
}

static void say_erratum(const struct recording *recording)
{
	const struct erratum *erratum = erratum_of(recording->selection);

	if (!erratum)
		return;
	message(recording->request->command->name,
		"%s also counts what the other hyperthread of its core does "
		"(erratum %s)", erratum->event, erratum->name);
	message_hint("switch hyperthreading off for exact counts");
}

void record_summary(const struct recording *recording)
{
	const struct request *request = recording->request;
	const char *name = request->command->name;
	struct kermon_writer_totals totals;

	kermon_writer_totals(kermon_recorder_writer(recording->recorder),
			     &totals);
	if (totals.lost && request->overwrite) {
		if (!request->quiet)
			message(name, "%llu older sample%s %s overwritten",
				(unsigned long long)totals.lost,
				kermon_plural(totals.lost),
				kermon_were(totals.lost));
	} else if (totals.lost) {
		message(name, "%llu sample%s %s lost",
			(unsigned long long)totals.lost,
			kermon_plural(totals.lost), kermon_were(totals.lost));
		message_hint("give the log more room: -m SIZE");
	}
	if (totals.sideband_lost)
		message(name, "%llu record%s of names and mappings %s lost",
			(unsigned long long)totals.sideband_lost,
			kermon_plural(totals.sideband_lost),
			kermon_were(totals.sideband_lost));
	say_erratum(recording);
	if (request->quiet)
		return;
	message(name, "%llu sample%s, %.1f MB in %s",
		(unsigned long long)totals.samples,
		kermon_plural(totals.samples), totals.bytes / 1e6,
		request->output);
	message_hint("to take them took %.3f ms of CPU time",
		     cost_ms(recording->cost, &recording->info));
}
