/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to scale.c: from values to positions in a picture, and where an axis has ticks.
 */
#ifndef KERMON_SCALE_H
#define KERMON_SCALE_H

#include <stdbool.h>

#define SCALE_LABEL	32

/**
 * struct scale - linear or logarithmic
 * @min: value at position @from
 * @max: value at position @to
 * @step: distance of ticks, which are multiples of it: 1, 2 or 5 times a power of ten
 * @decimals: that tell the labels of ticks apart
 * @is_log: positions are those of logarithms, ticks are powers of ten or 1, 2 and 5 times
 *	these, and @step tells which: 10, or 1
 */
struct scale {
	double min;
	double max;
	double from;
	double to;
	double step;
	int decimals;
	bool is_log;
};

/* About @ticks ticks; @max is raised if it is not above @min. */
struct scale scale_of(double min, double max, double from, double to, int ticks);

/* The same, logarithmic: @min is above 0, and @max is raised to at least twice as much. */
struct scale scale_log(double min, double max, double from, double to);

double scale_position(const struct scale *scale, double value);

/* The first tick, and the one after @tick; none is left when it is above @max. */
double scale_first(const struct scale *scale);
double scale_next(const struct scale *scale, double tick);

void scale_label(const struct scale *scale, double tick, char text[SCALE_LABEL]);

/**
 * struct scale_unit - what a value is divided by before it is shown
 * @name: of the unit
 * @factor: its size
 */
struct scale_unit {
	const char *name;
	double factor;
};

/* The largest unit in which a duration of @max ns is at least 1, a number at least 10. */
struct scale_unit scale_duration(double max);
struct scale_unit scale_number(double max);

#endif /* KERMON_SCALE_H */
