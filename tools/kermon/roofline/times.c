// SPDX-License-Identifier: GPL-2.0
/*
 * Draws what happened over time: the temporal roofline, which is performance with the ceiling
 * that binds, and intensity; then power and energy.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "picture.h"
#include "timeline.h"

/* Of a legend, beyond the first one. */
#define MOST_LINES	3

#define DOMAIN_NAME	128

/* Height of the strip that shows which ceiling binds. */
#define STRIP		7

/* One of the lines of a chart over time: slices with a value, or their ends. */
struct steps {
	size_t nr;
	double x[TIMELINE_SLICES + 1];
	double y[TIMELINE_SLICES + 1];
};

/**
 * struct times - all recordings by slices
 * @runs: by recording
 * @binding: the ceiling that binds in each slice
 * @line: room for a line
 * @seconds: length of the longest one
 */
struct times {
	const struct roofline_view *view;
	struct timeline *runs;
	const struct roof *(*binding)[TIMELINE_SLICES];
	struct steps *line;
	double seconds;
};

static double intensity_of(const struct timeline *timeline, size_t slice)
{
	return timeline->bytes[slice] > 0 ? timeline->flop[slice] / timeline->bytes[slice] : 0;
}

/* Up to the end of the recording, which may be shorter than others. */
static void draw_line(struct times *times, struct chart *chart, size_t run, size_t colour,
		      const char *name, unsigned int stroke, bool steps)
{
	if (times->line->nr)
		chart_draw(chart, &(struct series){
			.name = name, .colour = colour % SVG_COLOURS, .stroke = stroke,
			.steps = steps, .nr = times->line->nr, .x = times->line->x,
			.y = times->line->y, .end = times->runs[run].width * times->runs[run].nr,
		});
}

static void add_step(struct times *times, const struct timeline *timeline, size_t slice,
		     double value)
{
	times->line->x[times->line->nr] = timeline->begin[slice];
	times->line->y[times->line->nr++] = value;
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
	const struct roofs *roofs = from->roofs;
	const long wanted = lrint(timeline->busy[slice] / timeline->width);
	unsigned int found = 0, most = 0, threads;

	if (run_is_of_cpus(from))
		return roofs_threads(from);
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
	struct place place = { .roofs = times->view->runs[run].roofs };
	const struct roof *next;

	for (size_t i = 0; i < timeline->nr; i++) {
		place.threads = threads_at(times, run, i);
		place.simd = timeline_simd(timeline, i);
		place.intensity = intensity_of(timeline, i);
		place.flops = timeline_flops(timeline, i);
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

#define STRIP_NAME	(ROOFS_NAME + 160)

static void name_strip(const struct times *times, const struct roofs *roofs,
		       const struct roof *roof, char name[STRIP_NAME])
{
	snprintf(name, STRIP_NAME, view_has_machines(times->view) ? "%s, %s" : "%s",
		 roof->from->label, roofs->name);
}

/* Those of a ceiling, of all recordings that are compared with it; and its name. */
static bool draw_strips_of(struct times *times, struct chart *chart, const struct roofs *roofs,
			   const struct roof *roof, size_t colour)
{
	const struct roofline_view *view = times->view;
	char name[STRIP_NAME];
	bool binds = false;

	for (size_t i = 0; i < view->nr_runs; i++)
		if (view->runs[i].roofs == roofs && roofs_apply(&view->runs[i]))
			binds |= draw_strip(times, chart, i, roof, colour);
	name_strip(times, roofs, roof, name);
	if (binds)
		chart_legend(chart, picture_colour(colour), name);
	return binds;
}

static void draw_strips(struct times *times, struct chart *chart)
{
	const struct roofline_view *view = times->view;
	size_t colour = view->nr_runs;
	const struct roofs *roofs;

	for (size_t i = 0; i < view->nr_machines; i++) {
		roofs = &view->machines[i];
		for (size_t j = 0; j < roofs->nr; j++)
			if (roofs->all[j].shown)
				colour += draw_strips_of(times, chart, roofs, &roofs->all[j],
							 colour);
	}
}

/* Whether the ceiling binds any recording that is compared with it. */
static bool binds_any(const struct times *times, const struct roofs *roofs,
		      const struct roof *roof)
{
	const struct roofline_view *view = times->view;

	for (size_t i = 0; i < view->nr_runs; i++)
		if (view->runs[i].roofs == roofs && roofs_apply(&view->runs[i]) &&
		    !is_rare(times, i, roof))
			return true;
	return false;
}

static void measure_strips(const struct times *times, struct chart_lines *lines)
{
	const struct roofline_view *view = times->view;
	const struct roofs *roofs;
	char name[STRIP_NAME];

	for (size_t i = 0; i < view->nr_machines; i++) {
		roofs = &view->machines[i];
		for (size_t j = 0; j < roofs->nr; j++) {
			if (!roofs->all[j].shown || !binds_any(times, roofs, &roofs->all[j]))
				continue;
			name_strip(times, roofs, &roofs->all[j], name);
			chart_lines_add(lines, PICTURE_WIDTH, name);
		}
	}
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

/* No more lines than leave room for the chart. */
static void set_lines(struct chart *chart, const struct chart_lines *lines)
{
	chart->legend_lines = lines->nr < MOST_LINES ? lines->nr : MOST_LINES;
}

static void measure_runs(const struct times *times, struct chart_lines *lines)
{
	for (size_t i = 0; i < times->view->nr_runs; i++)
		chart_lines_add(lines, PICTURE_WIDTH, name_of(times, i));
}

/* Without any count, performance is not 0, but unknown. */
static bool is_counted(const struct roofline_run *run)
{
	return kermon_roofline_total(run->table)->counted > 0;
}

static void draw_performance(struct times *times, FILE *out, double top)
{
	struct chart chart = time_chart(times, top, "Performance, and the ceiling that binds",
					(struct axis){ "GFLOP/s", 0, 1.05e-9 *
						timeline_highest(times->runs, times->view->nr_runs) });
	struct chart_lines lines = { 0 };

	measure_runs(times, &lines);
	measure_strips(times, &lines);
	set_lines(&chart, &lines);
	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		times->line->nr = 0;
		for (size_t j = 0; j < times->runs[i].nr && is_counted(&times->view->runs[i]); j++)
			add_step(times, &times->runs[i], j, timeline_flops(&times->runs[i], j) / 1e9);
		draw_line(times, &chart, i, i, name_of(times, i), 0, true);
	}
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
	struct chart_lines lines = { 0 };
	bool any = false;
	double value;

	measure_runs(times, &lines);
	set_lines(&chart, &lines);
	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		times->line->nr = 0;
		for (size_t j = 0; j < times->runs[i].nr; j++) {
			value = intensity_of(&times->runs[i], j);
			if (value > 0)
				add_step(times, &times->runs[i], j, fmax(value, chart.y.min));
		}
		any |= times->line->nr;
		draw_line(times, &chart, i, i, name_of(times, i), 0, true);
	}
	if (!any)
		chart_nothing(&chart, "no samples with both operations and bytes");
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

static void name_domain(const struct times *times, size_t run, size_t domain,
			char name[DOMAIN_NAME])
{
	const struct roofline_run *of = &times->view->runs[run];

	snprintf(name, DOMAIN_NAME, times->view->nr_runs > 1 ? "%s: %s" : "%s",
		 kermon_roofline_domain(of->table, domain), of->label);
}

/* Of a domain among those of all recordings, which may be in other orders. */
static unsigned int number_of(const struct times *times, size_t run, size_t domain)
{
	const char *names[KERMON_ROOFLINE_DOMAINS];
	const size_t nr = runs_domains(times->view, names);
	const char *name = kermon_roofline_domain(times->view->runs[run].table, domain);
	unsigned int number = 0;

	while (number < nr && strcmp(names[number], name))
		number++;
	return number;
}

static void measure_domains(const struct times *times, struct chart_lines *lines)
{
	char name[DOMAIN_NAME];

	for (size_t i = 0; i < times->view->nr_runs; i++)
		for (size_t j = 0; kermon_roofline_domain(times->view->runs[i].table, j); j++) {
			name_domain(times, i, j, name);
			chart_lines_add(lines, PICTURE_WIDTH, name);
		}
}

static void add_steps(struct times *times, const struct timeline *timeline,
		      const double *values)
{
	times->line->nr = 0;
	for (size_t i = 0; i < timeline->nr; i++)
		add_step(times, timeline, i, values[i]);
}

/* What a sum, which begins with 0, is at the end of each slice. */
static void add_sums(struct times *times, const struct timeline *timeline, const double *values)
{
	struct steps *line = times->line;

	line->nr = 0;
	line->x[line->nr] = 0;
	line->y[line->nr++] = 0;
	for (size_t i = 0; i < timeline->nr; i++) {
		line->x[line->nr] = timeline->begin[i] + timeline->width;
		line->y[line->nr++] = values[i];
	}
}

static void draw_domains(struct times *times, FILE *out, double top, const char *title,
			 const char *unit, domain_values values)
{
	const bool is_sum = values == joules_of;
	struct chart chart = time_chart(times, top, title, (struct axis){
		unit, 0, highest_of(times, values) * 1.05 });
	const bool several = times->view->nr_runs > 1;
	const struct timeline *timeline;
	struct chart_lines lines = { 0 };
	char name[DOMAIN_NAME];

	measure_domains(times, &lines);
	set_lines(&chart, &lines);
	chart_begin(&chart, out);
	for (size_t i = 0; i < times->view->nr_runs; i++) {
		timeline = &times->runs[i];
		for (size_t j = 0; kermon_roofline_domain(times->view->runs[i].table, j); j++) {
			name_domain(times, i, j, name);
			if (is_sum)
				add_sums(times, timeline, values(timeline, j));
			else
				add_steps(times, timeline, values(timeline, j));
			draw_line(times, &chart, i, several ? i : j, name,
				  several ? number_of(times, i, j) : 0, !is_sum);
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

static int times_begin(struct times *times, const struct roofline_view *view)
{
	*times = (struct times){
		.view = view,
		.runs = calloc(view->nr_runs, sizeof(*times->runs)),
		.binding = calloc(view->nr_runs, sizeof(*times->binding)),
		.line = calloc(1, sizeof(*times->line)),
		.seconds = extent_seconds(view),
	};
	if (!times->runs || !times->binding || !times->line)
		return -ENOMEM;
	for (size_t i = 0; i < view->nr_runs; i++) {
		timeline_fill(&times->runs[i], &view->runs[i]);
		find_binding(times, i);
	}
	return 0;
}

static void times_end(struct times *times)
{
	free(times->runs);
	free(times->binding);
	free(times->line);
}

double picture_times(const struct roofline_view *view, FILE *out, double top)
{
	struct times times;
	int err = times_begin(&times, view);

	if (!err) {
		draw_performance(&times, out, top);
		draw_intensity(&times, out, top + TIME_HEIGHT);
	}
	if (!err && has_energy(view)) {
		draw_domains(&times, out, top + 2 * TIME_HEIGHT, "Power", "W", watts_of);
		draw_domains(&times, out, top + 3 * TIME_HEIGHT, "Energy", "J", joules_of);
	}
	times_end(&times);
	return err ? err : top + picture_times_height(view);
}
