// SPDX-License-Identifier: GPL-2.0
/* Draws the plane of a roofline: ceilings, a dot for each sample, and averages. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "extent.h"
#include "picture.h"

#define DEGREES		57.29577951308232

/* Names of peaks that are closer than that would cover each other. */
#define NAME_HEIGHT	13
#define NAME_SHIFT	230

#define SIZES		4

/* Diameters of dots, by the duration of the sample: below a millisecond, ten, a hundred. */
static const double sizes[SIZES] = { 5, 7, 9, 12 };

static unsigned int size_of(const struct kermon_roofline_sample *sample)
{
	const double seconds = kermon_roofline_seconds(sample);

	return seconds < 1e-3 ? 0 : seconds < 1e-2 ? 1 : seconds < 1e-1 ? 2 : 3;
}

/* Several recordings are told apart by colour, unless another meaning was asked for. */
static bool colours_are_runs(const struct roofline_view *view)
{
	return view->nr_runs > 1 && view->dots == DOTS_TIME;
}

static unsigned int shade_of(const struct roofline_run *run,
			     const struct kermon_roofline_sample *sample)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);
	const double length = (double)(origin->end - origin->begin);
	const double at = (double)(sample->end - origin->begin);
	const unsigned int shade = length > 0 ? SVG_SHADES * at / length : 0;

	return shade < SVG_SHADES ? shade : SVG_SHADES - 1;
}

/* By enum kermon_simd. */
static const unsigned int simd_colours[KERMON_SIMDS] = { 7, 0, 2, 1, 6 };
static const char *const simd_names[KERMON_SIMDS] = {
	"class unknown", "scalar", "SSE (128 bits)", "AVX (256 bits)", "AVX-512",
};

static unsigned int simd_of(const struct kermon_roofline_sample *sample)
{
	const unsigned int simd = sample->operations.simd;

	return simd < KERMON_SIMDS ? simd : KERMON_SIMD_UNKNOWN;
}

/* Which of the groups of dots with one colour a sample belongs to. */
static unsigned int group_of(const struct roofline_view *view, size_t number,
			     const struct kermon_roofline_sample *sample)
{
	if (colours_are_runs(view))
		return number;
	return view->dots == DOTS_SIMD ? simd_of(sample) :
					 shade_of(&view->runs[number], sample);
}

static void group_class(const struct roofline_view *view, unsigned int group, char class[8])
{
	if (view->dots == DOTS_TIME && !colours_are_runs(view))
		snprintf(class, 8, "t%u", group % SVG_SHADES);
	else
		snprintf(class, 8, "c%u", (view->dots == DOTS_SIMD ? simd_colours[group] : group) %
					  SVG_COLOURS);
}

static unsigned int nr_groups(const struct roofline_view *view)
{
	if (colours_are_runs(view))
		return view->nr_runs;
	return view->dots == DOTS_SIMD ? KERMON_SIMDS : SVG_SHADES;
}

/**
 * struct cloud - room for the points of a group
 * @x: FLOP per byte, with room for those of all recordings; likewise @y, GFLOP per second
 */
struct cloud {
	double *x;
	double *y;
};

/* The dots of one colour and one size are one element. */
static void draw_group(const struct roofline_view *view, const struct chart *chart,
		       const struct extent *extent, const struct cloud *cloud,
		       unsigned int group, unsigned int size)
{
	const struct kermon_roofline_sample *sample;
	struct dots dots = { .size = sizes[size], .x = cloud->x, .y = cloud->y };
	struct point point;
	char class[8];

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; (sample = kermon_roofline_sample(view->runs[i].table, j)); j++) {
			if (size_of(sample) != size || group_of(view, i, sample) != group ||
			    !point_of_sample(sample, &point))
				continue;
			point = point_inside(extent, point);
			cloud->x[dots.nr] = point.x;
			cloud->y[dots.nr++] = point.y / 1e9;
		}
	group_class(view, group, class);
	dots.class = class;
	chart_dots(chart, &dots);
}

static size_t nr_samples(const struct roofline_view *view)
{
	size_t nr = 0;

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; kermon_roofline_sample(view->runs[i].table, j); j++)
			nr++;
	return nr;
}

/* Long samples first, so that they do not cover short ones. */
static int draw_samples(const struct roofline_view *view, const struct chart *chart,
			const struct extent *extent)
{
	const size_t nr = nr_samples(view);
	struct cloud cloud = {
		calloc(nr + 1, sizeof(double)), calloc(nr + 1, sizeof(double)),
	};

	for (unsigned int size = SIZES; size-- > 0 && cloud.x && cloud.y;)
		for (unsigned int group = 0; group < nr_groups(view); group++)
			draw_group(view, chart, extent, &cloud, group, size);
	free(cloud.x);
	free(cloud.y);
	return cloud.x && cloud.y ? 0 : -ENOMEM;
}

/* Along a slope, or above a peak, further to the left if another name is there. */
static void name_roof(const struct chart *chart, const struct roof *roof,
		      const struct point *from, const struct point *to, double *last,
		      unsigned int *shifts)
{
	const double left = scale_position(&chart->to_x, from->x);
	const double right = scale_position(&chart->to_x, to->x);
	const double bottom = scale_position(&chart->to_y, from->y / 1e9);
	const double top = scale_position(&chart->to_y, to->y / 1e9);
	struct svg_text how = { .x = right, .y = top - 4, .anchor = SVG_END, .class = "note" };

	if (roof->from->kind == KERMON_CEILING_BANDWIDTH) {
		how.anchor = SVG_START;
		how.angle = atan2(bottom - top, right - left) * DEGREES;
		how.x = left + (roof->from->threads > 1 ? (right - left) / 2 : 14);
		how.y = bottom - (how.x - left) * tan(how.angle / DEGREES) - 4;
	} else if (fabs(top - *last) < NAME_HEIGHT) {
		how.x = fmax(right - NAME_SHIFT * ++*shifts, left + NAME_SHIFT);
	} else {
		*shifts = 0;
	}
	if (roof->from->kind == KERMON_CEILING_FLOPS)
		*last = top;
	svg_text(chart->out, &how, roof->from->label);
}

static int by_value(const void *a, const void *b)
{
	const struct roof *const *left = a, *const *right = b;
	const double l = (*left)->from->value, r = (*right)->from->value;

	return (l > r) - (l < r);
}

/* The roofs by value, so that names of neighbours are next to each other. */
static int draw_roofs(const struct roofline_view *view, const struct chart *chart,
		      const struct extent *extent)
{
	const struct roof **sorted = calloc(view->roofs.nr + 1, sizeof(*sorted));
	struct point from, to;
	unsigned int shifts = 0;
	double last = -1;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < view->roofs.nr; i++)
		sorted[i] = &view->roofs.all[i];
	qsort(sorted, view->roofs.nr, sizeof(*sorted), by_value);
	for (size_t i = 0; i < view->roofs.nr; i++) {
		if (!extent_roof(view, extent, sorted[i], &from, &to))
			continue;
		chart_line(chart, "roof", from.x, from.y / 1e9, to.x, to.y / 1e9, false);
		name_roof(chart, sorted[i], &from, &to, &last, &shifts);
	}
	free(sorted);
	return 0;
}

/* The highest peak that is shown, and the highest or lowest bandwidth. */
static double shown_value(const struct roofline_view *view, unsigned int kind, bool lowest)
{
	double found = 0;

	for (size_t i = 0; i < view->roofs.nr; i++) {
		const struct roof *roof = &view->roofs.all[i];
		const double value = roof->from->value;

		if (roof->shown && roof->from->kind == kind &&
		    (!(found > 0) || (lowest ? value < found : value > found)))
			found = value;
	}
	return found;
}

/* At the bottom: the intensities at which only memory, or only the core, can bind. */
static void draw_regions(const struct roofline_view *view, const struct chart *chart,
			 const struct extent *extent)
{
	const double peak = shown_value(view, KERMON_CEILING_FLOPS, false);
	const double fast = peak / shown_value(view, KERMON_CEILING_BANDWIDTH, false);
	const double slow = peak / shown_value(view, KERMON_CEILING_BANDWIDTH, true);
	struct svg_text how = {
		.y = scale_position(&chart->to_y, extent->y_min / 1e9) - 8,
		.anchor = SVG_MIDDLE, .class = "title",
	};

	if (!(peak > 0) || !isfinite(slow))
		return;
	if (fast > extent->x_min) {
		how.x = scale_position(&chart->to_x, sqrt(extent->x_min * fmin(fast, extent->x_max)));
		svg_text(chart->out, &how, "memory-bound");
	}
	if (slow < extent->x_max) {
		how.x = scale_position(&chart->to_x, sqrt(fmax(slow, extent->x_min) * extent->x_max));
		svg_text(chart->out, &how, "compute-bound");
	}
}

/* Bounds of the intensity, and the error of the counts, as bars. */
static void draw_bounds(const struct chart *chart, const char *class,
			const struct extent *extent, const struct kermon_roofline_sums *sums)
{
	struct point point, least, most;

	if (!point_of_sums(sums, &point))
		return;
	least = point_inside(extent, (struct point){
		kermon_roofline_intensity(sums, sums->bytes_high), point.y });
	most = point_inside(extent, (struct point){
		kermon_roofline_intensity(sums, sums->bytes_low), point.y });
	if (least.x < most.x)
		chart_line(chart, class, least.x, least.y / 1e9, most.x, most.y / 1e9, false);
	if (sums->error > 0 && sums->error < 1)
		chart_line(chart, class, point.x, point.y * (1 - sums->error) / 1e9, point.x,
			   point.y * (1 + sums->error) / 1e9, false);
}

static bool is_alike(const struct roofline_run *one, const struct roofline_run *other)
{
	return kermon_roofline_origin(one->table)->monitor ==
	       kermon_roofline_origin(other->table)->monitor;
}

/* The average of the last recording before @number that was recorded alike and has a place. */
static bool find_previous(const struct roofline_view *view, size_t number, struct point *point)
{
	for (size_t i = number; i-- > 0;)
		if (is_alike(&view->runs[i], &view->runs[number]) &&
		    point_of_sums(kermon_roofline_total(view->runs[i].table), point))
			return true;
	return false;
}

/* Averages of the applications, with arrows between those that were recorded alike. */
static void draw_averages(const struct roofline_view *view, const struct chart *chart,
			  const struct extent *extent)
{
	const struct kermon_roofline_sums *total;
	struct point point, last;

	for (size_t i = 0; i < view->nr_runs; i++) {
		total = kermon_roofline_total(view->runs[i].table);
		if (!point_of_sums(total, &point))
			continue;
		draw_bounds(chart, picture_colour(i), extent, total);
		if (find_previous(view, i, &last))
			chart_line(chart, "axis", last.x, last.y / 1e9, point.x, point.y / 1e9,
				   true);
		chart_mark(chart, picture_colour(i), point.x, point.y / 1e9,
			   view->nr_runs > 1 ? view->runs[i].label : "average");
	}
}

static void add_legend(const struct roofline_view *view, struct chart *chart)
{
	static const char *const ends[] = { "begin", "end" };
	char class[8];

	if (view->dots == DOTS_TIME && !colours_are_runs(view)) {
		chart_legend(chart, "t0", ends[0]);
		for (unsigned int i = 1; i + 1 < SVG_SHADES; i++) {
			group_class(view, i, class);
			chart_legend(chart, class, "");
		}
		chart_legend(chart, "t7", ends[1]);
		return;
	}
	for (unsigned int i = 0; i < nr_groups(view); i++) {
		group_class(view, i, class);
		chart_legend(chart, class, colours_are_runs(view) ? view->runs[i].label :
								    simd_names[i]);
	}
}

double picture_plane(const struct roofline_view *view, FILE *out, double top)
{
	const struct extent extent = extent_of(view);
	struct chart chart = {
		.title = "Roofline: a dot is a sample, larger if it is longer (1, 10, 100 ms)",
		.top = top, .width = PICTURE_WIDTH, .height = PLANE_HEIGHT,
		.x = { "intensity [FLOP/byte]", extent.x_min, extent.x_max, true },
		.y = { "performance [GFLOP/s]", extent.y_min / 1e9, extent.y_max / 1e9, true },
	};
	int err;

	chart_begin(&chart, out);
	add_legend(view, &chart);
	draw_regions(view, &chart, &extent);
	err = draw_roofs(view, &chart, &extent);
	/* Samples at a ceiling must be visible. */
	if (!err)
		err = draw_samples(view, &chart, &extent);
	draw_averages(view, &chart, &extent);
	return err ? err : top + PLANE_HEIGHT;
}
