// SPDX-License-Identifier: GPL-2.0
/* The totals of each CPU as a table, and the energy of each package. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/number.h"
#include "ui/pager.h"
#include "ui/table.h"
#include "watch.h"

#define NS_PER_S	1e9
#define TABLE_WIDTH	100

/* Of an event that was counted in a part of the time only, because the set was changed. */
#define PARTLY		"*"

static double elapsed_ns(const struct sums_cpu *cpu)
{
	return cpu->end_ns - cpu->begin_ns;
}

/* What an event has counted on a CPU; NaN if it was not counted. */
static double value_of(const struct watch *watch, const struct sums_cpu *cpu,
		       const char *event)
{
	int index = sums_find_event(&watch->sums, event);

	return index >= 0 && cpu->counts[index].time_ns ? cpu->counts[index].value : NAN;
}

/* Reference cycles run at the rate of the TSC while the CPU is not idle. */
static double busy_share(const struct watch *watch, const struct sums_cpu *cpu)
{
	double idle = value_of(watch, cpu, "idle-time");

	if (!isnan(idle))
		return 1 - idle / elapsed_ns(cpu);
	return cpu->tsc ? value_of(watch, cpu, "ref-cycles") / cpu->tsc : NAN;
}

static void add_real(struct table *table, double value, const char *format)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), format, value);
	table_cell(table, isnan(value) ? "-" : text, NULL);
}

static void add_count(struct table *table, const struct sums_event *event,
		      const struct sums_cpu *cpu, const struct sums_count *count)
{
	const bool partly = count->time_ns < cpu->end_ns - cpu->begin_ns;
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (!count->time_ns) {
		table_cell(table, "-", NULL);
		return;
	}
	if (event->unit == KERMON_SPY_NS) {
		number_seconds(count->value, exact);
		number_brief_seconds(count->value, brief);
	} else {
		number_exact(count->value, exact);
		number_brief(count->value, brief);
	}
	if (partly) {
		strncat(exact, PARTLY, NUMBER_SIZE - strlen(exact) - 1);
		strncat(brief, PARTLY, NUMBER_SIZE - strlen(brief) - 1);
	}
	table_cell(table, exact, brief);
}

static void add_headings(struct table *table, const struct watch *watch)
{
	char heading[KERMON_EVENT_NAME + 8];

	table_column(table, TABLE_KEY_NUMBER, "CPU");
	table_column(table, TABLE_KEY_NUMBER, "time [s]");
	table_column(table, TABLE_VALUE, "busy %");
	if (sums_find_event(&watch->sums, "cycles") >= 0)
		table_column(table, TABLE_VALUE, "IPC");
	for (size_t i = 0; i < watch->sums.nr_events; i++) {
		snprintf(heading, sizeof(heading), "%s%s", watch->sums.events[i].name,
			 watch->sums.events[i].unit == KERMON_SPY_NS ? " [s]" : "");
		table_column(table, TABLE_VALUE, heading);
	}
	table_column(table, TABLE_VALUE, "samples");
	table_column(table, TABLE_VALUE, "own cost %");
}

static void add_row(struct table *table, const struct watch *watch,
		    const struct sums_cpu *cpu, const struct kermon_spy_cpu *info)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%u", cpu->cpu);
	table_cell(table, text, NULL);
	add_real(table, elapsed_ns(cpu) / NS_PER_S, "%.3f");
	add_real(table, busy_share(watch, cpu) * 100, "%.1f");
	if (sums_find_event(&watch->sums, "cycles") >= 0)
		add_real(table, value_of(watch, cpu, "instructions") /
			 value_of(watch, cpu, "cycles"), "%.3f");
	for (size_t i = 0; i < watch->sums.nr_events; i++)
		add_count(table, &watch->sums.events[i], cpu, &cpu->counts[i]);
	number_exact(cpu->samples, text);
	table_cell(table, text, NULL);
	add_real(table, info->cost_ns / elapsed_ns(cpu) * 100, "%.3f");
}

static bool is_partly(const struct watch *watch, const struct sums_cpu *cpu)
{
	for (size_t i = 0; i < watch->sums.nr_events; i++)
		if (cpu->counts[i].time_ns &&
		    cpu->counts[i].time_ns < cpu->end_ns - cpu->begin_ns)
			return true;
	return false;
}

static void print_energy(const struct watch *watch, FILE *out)
{
	const struct sums_package *package;
	const char *domain;
	double seconds;

	for (size_t i = 0; i < watch->sums.nr_packages; i++) {
		package = &watch->sums.packages[i];
		seconds = (package->read_ns - package->begin_ns) / NS_PER_S;
		for (unsigned int j = 0; (domain = kermon_spy_domain(watch->spy, j)); j++)
			fprintf(out, "package %u: %s %.3f J, %.3f W on average, %.3f W at "
				"most, shared by all its CPUs\n", package->package, domain,
				package->joules[j], package->joules[j] / seconds,
				package->peak[j]);
	}
}

static int print_rows(const struct watch *watch, FILE *out)
{
	const struct table_style style = {
		.width = isatty(fileno(out)) ? terminal_width() : TABLE_WIDTH,
	};
	struct table *table = table_new();
	struct kermon_spy_cpu info;
	int err;

	add_headings(table, watch);
	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++)
		if (watch->sums.cpus[i].samples)
			add_row(table, watch, &watch->sums.cpus[i], &info);
	err = table_print(table, out, &style);
	table_free(table);
	return err;
}

int watch_print_totals(const struct watch *watch, FILE *out)
{
	bool partly = false;
	int err;

	fprintf(out, "\nCounts per CPU, by %s:\n\n", kermon_spy_backend(watch->spy));
	err = print_rows(watch, out);
	if (err)
		return err;
	for (size_t i = 0; i < watch->sums.nr_cpus; i++)
		partly |= is_partly(watch, &watch->sums.cpus[i]);
	if (partly)
		fputs("\n" PARTLY ": counted for a part of the time, while its set was the one "
		      "of the CPU\n", out);
	if (watch->sums.nr_packages)
		fputc('\n', out);
	print_energy(watch, out);
	return 0;
}

static void put_end(struct watch *watch)
{
	int err = watch_print_totals(watch, watch->out);

	if (err && !watch->error)
		watch->error = err;
}

const struct watch_format watch_format_table = {
	.name = "table",
	.help = "a row per CPU at the end",
	.end = put_end,
};
