// SPDX-License-Identifier: GPL-2.0
/* What a roofline says about an application, in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "roofline.h"

/* A point may be this far above a ceiling and still be at it: both are measured. */
#define TOLERANCE	1.02

/* Below this part of the lowest ceiling, something else is likely to bind. */
#define FAR_BELOW	0.25

/* Phases shorter than this part of the time are not mentioned. */
#define PHASE		0.05

const char *simd_name(unsigned int simd)
{
	static const char *const names[KERMON_SIMDS] = { NULL, "scalar", "sse", "avx", "avx512" };

	return simd < KERMON_SIMDS ? names[simd] : NULL;
}

/* Class of the instructions that a peak was measured with. */
static unsigned int simd_of(const struct kermon_ceiling *ceiling)
{
	for (unsigned int i = KERMON_SIMD_SCALAR; ceiling->isa && i < KERMON_SIMDS; i++)
		if (!strcmp(ceiling->isa, simd_name(i)))
			return i;
	return KERMON_SIMDS;
}

static bool applies(const struct place *place, const struct roof *roof)
{
	return roof->highest && roof->from->threads == place->threads &&
	       (roof->from->kind != KERMON_CEILING_FLOPS ||
		simd_of(roof->from) >= place->simd);
}

/* The lowest ceiling that allows at least @flops there. */
static const struct roof *lowest_from(const struct place *place, double flops)
{
	const struct roofs *roofs = place->roofs;
	const struct roof *found = NULL;
	double at;

	for (size_t i = 0; i < roofs->nr; i++) {
		if (!applies(place, &roofs->all[i]))
			continue;
		at = roof_at(&roofs->all[i], place->intensity);
		if (at >= flops && (!found || at < roof_at(found, place->intensity)))
			found = &roofs->all[i];
	}
	return found;
}

static double highest_of(const struct place *place, unsigned int kind)
{
	const struct roofs *roofs = place->roofs;
	double highest = 0;

	for (size_t i = 0; i < roofs->nr; i++)
		if (applies(place, &roofs->all[i]) && roofs->all[i].from->kind == kind)
			highest = fmax(highest, roof_at(&roofs->all[i], place->intensity));
	return highest;
}

/* What cannot be exceeded: the highest bandwidth, and the highest peak. */
static double limit_at(const struct place *place)
{
	const double bandwidth = highest_of(place, KERMON_CEILING_BANDWIDTH);
	const double peak = highest_of(place, KERMON_CEILING_FLOPS);

	return bandwidth > 0 && peak > 0 ? fmin(bandwidth, peak) : fmax(bandwidth, peak);
}

const struct roof *verdict_binding(const struct place *place, const struct roof **next)
{
	const double limit = limit_at(place);
	const struct roof *binding;
	double at;

	*next = NULL;
	if (!(limit > 0) || !(place->flops > 0) || !(place->intensity > 0))
		return NULL;
	binding = lowest_from(place, fmin(place->flops / TOLERANCE, limit));
	at = roof_at(binding, place->intensity);
	*next = lowest_from(place, nextafter(at, INFINITY));
	if (*next && roof_at(*next, place->intensity) > limit)
		*next = NULL;
	return binding;
}

static void write_next(const struct roof *next, double intensity, double at, char *text,
		       size_t size)
{
	if (next)
		snprintf(text, size, "; next: %s, %.3g times as high", next->from->label,
			 roof_at(next, intensity) / at);
	else
		snprintf(text, size, "; no ceiling is above it at this intensity");
}

/* Why that ceiling may not be the one: of another number of threads, or too far above. */
static void write_doubt(const struct roofline_run *run, double part, char *text, size_t size)
{
	const unsigned int ran = roofs_wanted(run), threads = roofs_threads(run);

	*text = '\0';
	if (ran != threads)
		snprintf(text, size, ". As many as %u ran at the same time, but these ceilings are of %u: what binds is not known; measure with kermon roofline bench --threads %u",
			 ran, threads, ran);
	else if (part < FAR_BELOW)
		snprintf(text, size, ". That far below, latency or dependent instructions are more likely to bind than this ceiling");
}

static const char *relation_of(const struct roofline_run *run, double part)
{
	if (part > TOLERANCE)
		return "above each ceiling, the highest of which is set by";
	return roofs_wanted(run) == roofs_threads(run) ? "bound by" : "below";
}

static void write_binding(const struct roofline_run *run, double intensity, double flops,
			  char text[VERDICT_SIZE])
{
	const struct place place = {
		.roofs = run->roofs, .threads = roofs_threads(run),
		.simd = kermon_roofline_total(run->table)->simd,
		.intensity = intensity, .flops = flops,
	};
	const struct roof *next, *binding = verdict_binding(&place, &next);
	const char *simd = simd_name(place.simd);
	char above[VERDICT_SIZE / 4], doubt[VERDICT_SIZE / 4];
	double at, part;

	if (!binding)
		return;
	at = roof_at(binding, intensity);
	part = flops / at;
	write_next(next, intensity, at, above, sizeof(above));
	write_doubt(run, part, doubt, sizeof(doubt));
	snprintf(text, VERDICT_SIZE, "%s: %.3g GFLOP/s at %.3g FLOP/byte%s%s: %s %s: at %.0f %% of its %.3g GFLOP/s%s%s",
		 run->label, flops / 1e9, intensity, simd ? ", mostly " : "", simd ? simd : "",
		 relation_of(run, part), binding->from->label, 100 * part, at / 1e9, above,
		 doubt);
}

/* Without bytes, only peaks can be compared. */
static void write_unplaced(const struct roofline_run *run, double flops,
			   char text[VERDICT_SIZE])
{
	const struct place place = {
		.roofs = run->roofs, .threads = roofs_threads(run),
		.simd = kermon_roofline_total(run->table)->simd,
		.intensity = 1, .flops = flops,
	};
	const double peak = highest_of(&place, KERMON_CEILING_FLOPS);

	if (peak > 0)
		snprintf(text, VERDICT_SIZE, "%s: %.3g GFLOP/s: %.0f %% of the highest peak; what binds is unknown, because loads and stores were not counted",
			 run->label, flops / 1e9, 100 * flops / peak);
}

/* The time in which each ceiling binds, by its index; returns the sum. */
static double sum_phases(const struct roofline_run *run, double *seconds)
{
	const struct kermon_roofline_sample *sample;
	struct place place = {
		.roofs = run->roofs, .threads = roofs_one_thread(run->roofs),
	};
	const struct roof *binding, *next;
	struct point point;
	double all = 0;

	for (size_t i = 0; (sample = kermon_roofline_sample(run->table, i)); i++) {
		if (!point_of_sample(sample, &point))
			continue;
		place.intensity = point.x;
		place.flops = point.y;
		place.simd = sample->operations.simd;
		binding = verdict_binding(&place, &next);
		if (!binding)
			continue;
		seconds[binding - run->roofs->all] += kermon_roofline_seconds(sample);
		all += kermon_roofline_seconds(sample);
	}
	return all;
}

/* An average is where no phase may be: say in which part of the time each ceiling binds. */
static void write_phases(const struct roofline_run *run, char text[VERDICT_SIZE])
{
	double *seconds = calloc(run->roofs->nr + 1, sizeof(*seconds));
	size_t length = strlen(text), most;
	const double all = seconds ? sum_phases(run, seconds) : 0;

	for (bool any = false; all > 0; any = true) {
		most = 0;
		for (size_t i = 0; i < run->roofs->nr; i++)
			if (seconds[i] > seconds[most])
				most = i;
		if (seconds[most] < PHASE * all)
			break;
		length += snprintf(text + length, VERDICT_SIZE - length, "%s %.0f %% of the time by %s",
				   any ? "," : ". Its samples are bound for", 100 * seconds[most] / all,
				   run->roofs->all[most].from->label);
		if (length >= VERDICT_SIZE)
			break;
		seconds[most] = 0;
	}
	free(seconds);
}

void verdict_write(const struct roofline_run *run, char text[VERDICT_SIZE])
{
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);
	const double flops = kermon_roofline_flops(total);
	const double intensity = kermon_roofline_intensity(total, total->bytes);

	*text = '\0';
	if (!roofs_apply(run) || !(flops > 0))
		return;
	if (intensity > 0)
		write_binding(run, intensity, flops, text);
	else
		write_unplaced(run, flops, text);
	if (*text)
		write_phases(run, text);
}

double sums_joules_per_flop(const struct roofline_run *run,
			    const struct kermon_roofline_sums *sums)
{
	const int package = run_domain(run, "package");

	return package >= 0 && sums->flop > 0 ? sums->counted_joules[package] / sums->flop : NAN;
}
