// SPDX-License-Identifier: GPL-2.0
/*
 * What follows from all counts of a row together: rates, intensity, energy per operation.
 *
 * Counts of rotated sets are extrapolated. The error of that is estimated from how much
 * the rate of each event differs between the parts of the run: the standard error of its
 * mean, less the more of the run was measured. Events of a set were measured at the same
 * time, so that their errors add up; those of different sets are independent.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kermon.h>

#include "report_private.h"

/**
 * struct estimates - the counts of a row as estimates
 * @counts: by column; NaN: never measured, or counted with an earlier column
 * @errors: absolute errors of these
 */
struct estimates {
	double *counts;
	double *errors;
};

/* Whether an earlier column has the same event, of another set, and the same modes. */
static bool is_repeated(const struct kermon_report *report, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (report->columns[i].set >= 0 && !report->columns[i].alone &&
		    !strcmp(report->columns[i].name, report->columns[column].name))
			return true;
	return false;
}

/* Relative error of the count of a column, which was measured in @share of the time. */
static double error_of(const struct kermon_report *report, size_t column, double share)
{
	const struct kermon_column *of = &report->columns[column];
	const struct kermon_share *turns = kermon_report_share(report, of->set);
	struct kermon_estimate estimate;

	if (!turns || turns->parts < KERMON_PARTS ||
	    !kermon_report_estimate(report, column, &estimate))
		return NAN;
	return estimate.spread / sqrt(turns->parts) * sqrt(fmax(0, 1 - share));
}

/* An event that several sets have was measured while any of them was active. */
static void estimate(const struct kermon_report *report, const uint64_t *values,
		     size_t column, struct estimates *estimates)
{
	const struct kermon_column *of = &report->columns[column];
	double count = 0, share = 0;

	estimates->errors[column] = 0;
	if (of->set < 0) {
		estimates->counts[column] = of->alone ? NAN : values[column];
		return;
	}
	for (size_t i = column; i < report->nr_columns; i++) {
		if (report->columns[i].set < 0 || strcmp(report->columns[i].name, of->name))
			continue;
		count += values[i];
		share += kermon_report_share(report, report->columns[i].set)->share;
	}
	estimates->counts[column] = share > 0 && !is_repeated(report, column) ?
				    count / share : NAN;
	if (estimates->counts[column] > 0)
		estimates->errors[column] = estimates->counts[column] *
					    error_of(report, column, share);
}

static double flop_of(const struct kermon_operation *operation)
{
	return operation->flop;
}

static double access_of(const struct kermon_operation *operation)
{
	return operation->access != KERMON_NO_ACCESS;
}

/*
 * Relative error of the sum of counts, each weighted as @weight says of its event. Those
 * of other events of a precision, of which one counts all, may be in it.
 */
static double sum_error(const struct kermon_report *report,
			const struct estimates *estimates,
			double (*weight)(const struct kermon_operation *operation))
{
	double by_set[KERMON_MAX_SETS] = { 0 }, sum = 0, squares = 0, weighted;

	for (size_t i = 0; i < report->nr_columns; i++) {
		weighted = weight(&report->operations[i]);
		if (!weighted || isnan(estimates->counts[i]))
			continue;
		sum += weighted * estimates->counts[i];
		if (report->columns[i].set >= 0)
			by_set[report->columns[i].set] += weighted * estimates->errors[i];
	}
	for (size_t i = 0; i < KERMON_MAX_SETS; i++)
		squares += by_set[i] * by_set[i];
	return sum > 0 ? sqrt(squares) / sum : 0;
}

static bool is_rotated(const struct kermon_report *report)
{
	for (size_t i = 0; i < report->nr_columns; i++)
		if (report->columns[i].set >= 0 &&
		    (report->operations[i].flop || report->operations[i].access))
			return true;
	return false;
}

static void find_errors(const struct kermon_report *report,
			const struct estimates *estimates,
			struct kermon_derived *derived)
{
	derived->rotated = is_rotated(report);
	derived->flop_error = sum_error(report, estimates, flop_of);
	derived->byte_error = sum_error(report, estimates, access_of);
	derived->intensity_error = hypot(derived->flop_error, derived->byte_error);
}

/* Joules of the package while the thread ran; NaN if they were not recorded. */
static double package_joules(const struct kermon_report *report, const uint64_t *values)
{
	for (size_t i = 0; i < report->nr_columns && report->of_intervals; i++)
		if (strstr(report->columns[i].name, "energy-pkg") && report->columns[i].total)
			return kermon_joules(values[i]);
	return NAN;
}

static void find_rates(const struct kermon_report *report, const uint64_t *values,
		       struct kermon_derived *derived)
{
	const struct kermon_operations *sum = &derived->operations;
	const size_t time = report_first_of(report, KERMON_METRIC_TIME);

	derived->seconds = time < report->nr_columns && values[time] ?
			   values[time] / 1e9 : NAN;
	derived->flop_rate = sum->all_flop / derived->seconds;
	derived->byte_rate = sum->bytes / derived->seconds;
	derived->intensity = kermon_intensity(sum, sum->bytes);
	derived->intensity_low = kermon_intensity(sum, sum->bytes_high);
	derived->intensity_high = kermon_intensity(sum, sum->bytes_low);
	derived->joules_per_flop = sum->all_flop > 0 ?
				   package_joules(report, values) / sum->all_flop : NAN;
}

static void derive(const struct kermon_report *report, const uint64_t *values,
		   struct estimates *estimates, struct kermon_derived *derived)
{
	for (size_t i = 0; i < report->nr_columns; i++)
		estimate(report, values, i, estimates);
	kermon_operations_sum(report->operations, estimates->counts, report->nr_columns,
			      &derived->operations);
	find_errors(report, estimates, derived);
	find_rates(report, values, derived);
}

int kermon_report_derive(const struct kermon_report *report, const uint64_t *values,
			 struct kermon_derived *derived)
{
	const size_t nr = report->nr_columns + 1;
	struct estimates estimates = {
		.counts = calloc(nr, sizeof(double)),
		.errors = calloc(nr, sizeof(double)),
	};
	uint64_t *totals = calloc(nr, sizeof(*totals));
	const int err = estimates.counts && estimates.errors && totals ? 0 : -ENOMEM;

	memset(derived, 0, sizeof(*derived));
	for (size_t i = 0; !err && i < report->nr_columns; i++)
		totals[i] = report->columns[i].total;
	if (!err)
		derive(report, values ? values : totals, &estimates, derived);
	free(estimates.counts);
	free(estimates.errors);
	free(totals);
	return err;
}
