// SPDX-License-Identifier: GPL-2.0
/* Adds what follows from operations, accesses and energy of a run together. */
#include <math.h>
#include <string.h>

#include "totals.h"

void totals_derive(struct totals *totals, const struct kermon_operations *sum,
		   double joules)
{
	totals->basis = sum->basis;
	average_add(&totals->bytes, sum->bytes);
	average_add(&totals->bytes_low, sum->bytes_low);
	average_add(&totals->bytes_high, sum->bytes_high);
	average_add(&totals->intensity, kermon_intensity(sum, sum->bytes));
	average_add(&totals->intensity_low, kermon_intensity(sum, sum->bytes_high));
	average_add(&totals->intensity_high, kermon_intensity(sum, sum->bytes_low));
	if (sum->all_flop > 0)
		average_add(&totals->joules_per_flop, joules / sum->all_flop);
}

/* Energy of the package, from start to end, whatever else ran; NaN if it is not known. */
static double joules_of(const struct outcome *outcome)
{
	const struct energy_total *energy = outcome->energy;

	if (!energy || energy->error)
		return NAN;
	for (unsigned int i = 0; i < energy->nr; i++)
		if (!strcmp(energy->domains[i].name, "power/energy-pkg/"))
			return energy->domains[i].joules;
	return NAN;
}

void totals_derive_counts(struct totals *totals, const struct outcome *outcome)
{
	struct kermon_operation operations[OUTCOME_COUNTS];
	const struct outcome_count *count;
	double counts[OUTCOME_COUNTS];
	struct kermon_operations sum;

	for (unsigned int i = 0; i < outcome->nr_counts; i++) {
		count = &outcome->counts[i];
		kermon_operation_of(count->name, &operations[i]);
		counts[i] = count->error || (count->enabled && !count->running) ?
			    NAN : outcome_scaled(count);
	}
	kermon_operations_sum(operations, counts, outcome->nr_counts, &sum);
	totals_derive(totals, &sum, joules_of(outcome));
}
