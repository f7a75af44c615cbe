// SPDX-License-Identifier: GPL-2.0
/* Draws dots, lines between points, and marks of a chart. */
#include <math.h>

#include "chart.h"
#include "svg.h"

#define MARK		6
#define ARROW		9

/* A line without length and with round ends is a dot: many of them are one element. */
void chart_dots(const struct chart *chart, const struct dots *dots)
{
	if (!dots->nr)
		return;
	fprintf(chart->out, "<path class=\"dots %s\" style=\"stroke-width:%.3g\" d=\"",
		dots->class, dots->size);
	for (size_t i = 0; i < dots->nr; i++)
		fprintf(chart->out, "M%.1f %.1fh0", scale_position(&chart->to_x, dots->x[i]),
			scale_position(&chart->to_y, dots->y[i]));
	fputs("\"/>\n", chart->out);
}

/* The two strokes of an arrow's head. */
static void put_head(const struct chart *chart, double x1, double y1, double x2, double y2)
{
	const double angle = atan2(y2 - y1, x2 - x1);

	for (int side = -1; side <= 1; side += 2)
		fprintf(chart->out, "M%.1f %.1fL%.1f %.1f", x2, y2,
			x2 - ARROW * cos(angle + side * 0.4), y2 - ARROW * sin(angle + side * 0.4));
}

void chart_line(const struct chart *chart, const char *class, double x1, double y1, double x2,
		double y2, bool arrow)
{
	const double left = scale_position(&chart->to_x, x1);
	const double right = scale_position(&chart->to_x, x2);
	const double from = scale_position(&chart->to_y, y1);
	const double to = scale_position(&chart->to_y, y2);

	fprintf(chart->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f", class, left, from,
		right, to);
	if (arrow)
		put_head(chart, left, from, right, to);
	fputs("\"/>\n", chart->out);
}

void chart_mark(const struct chart *chart, const char *class, double x, double y,
		const char *name, const struct mark_name *at)
{
	const double left = scale_position(&chart->to_x, x);
	const double top = scale_position(&chart->to_y, y);

	fprintf(chart->out, "<path class=\"mark %s\" aria-label=\"", class);
	svg_escaped(chart->out, name);
	fprintf(chart->out, "\" d=\"M%.1f %.1fl%d %dl-%d %dl-%d -%dz\"/>\n", left, top - MARK,
		MARK, MARK, MARK, MARK, MARK, MARK);
	if (!*name)
		return;
	svg_text(chart->out, &(struct svg_text){
		.x = at->at_left ? left - MARK - 2 : left + MARK + 2, .y = top - at->above,
		.anchor = at->at_left ? SVG_END : SVG_START, .class = "title",
	}, name);
}
