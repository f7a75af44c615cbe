// SPDX-License-Identifier: GPL-2.0
/*
 * Marks of regions of the command: options, the environment by which it finds the collector
 * and the tool, and what there is to say about them.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/region.h>
#include <kermon/text.h>

#include "marking.h"
#include "ui/message.h"
#include "ui/values.h"
#include "util/location.h"

#define COLLECTOR	"libkermon-itt.so"

/* By which programs with ITT find a collector of 64 bits. */
#define ITT_ENVIRONMENT	"INTEL_LIBITTNOTIFY64"

static const char *const how_names[] = {
	[MARKING_OFF] = "off",
	[MARKING_TIME] = "time",
	[MARKING_COUNTS] = "counts",
	NULL
};

static const struct value_type value_how = {
	.what = "kind of marks",
	.whats = "kinds",
	.names = how_names,
	.take = value_take_name,
};

#define VALUE_how	unsigned int

/* The number that @text begins with, at least 1; 0: there is none. False: it is 0. */
static bool read_number(const char **text, uint64_t *number)
{
	char *end;

	*number = 0;
	if (!isdigit((unsigned char)**text))
		return true;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return *number;
}

/* "N", "N-M", "N-" or "-M". */
static bool read_range(const char *text, struct iterations *iterations)
{
	if (!read_number(&text, &iterations->first))
		return false;
	iterations->last = iterations->first;
	if (*text == '-') {
		text++;
		if (!read_number(&text, &iterations->last))
			return false;
	}
	return !*text && (iterations->first || iterations->last);
}

/* Names have colons, too: "Event::process". */
static void take_iterations(struct options *options, const struct option_spec *spec, void *to)
{
	struct iterations *iterations = to;
	/* Until the end. */
	static char *name;
	char *colon;

	(void)spec;
	free(name);
	name = strdup(options->value);
	*iterations = (struct iterations){ .pattern = name };
	colon = name ? strrchr(name, ':') : NULL;
	if (!colon || colon == name || !(isdigit((unsigned char)colon[1]) || colon[1] == '-'))
		return;
	*colon = '\0';
	if (!read_range(colon + 1, iterations) ||
	    (iterations->last && iterations->last < iterations->first))
		options_stop(options, "invalid range '%s' for '%s'; valid: FIRST-LAST, FIRST-, -LAST",
			     colon + 1, options->token);
}

static const struct value_type value_iterations = { .take = take_iterations };

#define VALUE_iterations	struct iterations

static const struct value_range ring_sizes = {
	.min = KERMON_MARKS_RING_MIN, .max = KERMON_MARKS_RING_MAX, .power_of_two = true,
};

const struct option_spec marking_options[] = {
	{ 0, "regions", "KIND", "record marks of regions with times, or with counts as well",
	  VALUE(how, struct marking, how),
	  .preset = "off, but with other options about regions" },
	{ 0, "region-include", "PATTERN,...", "only these regions, with all in them",
	  VALUE(text, struct marking, include) },
	{ 0, "region-exclude", "PATTERN,...", "not these regions, nor what is in them",
	  VALUE(text, struct marking, exclude) },
	{ 0, "iterations", "PATTERN[:FIRST-LAST]",
	  "these regions are iterations, of which only some are recorded",
	  VALUE(iterations, struct marking, iterations) },
	{ 0, "start-paused", NULL, "record regions once the program resumes that",
	  VALUE(flag, struct marking, paused) },
	{ 0, "regions-wait", NULL, "let threads wait for the tool, rather than lose marks",
	  VALUE(flag, struct marking, wait) },
	{ 0, "ring", "SIZE", "size of the ring of marks of each thread, a power of two",
	  VALUE(size, struct marking, ring_bytes), .of = &ring_sizes, .preset = "4M" },
	{}
};

const char *marking_asked(const struct marking *regions)
{
	return regions->how == MARKING_TIME || regions->how == MARKING_COUNTS ? "--regions" :
	       regions->include ? "--region-include" :
	       regions->exclude ? "--region-exclude" :
	       regions->iterations.pattern ? "--iterations" :
	       regions->paused ? "--start-paused" :
	       regions->wait ? "--regions-wait" :
	       regions->ring_bytes ? "--ring" :
	       regions->alone ? "--no-samples" : NULL;
}

/* In the folder lib beside that of the tool. */
static bool find_collector(char path[PATH_MAX])
{
	char folder[PATH_MAX], found[PATH_MAX];

	return location_folder(folder) &&
	       snprintf(found, sizeof(found), "%s/../lib/" COLLECTOR, folder) < PATH_MAX &&
	       realpath(found, path);
}

static bool is_ours(const char *collector)
{
	const char *slash = strrchr(collector, '/');

	return !strcmp(slash ? slash + 1 : collector, COLLECTOR);
}

static void say_found(const char *name, bool found)
{
	const char *itt = getenv(ITT_ENVIRONMENT);

	if (!found)
		message(name, COLLECTOR " is not installed beside kermon: only programs that bring a collector mark regions");
	if (itt && *itt && !is_ours(itt))
		message(name, ITT_ENVIRONMENT " is set: marks of ITT go to %s, and are not recorded",
			itt);
}

int marking_open(const struct marking *regions, const char *name, bool counts, bool quiet,
		 struct kermon_marks **marks)
{
	const struct kermon_marks_options options = {
		.size = sizeof(options),
		.counts = counts && regions->how != MARKING_TIME,
		.wait = regions->wait,
		.paused = regions->paused,
		.ring_bytes = regions->ring_bytes,
		.iterations = regions->iterations.pattern,
		.first = regions->iterations.first,
		.last = regions->iterations.last,
		.include = regions->include,
		.exclude = regions->exclude,
	};
	char collector[PATH_MAX];

	*marks = NULL;
	if (regions->how == MARKING_OFF || !marking_asked(regions))
		return 0;
	if (!quiet)
		say_found(name, find_collector(collector));
	if (regions->how == MARKING_COUNTS && !counts)
		message(name, "regions have times alone: counts of a thread for itself require that KerMon counts");
	return kermon_marks_open(marks, &options);
}

void marking_enter(const struct kermon_marks *marks)
{
	const char *itt = getenv(ITT_ENVIRONMENT);
	char collector[PATH_MAX];

	if (!marks)
		return;
	setenv(KERMON_MARKS_ENVIRONMENT, kermon_marks_socket(marks), 1);
	if (!find_collector(collector))
		return;
	setenv(KERMON_COLLECTOR, collector, 1);
	if (!itt || !*itt || is_ours(itt))
		setenv(ITT_ENVIRONMENT, collector, 1);
}

void marking_leave(const struct kermon_marks *marks)
{
	const char *itt = getenv(ITT_ENVIRONMENT);

	if (!marks)
		return;
	unsetenv(KERMON_MARKS_ENVIRONMENT);
	unsetenv(KERMON_COLLECTOR);
	if (itt && is_ours(itt))
		unsetenv(ITT_ENVIRONMENT);
}

void marking_note(const struct marking *regions, bool counts, const struct kermon_marks *marks,
		  struct kermon_writer *writer)
{
	const struct iterations *iterations = &regions->iterations;

	if (!marks)
		return;
	kermon_writer_note(writer, "regions", "%s",
			   counts && regions->how != MARKING_TIME ? "counts" : "time");
	if (regions->include)
		kermon_writer_note(writer, "region_include", "%s", regions->include);
	if (regions->exclude)
		kermon_writer_note(writer, "region_exclude", "%s", regions->exclude);
	if (iterations->pattern)
		kermon_writer_note(writer, "iterations", "%s:%llu-%llu", iterations->pattern,
				   (unsigned long long)iterations->first,
				   (unsigned long long)iterations->last);
}

static uint64_t refused(const struct kermon_marks_totals *totals)
{
	return totals->refused_user + totals->refused_task + totals->refused_limit +
	       totals->refused_form;
}

void marking_note_end(const struct kermon_recorder *recorder, const struct kermon_marks *marks,
		      struct kermon_writer *writer)
{
	struct kermon_marked_totals marked;
	struct kermon_marks_totals totals;

	if (!marks)
		return;
	kermon_marks_totals(marks, &totals);
	kermon_recorder_marked(recorder, &marked);
	const struct {
		const char *key;
		uint64_t value;
		bool always;
	} notes[] = {
		{ "marks", marked.marks, true },
		{ "marks_lost", totals.lost, true },
		{ "marks_refused", refused(&totals), false },
		{ "marks_invalid", totals.invalid, false },
		{ "marks_broken", totals.broken, false },
		{ "marks_late", marked.late, false },
		{ "marks_uncounted", marked.uncounted, false },
		{ "marks_blind", kermon_recorder_blind(recorder), false },
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].always || notes[i].value)
			kermon_writer_note(writer, notes[i].key, "%llu",
					   (unsigned long long)notes[i].value);
}

/* "LOST of WHAT": how many, and why. */
static void say_refused(const char *name, uint64_t nr, const char *why, const char *hint)
{
	if (!nr)
		return;
	message(name, "%llu ring%s of marks %s refused: %s", (unsigned long long)nr,
		kermon_plural(nr), kermon_were(nr), why);
	if (hint)
		message_hint("%s", hint);
}

static void say_missing(const char *name, const struct kermon_marks_totals *totals,
			const struct kermon_marked_totals *marked)
{
	if (totals->lost) {
		message(name, "%llu mark%s of regions %s lost: threads marked faster than they were read",
			(unsigned long long)totals->lost, kermon_plural(totals->lost),
			kermon_were(totals->lost));
		message_hint("use larger rings, --ring SIZE, or let threads wait: --regions-wait");
	}
	say_refused(name, totals->refused_limit, "too many threads, or too much memory",
		    "use smaller rings: --ring SIZE");
	say_refused(name, totals->refused_user, "they are of another user", NULL);
	say_refused(name, totals->refused_task, "their threads are not visible in /proc here", NULL);
	say_refused(name, totals->refused_form, "they are not of this version of kermon", NULL);
	if (totals->invalid || totals->broken)
		message(name, "ignored %llu mark%s and %llu ring%s that no collector writes: the program has damaged them",
			(unsigned long long)totals->invalid, kermon_plural(totals->invalid),
			(unsigned long long)totals->broken, kermon_plural(totals->broken));
	if (marked->uncounted)
		message(name, "%llu mark%s %s without counts: those of the thread were not of these events",
			(unsigned long long)marked->uncounted, kermon_plural(marked->uncounted),
			kermon_were(marked->uncounted));
}

void marking_say(const char *name, bool quiet, const struct kermon_recorder *recorder,
		 const struct kermon_marks *marks)
{
	struct kermon_marked_totals marked;
	struct kermon_marks_totals totals;

	if (!marks)
		return;
	kermon_marks_totals(marks, &totals);
	kermon_recorder_marked(recorder, &marked);
	say_missing(name, &totals, &marked);
	if (quiet)
		return;
	if (marked.marks)
		message(name, "%llu mark%s of regions by %llu thread%s",
			(unsigned long long)marked.marks, kermon_plural(marked.marks),
			(unsigned long long)totals.threads, kermon_plural(totals.threads));
	else
		message(name, "the command has marked no regions");
	if (kermon_recorder_blind(recorder) && marked.marks)
		message(name, "names of threads are those of their first mark: this user may not use perf_event");
}
