// SPDX-License-Identifier: GPL-2.0
/* The columns: an event each, and what can be derived from them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "metrics.h"
#include "report_private.h"

/* Only a file that says who had the package to himself gets the column. */
static bool tells_alone(const struct kermon_report *report)
{
	const struct reader_event *event;

	for (size_t i = 0; i < reader_nr_events(report->pipeline.reader); i++) {
		event = reader_event(report->pipeline.reader, i);
		if (reader_event_is_interval(event))
			return true;
	}
	return false;
}

int report_make_columns(struct kermon_report *report)
{
	size_t nr = reader_nr_events(report->pipeline.reader);
	bool alone = tells_alone(report);
	struct kermon_column *column;

	report->columns = calloc(2 * nr, sizeof(*report->columns));
	report->column_of = calloc(nr, sizeof(*report->column_of));
	if (!report->columns || !report->column_of)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		report->column_of[i] = report->nr_columns;
		column = &report->columns[report->nr_columns++];
		column->name = reader_event(report->pipeline.reader, i)->name;
		column->set = -1;
		metric_of(column->name, &column->metric);
		if (report->of_branches) {
			column->branches = true;
			column->metric = (struct kermon_metric){
				.kind = KERMON_METRIC_COUNT,
			};
		}
		if (!alone || column->metric.kind != KERMON_METRIC_ENERGY)
			continue;
		column[1] = column[0];
		column[1].alone = true;
		report->nr_columns++;
	}
	return 0;
}

size_t kermon_report_nr_columns(const struct kermon_report *report)
{
	return report->nr_columns;
}

const struct kermon_column *
kermon_report_column(const struct kermon_report *report, size_t index)
{
	return &report->columns[index];
}

/* Index of the first column of a kind that has counted; @nr_columns: none. */
static size_t first_of(const struct kermon_report *report,
		       enum kermon_metric_kind kind)
{
	size_t i;

	for (i = 0; i < report->nr_columns; i++)
		if (report->columns[i].metric.kind == kind &&
		    report->columns[i].total)
			break;
	return i;
}

size_t kermon_report_weight(const struct kermon_report *report)
{
	size_t i = first_of(report, KERMON_METRIC_TIME);

	if (i == report->nr_columns)
		i = first_of(report, KERMON_METRIC_CYCLES);
	if (i < report->nr_columns)
		return i;
	for (i = 0; i < report->nr_columns; i++)
		if (report->columns[i].total)
			return i;
	return 0;
}

static uint64_t sum_of(const struct kermon_report *report,
		       const uint64_t *values, enum kermon_metric_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < report->nr_columns; i++)
		if (report->columns[i].metric.kind == kind)
			sum += values[i];
	return sum;
}

double kermon_ipc(const struct kermon_report *report, const uint64_t *values)
{
	uint64_t cycles = sum_of(report, values, KERMON_METRIC_CYCLES);

	if (!cycles || first_of(report, KERMON_METRIC_INSTRUCTIONS) ==
	    report->nr_columns)
		return NAN;
	return (double)sum_of(report, values, KERMON_METRIC_INSTRUCTIONS) /
	       (double)cycles;
}

uint64_t kermon_flop(const struct kermon_report *report,
		     const uint64_t *values, enum kermon_precision precision)
{
	const struct kermon_metric *metric;
	uint64_t sum = 0;

	for (size_t i = 0; i < report->nr_columns; i++) {
		metric = &report->columns[i].metric;
		if (metric->kind == KERMON_METRIC_FLOP &&
		    metric->precision == precision)
			sum += values[i] * metric->lanes;
	}
	return sum;
}
