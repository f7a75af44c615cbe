// SPDX-License-Identifier: GPL-2.0
/* Measures all methods, and sums up what their processes report. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../probe/probe.h"
#include "overhead.h"
#include "ui/progress.h"

/**
 * struct values - of all processes of a cell
 * @study: how many there are
 * @events: of the cell
 * @nr: processes so far
 * @all: a row of values, one per process, for each quantity: see row_*()
 * @later: all reads but the first ones
 * @nr_later: how many
 */
struct values {
	const struct study *study;
	unsigned int events;
	size_t nr;
	double *all;
	double *later;
	size_t nr_later;
};

static double *row(const struct values *values, unsigned int index)
{
	return values->all + (size_t)index * values->study->repetitions;
}

static double *row_step(const struct values *values, enum step step)
{
	return row(values, step);
}

static double *row_empty(const struct values *values, enum step step)
{
	return row(values, NR_STEPS + step);
}

static double *row_work(const struct values *values, unsigned int event)
{
	return row(values, 2 * NR_STEPS + event);
}

static double *row_read(const struct values *values, unsigned int read)
{
	return row(values, 2 * NR_STEPS + values->events + read);
}

static double *row_added(const struct values *values, unsigned int read, unsigned int event)
{
	return row(values, 2 * NR_STEPS + values->events + values->study->nr_reads +
		   read * values->events + event);
}

static size_t count_rows(const struct values *values)
{
	return 2 * NR_STEPS + values->events +
	       (size_t)values->study->nr_reads * (1 + values->events);
}

static int values_alloc(struct values *values, const struct study *study,
			const struct cell *cell)
{
	*values = (struct values){ .study = study, .events = cell->events };
	values->all = calloc(count_rows(values) * study->repetitions, sizeof(double));
	values->later = calloc((size_t)study->repetitions * study->nr_reads, sizeof(double));
	if (values->all && values->later)
		return 0;
	free(values->all);
	free(values->later);
	return -ENOMEM;
}

static void values_free(struct values *values)
{
	free(values->all);
	free(values->later);
}

/* What an event counted until a read, since the one before or the start. */
static double added(const struct probe_report *report, unsigned int read, unsigned int event)
{
	const uint64_t *at = &report->values[read * report->nr_events + event];

	return (int64_t)(read ? *at - *(at - report->nr_events) : *at);
}

/* STEP_LATER is that of the last read. */
static double time_of(const struct probe_report *report, const struct probe_times *times,
		      enum step step)
{
	switch (step) {
	case STEP_START:
		return times->start;
	case STEP_FIRST:
		return times->reads[0];
	case STEP_LATER:
		return times->reads[report->nr_reads - 1];
	case STEP_STOP:
		return times->stop;
	default:
		return times->start + times->reads[0] + times->stop;
	}
}

static void values_add(struct values *values, const struct probe_report *report)
{
	const size_t at = values->nr++;

	for (enum step step = 0; step < NR_STEPS; step++) {
		row_step(values, step)[at] = time_of(report, &report->times, step);
		row_empty(values, step)[at] = time_of(report, &report->empty, step);
	}
	for (unsigned int event = 0; event < report->nr_events; event++)
		row_work(values, event)[at] = report->work[event];
	for (unsigned int read = 0; read < report->nr_reads; read++) {
		row_read(values, read)[at] = report->times.reads[read];
		if (read)
			values->later[values->nr_later++] = report->times.reads[read];
		for (unsigned int event = 0; event < report->nr_events; event++)
			row_added(values, read, event)[at] = added(report, read, event);
	}
}

static void values_sum_up(struct values *values, struct cell *cell)
{
	const size_t nr = values->nr;

	cell->nr = nr;
	if (!nr)
		return;
	for (enum step step = 0; step < NR_STEPS; step++) {
		if (step != STEP_LATER)
			cell->steps[step] = box_of(row_step(values, step), nr);
		cell->empty[step] = box_of(row_empty(values, step), nr).median;
	}
	if (values->nr_later)
		cell->steps[STEP_LATER] = box_of(values->later, values->nr_later);
	for (unsigned int event = 0; event < cell->events; event++)
		cell->work[event] = box_of(row_work(values, event), nr);
	for (unsigned int read = 0; read < cell->nr_reads; read++) {
		cell->reads[read] = box_of(row_read(values, read), nr);
		for (unsigned int event = 0; event < cell->events; event++)
			cell->added[read][event] =
				box_of(row_added(values, read, event), nr);
	}
}

/* A method that does not work in so many processes, and in none before, does not work here. */
#define GIVE_UP		3

static bool is_complete(const struct cell *cell, const struct values *values)
{
	return values->nr + cell->failed >= values->study->repetitions ||
	       (!values->nr && cell->failed >= GIVE_UP);
}

/* One more process. One that fails is a result, too. */
static int measure(const struct study *study, struct cell *cell, struct values *values)
{
	struct probe_report report;
	const int ret = run_probe(study, cell, NULL, &report, NULL);

	if (!ret)
		values_add(values, &report);
	cell->failed += ret == -ECHILD;
	return ret == -ECHILD ? 0 : ret;
}

static int collect_cell(struct study *study, struct cell *cell, size_t done,
			struct progress *progress)
{
	const size_t whole = study->nr_cells * study->repetitions;
	struct values values;
	int ret = values_alloc(&values, study, cell);

	if (ret)
		return ret;
	while (!ret && !is_complete(cell, &values)) {
		ret = measure(study, cell, &values);
		progress_update(progress, done + values.nr + cell->failed, whole);
	}
	values_sum_up(&values, cell);
	values_free(&values);
	if (!ret && study->accesses && cell->nr)
		ret = observe_cell(study, cell);
	/* Ctrl-C also reaches the process. */
	return !ret && *study->stop ? -EINTR : ret;
}

static size_t count_cells(const struct study *study)
{
	return (size_t)__builtin_popcount(study->methods) * study->most_events;
}

static int make_cells(struct study *study)
{
	struct cell *cell;

	study->cells = calloc(count_cells(study), sizeof(*study->cells));
	if (!study->cells)
		return -ENOMEM;
	cell = study->cells;
	for (unsigned int i = 0; methods[i].name; i++) {
		if (!(study->methods & 1U << i))
			continue;
		for (unsigned int events = 1; events <= study->most_events; events++)
			*cell++ = (struct cell){ .method = &methods[i],
						 .events = events,
						 .nr_reads = study->nr_reads };
	}
	study->nr_cells = cell - study->cells;
	return 0;
}

int study_collect(struct study *study, struct progress *progress)
{
	int ret = make_cells(study);

	study->exact = clock_counts_instructions();
	for (size_t i = 0; !ret && i < study->nr_cells; i++)
		ret = collect_cell(study, &study->cells[i], i * study->repetitions,
				   progress);
	return ret;
}

bool study_has_results(const struct study *study)
{
	for (size_t i = 0; i < study->nr_cells; i++)
		if (study->cells[i].nr)
			return true;
	return false;
}

const struct cell *study_next_missing(const struct study *study, const struct cell *last)
{
	const struct cell *cell = last ? last + 1 : study->cells;

	for (; cell < study->cells + study->nr_cells; cell++)
		if (cell->failed &&
		    (cell->nr || !last || last->nr || cell->method != last->method))
			return cell;
	return NULL;
}

void study_say_missing(const struct cell *cell, char text[MISSING_SIZE])
{
	const char *s = cell->events > 1 ? "s" : "";

	if (cell->nr)
		snprintf(text, MISSING_SIZE,
			 "%s: %u of %u processes could not be measured with %u event%s: %s",
			 cell->method->name, cell->failed, cell->nr + cell->failed,
			 cell->events, s, cell->why);
	else
		snprintf(text, MISSING_SIZE, "%s: not measured with %u event%s: %s",
			 cell->method->name, cell->events, s, cell->why);
}

void study_free(struct study *study)
{
	free(study->cells);
	study->cells = NULL;
	study->nr_cells = 0;
}
