/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to extent.c: which part of the plane a roofline shows, and where samples are. */
#ifndef KERMON_ROOFLINE_EXTENT_H
#define KERMON_ROOFLINE_EXTENT_H

#include "roofline.h"

/**
 * struct extent - the least and the highest value of each axis
 * @x_min: FLOP per byte, likewise @x_max
 * @y_min: FLOP per second, likewise @y_max
 * @any: there are samples or ceilings to show
 */
struct extent {
	double x_min;
	double x_max;
	double y_min;
	double y_max;
	bool any;
};

/* Of all samples, averages and ceilings that are shown. */
struct extent extent_of(const struct roofline_view *view);

/**
 * struct point - where something is
 * @x: FLOP per byte
 * @y: FLOP per second
 */
struct point {
	double x;
	double y;
};

/* Returns whether it has a place: it executed operations, and its bytes are known. */
bool point_of_sample(const struct kermon_roofline_sample *sample, struct point *point);
bool point_of_sums(const struct kermon_roofline_sums *sums, struct point *point);

/* Whether any sample is beyond an edge. */
bool extent_cuts(const struct roofline_view *view, const struct extent *extent);

/* At the edge if it is outside. */
struct point point_inside(const struct extent *extent, struct point point);

/*
 * The part of a ceiling that is drawn: a peak begins at the highest bandwidth of as many
 * threads, and a bandwidth ends at the highest such peak. Returns whether any of it is in the extent.
 */
bool extent_roof(const struct roofs *roofs, const struct extent *extent, const struct roof *roof,
		 struct point *from, struct point *to);

/* All recordings begin at 0: the length of the longest one, in seconds. */
double extent_seconds(const struct roofline_view *view);

#endif /* KERMON_ROOFLINE_EXTENT_H */
