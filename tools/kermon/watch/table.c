// SPDX-License-Identifier: GPL-2.0
/*
 * A row per CPU: totals at the end; on a terminal, rates meanwhile, in a table that is
 * redrawn in place.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/number.h"
#include "ui/pager.h"
#include "ui/table.h"
#include "util/monotonic.h"
#include "watch.h"

#define NS_PER_S	1e9
#define TABLE_WIDTH	100
#define REDRAW_NS	1000000000ULL

/* Of an event that was counted in a part of the time only, because the set was changed. */
#define PARTLY		"*"

/**
 * struct view - a table
 * @spy: names of the energy domains
 * @sums: what is shown
 * @rates: per second, instead of totals
 * @width: columns; 0: no limit
 * @rows: most rows; 0: no limit
 */
struct view {
	const struct kermon_spy *spy;
	const struct sums *sums;
	bool rates;
	size_t width;
	size_t rows;
};

static double elapsed_ns(const struct sums_cpu *cpu)
{
	return cpu->end_ns - cpu->begin_ns;
}

/* What an event has counted on a CPU; NaN if it was not counted. */
static double value_of(const struct sums *sums, const struct sums_cpu *cpu,
		       const char *event)
{
	int index = sums_find_event(sums, event);

	return index >= 0 && cpu->counts[index].time_ns ? cpu->counts[index].value : NAN;
}

/* Reference cycles run at the rate of the TSC while the CPU is not idle. */
static double busy_share(const struct sums *sums, const struct sums_cpu *cpu)
{
	double idle = value_of(sums, cpu, "idle-time");

	if (!isnan(idle))
		return fmax(0, 1 - idle / elapsed_ns(cpu));
	return cpu->tsc ? value_of(sums, cpu, "ref-cycles") / cpu->tsc : NAN;
}

static void add_real(struct table *table, double value, const char *format)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), format, value);
	table_cell(table, isnan(value) ? "-" : text, NULL);
}

static bool is_partly(const struct sums_cpu *cpu, const struct sums_count *count)
{
	return count->time_ns && count->time_ns < cpu->end_ns - cpu->begin_ns;
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

/* Per second; of times, a percentage. */
static void add_rate(struct table *table, const struct sums_event *event,
		     const struct sums_count *count)
{
	const double rate = count->value * NS_PER_S / count->time_ns;
	char text[NUMBER_SIZE];

	if (event->unit == KERMON_SPY_NS) {
		add_real(table, rate / NS_PER_S * 100, "%.1f");
		return;
	}
	number_brief(rate + 0.5, text);
	table_cell(table, text, NULL);
}

static void add_count(struct table *table, const struct view *view, size_t event,
		      const struct sums_cpu *cpu)
{
	const struct sums_count *count = &cpu->counts[event];

	if (!count->time_ns)
		table_cell(table, "-", NULL);
	else if (view->rates)
		add_rate(table, &view->sums->events[event], count);
	else
		add_total(table, &view->sums->events[event], cpu, count);
}

static bool has_ipc(const struct view *view)
{
	return sums_find_event(view->sums, "cycles") >= 0 &&
	       sums_find_event(view->sums, "instructions") >= 0;
}

static void add_headings(struct table *table, const struct view *view)
{
	char heading[KERMON_EVENT_NAME + 8];
	const struct sums_event *event = view->sums->events;

	table_column(table, TABLE_KEY_NUMBER, "CPU");
	table_column(table, TABLE_KEY_NUMBER, "time [s]");
	table_column(table, TABLE_VALUE, "busy %");
	if (has_ipc(view))
		table_column(table, TABLE_VALUE, "IPC");
	for (size_t i = 0; i < view->sums->nr_events; i++, event++) {
		snprintf(heading, sizeof(heading), "%s %s", event->name,
			 event->unit == KERMON_SPY_NS ? (view->rates ? "%" : "[s]") :
			 view->rates ? "[/s]" : "");
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
	add_real(table, elapsed_ns(cpu) / NS_PER_S, "%.3f");
	add_real(table, busy_share(view->sums, cpu) * 100, "%.1f");
	if (has_ipc(view))
		add_real(table, value_of(view->sums, cpu, "instructions") /
			 value_of(view->sums, cpu, "cycles"), "%.3f");
	for (size_t i = 0; i < view->sums->nr_events; i++)
		add_count(table, view, i, cpu);
	number_exact(cpu->samples, text);
	table_cell(table, text, NULL);
	add_real(table, cpu->cost_ns / elapsed_ns(cpu) * 100, "%.3f");
}

static int print_rows(const struct view *view, FILE *out)
{
	const struct table_style style = { .width = view->width };
	struct table *table = table_new();
	size_t shown = 0, hidden = 0;
	int err;

	add_headings(table, view);
	for (size_t i = 0; i < view->sums->nr_cpus; i++) {
		if (!view->sums->cpus[i].samples)
			continue;
		if (view->rows && shown == view->rows) {
			hidden++;
			continue;
		}
		add_row(table, view, &view->sums->cpus[i]);
		shown++;
	}
	err = table_print(table, out, &style);
	table_free(table);
	if (hidden)
		fprintf(out, "%zu more CPUs do not fit the terminal\n", hidden);
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
	if (!view->rates && has_parts(view))
		fputs("\n" PARTLY ": counted for a part of the time, while its set was the one "
		      "of the CPU\n", out);
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

/* A command writes to the terminal as well. */
static bool is_live(const struct watch *watch)
{
	return isatty(fileno(watch->out)) && !*watch->argv;
}

/* Remove the table of before: go up as many lines as it had, and clear the rest. */
static void erase(struct watch *watch)
{
	if (watch->drawn)
		fprintf(watch->out, "\033[%zuA\r\033[J", watch->drawn);
	watch->drawn = 0;
}

static size_t lines_of_terminal(const struct watch *watch)
{
	struct winsize size;

	return ioctl(fileno(watch->out), TIOCGWINSZ, &size) ? 0 : size.ws_row;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* What would be higher than the terminal could not be erased. */
static void draw(struct watch *watch, const char *text)
{
	const size_t lines = count_lines(text), most = lines_of_terminal(watch);

	erase(watch);
	if (most && lines >= most) {
		fprintf(watch->out, "the terminal is too low for the table: it has %zu lines\n",
			lines);
		watch->drawn = 1;
		return;
	}
	fputs(text, watch->out);
	watch->drawn = lines;
}

/* Each CPU has a line in each part of the table; three for headings, some for energy. */
static size_t rows_that_fit(const struct watch *watch)
{
	const size_t lines = lines_of_terminal(watch);

	return lines > 20 ? lines - 16 : 0;
}

static int redraw(struct watch *watch)
{
	struct sums window = { 0 };
	const struct view view = {
		.spy = watch->spy,
		.sums = &window,
		.rates = true,
		.width = terminal_width(),
		.rows = rows_that_fit(watch),
	};
	char *text = NULL;
	size_t size;
	FILE *out;
	int err = sums_since(&watch->sums, &watch->before, &window);

	out = err ? NULL : open_memstream(&text, &size);
	if (!err && !out)
		err = -ENOMEM;
	if (!err)
		err = print(&view, out);
	if (out && fclose(out) && !err)
		err = -ENOMEM;
	if (!err)
		draw(watch, text);
	free(text);
	sums_free(&window);
	return err;
}

static void tick(struct watch *watch)
{
	const uint64_t now = monotonic_ns();

	if (!is_live(watch) || now < watch->redraw_ns)
		return;
	if (watch->redraw_ns && redraw(watch) && !watch->error)
		watch->error = -ENOMEM;
	watch->redraw_ns = now + REDRAW_NS;
}

static void put_end(struct watch *watch)
{
	int err;

	erase(watch);
	err = watch_print_totals(watch, watch->out);
	if (err && !watch->error)
		watch->error = err;
}

const struct watch_format watch_format_table = {
	.name = "table",
	.help = "a row per CPU at the end; on a terminal, also while it runs",
	.tick = tick,
	.end = put_end,
};
