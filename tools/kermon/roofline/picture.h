/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that draw the picture of a roofline: the plane, time, and CPUs. */
#ifndef KERMON_ROOFLINE_PICTURE_H
#define KERMON_ROOFLINE_PICTURE_H

#include "plot/chart.h"
#include "plot/svg.h"
#include "roofline.h"

#define PICTURE_WIDTH	980
#define PLANE_HEIGHT	520
#define TIME_HEIGHT	210
#define LANE_HEIGHT	16

/* Draw at @top; each returns the position below, or a negative errno. */
double picture_plane(const struct roofline_view *view, FILE *out, double top);
double picture_times(const struct roofline_view *view, FILE *out, double top);
double picture_lanes(const struct roofline_view *view, FILE *out, double top);

/* The height of each. */
double picture_times_height(const struct roofline_view *view);
double picture_lanes_height(const struct roofline_view *view);

/* The colour of a recording or a thread, as a class: "c3". */
const char *picture_colour(size_t number);

#endif /* KERMON_ROOFLINE_PICTURE_H */
