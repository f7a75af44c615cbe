// SPDX-License-Identifier: GPL-2.0
/*
 * Prints totals as text, in the form of perf stat: value, event, and what follows from it.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "stat_view.h"
#include "ui/number.h"
#include "ui/shown.h"

#define NOTE_SIZE	64

bool stat_shows(const struct stat_view *view, const struct total *total)
{
	return total->metric.kind != KERMON_METRIC_ENERGY ||
	       view->all_domains || total_is_package(total);
}

/* Time on the CPU, in seconds, to which rates refer; 0 if unknown. */
static double time_of(const struct totals *totals)
{
	const struct total *time = totals_find(totals, KERMON_METRIC_TIME);

	return time ? time->value.mean / 1e9 : 0;
}

/* "12.3 M/s" */
static void format_rate(double rate, const char *unit, char note[NOTE_SIZE])
{
	static const char *const prefixes[] = { "", "K", "M", "G", "T" };
	size_t i = 0;

	while (rate >= 1000 && i < 4) {
		rate /= 1000;
		i++;
	}
	snprintf(note, NOTE_SIZE, "%.3f %s%s", rate, prefixes[i], unit);
}

static void note_instructions(const struct totals *totals, char note[NOTE_SIZE])
{
	const double ipc = totals_ipc(totals);

	if (!isnan(ipc))
		snprintf(note, NOTE_SIZE, "%.3f per %scycle", ipc,
			 totals->model ? "model " : "");
}

static void note_time(const struct totals *totals, const struct total *total,
		      char note[NOTE_SIZE])
{
	if (totals->elapsed.mean > 0)
		snprintf(note, NOTE_SIZE, "%.3f CPUs used",
			 total->value.mean / totals->elapsed.mean);
}

/* What follows from a count, at the right of it; "" if nothing does. */
static void describe(const struct totals *totals, const struct total *total,
		     char note[NOTE_SIZE])
{
	const double seconds = time_of(totals);
	const double rate = seconds > 0 ? total->value.mean / seconds : 0;

	*note = '\0';
	if (total->metric.kind == KERMON_METRIC_TIME)
		note_time(totals, total, note);
	else if (rate <= 0)
		return;
	else if (total->metric.kind == KERMON_METRIC_INSTRUCTIONS)
		note_instructions(totals, note);
	else if (total->metric.kind == KERMON_METRIC_CYCLES)
		format_rate(rate, totals->model ? "Hz (model)" : "Hz", note);
	else if (total->metric.kind == KERMON_METRIC_ENERGY)
		format_rate(rate / 4294967296.0, "W on CPU", note);
	else if (total_is_memory(total))
		format_rate(64 * rate, "B/s, if 64 B each", note);
	else
		format_rate(rate, "/s", note);
}

static const char *unit_of(const struct total *total)
{
	switch (total->metric.kind) {
	case KERMON_METRIC_TIME:
		return " ms";
	case KERMON_METRIC_ENERGY:
		return total->alone ? " J, package not shared" : " J, shared";
	default:
		return "";
	}
}

static void format_value(const struct total *total, char text[NUMBER_SIZE])
{
	const double mean = total->value.mean;

	if (!total->value.nr)
		snprintf(text, NUMBER_SIZE, total->error ? "<not counted>" :
			 "<never active>");
	else if (total->metric.kind == KERMON_METRIC_TIME)
		snprintf(text, NUMBER_SIZE, "%.3f", mean / 1e6);
	else if (total->metric.kind == KERMON_METRIC_ENERGY)
		snprintf(text, NUMBER_SIZE, "%.3f", mean / 4294967296.0);
	else
		number_exact(mean + 0.5, text);
}

/* In percent: how much the mean varies, and in how much of the time it was counted. */
static void print_reliability(FILE *out, const struct average *average,
			      double share)
{
	if (average->nr > 1)
		fprintf(out, "  (+- %.2f%%)", 100 * average_error(average));
	if (share < 1)
		fprintf(out, "  [%.1f%%]", 100 * share);
}

static void print_line(const struct stat_view *view, const char *value,
		       const char *name, const char *note)
{
	fprintf(view->out, *note ? "%19s  %-44s # %s" : "%19s  %s", value, name,
		note);
}

static void print_total(const struct stat_view *view, const struct total *total)
{
	char value[NUMBER_SIZE], name[KERMON_EVENT_NAME + 32], note[NOTE_SIZE];

	format_value(total, value);
	snprintf(name, sizeof(name), "%s%s", total->name, unit_of(total));
	if (total->value.nr)
		describe(view->totals, total, note);
	else
		*note = '\0';
	print_line(view, value, name, note);
	print_reliability(view->out, &total->value, total->share.nr ?
			  total->share.mean : 1);
	fputc('\n', view->out);
}

static void print_flop(const struct stat_view *view, enum kermon_precision kind,
		       const char *name)
{
	const struct average *flop = &view->totals->flop[kind];
	const double seconds = time_of(view->totals);
	char value[NUMBER_SIZE], note[NOTE_SIZE] = "";

	if (!flop->nr)
		return;
	number_exact(flop->mean + 0.5, value);
	if (seconds > 0)
		format_rate(flop->mean / seconds, "FLOP/s", note);
	print_line(view, value, name, note);
	print_reliability(view->out, flop, 1);
	fputc('\n', view->out);
}

static void print_usage(const struct stat_view *view, const char *name,
			const struct average *average)
{
	char value[NUMBER_SIZE];

	number_exact(average->mean + 0.5, value);
	print_line(view, value, name, "");
	print_reliability(view->out, average, 1);
	fputc('\n', view->out);
}

static void print_seconds(const struct stat_view *view, const char *name,
			  const struct average *average)
{
	fprintf(view->out, "%19.9f  %s", average->mean / 1e9, name);
	print_reliability(view->out, average, 1);
	fputc('\n', view->out);
}

static void print_title(const struct stat_view *view)
{
	char line[1024] = "";
	size_t length = 0;

	for (char *const *word = view->command; *word; word++) {
		length += snprintf(line + length, sizeof(line) - length, "%s%s",
				   length ? " " : "", *word);
		if (length >= sizeof(line))
			break;
	}
	fputc('\n', view->out);
	shown_line(view->out, " Counts of '%s', by %s%s:", line,
		   view->totals->by_perf ?
		   "perf_event (KerMon is not available)" : "KerMon",
		   view->runs > 1 ? ", mean of several runs" : "");
	fputc('\n', view->out);
}

/* Time comes first: rates refer to it. */
static void print_counts(const struct stat_view *view, bool time)
{
	const struct total *total;

	for (unsigned int i = 0; i < view->totals->nr; i++) {
		total = &view->totals->counts[i];
		if ((total->metric.kind == KERMON_METRIC_TIME) == time &&
		    stat_shows(view, total))
			print_total(view, total);
	}
}

int stat_print_text(const struct stat_view *view)
{
	const struct totals *totals = view->totals;

	print_title(view);
	print_counts(view, true);
	print_counts(view, false);
	print_flop(view, KERMON_SINGLE, "floating-point operations, single");
	print_flop(view, KERMON_DOUBLE, "floating-point operations, double");
	print_flop(view, KERMON_MIXED, "floating-point operations");
	print_usage(view, "context switches", &totals->switches);
	print_usage(view, "page faults", &totals->faults);
	fputc('\n', view->out);
	print_seconds(view, "seconds elapsed", &totals->elapsed);
	print_seconds(view, "seconds user", &totals->user);
	print_seconds(view, "seconds system", &totals->system);
	fputc('\n', view->out);
	return view->report ? stat_print_threads(view) : 0;
}
