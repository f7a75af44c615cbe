// SPDX-License-Identifier: GPL-2.0
/*
 * The columns of a report: one for each event, and values derived from them, such as
 * IPC.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "perfdata/format/format.h"
#include "report_private.h"

bool report_is_sample(const struct kermon_report *report,
		      const struct report_keys *keys, size_t event)
{
	return !report->of_intervals ||
	       report_has_key(keys, KEY_EVENT) ||
	       perfdata_is_interval(&reader_event(report->pipeline.reader,
						  event)->attr);
}

bool kermon_report_is_estimate(const struct kermon_report *report)
{
	const struct kermon_filter *filter = report->options.filter;

	return report->of_intervals && filter &&
	       (filter->by[KERMON_FILTER_DSO].nr ||
		filter->by[KERMON_FILTER_SYMBOL].nr ||
		filter_is_by_time(filter));
}

static uint8_t modes_of(const struct perf_event_attr *attr)
{
	return (attr->exclude_user ? 0 : KERMON_COUNT_USER) |
	       (attr->exclude_kernel ? 0 : KERMON_COUNT_KERNEL);
}

int report_make_columns(struct kermon_report *report)
{
	size_t nr = reader_nr_events(report->pipeline.reader);
	const struct reader_event *event;
	struct kermon_column *column;

	report->of_intervals = reader_has_intervals(report->pipeline.reader);
	report->columns = calloc(2 * nr, sizeof(*report->columns));
	report->operations = calloc(2 * nr, sizeof(*report->operations));
	report->column_of = calloc(nr, sizeof(*report->column_of));
	if (!report->columns || !report->operations || !report->column_of)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		report->column_of[i] = report->nr_columns;
		column = &report->columns[report->nr_columns++];
		event = reader_event(report->pipeline.reader, i);
		column->name = event->name;
		column->modes = modes_of(&event->attr);
		column->set = -1;
		kermon_metric_of(column->name, &event->attr,
				 &column->metric);
		if (report->keys.flags & BY_BRANCH) {
			column->branches = true;
			column->metric = (struct kermon_metric){
				.kind = KERMON_METRIC_COUNT,
			};
		} else {
			kermon_operation_of(column->name,
					    &report->operations[column - report->columns]);
		}
		/* Only KerMon's files record who had the package alone. */
		if (!report->of_intervals ||
		    column->metric.kind != KERMON_METRIC_ENERGY)
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
	return index < report->nr_columns ? &report->columns[index] : NULL;
}

size_t report_first_of(const struct kermon_report *report,
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
	size_t i = report_first_of(report, KERMON_METRIC_TIME);

	if (i == report->nr_columns)
		i = report_first_of(report, KERMON_METRIC_CYCLES);
	if (i < report->nr_columns)
		return i;
	for (i = 0; i < report->nr_columns; i++)
		if (report->columns[i].total)
			return i;
	return 0;
}

/*
 * The first column of a kind that counts in these modes, or the sum of the first ones
 * for each mode: nothing is counted twice. Return: false if there are none.
 */
static bool sum_of_modes(const struct kermon_report *report,
			 const uint64_t *values, enum kermon_metric_kind kind,
			 uint8_t modes, uint64_t *sum)
{
	uint8_t left = modes;

	*sum = 0;
	for (size_t i = 0; i < report->nr_columns; i++) {
		if (report->columns[i].metric.kind == kind &&
		    report->columns[i].modes == modes) {
			*sum = values[i];
			return report->columns[i].total;
		}
	}
	for (size_t i = 0; i < report->nr_columns && left; i++) {
		if (report->columns[i].metric.kind != kind ||
		    !report->columns[i].modes ||
		    report->columns[i].modes & ~left)
			continue;
		*sum += values[i];
		left &= ~report->columns[i].modes;
	}
	return !left;
}

/*
 * NaN for instructions and cycles of different modes, and for cycles without
 * instructions, which are from a row that does not cover all events.
 */
double kermon_ipc(const struct kermon_report *report, const uint64_t *values)
{
	static const uint8_t modes[] = {
		KERMON_COUNT_USER | KERMON_COUNT_KERNEL, KERMON_COUNT_USER,
		KERMON_COUNT_KERNEL,
	};
	uint64_t cycles, instructions;

	if (report_first_of(report, KERMON_METRIC_INSTRUCTIONS) == report->nr_columns)
		return NAN;
	for (size_t i = 0; i < sizeof(modes); i++)
		if (sum_of_modes(report, values, KERMON_METRIC_CYCLES,
				 modes[i], &cycles) &&
		    sum_of_modes(report, values, KERMON_METRIC_INSTRUCTIONS,
				 modes[i], &instructions))
			return cycles && instructions ?
			       (double)instructions / (double)cycles : NAN;
	return NAN;
}

double kermon_watts(const struct kermon_report *report, const uint64_t *values,
		    size_t index)
{
	const struct kermon_column *column = kermon_report_column(report, index);
	const size_t time = report_first_of(report, KERMON_METRIC_TIME);

	if (!column || column->metric.kind != KERMON_METRIC_ENERGY ||
	    column->alone || column->branches || !report->of_intervals ||
	    time == report->nr_columns || !values[time])
		return NAN;
	return kermon_joules(values[index]) / ((double)values[time] / 1e9);
}

/* Whether an event counted all operations of a precision, not only some kinds. */
static bool has_whole(const struct kermon_report *report,
		      enum kermon_precision precision)
{
	const struct kermon_column *column;

	for (size_t i = 0; i < report->nr_columns; i++) {
		column = &report->columns[i];
		if (column->metric.kind == KERMON_METRIC_FLOP &&
		    column->metric.precision == precision &&
		    column->metric.whole && column->total)
			return true;
	}
	return false;
}

/* Operations per count of @column in a precision; 0: none. */
static uint64_t lanes_of(const struct kermon_column *column,
			 enum kermon_precision precision, bool whole)
{
	const struct kermon_metric *metric = &column->metric;

	return metric->kind == KERMON_METRIC_FLOP &&
	       metric->precision == precision && metric->whole == whole ?
	       metric->lanes : 0;
}

uint64_t kermon_flop(const struct kermon_report *report,
		     const uint64_t *values, enum kermon_precision precision)
{
	bool whole = has_whole(report, precision);
	uint64_t sum = 0;

	for (size_t i = 0; i < report->nr_columns; i++)
		sum += values[i] *
		       lanes_of(&report->columns[i], precision, whole);
	return sum;
}

bool kermon_flop_took_turns(const struct kermon_report *report,
			    enum kermon_precision precision)
{
	bool whole = has_whole(report, precision);

	for (size_t i = 0; i < report->nr_columns; i++)
		if (report->columns[i].set >= 0 &&
		    lanes_of(&report->columns[i], precision, whole))
			return true;
	return false;
}

double kermon_flop_estimate(const struct kermon_report *report,
			    const uint64_t *values,
			    enum kermon_precision precision)
{
	bool whole = has_whole(report, precision);
	const struct kermon_column *column;
	double sum = 0;
	uint64_t lanes;

	for (size_t i = 0; i < report->nr_columns; i++) {
		column = &report->columns[i];
		lanes = lanes_of(column, precision, whole);
		if (lanes)
			sum += lanes * kermon_column_estimate(report, i,
							      values[i]);
	}
	return sum;
}

double kermon_column_estimate(const struct kermon_report *report, size_t index,
			      uint64_t count)
{
	const struct kermon_column *column = kermon_report_column(report, index);
	double share;

	if (!column)
		return NAN;
	share = column->set < 0 ? 1 :
		kermon_report_share(report, column->set)->share;
	return share ? (double)count / share : NAN;
}

bool kermon_counts_flop(const struct kermon_report *report,
			enum kermon_precision precision)
{
	const struct kermon_metric *metric;

	for (size_t i = 0; i < report->nr_columns; i++) {
		metric = &report->columns[i].metric;
		if (metric->kind == KERMON_METRIC_FLOP &&
		    metric->precision == precision)
			return true;
	}
	return false;
}
