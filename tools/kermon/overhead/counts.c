// SPDX-License-Identifier: GPL-2.0
/* Tables of what is counted exactly: what each step executes, and what the methods count. */
#include <math.h>
#include <string.h>

#include "../../probe/probe.h"
#include "overhead.h"

static void print_number(FILE *out, int width, double value)
{
	if (isnan(value))
		fprintf(out, " %*s", width, "unknown");
	else
		fprintf(out, " %*.0f", width, value);
}

static double instructions_of(const struct cell *cell, enum step step)
{
	return cell->steps[step].median - cell->empty[step];
}

static void print_accesses(const struct study *study, const struct cell *cell,
			   enum step step, FILE *out)
{
	static const int widths[NR_ACCESSES] = { 9, 12, 7, 7, 7 };

	fprintf(out, "%-*s %6u", NAME_WIDTH, cell->method->name, cell->events);
	if (study->exact)
		print_number(out, 12, instructions_of(cell, step));
	for (unsigned int i = 0; i < NR_ACCESSES; i++)
		print_number(out, widths[i], access_of(&cell->accesses[step], i));
	fputc('\n', out);
}

static void print_accesses_of_step(const struct study *study, enum step step, FILE *out)
{
	fprintf(out, "\n%-*s %6s%s %9s %12s %7s %7s %7s\n", NAME_WIDTH, step_names[step],
		"events", study->exact ? " instructions" : "", "user mode", "system calls",
		"RDPMC", "RDMSR", "WRMSR");
	for (size_t i = 0; i < study->nr_cells; i++)
		if (study->cells[i].observed)
			print_accesses(study, &study->cells[i], step, out);
}

static bool is_new_reason(const struct study *study, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(study->cells[i].unseen, study->cells[index].unseen))
			return false;
	return *study->cells[index].unseen;
}

/* Each once: with the first method that has it. */
static void print_reasons(const struct study *study, FILE *out)
{
	const char *before = "\n";

	for (size_t i = 0; i < study->nr_cells; i++) {
		if (!is_new_reason(study, i))
			continue;
		fprintf(out, "%s%s: %s\n", before, study->cells[i].method->name,
			study->cells[i].unseen);
		before = "";
	}
}

static void print_all_accesses(const struct study *study, FILE *out)
{
	fputs("\nExecuted, beyond an empty function:\n", out);
	for (enum step step = 0; step < NR_STEPS; step++)
		if (step_exists(step, study->nr_reads))
			print_accesses_of_step(study, step, out);
	print_reasons(study, out);
}

static void print_work(const struct study *study, FILE *out)
{
	fprintf(out, "\n%-*s %6s", NAME_WIDTH, "counted", "events");
	for (unsigned int event = 0; event < study->most_events; event++)
		fprintf(out, "   event %u", event + 1);
	fprintf(out, "   %s %d instructions, %d branches\n", study->raw ? "during" : "of",
		PROBE_WORK_INSTRUCTIONS, PROBE_WORK_BRANCHES);
	for (size_t i = 0; i < study->nr_cells; i++) {
		const struct cell *cell = &study->cells[i];

		if (!cell->nr)
			continue;
		fprintf(out, "%-*s %6u", NAME_WIDTH, cell->method->name, cell->events);
		for (unsigned int event = 0; event < cell->events; event++)
			print_number(out, 9, cell->work[event].median);
		fputc('\n', out);
	}
}

void study_print_counts(const struct study *study, FILE *out)
{
	if (study->accesses)
		print_all_accesses(study, out);
	if (!study->software)
		print_work(study, out);
}
