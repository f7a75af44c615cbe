// SPDX-License-Identifier: GPL-2.0
/* Chooses ticks that people can read, and places values between the ends of an axis. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "scale.h"

/* Rounding errors of a sum of steps are far below this part of a step. */
#define TOLERANCE	1e-6

static double round_step(double least)
{
	const double power = pow(10, floor(log10(least)));

	if (least <= power)
		return power;
	if (least <= 2 * power)
		return 2 * power;
	return least <= 5 * power ? 5 * power : 10 * power;
}

struct scale scale_of(double min, double max, double from, double to, int ticks)
{
	struct scale scale = { .min = min, .max = max, .from = from, .to = to };

	if (scale.max <= scale.min)
		scale.max = scale.min + 1;
	scale.step = round_step((scale.max - scale.min) / ticks);
	scale.decimals = scale.step < 1 ?
			 (int)ceil(-log10(scale.step) - TOLERANCE) : 0;
	return scale;
}

/* Ticks at powers of ten alone if there are at least three. */
struct scale scale_log(double min, double max, double from, double to)
{
	struct scale scale = { .min = min, .max = max, .from = from, .to = to, .is_log = true };

	if (!(scale.max >= 2 * scale.min))
		scale.max = 2 * scale.min;
	scale.step = scale.max / scale.min >= 1e3 ? 10 : 1;
	return scale;
}

double scale_position(const struct scale *scale, double value)
{
	if (scale->is_log)
		return scale->from + log(value / scale->min) / log(scale->max / scale->min) *
				     (scale->to - scale->from);
	return scale->from + (value - scale->min) / (scale->max - scale->min) *
			     (scale->to - scale->from);
}

/* The least of 1, 2 and 5 times a power of ten, or of powers of ten, above @value. */
static double next_log(const struct scale *scale, double value)
{
	static const double parts[] = { 1, 2, 5, 10 };
	const double power = pow(10, floor(log10(value) + TOLERANCE));

	for (size_t i = scale->step > 1 ? 3 : 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i] * power > value * (1 + TOLERANCE))
			return parts[i] * power;
	return 10 * power;
}

double scale_first(const struct scale *scale)
{
	if (scale->is_log)
		return next_log(scale, scale->min * (1 - 3 * TOLERANCE));
	return ceil(scale->min / scale->step - TOLERANCE) * scale->step;
}

/* Counts in steps, so that errors do not add up; the last tick may be exactly @max. */
double scale_next(const struct scale *scale, double tick)
{
	const double next = (round(tick / scale->step) + 1) * scale->step;

	if (scale->is_log)
		return next_log(scale, tick);
	return fabs(next - scale->max) < TOLERANCE * scale->step ? scale->max : next;
}

void scale_label(const struct scale *scale, double tick, char text[SCALE_LABEL])
{
	if (scale->is_log) {
		snprintf(text, SCALE_LABEL, "%g", tick);
		return;
	}
	/* no "-0" */
	if (fabs(tick) < TOLERANCE * scale->step)
		tick = 0;
	snprintf(text, SCALE_LABEL, "%.*f", scale->decimals, tick);
}

static struct scale_unit largest(const struct scale_unit *units, double max)
{
	while (units[1].name && max >= units[1].factor)
		units++;
	return *units;
}

struct scale_unit scale_duration(double max)
{
	static const struct scale_unit units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, {},
	};

	return largest(units, max);
}

struct scale_unit scale_number(double max)
{
	static const struct scale_unit units[] = {
		{ "", 1 }, { "thousands", 1e3 }, { "millions", 1e6 },
		{ "thousand millions", 1e9 }, {},
	};

	return largest(units, max / 10);
}
