/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to chart.c: axes with ticks, a legend, lines and areas; and to points.c: dots and
 * marks.
 *
 *	svg_begin(out, width, height, title);
 *	chart_begin(&chart, out);
 *	chart_draw(&chart, &series);
 *	svg_end(out);
 */
#ifndef KERMON_CHART_H
#define KERMON_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "scale.h"

/* Room around the frame for the texts of a chart. */
#define CHART_LEFT	70
#define CHART_RIGHT	20
#define CHART_TOP	48
#define CHART_BOTTOM	44

/**
 * struct axis - of a chart
 * @title: what it shows, with its unit
 * @min: lowest value
 * @max: highest value
 * @is_log: logarithmic: @min is above 0
 * @no_ticks: the caller writes names along it instead; for the x axis
 */
struct axis {
	const char *title;
	double min;
	double max;
	bool is_log;
	bool no_ticks;
};

/**
 * struct chart - set the first members
 * @title: above the chart
 * @left: position of the chart in the picture, likewise @top
 * @width: of the chart with its texts, likewise @height
 * @x: the axis to the right
 * @y: the axis upwards
 * @legend_lines: lines of the legend beyond the first one, see struct chart_lines
 * @to_x: from values to positions, likewise @to_y
 * @legend: position of the next entry of the legend
 * @legend_line: its line
 * @legend_full: no more entries fit
 */
struct chart {
	const char *title;
	double left;
	double top;
	double width;
	double height;
	struct axis x;
	struct axis y;
	unsigned int legend_lines;

	FILE *out;
	struct scale to_x;
	struct scale to_y;
	double legend;
	unsigned int legend_line;
	bool legend_full;
};

/**
 * struct chart_lines - measures a legend before the chart begins: {} at first
 * @at: where its next entry begins
 * @nr: lines beyond the first one
 */
struct chart_lines {
	double at;
	unsigned int nr;
};

/* The legend of a chart of that width will have this name, too. */
void chart_lines_add(struct chart_lines *lines, double width, const char *name);

/**
 * struct series - values of a chart
 * @name: in the legend, and in the element's aria-label
 * @colour: below SVG_COLOURS
 * @stroke: 0: solid, 1: dashed, 2: dotted, and so on
 * @steps: a value holds up to the next x, the last one up to @end
 * @end: 0: the end of the axis
 * @nr: number of values, at least 1
 * @x: ascending
 * @y: a line
 * @high: an area from @y to this; NULL: a line
 */
struct series {
	const char *name;
	unsigned int colour;
	unsigned int stroke;
	bool steps;
	double end;
	size_t nr;
	const double *x;
	const double *y;
	const double *high;
};

/**
 * struct dots - points of a chart, each drawn as a dot
 * @class: their colour: "c0", "t3"
 * @size: diameter
 * @nr: number of points
 * @x: where they are; likewise @y
 */
struct dots {
	const char *class;
	double size;
	size_t nr;
	const double *x;
	const double *y;
};

/* Draw the frame, ticks and titles. */
void chart_begin(struct chart *chart, FILE *out);

/* Draw a series and its entry in the legend; later ones cover earlier ones. */
void chart_draw(struct chart *chart, const struct series *series);

/* Say in the middle of a chart why it is empty. */
void chart_nothing(const struct chart *chart, const char *why);

void chart_dots(const struct chart *chart, const struct dots *dots);

/* Draw a line from one point to another, with an arrow at its end if @arrow. */
void chart_line(const struct chart *chart, const char *class, double x1, double y1, double x2,
		double y2, bool arrow);

/* Where the name of a mark is: pixels above it, and at its left or at its right. */
struct mark_name {
	double above;
	bool at_left;
};

/* Draw a mark that stands out, with a name beside it. */
void chart_mark(const struct chart *chart, const char *class, double x, double y,
		const char *name, const struct mark_name *at);

/* Add a name with a line of this class to the legend; "..." if it does not fit any more. */
void chart_legend(struct chart *chart, const char *class, const char *name);

#endif /* KERMON_CHART_H */
