// SPDX-License-Identifier: GPL-2.0
/* A row per CPU with totals, at the end. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
#include "sample_text.h"
#include "ui/number.h"
#include "ui/pager.h"
#include "ui/table.h"
#include "watch.h"

#define NS_PER_S	1e9
#define TABLE_WIDTH	100

/* Of an event that was counted in a part of the time only, because the set was changed. */
#define PARTLY		"*"

/**
 * struct view - a table
 * @spy: names of the energy domains
 * @sums: what is shown
 * @width: columns; 0: no limit
 */
struct view {
	const struct kermon_spy *spy;
	const struct sums *sums;
	size_t width;
};

static void add_real(struct table *table, double value, const char *format)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), format, value);
	table_cell(table, isnan(value) ? "-" : text, NULL);
}

static bool is_partly(const struct sums_cpu *cpu, const struct sums_count *count)
{
	return count->time_ns && count->time_ns < figure_elapsed_ns(cpu);
}

static void mark(char text[NUMBER_SIZE])
{
	strncat(text, PARTLY, NUMBER_SIZE - strlen(text) - 1);
}

static void add_total(struct table *table, const struct sums_event *event,
		      const struct sums_cpu *cpu, const struct sums_count *count)
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (event->unit == KERMON_SPY_NS) {
		number_seconds(count->value, exact);
		number_brief_seconds(count->value, brief);
	} else {
		number_exact(count->value, exact);
		number_brief(count->value, brief);
	}
	if (is_partly(cpu, count)) {
		mark(exact);
		mark(brief);
	}
	table_cell(table, exact, brief);
}

static void add_count(struct table *table, const struct view *view, size_t event,
		      const struct sums_cpu *cpu)
{
	const struct sums_count *count = &cpu->counts[event];

	if (!count->time_ns)
		table_cell(table, "-", NULL);
	else
		add_total(table, &view->sums->events[event], cpu, count);
}

static void add_headings(struct table *table, const struct view *view)
{
	char heading[KERMON_EVENT_NAME + 8];
	const struct sums_event *event = view->sums->events;

	table_column(table, TABLE_KEY_NUMBER, "CPU");
	table_column(table, TABLE_KEY_NUMBER, "time [s]");
	table_column(table, TABLE_VALUE, "busy %");
	if (figure_has_ipc(view->sums))
		table_column(table, TABLE_VALUE, "IPC");
	for (size_t i = 0; i < view->sums->nr_events; i++, event++) {
		snprintf(heading, sizeof(heading), "%s %s", event->name,
			 event->unit == KERMON_SPY_NS ? "[s]" : "");
		table_column(table, TABLE_VALUE, heading);
	}
	table_column(table, TABLE_VALUE, "samples");
	table_column(table, TABLE_VALUE, "own cost %");
}

static void add_row(struct table *table, const struct view *view,
		    const struct sums_cpu *cpu)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%u", cpu->cpu);
	table_cell(table, text, NULL);
	add_real(table, figure_elapsed_ns(cpu) / NS_PER_S, "%.3f");
	add_real(table, figure_busy(view->sums, cpu) * 100, "%.1f");
	if (figure_has_ipc(view->sums))
		add_real(table, figure_ipc(view->sums, cpu), "%.3f");
	for (size_t i = 0; i < view->sums->nr_events; i++)
		add_count(table, view, i, cpu);
	number_exact(cpu->samples, text);
	table_cell(table, text, NULL);
	add_real(table, figure_cost(cpu) * 100, "%.3f");
}

static int print_rows(const struct view *view, FILE *out)
{
	const struct table_style style = { .width = view->width };
	struct table *table = table_new();
	int err;

	add_headings(table, view);
	for (size_t i = 0; i < view->sums->nr_cpus; i++) {
		if (view->sums->cpus[i].samples)
			add_row(table, view, &view->sums->cpus[i]);
	}
	err = table_print(table, out, &style);
	table_free(table);
	return err;
}

static bool has_parts(const struct view *view)
{
	const struct sums_cpu *cpu = view->sums->cpus;

	for (size_t i = 0; i < view->sums->nr_cpus; i++, cpu++)
		for (size_t j = 0; j < view->sums->nr_events; j++)
			if (is_partly(cpu, &cpu->counts[j]))
				return true;
	return false;
}

/* Shorter times are not in the kernel's figures. */
static void print_step(const struct view *view, FILE *out)
{
	for (size_t i = 0; i < view->sums->nr_events; i++) {
		if (view->sums->events[i].unit != KERMON_SPY_NS)
			continue;
		fprintf(out, "\ntimes of user, system, idle and steal are those of /proc/stat, "
			"in steps of %.0f ms\n",
			sample_step_ns(KERMON_SPY_NS) / 1e6);
		return;
	}
}

static void print_energy(const struct view *view, FILE *out)
{
	const struct sums_package *package = view->sums->packages;
	const char *domain;
	double seconds;

	for (size_t i = 0; i < view->sums->nr_packages; i++, package++) {
		seconds = (package->read_ns - package->begin_ns) / NS_PER_S;
		for (unsigned int j = 0; (domain = kermon_spy_domain(view->spy, j)); j++)
			fprintf(out, "package %u: %s %.3f J, %.3f W on average, %.3f W at "
				"most, shared by all its CPUs\n", package->package, domain,
				package->joules[j], package->joules[j] / seconds,
				package->peak[j]);
	}
}

static int print(const struct view *view, FILE *out)
{
	int err = print_rows(view, out);

	if (err)
		return err;
	if (has_parts(view))
		fputs("\n" PARTLY ": counted for a part of the time, while its set was the one "
		      "of the CPU\n", out);
	print_step(view, out);
	if (view->sums->nr_packages)
		fputc('\n', out);
	print_energy(view, out);
	return 0;
}

int watch_print_totals(const struct watch *watch, FILE *out)
{
	const struct view view = {
		.spy = watch->spy,
		.sums = &watch->sums,
		.width = isatty(fileno(out)) ? terminal_width() : TABLE_WIDTH,
	};

	fprintf(out, "\nCounts per CPU, by %s:\n\n", kermon_spy_backend(watch->spy));
	return print(&view, out);
}

static void put_end(struct watch *watch)
{
	int err = watch_print_totals(watch, watch->out);

	if (err && !watch->error)
		watch->error = err;
}

const struct watch_format watch_format_table = {
	.name = "table",
	.help = "a row per CPU at the end; on a terminal, also while it runs",
	.end = put_end,
};
