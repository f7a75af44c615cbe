// SPDX-License-Identifier: GPL-2.0
/*
 * Prints totals as text, in the form of perf stat: value, event, and what follows from it.
 */
#include <errno.h>
#include <kermon/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "totals.h"
#include "ui/number.h"
#include "ui/shown.h"

#define NOTE_SIZE	64

/* Of a value such as 1,234,567,890,123; and where most names have ended. */
#define VALUE_WIDTH	17
#define NOTE_COLUMN	(VALUE_WIDTH + 2 + 36)

bool totals_show(const struct totals_view *view, const struct total *total)
{
	return total->metric.kind != KERMON_METRIC_ENERGY ||
	       view->all_domains || total_is_package(total);
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

/*
 * "12.345 W on CPU above idle, peak 15.0 W"; subtracted, it may be negative. No peak that is
 * below the average, because it is of windows, and most of the run was in none.
 */
static void note_power(const struct totals_view *view, const struct total *total,
		       char note[NOTE_SIZE])
{
	const double watts = total_watts(view->totals, total);
	const double idle = power_idle(total->name, &view->idle);
	int length;

	if (isnan(watts))
		return;
	length = snprintf(note, NOTE_SIZE, "%.3f W%s%s", watts - idle,
			  total->packages ? "" : " on CPU", idle > 0 ? " above idle" : "");
	if (total->peak > watts - 0.0005)
		snprintf(note + length, NOTE_SIZE - length, ", peak %.3f W",
			 total->peak - idle);
}

/* What follows from a count, at the right of it; "" if nothing does. */
static void describe(const struct totals_view *view, const struct total *total,
		     char note[NOTE_SIZE])
{
	const struct totals *totals = view->totals;
	const double seconds = totals_time(totals);
	const double rate = seconds > 0 ? total->value.mean / seconds : 0;

	*note = '\0';
	if (!total->value.nr)
		snprintf(note, NOTE_SIZE, "%s", total_reason(total));
	else if (total->metric.kind == KERMON_METRIC_TIME)
		note_time(totals, total, note);
	else if (total->metric.kind == KERMON_METRIC_ENERGY)
		note_power(view, total, note);
	else if (rate <= 0)
		return;
	else if (total->metric.kind == KERMON_METRIC_INSTRUCTIONS)
		note_instructions(totals, note);
	else if (total->metric.kind == KERMON_METRIC_CYCLES)
		format_rate(rate, totals->model ? "Hz (model)" : "Hz", note);
	else if (total_memory_bytes(total) > 0)
		format_rate(total_memory_bytes(total) * rate, "B/s estimated", note);
	else
		format_rate(rate, "/s", note);
}

static const char *unit_of(const struct total *total)
{
	switch (total->metric.kind) {
	case KERMON_METRIC_TIME:
		return " ms";
	case KERMON_METRIC_ENERGY:
		if (total->alone)
			return " J, not shared";
		if (!total->value.nr)
			return " J";
		if (total->packages)
			return total->packages > 1 ? " J, all packages" :
						     " J, whole package";
		return " J, shared";
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
		snprintf(text, NUMBER_SIZE, "%.3f", mean / TOTALS_JOULE);
	else
		number_exact(mean + 0.5, text);
}

/* In percent: how much the mean varies, and in how much of the time it was counted. */
static void format_reliability(const struct average *average, double share,
			       char text[NOTE_SIZE])
{
	int length = 0;

	*text = '\0';
	if (average->nr > 1)
		length = snprintf(text, NOTE_SIZE, "  (+- %.2f%%)",
				  100 * average_error(average));
	if (share < 1)
		snprintf(text + length, NOTE_SIZE - length, "  [%.1f%%]",
			 100 * share);
}

/* Notes begin in one column, but further left if they would end beyond the table. */
static int note_column(int end_of_name, size_t size)
{
	const int column = end_of_name > NOTE_COLUMN ? end_of_name : NOTE_COLUMN;
	const int last = TOTALS_WIDTH - size;

	return column < last ? column : last;
}

/* A name that would reach into its note has it on the next line. */
static void print_line(const struct totals_view *view, const char *value,
		       const char *name, const char *note,
		       const struct average *average, double share)
{
	char reliability[NOTE_SIZE];
	int end, column;

	format_reliability(average, share, reliability);
	end = fprintf(view->out, "%*s  %s", VALUE_WIDTH, value, name);
	if (*note) {
		column = note_column(end, strlen(" # ") + strlen(note) +
				     strlen(reliability));
		if (column < end) {
			fputc('\n', view->out);
			end = 0;
		}
		fprintf(view->out, "%*s # %s", column - end, "", note);
	}
	fprintf(view->out, "%s\n", reliability);
}

static void print_total(const struct totals_view *view, const struct total *total)
{
	char value[NUMBER_SIZE], name[KERMON_EVENT_NAME + 32], note[NOTE_SIZE];

	format_value(total, value);
	snprintf(name, sizeof(name), "%s%s", total->name, unit_of(total));
	describe(view, total, note);
	print_line(view, value, name, note, &total->value,
		   total->share.nr ? total->share.mean : 1);
}

static void print_flop(const struct totals_view *view, enum kermon_precision kind,
		       const char *name)
{
	const struct average *flop = &view->totals->flop[kind];
	const double seconds = totals_time(view->totals);
	char value[NUMBER_SIZE], note[NOTE_SIZE] = "";

	if (!flop->nr)
		return;
	number_exact(flop->mean + 0.5, value);
	if (seconds > 0)
		format_rate(flop->mean / seconds, "FLOP/s", note);
	print_line(view, value, name, note, flop, 1);
}

static void print_bytes(const struct totals_view *view)
{
	const struct totals *totals = view->totals;
	const double seconds = totals_time(totals);
	char value[NUMBER_SIZE], note[NOTE_SIZE] = "";

	if (!totals->bytes.nr)
		return;
	number_exact(totals->bytes.mean + 0.5, value);
	if (seconds > 0)
		format_rate(totals->bytes.mean / seconds, "B/s", note);
	print_line(view, value, totals->basis == KERMON_BYTES_EXACT ?
		   "bytes loaded and stored" : "bytes loaded and stored, estimated",
		   note, &totals->bytes, 1);
}

static void print_ratio(const struct totals_view *view, double ratio, const char *name,
			const char *note, const struct average *average)
{
	char value[NUMBER_SIZE];

	snprintf(value, sizeof(value), "%.3f", ratio);
	print_line(view, value, name, note, average, 1);
}

/* Operations per byte, and energy for each. */
static void print_roofline(const struct totals_view *view)
{
	const struct totals *totals = view->totals;
	char note[NOTE_SIZE] = "";

	print_bytes(view);
	if (totals->intensity.nr && totals->basis != KERMON_BYTES_EXACT)
		snprintf(note, sizeof(note), "%.3f to %.3f by width of accesses",
			 totals->intensity_low.mean, totals->intensity_high.mean);
	if (totals->intensity.nr)
		print_ratio(view, totals->intensity.mean, "FLOP of these events per byte", note,
			    &totals->intensity);
	if (totals->intensity.nr && totals->joules_per_flop.nr)
		print_ratio(view, totals->joules_per_flop.mean * 1e9,
			    totals->by_perf ? "nJ per FLOP, whole package" :
			    "nJ per FLOP, shared", "", &totals->joules_per_flop);
}

static void print_usage(const struct totals_view *view, const char *name,
			const struct average *average)
{
	char value[NUMBER_SIZE];

	if (!average->nr)
		return;
	number_exact(average->mean + 0.5, value);
	print_line(view, value, name, "", average, 1);
}

static void print_seconds(const struct totals_view *view, const char *name,
			  const struct average *average)
{
	char value[NUMBER_SIZE];

	if (!average->nr)
		return;
	snprintf(value, sizeof(value), "%.9f", average->mean / 1e9);
	print_line(view, value, name, "", average, 1);
}

/*
 * The command with escapes, of at most @size bytes; the end is cut off between two
 * characters.
 */
static void format_command(char *const *words, char *text, size_t size)
{
	size_t length = 0;
	char *word;

	*text = '\0';
	for (; *words && length < size; words++) {
		word = kermon_text_escaped(*words);
		length += snprintf(text + length, size - length, "%s%s",
				   length ? " " : "", word ? word : "");
		free(word);
	}
	if (length < size)
		return;
	length = size - sizeof("...");
	while (length && (text[length] & 0xc0) == 0x80)
		length--;
	strcpy(text + length, "...");
}

static void print_title(const struct totals_view *view)
{
	char command[TOTALS_WIDTH], source[TOTALS_WIDTH];
	int length = snprintf(source, sizeof(source), "by %s",
			      view->totals->by_perf ?
			      "perf_event (without KerMon)" : "KerMon");

	if (view->runs > 1)
		length += snprintf(source + length, sizeof(source) - length,
				   ", mean of %u runs", view->runs);
	format_command(view->command, command,
		       TOTALS_WIDTH - strlen(" Counts of '', :") - length + 1);
	fputc('\n', view->out);
	shown_line(view->out, " Counts of '%s', %s:", command, source);
	fputc('\n', view->out);
}

/* Time comes first: rates refer to it. */
static void print_counts(const struct totals_view *view, bool time)
{
	const struct total *total;

	for (unsigned int i = 0; i < view->totals->nr; i++) {
		total = &view->totals->counts[i];
		if ((total->metric.kind == KERMON_METRIC_TIME) == time &&
		    totals_show(view, total))
			print_total(view, total);
	}
}

int totals_print_text(const struct totals_view *view)
{
	const struct totals *totals = view->totals;

	print_title(view);
	print_counts(view, true);
	print_counts(view, false);
	print_flop(view, KERMON_SINGLE, "floating-point operations, single");
	print_flop(view, KERMON_DOUBLE, "floating-point operations, double");
	print_flop(view, KERMON_MIXED, "floating-point operations");
	print_roofline(view);
	print_usage(view, "context-switches", &totals->switches);
	print_usage(view, "page-faults", &totals->faults);
	fputc('\n', view->out);
	print_seconds(view, "seconds elapsed", &totals->elapsed);
	print_seconds(view, "seconds user", &totals->user);
	print_seconds(view, "seconds system", &totals->system);
	fputc('\n', view->out);
	return view->report ? totals_print_threads(view) : 0;
}
