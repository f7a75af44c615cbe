// SPDX-License-Identifier: GPL-2.0
/* The results as a table with box plots of characters. */
#include <math.h>
#include <string.h>

#include "machine/hypervisor.h"
#include "overhead.h"
#include "ui/pager.h"

#define NUMBERS_WIDTH	39
#define PLOT_WIDTH	40
#define PLOT_MIN	12

/* Powers of two from the least to the greatest value of a step, and their columns. */
struct span {
	double from;
	double to;
	int width;
};

/* What the terminal has beside the numbers; 0 if that is too narrow for a plot. */
static int plot_width(void)
{
	const int width = terminal_width(), rest = width - NAME_WIDTH - NUMBERS_WIDTH;

	if (!width || rest > PLOT_WIDTH)
		return PLOT_WIDTH;
	return rest < PLOT_MIN ? 0 : rest;
}

static struct span span_of(const struct study *study, enum step step)
{
	struct span span = { INFINITY, 0, plot_width() };

	for (const struct cell *cell = study->cells; cell < study->cells + study->nr_cells;
	     cell++) {
		const struct box *box = &cell->steps[step];

		if (!cell->nr)
			continue;
		span.from = fmin(span.from, fmax(box->min, 1));
		/* Outliers are in the table, and would leave no room for the rest. */
		span.to = fmax(span.to, box->high);
	}
	span.from = exp2(floor(log2(span.from)));
	span.to = exp2(ceil(log2(span.to)));
	if (span.to <= span.from)
		span.to = 2 * span.from;
	return span;
}

static int column_of(const struct span *span, double value)
{
	double part = log2(fmax(value, span->from) / span->from) /
		      log2(span->to / span->from);

	return fmin(part, 1) * (span->width - 1);
}

/* "  -[=|==]----": whiskers, quartiles and the median. */
static void draw(const struct span *span, const struct box *box, char *line)
{
	const int min = column_of(span, box->min), max = column_of(span, box->max);
	const int low = column_of(span, box->low), high = column_of(span, box->high);

	memset(line, ' ', max + 1);
	line[max + 1] = '\0';
	memset(line + min, '-', max - min + 1);
	memset(line + low, '=', high - low + 1);
	line[low] = '[';
	line[high] = ']';
	line[column_of(span, box->median)] = '|';
}

static void print_cell(const struct cell *cell, const struct span *span, enum step step,
		       FILE *out)
{
	const struct box *box = &cell->steps[step];
	char line[PLOT_WIDTH + 1];

	fprintf(out, "%-*s %6u %9.0f %9.0f %9.0f", NAME_WIDTH, cell->method->name,
		cell->events, box->min, box->median, box->max);
	if (span->width) {
		draw(span, box, line);
		fprintf(out, "  %s", line);
	}
	fputc('\n', out);
}

static void print_step(const struct study *study, enum step step, FILE *out)
{
	const struct span span = span_of(study, step);

	fprintf(out, "\n%-*s %6s %9s %9s %9s", NAME_WIDTH, step_names[step], "events",
		"minimum", "median", "maximum");
	if (span.width)
		fprintf(out, "  %-*.0f%*.0f", span.width / 2, span.from,
			span.width - span.width / 2, span.to);
	fputc('\n', out);
	for (const struct cell *cell = study->cells; cell < study->cells + study->nr_cells;
	     cell++)
		if (cell->nr)
			print_cell(cell, &span, step, out);
}

static void print_missing(const struct study *study, FILE *out)
{
	const struct cell *cell = NULL;
	char text[MISSING_SIZE];

	for (const char *before = "\n"; (cell = study_next_missing(study, cell)); before = "") {
		study_say_missing(cell, text);
		fprintf(out, "%s%s\n", before, text);
	}
}

/* Medians of all steps but the total, which is a sum of three. */
static void print_empty(const struct study *study, FILE *out)
{
	double min = INFINITY, max = 0;

	for (size_t i = 0; i < study->nr_cells; i++)
		for (enum step step = 0; study->cells[i].nr && step < STEP_TOTAL; step++) {
			min = fmin(min, study->cells[i].empty[step]);
			max = fmax(max, study->cells[i].empty[step]);
		}
	fprintf(out, "Each step includes an empty function, the total three of them. It takes %.0f",
		min);
	if (max > min)
		fprintf(out, " to %.0f", max);
	fputs(study->exact ? " instructions.\n" : " cycles (median).\n", out);
}

static void print_unit(const struct study *study, FILE *out)
{
	char hypervisor[HYPERVISOR_SIZE];

	fprintf(out, "TSC cycles of a thread that counts itself, in %u fresh processes each\n",
		study->repetitions);
	hypervisor_name(hypervisor);
	if (study->exact)
		fputs("Here every instruction takes one cycle: these are instructions of user and kernel mode.\n",
		      out);
	else if (*hypervisor)
		fprintf(out, "This is a virtual machine (%s): the cycles are not those of the hardware.\n",
			hypervisor_label(hypervisor));
	if (study_has_results(study))
		print_empty(study, out);
}

void study_print(const struct study *study, FILE *out)
{
	print_unit(study, out);
	if (study_has_results(study)) {
		for (enum step step = 0; step < NR_STEPS; step++)
			if (step_exists(step, study->nr_reads))
				print_step(study, step, out);
		study_print_counts(study, out);
	}
	print_missing(study, out);
}
