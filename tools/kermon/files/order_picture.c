// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the order of a file: the time of its records over their number, with bounds, as
 * figure 6 of "The perf file format" by U. Fässler, and how far they are behind.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "order.h"
#include "plot/chart.h"
#include "plot/svg.h"

#define WIDTH		860
#define CHART_HEIGHT	290
#define NOTES_TOP	(2 * CHART_HEIGHT + 16)
#define NOTE_HEIGHT	15
#define HEIGHT		(NOTES_TOP + (ORDER_FACTS + 2) * NOTE_HEIGHT)

#define AXIS_TITLE	64

/**
 * struct picture - what is drawn, in the units of the axes
 * @upper: time of the newest record up to the end of a column
 * @lower: time of the oldest record from the beginning of a column on
 */
struct picture {
	const struct order_view *view;
	struct scale_unit number_unit;
	struct scale_unit time_unit;
	struct scale_unit lag_unit;
	struct extremes times;
	struct extremes rounds;
	struct extremes behind;
	struct extremes allowed;
	double upper[COLUMNS_MAX];
	double lower[COLUMNS_MAX];
};

static double highest(const struct columns *columns)
{
	double most = 0;

	for (size_t i = 0; i < columns->nr; i++)
		if (columns->all[i].points)
			most = fmax(most, columns->all[i].max);
	return most;
}

static void take_extremes(struct picture *picture, const struct columns *columns,
			  const struct scale_unit *unit, struct extremes *extremes)
{
	columns_extremes(columns, picture->number_unit.factor, unit->factor,
			 extremes);
}

static void take_bounds(struct picture *picture)
{
	const struct extremes *times = &picture->times;
	double bound = -INFINITY;

	for (size_t i = 0; i < times->nr; i++)
		picture->upper[i] = bound = fmax(bound, times->max[i]);
	bound = INFINITY;
	for (size_t i = times->nr; i-- > 0;)
		picture->lower[i] = bound = fmin(bound, times->min[i]);
}

static void prepare(struct picture *picture, const struct order_view *view)
{
	const double lag = fmax(highest(&view->behind), highest(&view->allowed));

	picture->view = view;
	picture->number_unit = scale_number(view->sum->records);
	picture->time_unit = scale_duration(highest(&view->times));
	picture->lag_unit = scale_duration(lag);
	take_extremes(picture, &view->times, &picture->time_unit, &picture->times);
	take_extremes(picture, &view->lower, &picture->time_unit, &picture->rounds);
	take_extremes(picture, &view->behind, &picture->lag_unit, &picture->behind);
	take_extremes(picture, &view->allowed, &picture->lag_unit,
		      &picture->allowed);
	take_bounds(picture);
}

static void draw_all(struct chart *chart, const struct series *series, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (series[i].nr)
			chart_draw(chart, &series[i]);
}

static void draw_times(const struct picture *picture, struct chart *chart)
{
	const struct extremes *times = &picture->times;
	const struct series all[] = {
		{ "records", 0, .steps = true, .nr = times->nr, .x = times->x,
		  .y = times->min, .high = times->max },
		{ "upper bound", 1, .steps = true, .nr = times->nr,
		  .x = times->x, .y = picture->upper },
		{ "lower bound", 2, .steps = true, .nr = times->nr,
		  .x = times->x, .y = picture->lower },
		{ "lower bound by FINISHED_ROUND", 3, .stroke = 1,
		  .steps = true, .nr = picture->rounds.nr,
		  .x = picture->rounds.x, .y = picture->rounds.min },
	};

	draw_all(chart, all, sizeof(all) / sizeof(all[0]));
}

static void draw_lags(const struct picture *picture, struct chart *chart)
{
	static const double zero[COLUMNS_MAX];
	const struct series all[] = {
		{ "records", 0, .steps = true, .nr = picture->behind.nr,
		  .x = picture->behind.x, .y = zero,
		  .high = picture->behind.max },
		{ "most that FINISHED_ROUND allows", 3, .stroke = 1,
		  .steps = true, .nr = picture->allowed.nr,
		  .x = picture->allowed.x, .y = picture->allowed.max },
	};

	draw_all(chart, all, sizeof(all) / sizeof(all[0]));
}

static void axis_title(char title[AXIS_TITLE], const char *what,
		       const struct scale_unit *unit)
{
	snprintf(title, AXIS_TITLE, *unit->name ? "%s [%s]" : "%s", what,
		 unit->name);
}

static void draw_charts(const struct picture *picture, FILE *out)
{
	const struct extremes *times = &picture->times;
	char number[AXIS_TITLE], time[AXIS_TITLE], lag[AXIS_TITLE];
	struct chart chart = {
		.title = "Time of each record, in the order of the file",
		.width = WIDTH, .height = CHART_HEIGHT,
		.x = { number, 0, picture->view->sum->records /
				  picture->number_unit.factor },
		.y = { time, times->nr ? picture->lower[0] : 0,
		       times->nr ? picture->upper[times->nr - 1] : 0 },
	};

	axis_title(number, "record in the file", &picture->number_unit);
	axis_title(time, "time", &picture->time_unit);
	axis_title(lag, "behind", &picture->lag_unit);
	chart_begin(&chart, out);
	draw_times(picture, &chart);
	chart.title = "How much older each record is than the newest one before it";
	chart.top = CHART_HEIGHT;
	chart.y = (struct axis){
		lag, 0, fmax(highest(&picture->view->behind),
			     highest(&picture->view->allowed)) /
			picture->lag_unit.factor,
	};
	chart_begin(&chart, out);
	draw_lags(picture, &chart);
}

static void draw_note(FILE *out, unsigned int line, const char *text)
{
	svg_text(out, &(struct svg_text){
		.x = CHART_LEFT, .y = NOTES_TOP + line * NOTE_HEIGHT,
		.class = "note",
	}, text);
}

static void draw_notes(const struct order_view *view, FILE *out)
{
	unsigned int line = 0;
	char text[ORDER_FACT];

	snprintf(text, sizeof(text), "%s: kermon check --order; areas and lines "
		 "show the extremes of %u records each", view->path,
		 1U << view->times.log_width);
	draw_note(out, line++, text);
	for (unsigned int i = 0; i < ORDER_FACTS; i++)
		if (*view->facts[i])
			draw_note(out, line++, view->facts[i]);
}

int order_picture(const void *context, FILE *out)
{
	const struct order_view *view = context;
	struct picture *picture = calloc(1, sizeof(*picture));

	if (!picture)
		return -ENOMEM;
	prepare(picture, view);
	svg_begin(out, WIDTH, HEIGHT, "Order of the records of a perf.data file");
	draw_charts(picture, out);
	draw_notes(view, out);
	svg_end(out);
	free(picture);
	return 0;
}
