// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a table of merged runs and how much they differ.
 */
#include <kermon/text.h>
#include <stdio.h>

#include "runs.h"
#include "ui/number.h"
#include "ui/shown.h"

/* Add the difference of @value from @first in percent. */
static void add_difference(struct table *table, uint64_t value, uint64_t first)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%+.2f",
		 first ? 100 * ((double)value / first - 1) : 0);
	table_cell(table, text, NULL);
}

static void add_run(struct table *table, const struct kermon_run *run,
		    const struct kermon_run *first)
{
	char text[NUMBER_SIZE];

	table_cell(table, run->file, NULL);
	number_exact(run->events, text);
	table_cell(table, text, NULL);
	number_exact(run->instructions, text);
	table_cell(table, text, NULL);
	add_difference(table, run->instructions, first->instructions);
	snprintf(text, sizeof(text), "%.2f", 100 * run->apart);
	table_cell(table, text, NULL);
	number_seconds(run->oncpu, text);
	table_cell(table, text, NULL);
	add_difference(table, run->oncpu, first->oncpu);
}

/* The counts of @run may be of other work than those of @first. */
static void print_apart(const struct kermon_run *run, const struct kermon_run *first, bool of_cpus)
{
	if (of_cpus)
		shown_line(stdout, "Apart: in %s, CPUs executed other instructions than in %s, by "
			   "%.1f %% of all: its counts may be of other work. Pin the program to "
			   "the same CPUs in each run (taskset -c).", run->file, first->file,
			   100 * run->apart);
	else
		shown_line(stdout, "Apart: in %s a thread executed %.1f %% "
			   "more or less than in %s: its counts may be "
			   "of other work.", run->file, 100 * run->apart, first->file);
}

/* Explain how reliable the counts of other runs are. */
static void print_labels(const struct kermon_run *runs, size_t nr, bool of_cpus)
{
	printf("\nCounts of other runs are placed where a %s had executed "
	       "the same part of its\ninstructions. Fixed counters, time and "
	       "energy are those of the first run.\n", of_cpus ? "CPU" : "thread");
	for (size_t i = 1; i < nr; i++) {
		if (runs[i].dropped)
			shown_line(stdout, "Left out of %s: %u event%s that an "
				   "earlier run has.", runs[i].file,
				   runs[i].dropped,
				   kermon_plural(runs[i].dropped));
		if (runs[i].regions)
			shown_line(stdout, "Left out of %s: its marks of regions. Those of the first run stay.",
				   runs[i].file);
		if (runs[i].apart > KERMON_APART)
			print_apart(&runs[i], &runs[0], of_cpus);
	}
}

int runs_print(const struct kermon_run *runs, size_t nr, bool of_cpus,
	       const struct table_style *style)
{
	struct table *table;
	int err;

	if (!nr)
		return 0;
	table = table_new();
	table_column(table, TABLE_KEY, "run");
	table_column(table, TABLE_VALUE, "events");
	table_column(table, TABLE_VALUE, "instructions");
	table_column(table, TABLE_VALUE, "all: +- %");
	table_column(table, TABLE_VALUE, of_cpus ? "by CPU: %" : "a thread: up to %");
	table_column(table, TABLE_VALUE, of_cpus ? "time [s]" : "on CPU [s]");
	table_column(table, TABLE_VALUE, "+- %");
	for (size_t i = 0; i < nr; i++)
		add_run(table, &runs[i], &runs[0]);
	err = table_print(table, stdout, style);
	table_free(table);
	print_labels(runs, nr, of_cpus);
	return err;
}
