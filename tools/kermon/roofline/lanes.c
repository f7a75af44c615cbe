// SPDX-License-Identifier: GPL-2.0
/*
 * Draws a lane for each CPU: which thread was there, and why each of its samples was taken, as
 * figure 5 of the KerMon paper.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "picture.h"

#define HEAD		78
#define BAR		9

/* Pixels of a stay, so that short ones are visible, and of a stroke with room around it. */
#define LEAST		0.3
#define STROKE		3

/* Of intervals in which it is not known when the thread was there. */
#define THIN		4

/* Threads and reasons in the legend; others have a colour, but no name. */
#define NAMED		6

/* Whether anything ran there, by CPU, and on any beyond @nr; NULL if out of memory. */
static bool *find_used(const struct roofline_run *run, size_t nr)
{
	const struct kermon_roofline_interval *stay;
	bool *used = calloc(nr + 1, sizeof(*used));

	for (size_t i = 0; used && (stay = kermon_roofline_interval(run->table, i)); i++)
		used[stay->cpu < nr ? stay->cpu : nr] = true;
	return used;
}

/* CPUs that are drawn, as there may be holes between their numbers. */
#define MOST_LANES	64

static size_t nr_lanes(const struct roofline_run *run)
{
	const size_t nr = run_cpus(run);
	bool *used = find_used(run, nr);
	size_t lanes = 0;

	for (size_t i = 0; used && i < nr; i++)
		lanes += used[i];
	free(used);
	return lanes < MOST_LANES ? lanes : MOST_LANES;
}

double picture_lanes_height(const struct roofline_view *view)
{
	double height = 0;

	for (size_t i = 0; i < view->nr_runs; i++)
		height += HEAD + LANE_HEIGHT * nr_lanes(&view->runs[i]) + 24;
	return height;
}

/**
 * struct lanes - those of a recording
 * @lane_of: by CPU, @nr of them; -1: none
 * @top: of the first one
 * @x: from seconds to positions
 * @is_dense: strokes at the ends of samples would cover everything
 */
struct lanes {
	const struct roofline_run *run;
	FILE *out;
	int *lane_of;
	size_t nr;
	double top;
	struct scale x;
	bool is_dense;
};

static double x_of(const struct lanes *lanes, uint64_t time)
{
	return scale_position(&lanes->x, (double)(time - kermon_roofline_origin(
		lanes->run->table)->begin) / 1e9);
}

static bool has_lane(const struct lanes *lanes, const struct kermon_roofline_interval *stay)
{
	return stay->cpu < lanes->nr && lanes->lane_of[stay->cpu] >= 0;
}

static double y_of(const struct lanes *lanes, uint32_t cpu)
{
	return lanes->top + LANE_HEIGHT * lanes->lane_of[cpu];
}

/* The stays of all threads with one colour are one element, and those that are spread another. */
static void draw_threads(const struct lanes *lanes, size_t colour, bool spread)
{
	const struct kermon_roofline_interval *stay;
	bool any = false;

	for (size_t i = 0; (stay = kermon_roofline_interval(lanes->run->table, i)); i++) {
		if (stay->thread % SVG_COLOURS != colour || !has_lane(lanes, stay) ||
		    stay_is_spread(stay) != spread)
			continue;
		if (!any)
			fprintf(lanes->out, "<path class=\"bars%s %s\" style=\"stroke-width:%d\" d=\"",
				spread ? " spread" : "", picture_colour(colour),
				spread ? THIN : BAR);
		any = true;
		fprintf(lanes->out, "M%.1f %.1fH%.1f", x_of(lanes, stay->begin),
			y_of(lanes, stay->cpu),
			fmax(x_of(lanes, stay->end), x_of(lanes, stay->begin) + LEAST));
	}
	if (any)
		fputs("\"/>\n", lanes->out);
}

/* A stroke at the end of each sample that was taken for this reason. */
static bool draw_reasons(const struct lanes *lanes, unsigned int why)
{
	const struct kermon_roofline_interval *stay;
	bool any = false;

	for (size_t i = 0; (stay = kermon_roofline_interval(lanes->run->table, i)); i++) {
		if (stay->why != why || !has_lane(lanes, stay))
			continue;
		if (!any)
			fprintf(lanes->out, "<path class=\"%s\" aria-label=\"%s\" d=\"",
				picture_colour(why), kermon_roofline_why_name(why));
		any = true;
		fprintf(lanes->out, "M%.1f %.1fv%d", x_of(lanes, stay->end),
			y_of(lanes, stay->cpu) - BAR / 2.0 - 3, BAR + 6);
	}
	if (any)
		fputs("\"/>\n", lanes->out);
	return any;
}

static void name_lanes(const struct lanes *lanes)
{
	char text[SCALE_LABEL];

	for (size_t i = 0; i < lanes->nr; i++) {
		if (lanes->lane_of[i] < 0)
			continue;
		snprintf(text, sizeof(text), "CPU %zu", i);
		svg_text(lanes->out, &(struct svg_text){
			.anchor = SVG_END, .x = CHART_LEFT - 6, .y = y_of(lanes, i) + 4,
		}, text);
	}
}

/* Names of threads in the first line, reasons in the second one. */
static void add_legend(const struct lanes *lanes, const bool *reasons)
{
	struct chart threads = { .top = lanes->top - HEAD - 2, .out = lanes->out,
				 .legend = CHART_LEFT, .width = PICTURE_WIDTH };
	struct chart whys = { .top = lanes->top - HEAD + 16, .out = lanes->out,
			      .legend = CHART_LEFT, .width = PICTURE_WIDTH };
	char name[THREAD_NAME];

	for (size_t i = 0; i < NAMED && kermon_roofline_thread(lanes->run->table, i); i++) {
		thread_name(lanes->run, i, name);
		chart_legend(&threads, picture_colour(i), name);
	}
	if (lanes->is_dense)
		chart_legend(&whys, "", "reasons are not shown: there are too many samples");
	for (unsigned int i = 0; i < KERMON_WHYS; i++) {
		if (!reasons[i])
			continue;
		chart_legend(&whys, picture_colour(i), kermon_roofline_why_name(i));
	}
}

static void assign_lanes(struct lanes *lanes, const bool *used)
{
	int lane = 0;

	for (size_t i = 0; i < lanes->nr; i++)
		lanes->lane_of[i] = used[i] && lane < MOST_LANES ? lane++ : -1;
}

static void draw(struct lanes *lanes)
{
	bool reasons[KERMON_WHYS] = { false };

	for (size_t i = 0; i < SVG_COLOURS; i++) {
		draw_threads(lanes, i, false);
		draw_threads(lanes, i, true);
	}
	for (unsigned int i = KERMON_WHY_UNKNOWN + 1; i < KERMON_WHYS && !lanes->is_dense; i++)
		reasons[i] = draw_reasons(lanes, i);
	name_lanes(lanes);
	add_legend(lanes, reasons);
}

static bool is_dense(const struct lanes *lanes)
{
	size_t stays = 0;

	while (kermon_roofline_interval(lanes->run->table, stays))
		stays++;
	return stays * STROKE > nr_lanes(lanes->run) * (x_of(lanes, kermon_roofline_origin(
		lanes->run->table)->end) - CHART_LEFT);
}

/* Colours are those of several threads if there are many. */
static void write_title(const struct roofline_view *view, const struct roofline_run *run,
			FILE *out, double top)
{
	char text[256];
	size_t nr = 0;

	while (kermon_roofline_thread(run->table, nr))
		nr++;
	snprintf(text, sizeof(text), "%s", view->nr_runs > 1 ? run->label :
		 "Who was on each CPU, and why samples were taken");
	if (nr > SVG_COLOURS)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 " (%zu threads: colours are repeated)", nr);
	svg_text(out, &(struct svg_text){
		.x = CHART_LEFT, .y = top + 14, .class = "title",
	}, text);
}

static double draw_run(const struct roofline_view *view, const struct roofline_run *run,
		       FILE *out, double top)
{
	const size_t nr = run_cpus(run);
	struct lanes lanes = {
		.run = run, .out = out, .top = top + HEAD, .nr = nr,
		.lane_of = calloc(nr + 1, sizeof(int)),
		.x = scale_of(0, extent_seconds(view), CHART_LEFT, PICTURE_WIDTH - CHART_RIGHT, 8),
	};
	bool *used = find_used(run, nr);

	if (used && lanes.lane_of) {
		assign_lanes(&lanes, used);
		lanes.is_dense = is_dense(&lanes);
		write_title(view, run, out, top);
		draw(&lanes);
	}
	top = used && lanes.lane_of ? top + HEAD + LANE_HEIGHT * nr_lanes(run) + 24 : -ENOMEM;
	free(used);
	free(lanes.lane_of);
	return top;
}

double picture_lanes(const struct roofline_view *view, FILE *out, double top)
{
	for (size_t i = 0; i < view->nr_runs && top >= 0; i++)
		top = draw_run(view, &view->runs[i], out, top);
	return top;
}
