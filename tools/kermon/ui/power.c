// SPDX-License-Identifier: GPL-2.0
/* Power of energy domains: joules over the time on the CPU, less that of the idle machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "power.h"

/* As in the names of perf's events: power/energy-pkg/. */
static const struct {
	const char *name;
	const char *help;
} domains[POWER_DOMAINS] = {
	{ "pkg", "package" },
	{ "cores", "all cores" },
	{ "gpu", "graphics" },
	{ "ram", "memory" },
	{ "psys", "platform" },
};

#define PREFIX	"power/energy-"

/* A file has one for each domain; a merged one, for each domain and run. */
#define POWER_COLUMNS	256

static const char *domain_name(size_t index)
{
	return index < POWER_DOMAINS ? domains[index].name : NULL;
}

static const char *domain_help(size_t index)
{
	return index < POWER_DOMAINS ? domains[index].help : NULL;
}

/* Parse one DOMAIN=WATTS. Return: its length; 0 if it is invalid, after a message. */
static size_t take_domain(struct options *options, const char *text,
			  struct idle_power *idle)
{
	size_t length = strcspn(text, ",="), whole = strcspn(text, ",");
	int domain = value_find(&value_idle, text, length);
	double watts;
	char *end;

	if (domain < 0) {
		value_unknown(options, &value_idle, text, length);
		return 0;
	}
	watts = strtod(text + length + (length < whole), &end);
	if (length + 1 >= whole || end != text + whole || !(watts > 0 && watts < INFINITY)) {
		options_stop(options, "invalid power '%.*s' for '%s'; valid: a number of watts, as in '%s=12.5'",
			     (int)whole, text, options->token, domain_name(domain));
		return 0;
	}
	idle->watts[domain] = watts;
	return whole;
}

static void take_idle(struct options *options, const struct option_spec *spec,
		      void *to)
{
	const char *text = options->value;
	size_t length;

	(void)spec;
	do {
		length = take_domain(options, text, to);
		text += length + 1;
	} while (length && text[-1]);
}

const struct value_type value_idle = {
	.what = "energy domain",
	.whats = "domains",
	.separators = ",",
	.name = domain_name,
	.help = domain_help,
	.take = take_idle,
};

/* Index of the domain of an event; -1: it is something else. */
static int domain_of(const char *event)
{
	if (strncmp(event, PREFIX, strlen(PREFIX)))
		return -1;
	event += strlen(PREFIX);
	return value_find(&value_idle, event, strcspn(event, "/"));
}

double power_idle(const char *event, const struct idle_power *idle)
{
	const int domain = domain_of(event);

	return domain < 0 ? 0 : idle->watts[domain];
}

static double idle_of(const struct kermon_report *report, size_t column,
		      const struct idle_power *idle)
{
	const struct kermon_column *of = kermon_report_column(report, column);

	return of ? power_idle(of->name, idle) : 0;
}

bool power_has(const struct kermon_report *report, size_t column)
{
	const struct kermon_column *next = kermon_report_column(report, column + 1);

	return next && next->alone;
}

double power_watts(const struct kermon_report *report, const uint64_t *values,
		   size_t column, const struct idle_power *idle)
{
	const double watts = kermon_watts(report, values, column);

	return isnan(watts) ? NAN : watts - idle_of(report, column, idle);
}

double power_average(const struct kermon_report *report, size_t column,
		     const struct idle_power *idle)
{
	const size_t nr = kermon_report_nr_columns(report);
	uint64_t *totals = calloc(nr + 1, sizeof(*totals));
	double watts = NAN;

	for (size_t i = 0; totals && i < nr; i++)
		totals[i] = kermon_report_column(report, i)->total;
	if (totals)
		watts = power_watts(report, totals, column, idle);
	free(totals);
	return watts;
}

double power_peak(const struct kermon_report *report, const struct kermon_table *table,
		  size_t row, size_t column, const struct idle_power *idle)
{
	return kermon_peak_watts(report, table, row, column) -
	       idle_of(report, column, idle);
}

bool power_is_above_idle(const struct kermon_report *report, size_t column,
			 const struct idle_power *idle)
{
	return idle_of(report, column, idle) > 0;
}

void power_heading(const struct kermon_report *report, size_t column, bool peak,
		   const struct idle_power *idle, char heading[HEADING_SIZE])
{
	const struct kermon_column *of = kermon_report_column(report, column);

	snprintf(heading, HEADING_SIZE, "%s%s [W] %s",
		 of->metric.heading ? of->metric.heading : of->name, peak ? " peak" : "",
		 power_is_above_idle(report, column, idle) ? "above idle" : "shared");
}

const char *power_without(const char *const *events, size_t nr,
			  const struct idle_power *idle)
{
	bool found[POWER_DOMAINS] = { false };
	int domain;

	for (size_t i = 0; i < nr; i++) {
		domain = domain_of(events[i]);
		if (domain >= 0)
			found[domain] = true;
	}
	for (int i = 0; i < POWER_DOMAINS; i++)
		if (idle->watts[i] > 0 && !found[i])
			return domains[i].name;
	return NULL;
}

const char *power_missing(const struct kermon_report *report, const struct idle_power *idle)
{
	const char *events[POWER_COLUMNS];
	size_t nr = 0;

	for (size_t i = 0; i < kermon_report_nr_columns(report) && nr < POWER_COLUMNS; i++)
		if (power_has(report, i))
			events[nr++] = kermon_report_column(report, i)->name;
	return power_without(events, nr, idle);
}
