// SPDX-License-Identifier: GPL-2.0
/*
 * Notes on a recording: for readers of the file, as KERMON_NOTE records, and for the
 * user, as messages at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kermon/recorder.h>
#include <kermon/text.h>

#include "machine/appcost.h"
#include "machine/erratum.h"
#include "machine/hypervisor.h"
#include "recording.h"
#include "ui/message.h"

uint64_t request_interval(const struct request *request)
{
	return request->interval_ns ? request->interval_ns :
				      KERMON_INTERVAL_DEFAULT_NS;
}

/* Which of the programmed events are counted simultaneously, and for how long. */
static void add_rotation(const struct recording *recording,
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

/* What KerMon counts, and how. */
static void add_kermon(const struct recording *recording,
		       struct kermon_writer *writer)
{
	const struct request *request = recording->request;
	const struct kermon_info *info = &recording->machine.info;
	char key[64];
	unsigned int i;

	add_rotation(recording, writer);
	kermon_writer_note(writer, "class", "%s",
			   recording->inherit ? "inherit" : "kermon");
	kermon_writer_note(writer, "interval_ns", "%llu",
			   (unsigned long long)request_interval(request));
	kermon_writer_note(writer, "coalesce", "%d", request->coalesce);
	kermon_writer_note(writer, "overwrite", "%d", request->overwrite);
	if (request->log_bytes)
		kermon_writer_note(writer, "log_bytes", "%" PRIu64,
				   request->log_bytes);
	kermon_writer_note(writer, "pmu", "%s", info->pmu_name);
	kermon_writer_note(writer, "counters", "%u", info->counters);
	kermon_writer_note(writer, "counter_width", "%u", info->counter_width);
	kermon_writer_note(writer, "tsc_khz", "%u", info->tsc_khz);
	for (i = 0; i < info->nr_domains && recording->energy; i++) {
		snprintf(key, sizeof(key), "unit.%s", info->domains[i].name);
		kermon_writer_note(writer, key, "%u", info->domains[i].unit);
	}
}

/* As named, or what perf_event samples by default. */
static const char *events_of(const struct recording *recording)
{
	const bool named = recording->request->events != request_default_events;

	return named || !recording->plan->alone ? recording->request->events :
						  recording->plan->samplings[0].name;
}

static const char *source_of(const struct plan *plan)
{
	if (plan->alone)
		return plan->nr_samplings ? "perf_event" : "regions";
	return plan->nr_samplings ? "kermon,perf_event" : "kermon";
}

void record_notes(const struct recording *recording)
{
	struct kermon_writer *writer =
		kermon_recorder_writer(recording->recorder);
	char hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	kermon_writer_note(writer, "version", "1");
	kermon_writer_note(writer, "source", "%s", source_of(recording->plan));
	if (*hypervisor)
		kermon_writer_note(writer, "hypervisor", "%s", hypervisor);
	if (!recording->plan->alone || recording->plan->nr_samplings)
		kermon_writer_note(writer, "events", "%s", events_of(recording));
	if (recording->process)
		kermon_writer_note(writer, "pid", "%d", recording->process);
	if (!recording->plan->alone)
		add_kermon(recording, writer);
	marking_note(&recording->request->regions, record_has_counts(recording),
		     recording->marks, writer);
}

static void note_count(struct kermon_writer *writer, const char *key,
		       uint64_t value)
{
	kermon_writer_note(writer, key, "%llu", (unsigned long long)value);
}

/*
 * struct names - processes that were not recorded to their end
 * @text: "PID NAME, ...", as many as fit
 * @length: of @text
 * @others: number of processes that do not fit
 */
struct names {
	char text[240];
	size_t length;
	unsigned int others;
};

static void add_name(const struct kermon_task *task, void *data)
{
	struct names *names = data;
	size_t left = sizeof(names->text) - names->length;
	int n;

	if (!task->unrecorded)
		return;
	n = snprintf(names->text + names->length, left, "%s%d %s",
		     names->length ? ", " : "", task->pid, task->comm);
	if ((size_t)n < left) {
		names->length += n;
	} else {
		names->text[names->length] = '\0';
		names->others++;
	}
}

static struct names unrecorded_names(const struct recording *recording)
{
	struct names names = { 0 };

	kermon_recorder_tasks(recording->recorder, add_name, &names);
	return names;
}

static void note_end(const struct recording *recording,
		     struct kermon_writer *writer)
{
	const int number = workload_signal(&recording->workload);

	if (recording->error)
		kermon_writer_note(writer, "ended", "failed: %s",
				   strerror(-recording->error));
	else if (record_is_revoked(recording))
		kermon_writer_note(writer, "ended", "revoked");
	else if (recording->leave)
		kermon_writer_note(writer, "ended", recording->request->argv ?
				   "interrupted" : "detached");
	else if (number)
		kermon_writer_note(writer, "ended", "signal %d", number);
	else
		kermon_writer_note(writer, "ended", "exit");
}

static void note_log(const struct recording *recording,
		     struct kermon_writer *writer)
{
	const struct erratum *erratum = erratum_of(recording->selection);
	struct kermon_writer_totals totals;

	kermon_writer_totals(writer, &totals);
	note_count(writer, "samples", totals.samples);
	note_count(writer, "before_exec", totals.before_exec);
	note_count(writer, "lost", totals.lost);
	note_count(writer, "invalid", totals.invalid);
	note_count(writer, "sideband_lost", totals.sideband_lost);
	note_count(writer, "cost", recording->cost);
	if (recording->public)
		note_count(writer, "rdpmc_public", 1);
	if (erratum)
		kermon_writer_note(writer, "erratum", "%s (erratum %s)",
				   erratum->event, erratum->name);
}

static void note_sampled(struct kermon_writer *writer)
{
	struct kermon_sampled_totals totals;

	kermon_writer_sampled_totals(writer, &totals);
	note_count(writer, "sampled", totals.samples);
	note_count(writer, "sampled_lost", totals.lost);
	note_count(writer, "throttled", totals.throttled);
}

/**
 * struct late_cpus - CPUs that came online during the recording
 * @text: "1, 3", as many as fit
 * @length: of @text
 * @ns: longest time for which one was not recorded by perf_event
 */
struct late_cpus {
	char text[160];
	size_t length;
	uint64_t ns;
};

static void add_late(unsigned int cpu, uint64_t ns, void *data)
{
	struct late_cpus *late = data;

	if (late->length < sizeof(late->text))
		late->length += snprintf(late->text + late->length,
					 sizeof(late->text) - late->length, "%s%u",
					 late->length ? ", " : "", cpu);
	if (ns > late->ns)
		late->ns = ns;
}

static struct late_cpus late_cpus(const struct recording *recording)
{
	struct late_cpus late = { 0 };

	kermon_recorder_missed(recording->recorder, add_late, &late);
	return late;
}

/* "CPUs 1, 3: the first 35 ms at most", "CPUs 1: all" */
static void describe_late(const struct late_cpus *late, char *text, size_t size)
{
	if (late->ns == UINT64_MAX)
		snprintf(text, size, "CPU %s: all", late->text);
	else
		snprintf(text, size, "CPU %s: the first %.1f ms at most", late->text,
			 late->ns / 1e6);
}

static void note_late(const struct recording *recording, struct kermon_writer *writer)
{
	const struct late_cpus late = late_cpus(recording);
	char text[256];

	if (!late.length)
		return;
	describe_late(&late, text, sizeof(text));
	kermon_writer_note(writer, "late_cpus", "%s", text);
}

static void say_late(const struct recording *recording)
{
	const struct late_cpus late = late_cpus(recording);
	const char *name = recording->request->command->name;

	if (!late.length)
		return;
	if (late.ns != UINT64_MAX)
		message(name, "CPU %s came online during the recording: perf_event did not record "
			"its first %.1f ms, at most", late.text, late.ns / 1e6);
	else
		message(name, "CPU %s came online during the recording: perf_event did not record "
			"what ran there%s", late.text, recording->plan->nr_samplings ? "" :
			" (names and mappings)");
}

void record_last_notes(const struct recording *recording)
{
	struct kermon_writer *writer =
		kermon_recorder_writer(recording->recorder);
	const struct names names = unrecorded_names(recording);

	if (!recording->plan->alone)
		note_log(recording, writer);
	if (recording->plan->nr_samplings)
		note_sampled(writer);
	marking_note_end(recording->recorder, recording->marks, writer);
	note_late(recording, writer);
	if (recording->outlived || recording->runs_on)
		note_count(writer, "outlived",
			   recording->outlived + recording->runs_on);
	if (names.others)
		kermon_writer_note(writer, "unrecorded", "%s and %u more",
				   names.text, names.others);
	else if (names.length)
		kermon_writer_note(writer, "unrecorded", "%s", names.text);
	note_end(recording, writer);
	if (!recording->error)
		kermon_writer_note(writer, "complete", "1");
}

static void say_early(const struct recording *recording)
{
	const char *name = recording->request->command->name;
	char signal[SIGNALS_NAME];

	if (!recording->ended_by) {
		message(name, "the recording ended early: Ctrl-C was typed "
			"twice");
		return;
	}
	signals_name(recording->ended_by, signal);
	message(name, "the recording ended early: received %s%s", signal,
		recording->ended_by == SIGINT ? " (Ctrl-C)" : "");
}

/* Report activity that is missing from the file. */
static void say_unrecorded(const struct recording *recording)
{
	const struct names names = unrecorded_names(recording);
	const char *name = recording->request->command->name;
	const unsigned int nr = recording->outlived;

	if (record_is_revoked(recording))
		message(name, "the recording was ended by an administrator (kermon revoke)");
	else if (recording->leave && recording->request->argv)
		say_early(recording);
	if (nr && !recording->runs_on && !recording->request->quiet)
		message(name, "pid %d left %u process%s running, no longer "
			"recorded%s", recording->process, nr,
			nr > 1 ? "es" : "", recording->request->wait_all ? "" :
			" (to record them, use --wait-all)");
	if (!names.length)
		return;
	message(name, "not recorded after exec: pid %s", names.text);
	if (geteuid())
		message_hint("these programs gain privileges, are not readable "
			     "by this user (root can record them), or were "
			     "killed during exec");
	else
		message_hint("these programs gain privileges, are not readable "
			     "by the user who runs them, or were killed during "
			     "exec");
}

static void say_invalid(const struct recording *recording, uint64_t invalid)
{
	const char *name = recording->request->command->name;

	if (invalid)
		message(name, "ignored the impossible counts of %llu "
			"interval%s; most likely other software wrote to a "
			"counter", (unsigned long long)invalid,
			kermon_plural(invalid));
	if (recording->public && !recording->request->quiet)
		message(name, "every process could read the raw counters, "
			"because /sys/bus/event_source/devices/cpu/rdpmc is 2");
}

/* What the log lost. */
static void say_lost(const struct recording *recording,
		     const struct kermon_writer_totals *totals)
{
	const struct request *request = recording->request;
	const char *name = request->command->name;

	if (totals->lost && request->overwrite) {
		if (!request->quiet)
			message(name, "%llu older sample%s %s overwritten",
				(unsigned long long)totals->lost,
				kermon_plural(totals->lost),
				kermon_were(totals->lost));
	} else if (totals->lost) {
		message(name, "%llu sample%s %s lost: counts are "
			"lower bounds",
			(unsigned long long)totals->lost,
			kermon_plural(totals->lost), kermon_were(totals->lost));
		message_hint("use a larger log: -m SIZE");
	}
	if (totals->sideband_lost && !recording->plan->nr_samplings)
		message(name, "%llu side-band record%s (names, mappings) %s lost",
			(unsigned long long)totals->sideband_lost,
			kermon_plural(totals->sideband_lost),
			kermon_were(totals->sideband_lost));
}

/* What perf_event lost or was kept from sampling. */
static void say_sampled(const struct recording *recording,
			const struct kermon_sampled_totals *totals)
{
	const char *name = recording->request->command->name;

	if (totals->lost) {
		message(name, "%llu record%s of perf_event (samples, names, mappings) %s lost",
			(unsigned long long)totals->lost,
			kermon_plural(totals->lost), kermon_were(totals->lost));
		message_hint(recording->plan->alone ?
			     "use larger rings, -m SIZE, or fewer samples: -F, -c" :
			     "take fewer samples: -F, -c");
	}
	if (totals->throttled) {
		message(name, "the kernel throttled sampling %llu time%s: there are fewer samples than asked for",
			(unsigned long long)totals->throttled,
			kermon_plural(totals->throttled));
		message_hint("take fewer samples, or as root: sysctl kernel.perf_cpu_time_max_percent=0");
	}
}

/* "12 samples", or "12 samples of KerMon, 34 of perf_event" */
static void say_samples(const struct recording *recording, uint64_t counted,
			uint64_t sampled, uint64_t bytes)
{
	const char *where = recording->output.stream ? "to" : "in";
	const char *name = recording->request->command->name;
	const uint64_t nr = recording->plan->alone ? sampled : counted;
	char size[KERMON_SIZE_TEXT], beside[48] = "";

	kermon_size_text(bytes, size, sizeof(size));
	if (!recording->plan->alone && recording->plan->nr_samplings)
		snprintf(beside, sizeof(beside), " of KerMon, %llu of perf_event",
			 (unsigned long long)sampled);
	message(name, "%llu sample%s%s, %s %s %s", (unsigned long long)nr,
		kermon_plural(nr), beside, size, where,
		output_name(&recording->output));
	if (!recording->plan->alone)
		message_hint("sampling overhead: %.3f ms of CPU time",
			     cost_ms(recording->cost, &recording->machine.info));
}

void record_summary(const struct recording *recording)
{
	const struct kermon_writer *writer =
		kermon_recorder_writer(recording->recorder);
	const struct request *request = recording->request;
	struct kermon_sampled_totals sampled;
	struct kermon_writer_totals totals;

	kermon_writer_totals(writer, &totals);
	kermon_writer_sampled_totals(writer, &sampled);
	say_lost(recording, &totals);
	if (recording->plan->nr_samplings)
		say_sampled(recording, &sampled);
	say_late(recording);
	say_invalid(recording, totals.invalid);
	erratum_say(recording->request->command->name, recording->selection);
	say_unrecorded(recording);
	marking_say(request->command->name, request->quiet, recording->recorder,
		    recording->marks);
	if (!request->quiet && request->output)
		say_samples(recording, totals.samples, sampled.samples,
			    totals.bytes);
}
