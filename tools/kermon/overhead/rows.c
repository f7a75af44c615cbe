// SPDX-License-Identifier: GPL-2.0
/* The results as CSV and JSON. */
#include "machine/hypervisor.h"
#include "overhead.h"
#include "ui/csv.h"
#include "ui/json.h"

static void put_box(struct csv *csv, const struct box *box)
{
	csv_real(csv, box->min);
	csv_real(csv, box->low);
	csv_real(csv, box->median);
	csv_real(csv, box->high);
	csv_real(csv, box->max);
}

/**
 * struct row - what differs between the rows of a cell
 * @step: what is timed or counted
 * @read: number of the read, or 0
 * @unit: of the box
 * @processes: which the box sums up
 */
struct row {
	const char *step;
	unsigned int read;
	const char *unit;
	unsigned int processes;
};

static const char *unit_of_times(const struct study *study)
{
	return study->exact ? "instructions" : "TSC cycles";
}

static void put_row(struct csv *csv, const struct cell *cell, const struct row *row,
		    const struct box *box)
{
	csv_text(csv, cell->method->name);
	csv_text(csv, cell->method->linked);
	csv_number(csv, cell->events);
	csv_text(csv, row->step);
	if (row->read)
		csv_number(csv, row->read);
	else
		csv_text(csv, NULL);
	csv_text(csv, row->unit);
	csv_number(csv, row->processes);
	put_box(csv, box);
	csv_end(csv);
}

/* What is counted, not timed, in the same columns: "counted until read, event 1". */
static void put_counts(struct csv *csv, const struct study *study, const struct cell *cell)
{
	char step[64];
	struct row row = { .step = step, .unit = "events", .processes = cell->nr };

	for (unsigned int event = 0; event < cell->events; event++) {
		snprintf(step, sizeof(step), "counted in work, event %u", event + 1);
		row.read = 0;
		/* No software event counts instructions. */
		if (!study->software)
			put_row(csv, cell, &row, &cell->work[event]);
		snprintf(step, sizeof(step), "counted until read, event %u", event + 1);
		for (row.read = 1; row.read <= cell->nr_reads; row.read++)
			put_row(csv, cell, &row, &cell->added[row.read - 1][event]);
	}
}

/* A median, five times: "start, WRMSR". */
static void put_median(struct csv *csv, const struct cell *cell, struct row row,
		       const char *what, double value)
{
	const struct box box = { value, value, value, value, value };
	char name[64];

	snprintf(name, sizeof(name), "%s, %s", row.step, what);
	row.step = name;
	put_row(csv, cell, &row, &box);
}

static void put_accesses(struct csv *csv, const struct cell *cell, enum step step)
{
	const struct row row = { step_names[step], 0, "executions", OBSERVED };

	for (unsigned int i = 0; i < NR_ACCESSES; i++)
		put_median(csv, cell, row, access_names[i],
			   access_of(&cell->accesses[step], i));
}

static void put_cell(struct csv *csv, const struct study *study, const struct cell *cell)
{
	struct row row = { .unit = unit_of_times(study), .processes = cell->nr };

	for (enum step step = 0; step < NR_STEPS; step++) {
		if (!step_exists(step, cell->nr_reads))
			continue;
		row.step = step_names[step];
		put_row(csv, cell, &row, &cell->steps[step]);
		put_median(csv, cell, row, "empty function", cell->empty[step]);
		if (cell->observed)
			put_accesses(csv, cell, step);
	}
	row.step = "read";
	for (row.read = 1; row.read <= cell->nr_reads; row.read++)
		put_row(csv, cell, &row, &cell->reads[row.read - 1]);
	put_counts(csv, study, cell);
}

int study_print_csv(const void *context, FILE *out)
{
	static const char *const titles[] = { "method", "linked", "events", "step", "read",
					      "unit", "processes", "min", "low", "median",
					      "high", "max" };
	const struct study *study = context;
	struct csv csv = { .out = out };

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		csv_text(&csv, titles[i]);
	csv_end(&csv);
	for (size_t i = 0; i < study->nr_cells; i++)
		if (study->cells[i].nr)
			put_cell(&csv, study, &study->cells[i]);
	return 0;
}

static void json_box(struct json *json, const char *name, const struct box *box)
{
	json_begin_object(json, name);
	json_real(json, "min", box->min);
	json_real(json, "low", box->low);
	json_real(json, "median", box->median);
	json_real(json, "high", box->high);
	json_real(json, "max", box->max);
	json_end_object(json);
}

static void json_boxes(struct json *json, const char *name, const struct box *boxes,
		       unsigned int nr)
{
	json_begin_array(json, name);
	for (unsigned int i = 0; i < nr; i++)
		json_box(json, NULL, &boxes[i]);
	json_end_array(json);
}

static void json_accesses(struct json *json, const struct cell *cell)
{
	json_begin_object(json, "accesses");
	for (enum step step = 0; cell->observed && step < NR_STEPS; step++) {
		if (!step_exists(step, cell->nr_reads))
			continue;
		json_begin_object(json, step_names[step]);
		for (unsigned int i = 0; i < NR_ACCESSES; i++)
			json_real(json, access_names[i],
				  access_of(&cell->accesses[step], i));
		json_end_object(json);
	}
	if (*cell->unseen)
		json_text(json, "reason", cell->unseen);
	json_end_object(json);
}

static void json_results(struct json *json, const struct study *study,
			 const struct cell *cell)
{
	json_begin_object(json, "empty function");
	for (enum step step = 0; step < NR_STEPS; step++)
		if (step_exists(step, cell->nr_reads))
			json_real(json, step_names[step], cell->empty[step]);
	json_end_object(json);
	for (enum step step = 0; step < NR_STEPS; step++)
		if (step_exists(step, cell->nr_reads))
			json_box(json, step_names[step], &cell->steps[step]);
	json_boxes(json, "reads", cell->reads, cell->nr_reads);
	if (!study->software)
		json_boxes(json, "counted in work", cell->work, cell->events);
	json_begin_array(json, "counted until read");
	for (unsigned int i = 0; i < cell->nr_reads; i++)
		json_boxes(json, NULL, cell->added[i], cell->events);
	json_end_array(json);
	if (study->accesses)
		json_accesses(json, cell);
}

static void json_cell(struct json *json, const struct study *study, const struct cell *cell)
{
	json_begin_object(json, NULL);
	json_text(json, "method", cell->method->name);
	json_text(json, "linked", cell->method->linked);
	json_number(json, "events", cell->events);
	json_number(json, "processes", cell->nr);
	json_number(json, "failed processes", cell->failed);
	if (cell->failed)
		json_text(json, "reason", cell->why);
	if (cell->nr)
		json_results(json, study, cell);
	json_end_object(json);
}

int study_print_json(const void *context, FILE *out)
{
	const struct study *study = context;
	struct json json = { .out = out };
	char hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	json_begin_object(&json, NULL);
	json_text(&json, "unit", unit_of_times(study));
	json_bool(&json, "cycles are instructions", study->exact);
	json_text(&json, "virtual machine",
		  *hypervisor ? hypervisor_label(hypervisor) : NULL);
	json_bool(&json, "software events", study->software);
	json_bool(&json, "kernel mode", study->kernel);
	json_begin_array(&json, "cells");
	for (size_t i = 0; i < study->nr_cells; i++)
		json_cell(&json, study, &study->cells[i]);
	json_end_array(&json);
	json_end_object(&json);
	return 0;
}
