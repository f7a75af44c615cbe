// SPDX-License-Identifier: GPL-2.0
/*
 * Draws what happened over time: the temporal roofline, which is performance with the ceiling
 * that binds, and intensity; then power and energy.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "extent.h"
#include "picture.h"
#include "timeline.h"

/* Height of the strip that shows which ceiling binds. */
#define STRIP		7

/* One of the lines of a chart over time: slices with a value. */
struct steps {
	size_t nr;
	double x[TIMELINE_SLICES];
	double y[TIMELINE_SLICES];
};

/**
 * struct times - all recordings by slices
 * @runs: by recording
 * @binding: the ceiling that binds in each slice
 * @line: room for one of them
 * @seconds: length of the longest one
 */
struct times {
	const struct roofline_view *view;
	struct timeline runs[ROOFLINE_RUNS];
	const struct roof *binding[ROOFLINE_RUNS][TIMELINE_SLICES];
	struct steps line;
	double seconds;
};

static double flops_of(const struct timeline *timeline, size_t slice)
{
	return timeline->flop[slice] / timeline->width;
}

static double intensity_of(const struct timeline *timeline, size_t slice)
{
	return timeline->bytes[slice] > 0 ? timeline->flop[slice] / timeline->bytes[slice] : 0;
}

/* Up to the end of the recording, which may be shorter than others. */
static void draw_line(struct times *times, struct chart *chart, size_t run, size_t colour,
		      const char *name, bool dashed)
{
	if (times->line.nr)
		chart_draw(chart, &(struct series){
			.name = name, .colour = colour % SVG_COLOURS, .dashed = dashed,
			.steps = true, .nr = times->line.nr, .x = times->line.x,
			.y = times->line.y, .end = times->runs[run].width * times->runs[run].nr,
		});
}

static void add_step(struct times *times, const struct timeline *timeline, size_t slice,
		     double value)
{
	times->line.x[times->line.nr] = timeline->begin[slice];
	times->line.y[times->line.nr++] = value;
}

/* Fewer than one in so many slices are those between two phases. */
#define RARE		100

/*
 * Of the numbers of threads whose ceilings are shown, the next one that is not below how many
 * ran in the slice, or else the highest. CPUs always run.
 */
static unsigned int threads_at(const struct times *times, size_t run, size_t slice)
{
	const struct roofline_run *from = &times->view->runs[run];
	const struct timeline *timeline = &times->runs[run];
	const struct roofs *roofs = &times->view->roofs;
	const long wanted = lrint(timeline->busy[slice] / timeline->width);
	unsigned int found = 0, most = 0, threads;

	if (run_is_of_cpus(from))
		return roofs_threads(times->view, from);
	for (size_t i = 0; i < roofs->nr; i++) {
		threads = roofs->all[i].shown ? roofs->all[i].from->threads : 0;
		most = threads > most ? threads : most;
		if (threads && threads >= wanted && (!found || threads < found))
			found = threads;
	}
	return found ? found : most;
}

/* Which ceiling binds in each slice. */
static void find_binding(struct times *times, size_t run)
{
	const struct timeline *timeline = &times->runs[run];
	struct place place = { .roofs = &times->view->roofs };
	const struct roof *next;

	for (size_t i = 0; i < timeline->nr; i++) {
		place.threads = threads_at(times, run, i);
		place.simd = timeline_simd(timeline, i);
		place.intensity = intensity_of(timeline, i);
		place.flops = flops_of(timeline, i);
		times->binding[run][i] = verdict_binding(&place, &next);
	}
}

static bool is_rare(const struct times *times, size_t run, const struct roof *roof)
{
	size_t nr = 0;

	for (size_t i = 0; i < times->runs[run].nr; i++)
		nr += times->binding[run][i] == roof;
	return nr * RARE < times->runs[run].nr;
}

/*
 * At the bottom of the chart, the colour of the ceiling in the slices where it binds. Returns
 * whether it binds in any.
 */
static bool draw_strip(const struct times *times, const struct chart *chart, size_t run,
		       const struct roof *roof, size_t colour)
{
	const struct timeline *timeline = &times->runs[run];
	const double y = chart->to_y.from - STRIP * (run + 0.5);
	bool begun = false;
	double from;

	if (is_rare(times, run, roof))
		return false;
	for (size_t i = 0; i < timeline->nr; i++) {
		if (times->binding[run][i] != roof)
			continue;
		if (!begun)
			fprintf(chart->out, "<path class=\"bars %s\" style=\"stroke-width:%d\" d=\"",
				picture_colour(colour), STRIP);
		begun = true;
		from = timeline->begin[i];
		while (i + 1 < timeline->nr && times->binding[run][i + 1] == roof)
			i++;
		fprintf(chart->out, "M%.1f %.1fH%.1f", scale_position(&chart->to_x, from), y,
			scale_position(&chart->to_x, timeline->begin[i] + timeline->width));
	}
	if (begun)
		fputs("\"/>\n", chart->out);
	return begun;
}

static void draw_strips(struct times *times, struct chart *chart)
{
	const struct roofline_view *view = times->view;
	size_t colour = view->nr_runs;
	bool binds;

	for (size_t i = 0; i < view->roofs.nr; i++) {
		if (!view->roofs.all[i].shown)
			continue;
		binds = false;
		for (size_t j = 0; j < view->nr_runs; j++)
			if (roofs_apply(view, &view->runs[j]))
				binds |= draw_strip(times, chart, j, &view->roofs.all[i],
						    colour);
		if (binds)
			chart_legend(chart, picture_colour(colour++),
				     view->roofs.all[i].from->label);
	}
}

static double highest_flops(const struct times *times)
{
	double highest = 0;

	for (size_t i = 0; i < times->view->nr_runs; i++)
		for (size_t j = 0; j < times->runs[i].nr; j++)
			highest = fmax(highest, flops_of(&times->runs[i], j));
	return highest / 1e9;
}

static struct chart time_chart(const struct times *times, double top, const char *title,
			       struct axis y)
{
	return (struct chart){
		.title = title, .top = top, .width = PICTURE_WIDTH, .height = TIME_HEIGHT,
		.x = { "time [s]", 0, times->seconds, false }, .y = y,
	};
}

static const char *name_of(const struct times *times, size_t run)
{
	return times->view->nr_runs > 1 ? times->view->runs[run].label : "all threads";
}

static void draw_performance(struct times *times, FILE *out, double top)
{
	struct chart chart = time_chart(times, top, "Performance, and the ceiling that binds",
					(struct axis){ "GFLOP/s", 0, highest_flops(times) * 1.05 });

	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		times->line.nr = 0;
		for (size_t j = 0; j < times->runs[i].nr; j++)
			add_step(times, &times->runs[i], j, flops_of(&times->runs[i], j) / 1e9);
		draw_line(times, &chart, i, i, name_of(times, i), false);
	}
	if (times->view->roofs.ceilings)
		draw_strips(times, &chart);
}

static struct axis intensity_axis(const struct times *times)
{
	double least = INFINITY, most = 0, value;

	for (size_t i = 0; i < times->view->nr_runs; i++)
		for (size_t j = 0; j < times->runs[i].nr; j++) {
			value = intensity_of(&times->runs[i], j);
			if (!(value > 0))
				continue;
			least = fmin(least, value);
			most = fmax(most, value);
		}
	if (!(most > 0))
		return (struct axis){ "FLOP/byte", 0.01, 10, true };
	return (struct axis){ "FLOP/byte", fmax(least, most / 1e6) / 1.5, most * 1.5, true };
}

static void draw_intensity(struct times *times, FILE *out, double top)
{
	struct chart chart = time_chart(times, top, "Intensity", intensity_axis(times));
	double value;

	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		times->line.nr = 0;
		for (size_t j = 0; j < times->runs[i].nr; j++) {
			value = intensity_of(&times->runs[i], j);
			if (value > 0)
				add_step(times, &times->runs[i], j, fmax(value, chart.y.min));
		}
		draw_line(times, &chart, i, i, name_of(times, i), false);
	}
}

/* Which values of the domains a chart shows. */
typedef const double *(*domain_values)(const struct timeline *timeline, size_t domain);

static const double *watts_of(const struct timeline *timeline, size_t domain)
{
	return timeline->watts[domain];
}

static const double *joules_of(const struct timeline *timeline, size_t domain)
{
	return timeline->joules[domain];
}

static double highest_of(const struct times *times, domain_values values)
{
	double highest = 0;

	for (size_t i = 0; i < times->view->nr_runs; i++)
		for (size_t j = 0; kermon_roofline_domain(times->view->runs[i].table, j); j++)
			for (size_t k = 0; k < times->runs[i].nr; k++)
				highest = fmax(highest, values(&times->runs[i], j)[k]);
	return highest;
}

static void draw_domains(struct times *times, FILE *out, double top, const char *title,
			 const char *unit, domain_values values)
{
	struct chart chart = time_chart(times, top, title, (struct axis){
		unit, 0, highest_of(times, values) * 1.05 });
	const bool several = times->view->nr_runs > 1;
	const struct roofline_run *run;
	const char *domain;
	char name[128];

	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		run = &times->view->runs[i];
		for (size_t j = 0; (domain = kermon_roofline_domain(run->table, j)); j++) {
			times->line.nr = 0;
			for (size_t k = 0; k < times->runs[i].nr; k++)
				add_step(times, &times->runs[i], k,
					 values(&times->runs[i], j)[k]);
			snprintf(name, sizeof(name), several ? "%s: %s" : "%s",
				 domain, run->label);
			draw_line(times, &chart, i, several ? i : j, name, several && j);
		}
	}
}

static bool has_energy(const struct roofline_view *view)
{
	for (size_t i = 0; i < view->nr_runs; i++)
		if (kermon_roofline_basis(view->runs[i].table)->energy)
			return true;
	return false;
}

double picture_times_height(const struct roofline_view *view)
{
	return TIME_HEIGHT * (has_energy(view) ? 4 : 2);
}

double picture_times(const struct roofline_view *view, FILE *out, double top)
{
	struct times *times = calloc(1, sizeof(*times));

	if (!times)
		return -ENOMEM;
	times->view = view;
	times->seconds = extent_seconds(view);
	for (size_t i = 0; i < view->nr_runs; i++) {
		timeline_fill(&times->runs[i], &view->runs[i]);
		find_binding(times, i);
	}
	draw_performance(times, out, top);
	draw_intensity(times, out, top + TIME_HEIGHT);
	if (has_energy(view)) {
		draw_domains(times, out, top + 2 * TIME_HEIGHT, "Power", "W", watts_of);
		draw_domains(times, out, top + 3 * TIME_HEIGHT, "Energy", "J", joules_of);
	}
	free(times);
	return top + picture_times_height(view);
}
