// SPDX-License-Identifier: GPL-2.0
/*
 * Derive statements from the facts. "Nothing was lost" and "exact" need proof: KerMon's
 * recorder noted that it had read everything, and the file is intact.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/text.h>

#include "facts.h"
#include "perfdata/format/format.h"

/* The information that statements are based on. */
struct evidence {
	const struct facts *facts;
	const struct reader *reader;
	uint64_t nr_damages;
	const struct dsos *dsos;
	const char *symfs;
	struct kermon_statements *to;
};

__attribute__((format(printf, 4, 5)))
static void state(const struct evidence *evidence, const char *id, bool limits,
		  const char *format, ...)
{
	struct kermon_statements *to = evidence->to;
	struct kermon_statement *statement;
	va_list args;

	if (to->nr == KERMON_MAX_STATEMENTS)
		return;
	statement = &to->all[to->nr++];
	statement->id = id;
	statement->limits = limits;
	va_start(args, format);
	vsnprintf(statement->text, sizeof(statement->text), format, args);
	va_end(args);
	for (char *c = statement->text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '.';
}

static const char *note(const struct evidence *evidence, const char *key)
{
	return reader_note(evidence->reader, key);
}

/* The value of a numeric note; 0 if there is none. */
static uint64_t number(const struct evidence *evidence, const char *key)
{
	const char *text = note(evidence, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

static const char *plural(uint64_t nr, const char *one, const char *several)
{
	return nr == 1 ? one : several;
}

/* Whether the recorder noted that it had read everything and finished the file. */
static bool is_proven(const struct evidence *evidence)
{
	const char *complete = note(evidence, "complete");

	return complete && !strcmp(complete, "1");
}

static bool notes_are_cut(const struct evidence *evidence)
{
	return reader_feature_is_cut(evidence->reader,
				     PERFDATA_KERMON);
}

static bool is_failure(const char *ended)
{
	return ended && !strncmp(ended, "failed", strlen("failed"));
}

static enum kermon_completeness
state_unknown_end(const struct evidence *evidence, const char *why)
{
	state(evidence, "unknown-end", false,
	      "Whether the recording is complete is unknown: %s.", why);
	return KERMON_COMPLETENESS_UNKNOWN;
}

/* KerMon notes how a recording ended, except in old versions. */
static enum kermon_completeness
state_end_of_ours(const struct evidence *evidence)
{
	const char *ended = note(evidence, "ended");
	const char *why = ended ? strchr(ended, ':') : NULL;

	if (is_proven(evidence))
		return KERMON_COMPLETE;
	if (is_failure(ended))
		state(evidence, "failed", true,
		      "The recording failed%s: counts are lower bounds.",
		      why ? why : "");
	else if (notes_are_cut(evidence))
		return state_unknown_end(evidence,
					 "the note that states it is missing with the end of the file");
	else if (!ended)
		return state_unknown_end(evidence,
					 "the version of KerMon that recorded it did not note it");
	else
		state(evidence, "cut-off", true,
		      "The recorder stopped before it had read everything: counts are lower bounds.");
	return KERMON_INCOMPLETE;
}

/* The header has reported the same as damage. */
static void state_unfinished(const struct evidence *evidence)
{
	struct kermon_statements *to = evidence->to;

	state(evidence, "cut-off", true,
	      "The recording is unfinished: it is still running, or the recorder was killed or ran out of disk space. Counts are lower bounds.");
	to->all[to->nr - 1].is_damage = true;
}

/* KerMon's last notes follow the data. */
static enum kermon_completeness
state_end_of_pipe(const struct evidence *evidence)
{
	if (note(evidence, "ended"))
		return state_end_of_ours(evidence);
	state(evidence, "cut-off", true,
	      "The pipe was closed before the recording ended: counts are lower bounds.");
	return KERMON_INCOMPLETE;
}

static enum kermon_completeness
state_end_of_file(const struct evidence *evidence)
{
	switch (reader_ending(evidence->reader)) {
	case READER_UNFINISHED:
		state_unfinished(evidence);
		return KERMON_INCOMPLETE;
	case READER_CUT_OFF:
		state(evidence, "cut-off", true,
		      "The file is truncated: counts are lower bounds.");
		return KERMON_INCOMPLETE;
	case READER_OPEN:
		if (note(evidence, "version"))
			return state_end_of_pipe(evidence);
		return state_unknown_end(evidence,
					 "it was written to a pipe, and data from a pipe has no end marker");
	default:
		return note(evidence, "version") || notes_are_cut(evidence) ?
		       state_end_of_ours(evidence) : KERMON_COMPLETE;
	}
}

/* Return: number of other damages. */
static uint64_t state_truncated(const struct evidence *evidence)
{
	uint64_t damages = evidence->nr_damages;
	unsigned int nr, of;

	nr = reader_nr_cut_features(evidence->reader, &of);
	if (!nr)
		return damages;
	state(evidence, "truncated", false,
	      "The file is truncated: %u of its %u header sections %s missing or incomplete, but all records are present.",
	      nr, of, plural(nr, "is", "are"));
	return damages - 1;
}

static void state_completeness(const struct evidence *evidence)
{
	enum kermon_completeness *completeness = &evidence->to->completeness;
	uint64_t damages = state_truncated(evidence);

	*completeness = state_end_of_file(evidence);
	if (!damages || *completeness == KERMON_INCOMPLETE)
		return;
	*completeness = KERMON_INCOMPLETE;
	state(evidence, "damaged", true,
	      "The file is damaged in %" PRIu64 " %s: counts are lower bounds.",
	      damages, plural(damages, "place", "places"));
}

/* The log counts what it loses on its own. */
static bool counts_lost(const struct perf_event_attr *attr)
{
	return attr->read_format & PERF_FORMAT_LOST ||
	       (attr->sample_type & PERFDATA_INTERVAL_TYPE) == PERFDATA_INTERVAL_TYPE;
}

/*
 * A ring reports losses with the next record for which there is room, so it cannot
 * report those after the last record. perf 6.1 and later queries all events at the end.
 */
static bool knows_all_lost(const struct evidence *evidence)
{
	const struct reader *reader = evidence->reader;
	const struct facts *facts = evidence->facts;

	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (!counts_lost(&reader_event(reader, i)->attr))
			return false;
	return facts->lost_totals == facts->lost_records;
}

/*
 * The recorder noted more samples than there are in the file, and nothing else explains
 * it.
 */
static void state_missing(const struct evidence *evidence)
{
	uint64_t noted = number(evidence, "samples");
	uint64_t found = evidence->facts->intervals;

	if (noted <= found || evidence->to->completeness == KERMON_INCOMPLETE)
		return;
	evidence->to->completeness = KERMON_INCOMPLETE;
	state(evidence, "missing", true,
	      "KerMon recorded %" PRIu64 " %s, but only %" PRIu64 " of them %s in the file: counts are lower bounds.",
	      noted, plural(noted, "sample", "samples"), found,
	      plural(found, "is", "are"));
}

static void state_lost_records(const struct evidence *evidence)
{
	uint64_t lost = evidence->facts->lost_records;

	if (lost)
		state(evidence, "lost-records", true,
		      "%s%" PRIu64 " %s lost (samples, names or mappings): counts are lower bounds.",
		      knows_all_lost(evidence) ? "" : "At least ", lost,
		      plural(lost, "record was", "records were"));
}

static void state_losses(const struct evidence *evidence)
{
	const struct facts *facts = evidence->facts;
	uint64_t late = facts->late;

	if (facts->lost_samples && number(evidence, "overwrite"))
		state(evidence, "overwritten", true,
		      "%" PRIu64 " older %s overwritten (--overwrite): only the end of the run was kept.",
		      facts->lost_samples, plural(facts->lost_samples,
						  "sample was", "samples were"));
	else if (facts->lost_samples)
		state(evidence, "lost", true,
		      "%" PRIu64 " %s lost: counts are lower bounds.",
		      facts->lost_samples, plural(facts->lost_samples,
						  "sample was", "samples were"));
	state_lost_records(evidence);
	if (facts->invalid)
		state(evidence, "invalid", true,
		      "%" PRIu64 " %s omitted because of impossible counts; most likely something else wrote to a counter. Counts are lower bounds.",
		      facts->invalid, plural(facts->invalid, "interval was",
					     "intervals were"));
	if (facts->lost_samples || facts->lost_records || facts->invalid ||
	    facts->throttled || facts->aux_gaps)
		evidence->to->completeness = KERMON_INCOMPLETE;
	if (late)
		state(evidence, "late", false,
		      "%" PRIu64 " %s too late to be sorted: names and mappings may be slightly out of date.",
		      late, plural(late, "record arrived", "records arrived"));
	if (facts->throttled)
		state(evidence, "throttled", true,
		      "Sampling was throttled %" PRIu64 " %s: there are fewer samples than requested, and their sums are lower bounds.",
		      facts->throttled, plural(facts->throttled, "time", "times"));
}

/* The events of a CPU are opened when it comes online, which takes some time. */
static void state_late_cpus(const struct evidence *evidence)
{
	const char *late = note(evidence, "late_cpus");

	if (!late)
		return;
	evidence->to->completeness = KERMON_INCOMPLETE;
	state(evidence, "late-cpus", true,
	      "A CPU came online during the recording, and of what ran there, perf_event did not record everything. Missing of %s.",
	      late);
}

/*
 * perf's rings may be set to keep the newest records; the kernel does not count
 * overwritten ones.
 */
static bool keeps_newest(const struct reader *reader)
{
	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (reader_event(reader, i)->attr.write_backward)
			return true;
	return false;
}

static void state_overwritten(const struct evidence *evidence)
{
	enum kermon_completeness *completeness = &evidence->to->completeness;

	if (!keeps_newest(evidence->reader))
		return;
	if (*completeness == KERMON_COMPLETE)
		*completeness = KERMON_COMPLETENESS_UNKNOWN;
	state(evidence, "overwritten", true,
	      "Only the newest records were kept (perf record --overwrite): how many older samples, names and mappings were overwritten is unknown. Counts are lower bounds.");
}

static void state_signal(const struct evidence *evidence, const char *ended)
{
	int number = atoi(ended + strlen("signal "));

	state(evidence, "signal", false,
	      "The program was killed by signal %d (%s).", number,
	      strsignal(number));
}

/* Everything emitted until then is in the file, but the program was not finished. */
static void state_interruption(const struct evidence *evidence, bool revoked)
{
	evidence->to->completeness = KERMON_INCOMPLETE;
	state(evidence, revoked ? "revoked" : "interrupted", true,
	      "The recording was %s: counts only cover the run up to then.", revoked ?
	      "ended by an administrator (kermon revoke)" :
	      "interrupted while the program was running");
}

/* Tasks that ran, but are not in the file. */
static void state_unrecorded(const struct evidence *evidence)
{
	uint64_t outlived = number(evidence, "outlived");
	const char *unrecorded = note(evidence, "unrecorded");
	const char *ended = note(evidence, "ended");
	const bool revoked = ended && !strcmp(ended, "revoked");
	const bool interrupted = revoked || (ended && !strcmp(ended, "interrupted"));

	if (interrupted)
		state_interruption(evidence, revoked);
	else if (ended && !strcmp(ended, "detached"))
		state(evidence, "interrupted", false,
		      "The recording was stopped while the program was still running.");
	else if (ended && !strncmp(ended, "signal ", strlen("signal ")))
		state_signal(evidence, ended);
	if (outlived)
		state(evidence, "outlived", true,
		      "%" PRIu64 " %s still running when the recording ended, and the rest is not recorded%s.",
		      outlived, plural(outlived, "process was",
				       "processes were"),
		      interrupted || is_failure(ended) ? "" :
		      " (use kermon run --wait-all)");
	if (unrecorded && *unrecorded)
		state(evidence, "unrecorded", true,
		      "Not recorded after exec, because they gained privileges (set-user-ID, for example), are not readable, or were killed during exec: %s.",
		      unrecorded);
}

static void state_public(const struct evidence *evidence)
{
	if (number(evidence, "rdpmc_public"))
		state(evidence, "public", false,
		      "Every process could read the raw counters during the recording, because /sys/bus/event_source/devices/cpu/rdpmc is 2.");
}

static void state_turns(const struct evidence *evidence)
{
	const uint64_t ns = number(evidence, "rotate_ns");
	const char *sets = note(evidence, "sets");
	char turns[40] = "on signals";
	unsigned int nr = 1;

	if (!sets)
		return;
	while ((sets = strchr(sets, ',')) && *sets++)
		nr++;
	if (ns)
		snprintf(turns, sizeof(turns), "every %g ms", (double)ns / 1e6);
	state(evidence, "rotated", true,
	      "%u event sets were rotated %s: each event was counted only while its set was active; see the estimates.",
	      nr, turns);
}

/* Indexed by the types of perf's AUXTRACE_INFO. */
static const char *trace_name(uint32_t type)
{
	static const char *const names[] = {
		NULL, "intel_pt", "intel_bts", "cs_etm", "arm_spe",
		"s390_cpumsf", "hisi_ptt",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

static void state_trace(const struct evidence *evidence)
{
	const struct facts *facts = evidence->facts;
	const char *name = trace_name(facts->aux_type);
	char gaps[80] = "", size[40] = "in samples";

	if (!facts->aux_info && !facts->aux_size)
		return;
	if (facts->aux_size)
		kermon_size_text(facts->aux_size, size, sizeof(size));
	if (facts->aux_gaps)
		snprintf(gaps, sizeof(gaps), ", with gaps in %" PRIu64 " %s",
			 facts->aux_gaps,
			 plural(facts->aux_gaps, "place", "places"));
	state(evidence, "not-decoded", true,
	      "AUX data of %s: %s%s, not decoded by kermon; use perf script --itrace.",
	      name ? name : "a hardware trace", size, gaps);
}

/* perf 6.0 and later ends its description of running tasks by FINISHED_INIT. */
static bool should_be_initialized(const struct evidence *evidence)
{
	struct cursor version = reader_feature_cursor(
		evidence->reader, PERFDATA_VERSION);

	return cursor_left(&version) && atoi(cursor_string(&version)) >= 6;
}

static void state_start(const struct evidence *evidence)
{
	uint64_t cut_maps = evidence->facts->cut_maps;

	if (cut_maps)
		state(evidence, "cut-maps", false,
		      "perf timed out while reading the mappings of %" PRIu64 " %s: function names may be missing.",
		      cut_maps, plural(cut_maps, "process", "processes"));
	if (evidence->facts->has_counts || evidence->facts->initialized ||
	    !should_be_initialized(evidence))
		return;
	state(evidence, "not-initialized", false,
	      "perf exited before it had described all running processes: function names may be missing.");
}

static bool is_untrusted(const struct dso *dso)
{
	return dso->symbols &&
	       (dso->symbols->state == SYMBOLS_UNTRUSTED ||
		dso->symbols->state == SYMBOLS_IRREGULAR);
}

/* The reason and the remedy. */
static void state_one_untrusted(const struct evidence *evidence,
				const struct dso *dso, const char *others)
{
	const char *root = evidence->symfs;

	root = root ? root : "";
	if (dso->symbols->state == SYMBOLS_UNTRUSTED)
		state(evidence, "untrusted", true,
		      "%s%s is not trusted, so functions named there are unknown: it belongs to uid %" PRIu32 ", neither to root nor to the user who reads the recording. Read the recording as that user, or run: chown root %s%s%s",
		      root, dso->path, dso->symbols->owner, root, dso->path,
		      others);
	else
		state(evidence, "untrusted", true,
		      "%s%s is not trusted, so functions named there are unknown: it is not a regular file.%s",
		      root, dso->path, others);
}

/* Maps of run-time generated code. Only the first one is described. */
static void state_untrusted(const struct evidence *evidence)
{
	char others[64] = "";
	const struct dso *first;
	size_t nr;

	first = dsos_first(evidence->dsos, is_untrusted, &nr);
	if (nr > 1)
		snprintf(others, sizeof(others), " (and %zu more)",
			 nr - 1);
	if (nr)
		state_one_untrusted(evidence, first, others);
}

/* Samples are only counted with a filter; counts of perf stat never have one. */
static bool is_empty(const struct evidence *evidence)
{
	const struct facts *facts = evidence->facts;

	return facts->is_filtered ? !facts->samples :
	       !facts->has_samples && !facts->has_counts &&
	       !(facts->wants_marks && facts->has_marks);
}

static bool has_branches(const struct evidence *evidence)
{
	const struct reader *reader = evidence->reader;

	for (size_t i = 0; i < reader_nr_events(reader); i++)
		if (reader_event(reader, i)->attr.sample_type &
		    PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

/* Explain why there is nothing to show. */
static void state_nothing(const struct evidence *evidence)
{
	const struct facts *facts = evidence->facts;

	if (is_empty(evidence))
		state(evidence, "no-samples", true, facts->has_marks ?
		      "There are no samples in the file, only marks of regions." :
		      "There are no samples in the file.");
	else if (facts->wants_branches && !has_branches(evidence))
		state(evidence, "no-branches", true,
		      "The recording has no branches: record them with perf record -b.");
	else if (!facts->is_filtered || facts->passed)
		return;
	else if (facts->samples == 1)
		state(evidence, "no-match", true,
		      "The only sample does not match the filter.");
	else
		state(evidence, "no-match", true,
		      "None of the %" PRIu64 " samples matches the filter.",
		      facts->samples);
}

/* A part of the program ran before, after or outside the recording. */
static bool is_partial(const struct evidence *evidence)
{
	const char *ended = note(evidence, "ended");

	return note(evidence, "outlived") || note(evidence, "unrecorded") ||
	       (ended && (!strcmp(ended, "interrupted") ||
			  !strcmp(ended, "revoked") ||
			  !strcmp(ended, "detached")));
}

/* Events that also count the other hyperthread on this CPU. */
static void state_erratum(const struct evidence *evidence)
{
	const char *erratum = note(evidence, "erratum");

	if (erratum)
		state(evidence, "overcounted", true,
		      "%s: these events may also have counted the other hyperthread of the core.",
		      erratum);
}

/* kermon spy. */
static void state_cpus(const struct evidence *evidence)
{
	const char *source = note(evidence, "source");
	const uint64_t changes = number(evidence, "changes");
	const uint64_t uncounted = number(evidence, "uncounted");

	if (!source || strcmp(source, "spy"))
		return;
	state(evidence, "per-cpu", true,
	      "Counts are those of CPUs, whichever tasks ran there, and include the "
	      "spies themselves.");
	if (changes)
		state(evidence, "changed", true,
		      "The set of a CPU was changed %" PRIu64 " time%s: sums of its events are "
		      "those of the time in which they were counted.", changes,
		      kermon_plural(changes));
	if (uncounted)
		state(evidence, "uncounted", true,
		      "The counters were taken away in %" PRIu64 " interval%s: counts are lower "
		      "bounds.", uncounted, kermon_plural(uncounted));
}

/* kermon record by perf_event, alone or beside KerMon. */
static void state_sampled(const struct evidence *evidence)
{
	const char *source = note(evidence, "source");

	if (!source || !strstr(source, "perf_event"))
		return;
	if (!strcmp(source, "perf_event"))
		state(evidence, "sampled", false,
		      "Sums are estimates of perf_event: each sample stands for its period.");
	else
		state(evidence, "sampled", false,
		      "Sums of events that perf_event sampled are estimates: each sample stands for its period.");
}

static void state_what_is_proven(const struct evidence *evidence)
{
	if (evidence->to->completeness != KERMON_COMPLETE)
		return;
	if (!is_proven(evidence)) {
		state(evidence, "no-losses", false,
		      "The file reports no losses.");
		return;
	}
	state(evidence, "complete", false, "Nothing was lost.");
	if (!reader_has_intervals(evidence->reader) ||
	    is_empty(evidence) || note(evidence, "sets") || note(evidence, "runs") ||
	    note(evidence, "erratum") || is_partial(evidence))
		return;
	state(evidence, "exact", false, "Counts are exact per thread.");
}

static void raise_to(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

/*
 * Losses are reported in several ways, some of which may be lost or damaged: use the
 * maximum.
 */
static void settle_losses(struct facts *facts, const struct evidence *evidence)
{
	raise_to(&facts->lost_records, facts->lost_totals);
	raise_to(&facts->lost_records, number(evidence, "sideband_lost"));
	raise_to(&facts->lost_records, number(evidence, "sampled_lost"));
	raise_to(&facts->lost_samples, number(evidence, "lost"));
	raise_to(&facts->invalid, number(evidence, "invalid"));
}

void facts_conclude(struct facts *facts, const struct reader *reader,
		    const struct damages *damages, const struct dsos *dsos,
		    const char *symfs)
{
	const struct evidence evidence = {
		.facts = facts,
		.reader = reader,
		.nr_damages = damages->nr,
		.dsos = dsos,
		.symfs = symfs,
		.to = &facts->statements,
	};

	settle_losses(facts, &evidence);
	state_nothing(&evidence);
	state_completeness(&evidence);
	state_missing(&evidence);
	state_losses(&evidence);
	state_late_cpus(&evidence);
	state_overwritten(&evidence);
	state_unrecorded(&evidence);
	state_turns(&evidence);
	state_public(&evidence);
	state_erratum(&evidence);
	state_cpus(&evidence);
	state_sampled(&evidence);
	state_trace(&evidence);
	state_start(&evidence);
	state_what_is_proven(&evidence);
	state_untrusted(&evidence);
}
