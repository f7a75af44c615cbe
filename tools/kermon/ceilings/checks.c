// SPDX-License-Identifier: GPL-2.0
/* Are the results plausible? What is not, is noted. */
#include <string.h>

#include "bench.h"

/* Two measurements of the same may differ by this factor. */
#define TOLERANCE	1.05
/* Peaks of several cores are more than this factor above those of one. */
#define TURNS		1.2
/* More instructions of a kind per cycle than any CPU executes. */
#define MOST_ARITHMETIC	4.2
#define MOST_ACCESSES	5.2

static bool is_measured(const struct ceiling *ceiling)
{
	return ceiling->state == STATE_MEASURED;
}

static void describe(const struct ceiling *ceiling, char text[64])
{
	if (ceiling->kind == KERMON_CEILING_FLOPS)
		snprintf(text, 64, "%s %s %s", precision_names[ceiling->precision],
			 operation_names[ceiling->operation], isa_names[ceiling->isa]);
	else
		snprintf(text, 64, "%s %s %s%s", level_names[ceiling->level],
			 pattern_names[ceiling->pattern], isa_names[ceiling->isa],
			 ceiling->huge ? "" : " (4K pages)");
}

/* Equal but for the width of instructions, of which @other has the next larger one. */
static bool is_wider(const struct ceiling *ceiling, const struct ceiling *other)
{
	return other->isa == ceiling->isa + 1 && other->operation == ceiling->operation &&
	       other->precision == ceiling->precision && other->level == ceiling->level &&
	       other->pattern == ceiling->pattern && other->huge == ceiling->huge;
}

/* Equal but for the level: @other is nearer to the core. */
static bool is_inner(const struct ceiling *ceiling, const struct ceiling *other)
{
	return ceiling->kind == KERMON_CEILING_BANDWIDTH && other->level < ceiling->level &&
	       other->pattern == ceiling->pattern && other->isa == ceiling->isa &&
	       other->huge == ceiling->huge;
}

static void check_pair(struct bench *bench, const struct ceiling *ceiling,
		       const struct ceiling *other)
{
	const bool is_slower = other->estimate.value * TOLERANCE < ceiling->estimate.value;
	char one[64], two[64];

	if (!is_slower || (!is_wider(ceiling, other) && !is_inner(ceiling, other)))
		return;
	describe(ceiling, one);
	describe(other, two);
	bench_note(bench, "implausible: %s is faster than %s, %u thread%s", one, two,
		   ceiling->threads, ceiling->threads == 1 ? "" : "s");
}

/* Instructions of a kind per cycle. */
static double rate_of(const struct ceiling *ceiling)
{
	const struct peak_kernel *peak;
	double units;

	if (ceiling->kind == KERMON_CEILING_FLOPS) {
		peak = peak_kernel(ceiling->operation, ceiling->isa, ceiling->precision);
		units = (double)peak_flops(peak) / (peak->adds + peak->muls + peak->fmas);
	} else {
		units = access_kernel(ceiling->pattern, ceiling->isa)->width;
	}
	return ceiling->estimate.value / units / ceiling->estimate.hertz / ceiling->threads;
}

static void check_rate(struct bench *bench, const struct ceiling *ceiling)
{
	const double most = ceiling->kind == KERMON_CEILING_FLOPS ? MOST_ARITHMETIC :
								    MOST_ACCESSES;
	char text[64];

	if (!ceiling->estimate.hertz || rate_of(ceiling) <= most)
		return;
	describe(ceiling, text);
	bench_note(bench, "implausible: %s: %.1f instructions per cycle", text,
		   rate_of(ceiling));
}

/* The same peak of one thread; NULL: not measured. */
static const struct ceiling *peak_of_one(const struct bench *bench,
					 const struct ceiling *ceiling)
{
	const struct ceiling *other = bench->ceilings;

	for (; other < bench->ceilings + bench->nr; other++)
		if (other->threads == 1 && is_measured(other) && other->kind == ceiling->kind &&
		    other->operation == ceiling->operation && other->isa == ceiling->isa &&
		    other->precision == ceiling->precision)
			return other;
	return NULL;
}

/*
 * Cores share no unit for arithmetic. If none of the peaks of several is clearly above that
 * of one, only one of them executes at a time: those of an emulator whose time is that of
 * the instructions, or CPUs that are scheduled on one.
 */
static void check_turns(struct bench *bench, unsigned int threads)
{
	const struct ceiling *ceiling = bench->ceilings, *one;
	double most = 0;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++) {
		if (ceiling->threads != threads || !is_measured(ceiling) ||
		    ceiling->kind != KERMON_CEILING_FLOPS)
			continue;
		one = peak_of_one(bench, ceiling);
		if (one && ceiling->estimate.value / one->estimate.value > most)
			most = ceiling->estimate.value / one->estimate.value;
	}
	if (most > 0 && most < TURNS)
		bench_note(bench, "%u threads have the peaks of one: the CPUs take turns%s. These are no ceilings of CPUs that execute at the same time.",
			   threads, bench->is_model ?
			   ", as those of an emulator do whose time is counted in instructions" :
			   "");
}

void checks_note(struct bench *bench)
{
	const struct ceiling *ceiling, *other, *end = bench->ceilings + bench->nr;

	for (ceiling = bench->ceilings; ceiling < end; ceiling++) {
		if (!is_measured(ceiling))
			continue;
		check_rate(bench, ceiling);
		for (other = bench->ceilings; other < end; other++)
			if (is_measured(other) && other->kind == ceiling->kind &&
			    other->threads == ceiling->threads)
				check_pair(bench, ceiling, other);
	}
	for (unsigned int i = 0; i < bench->selection.nr_threads; i++)
		if (bench->selection.threads[i] > 1 &&
		    bench->selection.threads[i] <= bench->placement.nr_cores)
			check_turns(bench, bench->selection.threads[i]);
}
