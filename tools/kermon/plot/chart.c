// SPDX-License-Identifier: GPL-2.0
/* Draws charts as elements of an SVG picture. */
#include <math.h>
#include <string.h>

#include "chart.h"
#include "svg.h"

#define TICKS_X		8
#define TICKS_Y		5
/* Width of a character of the legend, on average. */
#define CHARACTER	6.6
#define SAMPLE_LENGTH	22
#define LEGEND_GAP	22
/* Of a line of the legend. */
#define LEGEND_HEIGHT	15

static void line(FILE *out, const char *class, double x1, double y1, double x2,
		 double y2)
{
	fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class,
		x1, y1, x2, y2);
}

static void ticks_x(const struct chart *chart)
{
	const struct scale *scale = &chart->to_x;
	const double bottom = chart->to_y.from;
	struct svg_text how = { .anchor = SVG_MIDDLE, .y = bottom + 17 };
	char label[SCALE_LABEL];

	for (double tick = scale_first(scale); tick <= scale->max;
	     tick = scale_next(scale, tick)) {
		how.x = scale_position(scale, tick);
		line(chart->out, "grid", how.x, bottom, how.x, chart->to_y.to);
		scale_label(scale, tick, label);
		svg_text(chart->out, &how, label);
	}
}

static void ticks_y(const struct chart *chart)
{
	const struct scale *scale = &chart->to_y;
	const double left = chart->to_x.from;
	struct svg_text how = { .anchor = SVG_END, .x = left - 6 };
	char label[SCALE_LABEL];
	double at;

	for (double tick = scale_first(scale); tick <= scale->max;
	     tick = scale_next(scale, tick)) {
		at = scale_position(scale, tick);
		how.y = at + 4;
		line(chart->out, "grid", left, at, chart->to_x.to, at);
		scale_label(scale, tick, label);
		svg_text(chart->out, &how, label);
	}
}

static void titles(const struct chart *chart)
{
	const double middle = (chart->to_y.from + chart->to_y.to) / 2;

	svg_text(chart->out, &(struct svg_text){
		.x = chart->to_x.from, .y = chart->top + 18, .class = "title",
	}, chart->title);
	svg_text(chart->out, &(struct svg_text){
		.anchor = SVG_MIDDLE, .x = (chart->to_x.from + chart->to_x.to) / 2,
		.y = chart->to_y.from + 36,
	}, chart->x.title);
	svg_text(chart->out, &(struct svg_text){
		.anchor = SVG_MIDDLE, .x = chart->left + 14, .y = middle,
		.upwards = true,
	}, chart->y.title);
}

static struct scale scale_axis(const struct axis *axis, double from, double to, int ticks)
{
	return axis->is_log ? scale_log(axis->min, axis->max, from, to) :
			      scale_of(axis->min, axis->max, from, to, ticks);
}

void chart_begin(struct chart *chart, FILE *out)
{
	chart->out = out;
	chart->to_x = scale_axis(&chart->x, chart->left + CHART_LEFT,
				 chart->left + chart->width - CHART_RIGHT, TICKS_X);
	chart->to_y = scale_axis(&chart->y, chart->top + chart->height - CHART_BOTTOM,
				 chart->top + CHART_TOP + LEGEND_HEIGHT * chart->legend_lines,
				 TICKS_Y);
	chart->legend = chart->to_x.from;
	if (!chart->x.no_ticks)
		ticks_x(chart);
	ticks_y(chart);
	titles(chart);
	fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n",
		chart->to_x.from, chart->to_y.to, chart->to_y.from,
		chart->to_x.to);
}

/* Positions have one decimal, unless it is 0: most of the picture are positions. */
static void put(const struct chart *chart, char command, double position)
{
	const double tenths = round(position * 10);

	fprintf(chart->out, "%c%.*f", command, fmod(tenths, 10) != 0, tenths / 10);
}

static void put_point(const struct chart *chart, char command, double x, double y)
{
	put(chart, command, x);
	put(chart, ' ', y);
}

static double x_of(const struct chart *chart, const struct series *series,
		   size_t index)
{
	if (index < series->nr)
		return scale_position(&chart->to_x, series->x[index]);
	return series->end > 0 ? scale_position(&chart->to_x, series->end) : chart->to_x.to;
}

static double y_of(const struct chart *chart, double value)
{
	return scale_position(&chart->to_y, value);
}

static bool are_level(const struct chart *chart, double a, double b)
{
	return round(y_of(chart, a) * 10) == round(y_of(chart, b) * 10);
}

/* From the left to the right; of a step, only its end, unless the value changes there. */
static void forwards(const struct chart *chart, const struct series *series,
		     const double *y)
{
	put_point(chart, 'M', x_of(chart, series, 0), y_of(chart, y[0]));
	for (size_t i = 1; i < series->nr; i++) {
		if (!series->steps) {
			put_point(chart, 'L', x_of(chart, series, i),
				  y_of(chart, y[i]));
		} else if (!are_level(chart, y[i - 1], y[i])) {
			put(chart, 'H', x_of(chart, series, i));
			put(chart, 'V', y_of(chart, y[i]));
		}
	}
	if (series->steps)
		put(chart, 'H', x_of(chart, series, series->nr));
}

/* The same back to the left, which continues the path. */
static void backwards(const struct chart *chart, const struct series *series,
		      const double *y)
{
	const size_t last = series->nr - 1;

	put_point(chart, 'L', x_of(chart, series, last + series->steps),
		  y_of(chart, y[last]));
	for (size_t i = last; i-- > 0;) {
		if (!series->steps) {
			put_point(chart, 'L', x_of(chart, series, i),
				  y_of(chart, y[i]));
		} else if (!are_level(chart, y[i + 1], y[i])) {
			put(chart, 'H', x_of(chart, series, i + 1));
			put(chart, 'V', y_of(chart, y[i]));
		}
	}
	if (series->steps)
		put(chart, 'H', x_of(chart, series, 0));
	fputc('Z', chart->out);
}

static void begin_path(const struct chart *chart, const struct series *series)
{
	static const char *const strokes[] = { "", " dashed", " dotted" };

	fprintf(chart->out, "<path class=\"c%u%s%s\"", series->colour,
		strokes[series->stroke % (sizeof(strokes) / sizeof(strokes[0]))], series->high ? " area" : "");
}

static double entry_length(const char *name)
{
	return SAMPLE_LENGTH + LEGEND_GAP + CHARACTER * strlen(name);
}

/* Whether a name does not fit into the rest of a line that begins at CHART_LEFT. */
static bool is_beyond(double at, double width, const char *name)
{
	return at > 0 && CHART_LEFT + at + entry_length(name) - LEGEND_GAP > width;
}

void chart_lines_add(struct chart_lines *lines, double width, const char *name)
{
	if (is_beyond(lines->at, width, name)) {
		lines->nr++;
		lines->at = 0;
	}
	lines->at += entry_length(name);
}

static double legend_y(const struct chart *chart)
{
	return chart->top + CHART_TOP - 10 + LEGEND_HEIGHT * chart->legend_line;
}

/* Go to the next line if needed. Returns whether there is room for the name. */
static bool find_room(struct chart *chart, const char *name)
{
	const double from = chart->left + CHART_LEFT;

	if (chart->legend_full)
		return false;
	if (!is_beyond(chart->legend - from, chart->width, name))
		return true;
	if (chart->legend_line < chart->legend_lines) {
		chart->legend_line++;
		chart->legend = from;
		return true;
	}
	svg_text(chart->out, &(struct svg_text){
		.x = fmin(chart->legend, chart->left + chart->width - 3 * CHARACTER),
		.y = legend_y(chart),
	}, "...");
	chart->legend_full = true;
	return false;
}

/* What the path of a legend leads to: its name. */
static void end_legend(struct chart *chart, const char *name)
{
	const double y = legend_y(chart);

	fprintf(chart->out, " d=\"M%.1f %.1fH%.1f\"/>\n", chart->legend, y - 4,
		chart->legend + SAMPLE_LENGTH);
	svg_text(chart->out, &(struct svg_text){
		.x = chart->legend + SAMPLE_LENGTH + 5, .y = y,
	}, name);
	chart->legend += entry_length(name);
}

static void legend(struct chart *chart, const struct series *series)
{
	if (!find_room(chart, series->name))
		return;
	begin_path(chart, series);
	end_legend(chart, series->name);
}

void chart_legend(struct chart *chart, const char *class, const char *name)
{
	if (!find_room(chart, name))
		return;
	fprintf(chart->out, "<path class=\"%s\"", class);
	end_legend(chart, name);
}

void chart_nothing(const struct chart *chart, const char *why)
{
	svg_text(chart->out, &(struct svg_text){
		.anchor = SVG_MIDDLE, .x = (chart->to_x.from + chart->to_x.to) / 2,
		.y = (chart->to_y.from + chart->to_y.to) / 2, .class = "note",
	}, why);
}

void chart_draw(struct chart *chart, const struct series *series)
{
	begin_path(chart, series);
	fputs(" aria-label=\"", chart->out);
	svg_escaped(chart->out, series->name);
	fputs("\" d=\"", chart->out);
	forwards(chart, series, series->y);
	if (series->high)
		backwards(chart, series, series->high);
	fputs("\"/>\n", chart->out);
	legend(chart, series);
}
