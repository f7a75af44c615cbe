// SPDX-License-Identifier: GPL-2.0
/* Draws the plane of a roofline: ceilings, a dot for each sample, and averages. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "groups.h"
#include "names.h"
#include "picture.h"

#define AVERAGE_NAME	256

/* In pixels: of a name above its mark, between two of these, and of an arrow. */
#define ABOVE_MARK	6
#define NAME_HEIGHT	14
#define SHORTEST_ARROW	16

/* Pixels that the name of a region takes. */
#define REGION_NAME	110

/* "roof dashed m1", and machines that are told apart, besides the first. */
#define ROOF_CLASS	24
#define MACHINE_CLASSES	3

/* Of the legend, beyond the first one. */
#define MOST_LINES	6

#define SIZES		4

/* Diameters of dots, by the duration of the sample: below a millisecond, ten, a hundred. */
static const double sizes[SIZES] = { 5, 7, 9, 12 };

static unsigned int size_of(const struct kermon_roofline_sample *sample)
{
	const double seconds = kermon_roofline_seconds(sample);

	return seconds < 1e-3 ? 0 : seconds < 1e-2 ? 1 : seconds < 1e-1 ? 2 : 3;
}

/**
 * struct cloud - the samples by colour and size
 * @x: FLOP per byte of those of a cell, with room for all; likewise @y, GFLOP per second
 * @cells: of each sample, of all recordings: size and group as a number
 */
struct cloud {
	double *x;
	double *y;
	unsigned char *cells;
};

/* The cell of samples without a place. */
#define NO_CELL		255

static void fill_cells(const struct groups *groups, unsigned char *cells)
{
	const struct kermon_roofline_sample *sample;
	const struct roofline_view *view = groups->view;
	struct point point;

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; (sample = kermon_roofline_sample(view->runs[i].table, j)); j++)
			*cells++ = point_of_sample(sample, &point) ?
				   size_of(sample) * groups_nr(groups) +
				   groups_find(groups, i, j) : NO_CELL;
}

/* The dots of one colour and one size are one element. */
static void draw_cell(const struct groups *groups, const struct chart *chart,
		      const struct extent *extent, const struct cloud *cloud,
		      unsigned int cell)
{
	const struct roofline_view *view = groups->view;
	const struct kermon_roofline_sample *sample;
	struct dots dots = {
		.size = sizes[cell / groups_nr(groups)], .x = cloud->x, .y = cloud->y,
	};
	const unsigned char *next = cloud->cells;
	struct point point;
	char class[GROUP_CLASS];

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; (sample = kermon_roofline_sample(view->runs[i].table, j)); j++) {
			if (*next++ != cell || !point_of_sample(sample, &point))
				continue;
			point = point_inside(extent, point);
			cloud->x[dots.nr] = point.x;
			cloud->y[dots.nr++] = point.y / 1e9;
		}
	groups_class(groups, cell % groups_nr(groups), class);
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
static int draw_samples(const struct groups *groups, const struct chart *chart,
			const struct extent *extent)
{
	const size_t nr = nr_samples(groups->view);
	struct cloud cloud = {
		calloc(nr + 1, sizeof(double)), calloc(nr + 1, sizeof(double)), malloc(nr + 1),
	};
	const bool has_room = cloud.x && cloud.y && cloud.cells;

	if (has_room)
		fill_cells(groups, cloud.cells);
	for (unsigned int size = SIZES; size-- > 0 && has_room;)
		for (unsigned int group = 0; group < groups_nr(groups); group++)
			draw_cell(groups, chart, extent, &cloud,
				  size * groups_nr(groups) + group);
	free(cloud.x);
	free(cloud.y);
	free(cloud.cells);
	return has_room ? 0 : -ENOMEM;
}

/**
 * struct drawn - a ceiling, of all machines
 * @machine: index of the machine
 */
struct drawn {
	const struct roof *roof;
	size_t machine;
};

/* Those of the first machine are solid; those of others differ in colour and in strokes. */
static void class_of(size_t machine, bool many, char class[ROOF_CLASS])
{
	snprintf(class, ROOF_CLASS, "roof%s", many ? " dashed" : "");
	if (machine)
		snprintf(class + strlen(class), ROOF_CLASS - strlen(class), " m%zu",
			 1 + (machine - 1) % MACHINE_CLASSES);
}

/* Ceilings of more threads than one are of the application: dashed, and named at the end. */
static void draw_roof(const struct roofline_view *view, const struct drawn *drawn,
		      const struct chart *chart, const struct extent *extent, struct names *names)
{
	const struct roofs *roofs = &view->machines[drawn->machine];
	const struct kermon_ceiling *ceiling = drawn->roof->from;
	const bool many = ceiling->threads > roofs_one_thread(roofs);
	struct point from, to;
	char class[ROOF_CLASS], name[ROOF_NAME];

	if (!extent_roof(roofs, extent, drawn->roof, &from, &to))
		return;
	machine_roof_name(view, drawn->machine, drawn->roof, name);
	class_of(drawn->machine, many, class);
	chart_line(chart, class, from.x, from.y / 1e9, to.x, to.y / 1e9, false);
	names_write(names, chart, &(struct name_line){
		.left = scale_position(&chart->to_x, from.x),
		.bottom = scale_position(&chart->to_y, from.y / 1e9),
		.right = scale_position(&chart->to_x, to.x),
		.top = scale_position(&chart->to_y, to.y / 1e9),
		.from_end = ceiling->kind == KERMON_CEILING_FLOPS || many,
		.name = name,
	});
}

static int by_value(const void *a, const void *b)
{
	const struct drawn *left = a, *right = b;
	const double l = left->roof->from->value, r = right->roof->from->value;

	return (l > r) - (l < r);
}

/* The name of an average, which says with which ceilings to compare it. */
static void name_average(const struct roofline_view *view, size_t number, char *name,
			 size_t size)
{
	const struct roofline_run *run = &view->runs[number];
	const unsigned int threads = roofs_wanted(run);

	snprintf(name, size, "%s", view->nr_runs > 1 ? run->label : "average");
	if (threads > 1)
		snprintf(name + strlen(name), size - strlen(name), " (%u %s)", threads,
			 run_is_of_cpus(run) ? "CPUs" : "threads");
}

/* Pixels of the name of an average, which is bold. */
static double average_length(const char *name)
{
	return 1.25 * names_length(name);
}

/* Whether it has no room at the right. */
static bool is_at_left(const struct chart *chart, double x, const char *name)
{
	return scale_position(&chart->to_x, x) + average_length(name) > chart->to_x.to;
}

/*
 * Averages stand out: what is written beside them is not to be covered. Where they are at the
 * same place, their names are above each other.
 */
static void place_averages(const struct roofline_view *view, const struct chart *chart,
			   struct names *names, struct mark_name *at)
{
	char name[AVERAGE_NAME];
	struct point point;
	double left, y;

	for (size_t i = 0; i < view->nr_runs; i++) {
		at[i] = (struct mark_name){ .above = ABOVE_MARK };
		if (!point_of_sums(kermon_roofline_total(view->runs[i].table), &point))
			continue;
		name_average(view, i, name, sizeof(name));
		at[i].at_left = is_at_left(chart, point.x, name);
		left = scale_position(&chart->to_x, point.x);
		if (at[i].at_left)
			left -= average_length(name);
		y = scale_position(&chart->to_y, point.y / 1e9);
		while (!names_is_free(names, left, y - at[i].above, average_length(name)) &&
		       y - at[i].above > chart->to_y.to)
			at[i].above += NAME_HEIGHT;
		names_cover(names, left, y - at[i].above, average_length(name));
	}
}

/* The roofs by value: those of neighbours give way to each other. */
static int draw_roofs(const struct roofline_view *view, const struct chart *chart,
		      const struct extent *extent, struct mark_name *averages)
{
	struct names names = { 0 };
	struct drawn *sorted;
	size_t nr = 0, room = 0;

	for (size_t i = 0; i < view->nr_machines; i++)
		room += view->machines[i].nr;
	sorted = calloc(room + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < view->nr_machines; i++)
		for (size_t j = 0; j < view->machines[i].nr; j++)
			sorted[nr++] = (struct drawn){ &view->machines[i].all[j], i };
	qsort(sorted, nr, sizeof(*sorted), by_value);
	place_averages(view, chart, &names, averages);
	for (size_t i = 0; i < nr; i++)
		draw_roof(view, &sorted[i], chart, extent, &names);
	names_free(&names);
	free(sorted);
	return 0;
}

/* Whose ceilings are which, where they are those of several machines. */
static void add_machines(const struct roofline_view *view, struct chart *chart)
{
	char class[ROOF_CLASS], name[ROOF_NAME];

	for (size_t i = 0; i < view->nr_machines && view_has_machines(view); i++) {
		class_of(i, false, class);
		machine_key(view, i, name);
		chart_legend(chart, class, name);
	}
}

static unsigned int legend_lines(const struct groups *groups)
{
	const struct roofline_view *view = groups->view;
	struct chart_lines lines = { 0 };
	char name[ROOF_NAME];

	groups_measure(groups, &lines);
	for (size_t i = 0; i < view->nr_machines && view_has_machines(view); i++) {
		machine_key(view, i, name);
		chart_lines_add(&lines, PICTURE_WIDTH, name);
	}
	return lines.nr < MOST_LINES ? lines.nr : MOST_LINES;
}

/* The highest peak that is shown, and the highest or lowest bandwidth. */
static double shown_value(const struct roofs *roofs, unsigned int kind, bool lowest)
{
	double found = 0, value;

	for (size_t i = 0; i < roofs->nr; i++) {
		value = roofs->all[i].from->value;
		if (roofs->all[i].shown && roofs->all[i].from->kind == kind &&
		    (!(found > 0) || (lowest ? value < found : value > found)))
			found = value;
	}
	return found;
}

/* In the middle of it, if there is room. */
static void name_region(const struct chart *chart, struct svg_text *how, double from, double to,
			const char *name)
{
	const double left = scale_position(&chart->to_x, from);
	const double right = scale_position(&chart->to_x, to);

	how->x = (left + right) / 2;
	if (right - left > REGION_NAME)
		svg_text(chart->out, how, name);
}

/*
 * At the bottom: the intensities at which only memory, or only the core, can bind. Those of
 * several machines differ.
 */
static void draw_regions(const struct roofline_view *view, const struct chart *chart,
			 const struct extent *extent)
{
	const struct roofs *roofs = view->machines;
	const double peak = view->nr_machines == 1 ?
			    shown_value(roofs, KERMON_CEILING_FLOPS, false) : 0;
	const double fast = peak > 0 ? peak / shown_value(roofs, KERMON_CEILING_BANDWIDTH,
							  false) : 0;
	const double slow = peak > 0 ? peak / shown_value(roofs, KERMON_CEILING_BANDWIDTH,
							  true) : 0;
	struct svg_text how = {
		.y = scale_position(&chart->to_y, extent->y_min / 1e9) - 8,
		.anchor = SVG_MIDDLE, .class = "title",
	};

	if (!(peak > 0) || !isfinite(slow))
		return;
	name_region(chart, &how, extent->x_min, fmin(fast, extent->x_max), "memory-bound");
	name_region(chart, &how, fmax(slow, extent->x_min), extent->x_max, "compute-bound");
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

/* Whether an arrow from one to the other is longer than its head. */
static bool are_apart(const struct chart *chart, const struct point *one,
		      const struct point *other)
{
	return hypot(scale_position(&chart->to_x, one->x) - scale_position(&chart->to_x, other->x),
		     scale_position(&chart->to_y, one->y / 1e9) -
		     scale_position(&chart->to_y, other->y / 1e9)) > SHORTEST_ARROW;
}

/* Averages of the applications, with arrows between those that were recorded alike. */
static void draw_averages(const struct roofline_view *view, const struct chart *chart,
			  const struct extent *extent, const struct mark_name *at)
{
	const struct kermon_roofline_sums *total;
	char name[AVERAGE_NAME];
	struct point point, last;

	for (size_t i = 0; i < view->nr_runs; i++) {
		total = kermon_roofline_total(view->runs[i].table);
		if (!point_of_sums(total, &point))
			continue;
		draw_bounds(chart, picture_colour(i), extent, total);
		if (find_previous(view, i, &last) && are_apart(chart, &last, &point))
			chart_line(chart, "axis", last.x, last.y / 1e9, point.x, point.y / 1e9,
				   true);
		name_average(view, i, name, sizeof(name));
		chart_mark(chart, picture_colour(i), point.x, point.y / 1e9, name, &at[i]);
	}
}

/* Averages of threads or functions, whose names are in the legend. */
static void draw_leaders(const struct groups *groups, const struct chart *chart,
			 const struct extent *extent)
{
	const struct kermon_roofline_sums *sums;
	char class[GROUP_CLASS];
	struct point point;

	/* Those that ran longest cover others. */
	for (unsigned int i = groups->nr_leaders; i-- > 0;) {
		sums = groups_sums(groups, i);
		if (!point_of_sums(sums, &point))
			continue;
		point = point_inside(extent, point);
		groups_class(groups, i, class);
		chart_mark(chart, class, point.x, point.y / 1e9, "", NULL);
	}
}

#define TITLE	"Roofline: a dot is a sample, larger if it is longer (1, 10, 100 ms)"

double picture_plane(const struct roofline_view *view, FILE *out, double top)
{
	const struct extent extent = extent_of(view);
	const struct groups groups = groups_of(view);
	struct chart chart = {
		.title = extent_cuts(view, &extent) ? TITLE ", or beyond the edge if it is there" : TITLE,
		.top = top, .width = PICTURE_WIDTH, .height = PLANE_HEIGHT,
		.x = { "intensity [FLOP/byte]", extent.x_min, extent.x_max, true },
		.y = { "performance [GFLOP/s]", extent.y_min / 1e9, extent.y_max / 1e9, true },
		.legend_lines = legend_lines(&groups),
	};
	struct mark_name *names = calloc(view->nr_runs, sizeof(*names));
	int err = names ? 0 : -ENOMEM;

	chart_begin(&chart, out);
	groups_legend(&groups, &chart);
	add_machines(view, &chart);
	draw_regions(view, &chart, &extent);
	if (!err)
		err = draw_roofs(view, &chart, &extent, names);
	/* Samples at a ceiling must be visible. */
	if (!err)
		err = draw_samples(&groups, &chart, &extent);
	draw_leaders(&groups, &chart, &extent);
	if (!err)
		draw_averages(view, &chart, &extent, names);
	free(names);
	return err ? err : top + PLANE_HEIGHT;
}
