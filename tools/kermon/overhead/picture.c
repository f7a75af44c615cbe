// SPDX-License-Identifier: GPL-2.0
/* The results as box plots in SVG: a panel for each step, a box for each method. */
#include <math.h>

#include "overhead.h"
#include "plot/chart.h"
#include "plot/svg.h"

#define WIDTH		900
#define PANEL		260
#define BOX		0.6	/* of the room of a method */
#define NAME_ROOM	150

struct panel {
	const struct study *study;
	struct chart chart;
	FILE *out;
	enum step step;
	size_t nr;
};

static size_t count(const struct study *study)
{
	size_t nr = 0;

	for (size_t i = 0; i < study->nr_cells; i++)
		nr += study->cells[i].nr > 0;
	return nr;
}

static void set_axis(struct panel *panel)
{
	struct axis *axis = &panel->chart.y;

	axis->min = INFINITY;
	axis->max = 1;
	for (size_t i = 0; i < panel->study->nr_cells; i++) {
		const struct box *box = &panel->study->cells[i].steps[panel->step];

		if (!panel->study->cells[i].nr)
			continue;
		axis->min = fmin(axis->min, fmax(box->min, 1));
		axis->max = fmax(axis->max, box->max);
	}
	axis->min = pow(10, floor(log10(axis->min)));
	axis->max = pow(10, ceil(log10(axis->max)));
	if (axis->max <= axis->min)
		axis->max = 10 * axis->min;
}

/* Whiskers to the least and the greatest value, a box of quartiles, a line at the median. */
static void draw_box(const struct panel *panel, const struct box *box, double at)
{
	const double left = at - BOX / 2, right = at + BOX / 2;
	const struct chart *chart = &panel->chart;

	chart_line(chart, "c0", at, box->min, at, box->low, false);
	chart_line(chart, "c0", at, box->high, at, box->max, false);
	chart_line(chart, "c0", left, box->low, right, box->low, false);
	chart_line(chart, "c0", left, box->high, right, box->high, false);
	chart_line(chart, "c0", left, box->low, left, box->high, false);
	chart_line(chart, "c0", right, box->low, right, box->high, false);
	chart_line(chart, "c1", left, box->median, right, box->median, false);
}

static void draw_name(const struct panel *panel, const struct cell *cell, size_t index)
{
	const struct chart *chart = &panel->chart;
	const double room = (chart->width - CHART_LEFT - CHART_RIGHT) / panel->nr;
	char name[64];
	const struct svg_text how = {
		.anchor = SVG_END,
		.x = chart->left + CHART_LEFT + room * (index + 0.5),
		.y = chart->top + chart->height - CHART_BOTTOM + 14,
		.angle = 35,
		.class = "note",
	};

	if (panel->study->most_events > 1)
		snprintf(name, sizeof(name), "%s, %u", cell->method->name, cell->events);
	else
		snprintf(name, sizeof(name), "%s", cell->method->name);
	svg_text(panel->out, &how, name);
}

static void draw_panel(struct panel *panel, unsigned int index, bool is_last)
{
	char title[64];
	size_t at = 0;

	snprintf(title, sizeof(title), "%s [%s]", step_names[panel->step],
		 panel->study->exact ? "instructions" : "TSC cycles");
	panel->chart = (struct chart){
		.title = title,
		.top = index * PANEL,
		.width = WIDTH,
		.height = PANEL,
		.x = { .title = "", .min = 0, .max = panel->nr, .no_ticks = true },
		.y = { .title = "", .is_log = true },
	};
	set_axis(panel);
	chart_begin(&panel->chart, panel->out);
	for (size_t i = 0; i < panel->study->nr_cells; i++) {
		const struct cell *cell = &panel->study->cells[i];

		if (!cell->nr)
			continue;
		draw_box(panel, &cell->steps[panel->step], at + 0.5);
		if (is_last)
			draw_name(panel, cell, at);
		at++;
	}
}

int study_print_svg(const void *context, FILE *out)
{
	const struct study *study = context;
	struct panel panel = { .study = study, .out = out, .nr = count(study) };
	const unsigned int nr_panels = study->nr_reads > 1 ? NR_STEPS : NR_STEPS - 1;
	unsigned int index = 0;

	svg_begin(out, WIDTH, PANEL * nr_panels + NAME_ROOM,
		  "Overhead of a thread that counts itself");
	for (panel.step = 0; panel.nr && panel.step < NR_STEPS; panel.step++)
		if (step_exists(panel.step, study->nr_reads))
			draw_panel(&panel, index++, panel.step + 1 == NR_STEPS);
	svg_end(out);
	return 0;
}
