// SPDX-License-Identifier: GPL-2.0
/* How the numbers of a roofline are to be understood: every output has these texts. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "roofline.h"

/* Room for a label that is not one of the recording's. */
#define LABEL_SIZE	512

void labels_add(struct roofline_view *view, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	notes_add(&view->labels, "roofline", format, args);
	va_end(args);
}

/* Of several recordings, the label names the one that it is about. */
static void add_of(struct roofline_view *view, const struct roofline_run *run,
		   const char *text)
{
	if (view->nr_runs > 1)
		labels_add(view, "%s: %s", run->label, text);
	else
		labels_add(view, "%s", text);
}

/* The share of the bytes whose width was assumed without any evidence. */
static double assumed_share(const struct roofline_run *run)
{
	const double all = kermon_roofline_total(run->table)->bytes;
	const struct kermon_roofline_sample *sample;
	double assumed = 0;

	for (size_t i = 0; (sample = kermon_roofline_sample(run->table, i)); i++)
		if (sample->operations.basis == KERMON_BYTES_ASSUMED)
			assumed += sample->operations.bytes;
	return all > 0 ? assumed / all : 0;
}

static void label_bytes(struct roofline_view *view, const struct roofline_run *run)
{
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);
	const double assumed = assumed_share(run);
	char text[LABEL_SIZE], part[96] = "", range[96] = "";

	if (total->flop == 0) {
		add_of(view, run, "no floating-point operations were executed: samples have no place among the ceilings");
		return;
	}
	if (!kermon_roofline_basis(run->table)->accesses) {
		add_of(view, run, "loads and stores were not counted: bytes and intensity are unknown");
		return;
	}
	if (kermon_roofline_basis(run->table)->bytes < KERMON_BYTES_BY_MIX)
		return;
	if (assumed >= 0.005)
		snprintf(part, sizeof(part), " (%.0f %% of the bytes: 8 bytes each, because there were none)",
			 100 * assumed);
	if (total->placed_flop > 0)
		snprintf(range, sizeof(range), "; intensity is between %.3g and %.3g FLOP/byte",
			 kermon_roofline_intensity(total, total->bytes_high),
			 kermon_roofline_intensity(total, total->bytes_low));
	snprintf(text, sizeof(text), "bytes are estimated: loads and stores, each as wide as the floating-point instructions on average%s%s",
		 part, range);
	add_of(view, run, text);
}

/* Every CPU has these; AVX-512 is only missing where there is none. */
static bool counts_all(const struct kermon_roofline_basis *basis)
{
	bool any = basis->counted[KERMON_MIXED][KERMON_SIMD_UNKNOWN];

	for (unsigned int i = KERMON_SINGLE; i <= KERMON_DOUBLE; i++) {
		any |= basis->counted[i][KERMON_SIMD_UNKNOWN];
		for (unsigned int j = KERMON_SIMD_SCALAR; j <= KERMON_SIMD_256; j++)
			if (!basis->counted[i][j])
				return any;
	}
	return true;
}

/* @error: as a part of the counts; not a number if no sample has all sets */
static void add_rotation(struct roofline_view *view, const struct roofline_run *run, uint32_t sets,
			 double error)
{
	char text[LABEL_SIZE];

	if (isnan(error))
		snprintf(text, sizeof(text), "%" PRIu32 " event sets were rotated, and no sample has a turn of each: record longer, or each set in a run of its own and join them with 'kermon merge'",
			 sets);
	else
		snprintf(text, sizeof(text), "%" PRIu32 " event sets were rotated: samples are joined until each set has had a turn, and counts scaled to the time on the CPU; error %.3g %% on average, by instructions",
			 sets, 100 * error);
	add_of(view, run, text);
}

/* Sets such as set1 have only some operations, which the numbers do not show. */
static void label_classes(struct roofline_view *view, const struct roofline_run *run)
{
	static const char *const precisions[] = {
		[KERMON_SINGLE] = "single", [KERMON_DOUBLE] = "double",
	};
	static const char *const classes[] = { "", " scalar", " SSE", " AVX", " AVX-512" };
	const struct kermon_roofline_basis *basis = kermon_roofline_basis(run->table);
	char text[LABEL_SIZE];
	size_t length;
	bool any = false;

	if (counts_all(basis))
		return;
	length = snprintf(text, sizeof(text), "only some operations were counted:");
	for (unsigned int i = KERMON_SINGLE; i <= KERMON_DOUBLE; i++)
		for (unsigned int j = 0; j < KERMON_SIMDS; j++) {
			if (!basis->counted[i][j])
				continue;
			length += snprintf(text + length, sizeof(text) - length, "%s %s%s",
					   any ? "," : "", precisions[i], classes[j]);
			any = true;
		}
	add_of(view, run, text);
}

/* Whether no CPU ever counted all that is needed at the same time. */
static bool has_no_whole_sample(const struct roofline_run *run)
{
	const struct kermon_roofline_basis *basis = kermon_roofline_basis(run->table);
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);

	return run_is_of_cpus(run) && total->samples &&
	       !(basis->accesses ? total->placed > 0 : total->counted > 0);
}

static bool has_statement(const struct roofline_run *run, const char *id)
{
	const struct kermon_statements *statements = kermon_roofline_statements(run->table);

	for (size_t i = 0; i < statements->nr; i++)
		if (!strcmp(statements->all[i].id, id))
			return true;
	return false;
}

static void label_counts(struct roofline_view *view, const struct roofline_run *run)
{
	const struct kermon_roofline_basis *basis = kermon_roofline_basis(run->table);
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);
	char text[LABEL_SIZE];

	if (basis->executed)
		add_of(view, run, "operations were counted when executed, not when retired: on hardware, more than the program did");
	if (basis->sets)
		add_rotation(view, run, basis->sets, total->error);
	if (has_no_whole_sample(run))
		add_of(view, run, has_statement(run, "changed") ?
		       "no sample has all events, because CPUs counted one set after another: record each set in a run of its own and join them with 'kermon merge'" :
		       "no sample has all events, because CPUs counted different sets, or an earlier version of kermon spy omitted counts of 0: record each set in a run of its own and join them with 'kermon merge'");
	if (basis->runs) {
		snprintf(text, sizeof(text), "counts come from %" PRIu32 " runs, joined by executed instructions%s, which differ by up to %.2g %%",
			 basis->runs, run_is_of_cpus(run) ? " of each CPU" : "", 100 * basis->apart);
		add_of(view, run, text);
	}
	if (total->busy > 0 && total->counted < 0.999 * total->seconds && basis->flop) {
		snprintf(text, sizeof(text), "in %.1f %% of the time, operations were not counted: rates refer to the rest",
			 100 * (1 - total->counted / total->seconds));
		add_of(view, run, text);
	}
}

static bool is_spread(const struct roofline_run *run)
{
	const struct kermon_roofline_interval *stay;

	for (size_t i = 0; (stay = kermon_roofline_interval(run->table, i)); i++)
		if (stay_is_spread(stay))
			return true;
	return false;
}

static void label_monitor(struct roofline_view *view, const struct roofline_run *run)
{
	switch (kermon_roofline_origin(run->table)->monitor) {
	case KERMON_MONITOR_SPY:
		add_of(view, run, "counts are those of CPUs, whichever tasks ran there; idle time is part of the time");
		break;
	case KERMON_MONITOR_PERF:
		add_of(view, run, "counts are estimates of perf_event, each sample of which stands for its period; samples here are slices of time, over which they are spread evenly");
		break;
	default:
		if (is_spread(run))
			add_of(view, run, "in coalesced intervals (--coalesce), when a thread was on its CPU is not known: counts, time and energy are spread evenly over them");
		break;
	}
	if (run->model)
		add_of(view, run, "model cycles: recorded on an emulated CPU; counts are exact, times and rates are those of the model");
}

/* Ceilings of one thread are below what several can reach together. */
static void label_parallel(struct roofline_view *view, const struct roofline_run *run)
{
	const unsigned int threads = roofs_threads(run), one = roofs_one_thread(run->roofs);
	const char *unit = run_is_of_cpus(run) ? "CPU" : "thread";
	char text[LABEL_SIZE];

	if (!roofs_apply(run) || threads <= one)
		return;
	snprintf(text, sizeof(text), "%.3g %ss ran at the same time on average: compare the application with the ceilings of %u threads (dashed in pictures), each %s and sample with those of %u",
		 run_parallel(run), unit, threads, unit, one);
	add_of(view, run, text);
}

/* Whether any function has a time. */
static bool has_clock(const struct roofline_run *run)
{
	const struct kermon_roofline_sums *sums;

	for (size_t i = 0; (sums = run_sums(run, BY_FUNCTION, i)); i++)
		if (sums->seconds > 0)
			return true;
	return false;
}

/* What functions mean, if they were asked for. */
static void label_functions(struct roofline_view *view, const struct roofline_run *run)
{
	const bool are_slices = kermon_roofline_origin(run->table)->monitor == KERMON_MONITOR_PERF;

	if (!view_has_functions(view))
		return;
	if (!kermon_roofline_function(run->table, 0))
		add_of(view, run, run_is_of_cpus(run) ?
		       "functions are not known: samples are of CPUs, and have no addresses" :
		       "functions are not known: samples have no addresses");
	else if (!are_slices)
		add_of(view, run, "a sample counts as that of the function in which it ended: of short functions, it contains counts of others");
	else if (has_clock(run))
		add_of(view, run, "sums of functions are those of the samples of perf_event in them; a slice of time, and a dot, is of several functions");
	else
		add_of(view, run, "how long functions ran is not known: record an event of time, too: perf record -e task-clock,...");
}

static void label_energy(struct roofline_view *view, const struct roofline_run *run)
{
	const struct kermon_roofline_basis *basis = kermon_roofline_basis(run->table);

	if (!basis->energy)
		return;
	add_of(view, run, "shared energy: joules are those of all that ran on the package; those of threads overlap, those of the application are counted once");
	if (kermon_roofline_origin(run->table)->monitor == KERMON_MONITOR_SPY)
		add_of(view, run, "joules and watts are spread evenly over the time between two readings of energy, which may be that of several samples");
	if (!basis->packages)
		add_of(view, run, "which CPU is in which package is unknown: energy is counted as that of one package");
}

static void label_statements(struct roofline_view *view, const struct roofline_run *run)
{
	const struct kermon_statements *statements = kermon_roofline_statements(run->table);

	for (size_t i = 0; i < statements->nr; i++)
		if (statements->all[i].limits && strcmp(statements->all[i].id, "rotated") &&
		    strcmp(statements->all[i].id, "per-cpu"))
			add_of(view, run, statements->all[i].text);
}

/* Whether a recording has operations, or loads and stores, that the other one lacks. */
static bool has_more(const struct kermon_roofline_basis *one,
		     const struct kermon_roofline_basis *other)
{
	bool more = one->accesses && !other->accesses;

	for (unsigned int i = 0; i < KERMON_PRECISIONS; i++)
		for (unsigned int j = 0; j < KERMON_SIMDS; j++)
			more |= one->counted[i][j] && !other->counted[i][j];
	return more;
}

/* Whether 'kermon merge' could join two recordings, each of which lacks what the other has. */
static bool complete_each_other(const struct roofline_run *one, const struct roofline_run *other)
{
	const struct kermon_roofline_basis *a = kermon_roofline_basis(one->table);
	const struct kermon_roofline_basis *b = kermon_roofline_basis(other->table);
	const uint8_t monitor = kermon_roofline_origin(one->table)->monitor;

	return monitor == kermon_roofline_origin(other->table)->monitor &&
	       monitor != KERMON_MONITOR_PERF && machines_are_same(one, other) &&
	       has_more(a, b) && has_more(b, a);
}

/* Recordings of a set each are not joined because they are given together. */
static void label_parts(struct roofline_view *view)
{
	for (size_t i = 1; i < view->nr_runs; i++) {
		if (!complete_each_other(&view->runs[0], &view->runs[i]))
			continue;
		labels_add(view, "%s and %s have different events, each without those of the other: if they are runs of one program, join them with 'kermon merge'",
			   view->runs[0].label, view->runs[i].label);
		return;
	}
}

void labels_make(struct roofline_view *view)
{
	const struct roofline_run *run;

	for (size_t i = 0; i < view->nr_runs; i++) {
		run = &view->runs[i];
		label_monitor(view, run);
		if (kermon_roofline_basis(run->table)->flop) {
			label_classes(view, run);
			label_counts(view, run);
			label_bytes(view, run);
			label_parallel(view, run);
		}
		label_functions(view, run);
		label_energy(view, run);
		label_statements(view, run);
	}
	label_parts(view);
}
