// SPDX-License-Identifier: GPL-2.0
/* Plots a roofline as characters: the plane, or something over time. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "plot/canvas.h"
#include "plot/scale.h"
#include "terminal.h"
#include "timeline.h"
#include "ui/shown.h"

#define ROWS		22
#define WIDTH		80
#define WIDEST		160
#define NARROWEST	40

/* Columns of the numbers at the left, and rows of those below. */
#define LEFT		9
#define BELOW		2

/* The first row has the name of the axis. */
#define HEADROOM	1.15

#define TICKS_X		6
#define TICKS_Y		5

/* Letters of threads and averages. */
#define LETTERS		26

static const struct pen axis_pen = { 0, '|' };
/* Of ceilings, by machine. */
static const struct pen roof_pens[] = { { 5, '-' }, { 6, '=' } };

/* Samples, by recording, where there are no colours to tell them from ceilings. */
static const char glyphs[] = "ox+*#%@&";

/**
 * struct plot - a canvas with axes
 * @x: from values to dots; likewise @y
 * @columns: width in characters, with the numbers
 * @plain: without colours, or in ASCII: what is measured is drawn as characters of its own
 */
struct plot {
	struct canvas *canvas;
	struct scale x;
	struct scale y;
	size_t columns;
	bool plain;
};

static struct pen pen_of(size_t number)
{
	return (struct pen){ 1 + number % 4, glyphs[number % (sizeof(glyphs) - 1)] };
}

static const struct pen *roof_pen(size_t machine)
{
	return &roof_pens[machine % (sizeof(roof_pens) / sizeof(roof_pens[0]))];
}

/* Of an average; those behind the last one share a '+'. */
static char letter_of_run(size_t run)
{
	return run < LETTERS ? (char)('A' + run) : '+';
}

static size_t columns_of(const struct roofline_view *view)
{
	const size_t width = view->width ? view->width : WIDTH;

	return width > WIDEST ? WIDEST : width < NARROWEST ? NARROWEST : width;
}

static int plot_begin(struct plot *plot, const struct roofline_view *view)
{
	plot->columns = columns_of(view);
	plot->plain = !view->colour || !canvas_is_unicode();
	plot->canvas = canvas_new(plot->columns, ROWS, canvas_is_unicode());
	return plot->canvas ? 0 : -ENOMEM;
}

/* First dot to the right of the numbers, and last one above those below. */
static double left_of(const struct plot *plot)
{
	return LEFT * canvas_dots_x(plot->canvas);
}

static double bottom_of(const struct plot *plot)
{
	return canvas_height(plot->canvas) - BELOW * canvas_dots_y(plot->canvas) - 1;
}

static void put_axes(struct plot *plot, const char *x_title, const char *y_title)
{
	const double left = left_of(plot), bottom = bottom_of(plot);
	char label[SCALE_LABEL];
	size_t at, end = 0;

	canvas_line(plot->canvas, &axis_pen, left, 0, left, bottom);
	canvas_line(plot->canvas, &(struct pen){ 0, '-' }, left, bottom,
		    canvas_width(plot->canvas) - 1, bottom);
	for (double tick = scale_first(&plot->y); tick <= plot->y.max;
	     tick = scale_next(&plot->y, tick)) {
		scale_label(&plot->y, tick, label);
		at = strlen(label) < LEFT - 1 ? LEFT - 1 - strlen(label) : 0;
		canvas_text(plot->canvas, 0, at, (size_t)scale_position(&plot->y, tick) /
						 canvas_dots_y(plot->canvas), label);
	}
	for (double tick = scale_first(&plot->x); tick <= plot->x.max;
	     tick = scale_next(&plot->x, tick)) {
		scale_label(&plot->x, tick, label);
		at = (size_t)scale_position(&plot->x, tick) / canvas_dots_x(plot->canvas);
		if (at < end || at + strlen(label) > plot->columns)
			continue;
		canvas_text(plot->canvas, 0, at, ROWS - BELOW, label);
		end = at + strlen(label) + 1;
	}
	canvas_text(plot->canvas, 0, LEFT + 1, 0, y_title);
	if (strlen(x_title) < plot->columns)
		canvas_text(plot->canvas, 0, plot->columns - strlen(x_title), ROWS - 1, x_title);
}

/* A character that covers dots of ceilings and axes. */
static void put_glyph(struct plot *plot, const struct pen *pen, double x, double y)
{
	canvas_text(plot->canvas, pen->colour, (size_t)x / canvas_dots_x(plot->canvas),
		    (size_t)y / canvas_dots_y(plot->canvas), (char[]){ pen->ascii, '\0' });
}

static void put_dot(struct plot *plot, const struct pen *pen, struct point point)
{
	const double x = scale_position(&plot->x, point.x);
	const double y = scale_position(&plot->y, point.y / 1e9);

	if (plot->plain)
		put_glyph(plot, pen, x, y);
	else
		canvas_dot(plot->canvas, pen, x, y);
}

static void put_roofs(struct plot *plot, const struct roofs *roofs, const struct pen *pen,
		      const struct extent *extent)
{
	struct point from, to;

	for (size_t i = 0; i < roofs->nr; i++)
		if (extent_roof(roofs, extent, &roofs->all[i], &from, &to))
			canvas_line(plot->canvas, pen, scale_position(&plot->x, from.x),
				    scale_position(&plot->y, from.y / 1e9),
				    scale_position(&plot->x, to.x),
				    scale_position(&plot->y, to.y / 1e9));
}

static void put_samples(struct plot *plot, const struct roofline_view *view,
			const struct extent *extent)
{
	const struct kermon_roofline_sample *sample;
	struct point point;
	struct pen pen;

	for (size_t i = 0; i < view->nr_runs; i++) {
		pen = pen_of(i);
		for (size_t j = 0; (sample = kermon_roofline_sample(view->runs[i].table, j)); j++)
			if (point_of_sample(sample, &point))
				put_dot(plot, &pen, point_inside(extent, point));
	}
}

/* A letter for each recording. */
static void put_averages(struct plot *plot, const struct roofline_view *view,
			 const struct extent *extent)
{
	char letter[2] = "";
	struct point point;

	for (size_t i = 0; i < view->nr_runs; i++) {
		letter[0] = letter_of_run(i);
		if (!point_of_sums(kermon_roofline_total(view->runs[i].table), &point))
			continue;
		point = point_inside(extent, point);
		canvas_text(plot->canvas, pen_of(i).colour,
			    (size_t)scale_position(&plot->x, point.x) /
			    canvas_dots_x(plot->canvas),
			    (size_t)scale_position(&plot->y, point.y / 1e9) /
			    canvas_dots_y(plot->canvas), letter);
	}
}

/* Where averages are, by rows: names of ceilings end before the first one. */
static void find_ends(const struct plot *plot, const struct roofline_view *view,
		      const struct extent *extent, size_t ends[ROWS])
{
	struct point point;
	size_t row, column;

	for (size_t i = 0; i < ROWS; i++)
		ends[i] = plot->columns;
	for (size_t i = 0; i < view->nr_runs; i++) {
		if (!point_of_sums(kermon_roofline_total(view->runs[i].table), &point))
			continue;
		point = point_inside(extent, point);
		row = (size_t)scale_position(&plot->y, point.y / 1e9) /
		      canvas_dots_y(plot->canvas);
		column = (size_t)scale_position(&plot->x, point.x) / canvas_dots_x(plot->canvas);
		if (row < ROWS && column < ends[row])
			ends[row] = column;
	}
}

/*
 * Names of the ceilings, at their right ends, where they cover neither each other nor averages;
 * @ends: where they end, by rows; 0: there is one.
 */
static void put_roof_names(struct plot *plot, const struct roofline_view *view, size_t machine,
			   const struct extent *extent, size_t ends[ROWS])
{
	const struct roofs *roofs = &view->machines[machine];
	const struct kermon_ceiling *ceiling;
	struct point from, to;
	char name[ROOF_NAME];
	size_t row;

	for (size_t i = 0; i < roofs->nr; i++) {
		ceiling = roofs->all[i].from;
		if (ceiling->kind != KERMON_CEILING_FLOPS ||
		    !extent_roof(roofs, extent, &roofs->all[i], &from, &to))
			continue;
		row = (size_t)scale_position(&plot->y, to.y / 1e9) / canvas_dots_y(plot->canvas);
		machine_roof_name(view, machine, &roofs->all[i], name);
		if (row >= ROWS - BELOW || ends[row] < strlen(name) + plot->columns / 3)
			continue;
		canvas_text(plot->canvas, roof_pen(machine)->colour, ends[row] - strlen(name), row,
			    name);
		ends[row] = 0;
	}
}

static void put_machines(struct plot *plot, const struct roofline_view *view,
			 const struct extent *extent)
{
	size_t ends[ROWS];

	find_ends(plot, view, extent, ends);
	for (size_t i = 0; i < view->nr_machines; i++)
		put_roofs(plot, &view->machines[i], roof_pen(i), extent);
	for (size_t i = 0; i < view->nr_machines; i++)
		put_roof_names(plot, view, i, extent, ends);
}

/* Which ceilings are those of which machine, by the numbers before their names. */
static void print_machines(const struct roofline_view *view)
{
	char name[ROOF_NAME];

	for (size_t i = 0; i < view->nr_machines && view_has_machines(view); i++) {
		machine_key(view, i, name);
		shown_line(stdout, "%s", name);
	}
}

static void print_key(const struct plot *plot, const struct roofline_view *view, size_t run)
{
	const char letter = letter_of_run(run), *label = view->runs[run].label;

	if (plot->plain && view->plot == PLOT_SAMPLES)
		shown_line(stdout, "%c: average of %s, %c: a sample", letter, label,
			   pen_of(run).ascii);
	else
		shown_line(stdout, "%c: average of %s", letter, label);
}

static int plot_plane(const struct roofline_view *view)
{
	const struct extent extent = extent_of(view);
	struct plot plot;

	if (plot_begin(&plot, view))
		return -ENOMEM;
	plot.x = scale_log(extent.x_min, extent.x_max, left_of(&plot) + 1,
			   canvas_width(plot.canvas) - 1);
	plot.y = scale_log(extent.y_min / 1e9, extent.y_max / 1e9, bottom_of(&plot) - 1, 0);
	put_axes(&plot, "FLOP/byte", "GFLOP/s");
	put_machines(&plot, view, &extent);
	if (view->plot == PLOT_SAMPLES)
		put_samples(&plot, view, &extent);
	put_averages(&plot, view, &extent);
	canvas_print(plot.canvas, stdout, view->colour);
	canvas_free(plot.canvas);
	for (size_t i = 0; i < view->nr_runs; i++)
		print_key(&plot, view, i);
	print_machines(view);
	return 0;
}

/* A value holds from @begin to @end, in seconds. */
static void put_step(struct plot *plot, const struct pen *pen, double begin, double end,
		     double value)
{
	const double y = scale_position(&plot->y, value);
	const double left = scale_position(&plot->x, begin);
	const double right = scale_position(&plot->x, end);

	if (!plot->plain)
		canvas_line(plot->canvas, pen, left, y, right, y);
	for (double x = left; plot->plain && x <= right; x += canvas_dots_x(plot->canvas))
		put_glyph(plot, pen, x, y);
}

static double since(const struct roofline_run *run, uint64_t time)
{
	return (double)(time - kermon_roofline_origin(run->table)->begin) / 1e9;
}

static void scale_time(struct plot *plot, const struct roofline_view *view, double highest)
{
	plot->x = scale_of(0, extent_seconds(view), left_of(plot) + 1,
			   canvas_width(plot->canvas) - 1, TICKS_X);
	plot->y = scale_of(0, highest * HEADROOM, bottom_of(plot) - 1, 0, TICKS_Y);
}

static void put_timeline(struct plot *plot, const struct pen *pen,
			 const struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->nr; i++)
		put_step(plot, pen, timeline->begin[i], timeline->begin[i] + timeline->width,
			 timeline_flops(timeline, i) / 1e9);
}

static int plot_time(const struct roofline_view *view)
{
	struct timeline *timelines = calloc(view->nr_runs, sizeof(*timelines));
	struct plot plot = { 0 };
	struct pen pen;

	if (!timelines || plot_begin(&plot, view)) {
		free(timelines);
		return -ENOMEM;
	}
	for (size_t i = 0; i < view->nr_runs; i++)
		timeline_fill(&timelines[i], &view->runs[i]);
	/* A line alone is told from axes by its place. */
	plot.plain &= view->nr_runs > 1;
	scale_time(&plot, view, timeline_highest(timelines, view->nr_runs) / 1e9);
	put_axes(&plot, "s", "GFLOP/s");
	for (size_t i = 0; i < view->nr_runs; i++) {
		pen = pen_of(i);
		if (kermon_roofline_total(view->runs[i].table)->counted > 0)
			put_timeline(&plot, &pen, &timelines[i]);
	}
	canvas_print(plot.canvas, stdout, view->colour);
	canvas_free(plot.canvas);
	free(timelines);
	for (size_t i = 0; i < view->nr_runs && plot.plain; i++)
		shown_line(stdout, "%c: %s", pen_of(i).ascii, view->runs[i].label);
	return 0;
}

static double highest_watts(const struct roofline_view *view)
{
	const struct kermon_roofline_power *power;
	double highest = 0;
	size_t nr;

	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; (power = kermon_roofline_power(view->runs[i].table, j, &nr)); j++)
			for (size_t k = 0; k < nr; k++)
				highest = fmax(highest, power[k].watts);
	return highest;
}

static void put_power(struct plot *plot, const struct roofline_run *run, size_t domain)
{
	const struct kermon_roofline_power *power;
	const struct pen pen = pen_of(domain);
	size_t nr;

	power = kermon_roofline_power(run->table, domain, &nr);
	for (size_t i = 0; i + 1 < nr; i++)
		if (!isnan(power[i].watts))
			put_step(plot, &pen, since(run, power[i].begin),
				 since(run, power[i + 1].begin), power[i].watts);
}

static int plot_power(const struct roofline_view *view)
{
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	const size_t nr = runs_domains(view, domains);
	struct plot plot;

	if (plot_begin(&plot, view))
		return -ENOMEM;
	plot.plain &= nr > 1;
	scale_time(&plot, view, highest_watts(view));
	put_axes(&plot, "s", "W");
	for (size_t i = 0; i < view->nr_runs; i++)
		for (size_t j = 0; kermon_roofline_domain(view->runs[i].table, j); j++)
			put_power(&plot, &view->runs[i], j);
	canvas_print(plot.canvas, stdout, view->colour);
	canvas_free(plot.canvas);
	for (size_t i = 0; i < nr && plot.plain; i++)
		shown_line(stdout, "%c: %s", pen_of(i).ascii, domains[i]);
	return 0;
}

/* The letter of a thread; those behind the last one share a '+'. */
static char letter_of(size_t thread)
{
	return thread < LETTERS ? (char)('a' + thread) : '+';
}

/**
 * struct lane - a CPU
 * @names: the thread that was there longest, of each column
 * @longest: how long, of each column
 */
struct lane {
	char names[WIDEST + 1];
	double longest[WIDEST];
};

/* Stays that are shorter than a column count if nothing longer is there. */
static void put_stay(struct lane *lane, const struct kermon_roofline_interval *stay,
		     const struct roofline_run *run, double width, size_t columns)
{
	const double begin = since(run, stay->begin) / width, end = since(run, stay->end) / width;
	double part;

	for (size_t i = begin > 0 ? begin : 0; i < columns && i <= end; i++) {
		part = fmin(end, i + 1) - fmax(begin, i);
		if (part < lane->longest[i])
			continue;
		lane->longest[i] = part;
		lane->names[i] = letter_of(stay->thread);
	}
}

static void print_lane(const struct roofline_run *run, size_t cpu, size_t columns,
		       double width)
{
	const struct kermon_roofline_interval *stay;
	struct lane lane = { .longest = { 0 } };
	bool any = false;

	memset(lane.names, ' ', columns);
	for (size_t i = 0; (stay = kermon_roofline_interval(run->table, i)); i++) {
		if (stay->cpu != cpu)
			continue;
		put_stay(&lane, stay, run, width, columns);
		any = true;
	}
	if (any)
		printf("CPU %-4zu %s\n", cpu, lane.names);
}

static int plot_lanes(const struct roofline_view *view)
{
	const size_t columns = columns_of(view) - LEFT;
	const double width = extent_seconds(view) / columns;
	const struct roofline_run *run;
	char name[THREAD_NAME];

	for (size_t i = 0; i < view->nr_runs; i++) {
		run = &view->runs[i];
		if (view->nr_runs > 1)
			shown_line(stdout, "%s", run->label);
		for (size_t cpu = 0; cpu < run_cpus(run); cpu++)
			print_lane(run, cpu, columns, width);
		for (size_t j = 0; j < LETTERS && kermon_roofline_thread(run->table, j); j++) {
			thread_name(run, j, name);
			shown_line(stdout, "%c: %s", letter_of(j), name);
		}
	}
	printf("From 0 to %.4g s.\n", extent_seconds(view));
	return 0;
}

int terminal_plot(const struct roofline_view *view)
{
	switch (view->plot) {
	case PLOT_TIME:
		return plot_time(view);
	case PLOT_POWER:
		return plot_power(view);
	case PLOT_LANES:
		return plot_lanes(view);
	default:
		return plot_plane(view);
	}
}
