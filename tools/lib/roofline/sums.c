// SPDX-License-Identifier: GPL-2.0
/* Sums up the samples of each thread and of the application. */
#include <math.h>

#include "events/tables.h"
#include "roofline_private.h"

/* What is not known in any sample stays unknown; otherwise, the sum of those where it is. */
static void add_known(double *sum, double value)
{
	if (isnan(value))
		return;
	*sum = isnan(*sum) ? value : *sum + value;
}

static void empty(struct kermon_roofline_sums *sums)
{
	*sums = (struct kermon_roofline_sums){
		.size = sizeof(*sums),
		.flop = NAN, .bytes = NAN, .bytes_low = NAN, .bytes_high = NAN,
		.instructions = NAN, .cycles = NAN,
	};
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++)
		sums->joules[i] = sums->counted_joules[i] = NAN;
}

/* As soon as there are bytes of samples with operations, only these. */
static void add_bytes(struct kermon_roofline_sums *sums,
		      const struct kermon_operations *operations, bool placed)
{
	if (!placed && sums->placed > 0)
		return;
	if (placed && !(sums->placed > 0))
		sums->bytes = sums->bytes_low = sums->bytes_high = NAN;
	add_known(&sums->bytes, operations->bytes);
	add_known(&sums->bytes_low, operations->bytes_low);
	add_known(&sums->bytes_high, operations->bytes_high);
}

static void add_operations(struct kermon_roofline_sums *sums,
			   const struct kermon_operations *operations, double seconds)
{
	const bool counted = !isnan(operations->all_flop);
	const bool placed = counted && !isnan(operations->bytes);

	add_known(&sums->flop, operations->all_flop);
	add_bytes(sums, operations, placed);
	if (counted)
		sums->counted += seconds;
	if (placed) {
		sums->placed += seconds;
		sums->placed_flop += operations->all_flop;
	}
	for (size_t i = 0; i < KERMON_PRECISIONS; i++)
		for (size_t j = 0; j < KERMON_SIMDS; j++)
			sums->by_class[i][j] += operations->flop[i][j];
}

/*
 * The error is a weighted sum until all samples have been added. A row in which a set had no
 * turn, as at the exit of a thread, does not hide that of the others.
 */
static void add_sample(struct kermon_roofline_sums *sums, double *known_flop,
		       const struct kermon_roofline_sample *sample)
{
	const double seconds = kermon_roofline_seconds(sample);
	const double flop = sample->operations.all_flop;

	sums->samples++;
	sums->seconds += seconds;
	sums->estimated |= sample->estimated;
	if (flop > 0 && !isnan(sample->error)) {
		sums->error += sample->error * flop;
		*known_flop += flop;
	}
	add_known(&sums->instructions, sample->instructions);
	add_known(&sums->cycles, sample->cycles);
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++) {
		add_known(&sums->joules[i], sample->joules[i]);
		if (!isnan(flop))
			add_known(&sums->counted_joules[i], sample->joules[i]);
	}
	add_operations(sums, &sample->operations, seconds);
}

static void finish(struct kermon_roofline_sums *sums, double known_flop)
{
	sums->busy = sums->seconds;
	sums->simd = operations_simd(sums->by_class);
	if (known_flop > 0)
		sums->error /= known_flop;
	else if (sums->estimated)
		sums->error = NAN;
}

static void empty_all(struct kermon_roofline *roofline)
{
	empty(&roofline->total);
	for (size_t i = 0; i < roofline->nr_owners; i++) {
		empty(&roofline->all[i].sums);
		roofline->all[i].shown.sums = &roofline->all[i].sums;
	}
	for (size_t i = 0; i < roofline->nr_functions; i++) {
		empty(&roofline->functions[i].sums);
		roofline->functions[i].shown.sums = &roofline->functions[i].sums;
	}
}

/* Of functions in slices of time. */
static void sum_tallies(struct kermon_roofline *roofline)
{
	struct kermon_roofline_sample row;
	struct function *function;

	for (size_t i = 0; i < roofline->nr_functions; i++) {
		function = &roofline->functions[i];
		if (!function->part.open)
			continue;
		function_row(roofline, function, &row);
		add_sample(&function->sums, &function->known_flop, &row);
		function->sums.samples = function->samples;
	}
}

void roofline_sum(struct kermon_roofline *roofline)
{
	const struct kermon_roofline_sample *sample;
	struct function *function;
	struct owner *owner;

	empty_all(roofline);
	for (size_t i = 0; i < roofline->nr_samples; i++) {
		sample = &roofline->samples[i];
		owner = &roofline->all[sample->thread];
		add_sample(&owner->sums, &owner->known_flop, sample);
		add_sample(&roofline->total, &roofline->known_flop, sample);
		if (roofline->function_of[i] >= roofline->nr_functions)
			continue;
		function = &roofline->functions[roofline->function_of[i]];
		add_sample(&function->sums, &function->known_flop, sample);
	}
	sum_tallies(roofline);
	finish(&roofline->total, roofline->known_flop);
	for (size_t i = 0; i < roofline->nr_owners; i++)
		finish(&roofline->all[i].sums, roofline->all[i].known_flop);
	for (size_t i = 0; i < roofline->nr_functions; i++)
		finish(&roofline->functions[i].sums, roofline->functions[i].known_flop);
}
