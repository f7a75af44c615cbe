/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to chart.c: axes with ticks, a legend, lines and areas.
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
 */
struct axis {
	const char *title;
	double min;
	double max;
};

/**
 * struct chart - set the first members
 * @title: above the chart
 * @left: position of the chart in the picture, likewise @top
 * @width: of the chart with its texts, likewise @height
 * @x: the axis to the right
 * @y: the axis upwards
 * @to_x: from values to positions, likewise @to_y
 * @legend: position of the next entry of the legend
 */
struct chart {
	const char *title;
	double left;
	double top;
	double width;
	double height;
	struct axis x;
	struct axis y;

	FILE *out;
	struct scale to_x;
	struct scale to_y;
	double legend;
};

/**
 * struct series - values of a chart
 * @name: in the legend, and in the element's aria-label
 * @colour: below SVG_COLOURS
 * @dashed: a dashed line
 * @steps: a value holds up to the next x, the last one up to the end of the axis
 * @nr: number of values, at least 1
 * @x: ascending
 * @y: a line
 * @high: an area from @y to this; NULL: a line
 */
struct series {
	const char *name;
	unsigned int colour;
	bool dashed;
	bool steps;
	size_t nr;
	const double *x;
	const double *y;
	const double *high;
};

/* Draw the frame, ticks and titles. */
void chart_begin(struct chart *chart, FILE *out);

/* Draw a series and its entry in the legend; later ones cover earlier ones. */
void chart_draw(struct chart *chart, const struct series *series);

#endif /* KERMON_CHART_H */
