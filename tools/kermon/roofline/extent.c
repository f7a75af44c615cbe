// SPDX-License-Identifier: GPL-2.0
/* Finds the part of the plane that shows all samples and the ceilings above them. */
#include <math.h>

#include "extent.h"

/* What is further below the highest value is shown at the edge. */
#define DECADES	1e4

/* Room around the outermost points, as a factor. */
#define MARGIN	1.6

static void include(struct extent *extent, struct point point)
{
	if (!extent->any)
		*extent = (struct extent){ point.x, point.x, point.y, point.y, true };
	extent->x_min = fmin(extent->x_min, point.x);
	extent->x_max = fmax(extent->x_max, point.x);
	extent->y_min = fmin(extent->y_min, point.y);
	extent->y_max = fmax(extent->y_max, point.y);
}

static bool is_place(const struct point *point)
{
	return isfinite(point->x) && isfinite(point->y) && point->x > 0 && point->y > 0;
}

bool point_of_sample(const struct kermon_roofline_sample *sample, struct point *point)
{
	*point = (struct point){
		kermon_intensity(&sample->operations, sample->operations.bytes),
		sample->operations.all_flop / kermon_roofline_seconds(sample),
	};
	return is_place(point);
}

bool point_of_sums(const struct kermon_roofline_sums *sums, struct point *point)
{
	*point = (struct point){
		kermon_roofline_intensity(sums, sums->bytes), kermon_roofline_flops(sums),
	};
	return is_place(point);
}

static void include_run(struct extent *extent, const struct roofline_run *run)
{
	const struct kermon_roofline_sample *sample;
	struct point point;

	for (size_t i = 0; (sample = kermon_roofline_sample(run->table, i)); i++)
		if (point_of_sample(sample, &point))
			include(extent, point);
	if (point_of_sums(kermon_roofline_total(run->table), &point))
		include(extent, point);
}

/* Ceilings of different numbers of threads do not meet. */
static double highest(const struct roofs *roofs, unsigned int kind, unsigned int threads)
{
	double found = 0;

	for (size_t i = 0; i < roofs->nr; i++)
		if (roofs->all[i].shown && roofs->all[i].from->kind == kind &&
		    roofs->all[i].from->threads == threads)
			found = fmax(found, roofs->all[i].from->value);
	return found;
}

/* The ridges: where the bandwidths meet the highest peak. */
static void include_roofs(struct extent *extent, const struct roofs *roofs)
{
	const struct kermon_ceiling *from;
	double peak;

	for (size_t i = 0; i < roofs->nr; i++) {
		from = roofs->all[i].from;
		if (!roofs->all[i].shown)
			continue;
		peak = highest(roofs, KERMON_CEILING_FLOPS, from->threads);
		if (from->kind == KERMON_CEILING_BANDWIDTH && peak > 0)
			include(extent, (struct point){ peak / from->value, peak });
		else
			include(extent, (struct point){ 1, from->value });
	}
}

struct extent extent_of(const struct roofline_view *view)
{
	struct extent extent = { 0 };

	for (size_t i = 0; i < view->nr_runs; i++)
		include_run(&extent, &view->runs[i]);
	for (size_t i = 0; i < view->nr_machines; i++)
		include_roofs(&extent, &view->machines[i]);
	if (!extent.any)
		extent = (struct extent){ 0.01, 100, 1e8, 1e11, false };
	extent.x_min = fmax(extent.x_min, extent.x_max / DECADES) / MARGIN;
	extent.y_min = fmax(extent.y_min, extent.y_max / DECADES) / MARGIN;
	extent.x_max *= MARGIN * MARGIN;
	extent.y_max *= MARGIN;
	return extent;
}

static bool is_outside(const struct extent *extent, const struct point *point)
{
	return point->x < extent->x_min || point->y < extent->y_min;
}

bool extent_cuts(const struct roofline_view *view, const struct extent *extent)
{
	const struct kermon_roofline_sample *sample;
	struct point point;

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; (sample = kermon_roofline_sample(view->runs[i].table, j)); j++)
			if (point_of_sample(sample, &point) && is_outside(extent, &point))
				return true;
	return false;
}

struct point point_inside(const struct extent *extent, struct point point)
{
	return (struct point){
		fmin(fmax(point.x, extent->x_min), extent->x_max),
		fmin(fmax(point.y, extent->y_min), extent->y_max),
	};
}

bool extent_roof(const struct roofs *roofs, const struct extent *extent, const struct roof *roof,
		 struct point *from, struct point *to)
{
	const unsigned int threads = roof->from->threads;
	const double bandwidth = highest(roofs, KERMON_CEILING_BANDWIDTH, threads);
	const double peak = highest(roofs, KERMON_CEILING_FLOPS, threads);
	const double value = roof->from->value;

	if (roof->from->kind == KERMON_CEILING_FLOPS) {
		from->x = bandwidth > 0 ? fmax(extent->x_min, value / bandwidth) : extent->x_min;
		to->x = extent->x_max;
		from->y = to->y = value;
	} else {
		from->x = fmax(extent->x_min, extent->y_min / value);
		to->x = fmin(extent->x_max, (peak > 0 ? peak : extent->y_max) / value);
		from->y = from->x * value;
		to->y = to->x * value;
	}
	return roof->shown && from->x < to->x;
}

double extent_seconds(const struct roofline_view *view)
{
	const struct kermon_roofline_origin *origin;
	double longest = 0;

	for (size_t i = 0; i < view->nr_runs; i++) {
		origin = kermon_roofline_origin(view->runs[i].table);
		longest = fmax(longest, (double)(origin->end - origin->begin) / 1e9);
	}
	return longest > 0 ? longest : 1;
}
