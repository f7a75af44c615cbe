// SPDX-License-Identifier: GPL-2.0
/*
 * Formats sums of events and headings of columns for tables.
 */
#include <linux/kermon.h>
#include <stdio.h>
#include <string.h>

#include "event_match.h"
#include "quantity.h"

const char *quantity_unit(const struct kermon_column *column)
{
	if (column->branches)
		return " [branches]";
	switch (column->metric.kind) {
	case KERMON_METRIC_TIME:
		return " [s]";
	case KERMON_METRIC_ENERGY:
		return column->alone ? " [J] alone" : " [J] shared";
	default:
		return "";
	}
}

static void format_estimate(enum kermon_metric_kind kind, uint64_t sum,
			    char exact[NUMBER_SIZE], char brief[NUMBER_SIZE])
{
	switch (kind) {
	case KERMON_METRIC_TIME:
		number_about_real((double)sum / 1e9, 9, exact);
		number_about_real((double)sum / 1e9, 6, brief);
		break;
	case KERMON_METRIC_ENERGY:
		number_about_real(kermon_joules(sum), 6, exact);
		number_about_real(kermon_joules(sum), 3, brief);
		break;
	default:
		number_about(sum, exact, brief);
	}
}

void quantity_format(const struct kermon_column *column, uint64_t sum,
		     bool estimate, char exact[NUMBER_SIZE],
		     char brief[NUMBER_SIZE])
{
	if (estimate) {
		format_estimate(column->metric.kind, sum, exact, brief);
		return;
	}
	switch (column->metric.kind) {
	case KERMON_METRIC_TIME:
		number_seconds(sum, exact);
		number_brief_seconds(sum, brief);
		break;
	case KERMON_METRIC_ENERGY:
		number_joules(sum, exact);
		number_brief_joules(sum, brief);
		break;
	default:
		number_exact(sum, exact);
		number_brief(sum, brief);
	}
}

/* Shorten "ivb::L1D:REPLACEMENT:u" to "L1D REPLACEMENT", which takes two lines. */
static void shorten(const char *name, char heading[HEADING_SIZE])
{
	const char *pmu = strstr(name, "::");
	const char *begin = pmu ? pmu + 2 : name;

	snprintf(heading, HEADING_SIZE, "%.*s",
		 (int)(event_modifiers(begin) - begin), begin);
	for (char *c = heading; *c; c++)
		if (*c == ':')
			*c = ' ';
}

/* An event without modes in its name may count in both, or be restricted all the same. */
const char *quantity_modes(const struct kermon_column *column)
{
	static const char *const modes[] = { "", ":u", ":k", ":uk" };
	const char *named = event_modifiers(column->name);

	_Static_assert(KERMON_COUNT_USER == 1 && KERMON_COUNT_KERNEL == 2,
		       "indices of the names of modes");
	return *named ? named : modes[column->modes & 3];
}

/* Detail of a heading; a higher level is used where headings would be equal otherwise. */
enum detail {
	WORDS,
	MODES,
	WHOLE_NAME,
	NR_DETAILS,
};

static void write_heading(const struct kermon_column *column,
			  enum detail detail, char heading[HEADING_SIZE])
{
	const char *known = column->metric.heading;
	size_t len;

	if (detail == WHOLE_NAME)
		snprintf(heading, HEADING_SIZE, "%s", column->name);
	else if (known)
		snprintf(heading, HEADING_SIZE, "%s", known);
	else
		shorten(column->name, heading);
	len = strlen(heading);
	snprintf(heading + len, HEADING_SIZE - len, "%s%s",
		 detail == MODES ? quantity_modes(column) : "",
		 quantity_unit(column));
}

/* Number of columns among the first @nr that have this heading. */
static size_t count_alike(const struct kermon_column *const *columns, size_t nr,
			  const char *heading, enum detail detail)
{
	char other[HEADING_SIZE];
	size_t alike = 0;

	for (size_t i = 0; i < nr; i++) {
		write_heading(columns[i], detail, other);
		alike += !strcmp(heading, other);
	}
	return alike;
}

void quantity_heading(const struct kermon_column *const *columns, size_t nr,
		      size_t index, char heading[HEADING_SIZE])
{
	enum detail detail;
	size_t before, len;

	for (detail = WORDS; detail < NR_DETAILS; detail++) {
		write_heading(columns[index], detail, heading);
		if (count_alike(columns, nr, heading, detail) == 1)
			return;
	}
	/* The same event again. */
	before = count_alike(columns, index, heading, WHOLE_NAME);
	len = strlen(heading);
	if (before)
		snprintf(heading + len, HEADING_SIZE - len, " #%zu", before + 1);
}
