// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of what events mean: operations by precision and SIMD class, accesses, and bytes.
 *
 * Most events of accesses do not tell how wide these are. As in the KerMon paper, section
 * 4, they are then taken to be as wide as the floating-point instructions on average.
 */
#include <math.h>
#include <string.h>

#include "tables.h"

/* Width of an access where no floating-point instruction was counted. */
#define ASSUMED		8
#define NARROWEST	1
#define WIDEST		64

/**
 * struct mix - the floating-point instructions that were counted
 * @instructions: with a known width, @bytes wide in total
 * @element: the narrowest element, @width: the widest instruction, in bytes
 * @computes: there were operations, of any width
 */
struct mix {
	double instructions;
	double bytes;
	double element;
	double width;
	bool computes;
};

/* Bytes of an element of a precision; the narrower ones where it is not distinguished. */
static double element_of(const struct kermon_operation *operation)
{
	return operation->precision == KERMON_DOUBLE ? 8 : 4;
}

static double width_of(const struct kermon_operation *operation)
{
	switch (operation->simd) {
	case KERMON_SIMD_128:
		return 16;
	case KERMON_SIMD_256:
		return 32;
	case KERMON_SIMD_512:
		return 64;
	default:
		return operation->precision == KERMON_SINGLE ? 4 : 8;
	}
}

static void add_to_mix(struct mix *mix, const struct kermon_operation *operation,
		       double count)
{
	mix->computes |= operation->flop && count > 0;
	if (!operation->simd || count <= 0)
		return;
	mix->instructions += count;
	mix->bytes += count * width_of(operation);
	mix->element = fmin(mix->element, element_of(operation));
	mix->width = fmax(mix->width, width_of(operation));
}

/* Whether an event counted all operations of a precision, not only some kinds. */
static bool has_whole(const struct kermon_operation *operations, const double *counts,
		      size_t nr, uint8_t precision)
{
	for (size_t i = 0; i < nr; i++)
		if (operations[i].whole && operations[i].precision == precision &&
		    counts[i] > 0)
			return true;
	return false;
}

/*
 * Of events that count lines from memory, the lowest rank of those that counted any, or else of
 * those that were counted.
 */
static uint8_t first_rank(const struct kermon_operation *operations, const double *counts,
			  size_t nr)
{
	uint8_t any = UINT8_MAX, none = UINT8_MAX;

	for (size_t i = 0; i < nr; i++) {
		if (!operations[i].memory || isnan(counts[i]))
			continue;
		if (counts[i] > 0 && operations[i].rank < any)
			any = operations[i].rank;
		if (operations[i].rank < none)
			none = operations[i].rank;
	}
	return any < UINT8_MAX ? any : none;
}

/* Add to a sum that is NaN as long as nothing was counted. */
static void add(double *sum, double count)
{
	*sum = (isnan(*sum) ? 0 : *sum) + count;
}

static void add_flop(struct kermon_operations *sum,
		     const struct kermon_operation *operation, double count)
{
	if (operation->precision >= KERMON_PRECISIONS || operation->simd >= KERMON_SIMDS)
		return;
	sum->flop[operation->precision][operation->simd] += operation->flop * count;
	sum->executed |= operation->executed;
	add(&sum->all_flop, operation->flop * count);
}

uint8_t operations_simd(const double flop[KERMON_PRECISIONS][KERMON_SIMDS])
{
	uint8_t found = KERMON_SIMD_UNKNOWN;
	double of_class, most = 0;

	for (int simd = 0; simd < KERMON_SIMDS; simd++) {
		of_class = 0;
		for (int precision = 0; precision < KERMON_PRECISIONS; precision++)
			of_class += flop[precision][simd];
		if (of_class <= most)
			continue;
		most = of_class;
		found = simd;
	}
	return found;
}

/* Add accesses whose width is not known. */
static void estimate_bytes(struct kermon_operations *sum, const struct mix *mix,
			   double accesses)
{
	if (mix->instructions > 0) {
		sum->basis = KERMON_BYTES_BY_MIX;
		sum->bytes += accesses * mix->bytes / mix->instructions;
		sum->bytes_low += accesses * mix->element;
		sum->bytes_high += accesses * mix->width;
		return;
	}
	sum->basis = KERMON_BYTES_ASSUMED;
	sum->bytes += accesses * ASSUMED;
	sum->bytes_low += accesses * (mix->computes ? 4 : NARROWEST);
	sum->bytes_high += accesses * WIDEST;
}

/* @wide: bytes of the accesses whose width is known, @accesses: number of the others. */
static void sum_bytes(struct kermon_operations *sum, const struct mix *mix, double wide,
		      double accesses)
{
	if (isnan(sum->loads) || isnan(sum->stores)) {
		sum->bytes = sum->bytes_low = sum->bytes_high = NAN;
		return;
	}
	sum->basis = KERMON_BYTES_EXACT;
	sum->bytes = sum->bytes_low = sum->bytes_high = wide;
	if (accesses > 0)
		estimate_bytes(sum, mix, accesses);
}

void kermon_operations_sum(const struct kermon_operation *operations,
			   const double *counts, size_t nr,
			   struct kermon_operations *sum)
{
	struct mix mix = { .element = WIDEST };
	bool whole[KERMON_PRECISIONS];
	double wide = 0, accesses = 0;
	uint8_t rank;

	*sum = (struct kermon_operations){
		.all_flop = NAN, .loads = NAN, .stores = NAN, .memory_bytes = NAN,
	};
	for (int i = 0; i < KERMON_PRECISIONS; i++)
		whole[i] = has_whole(operations, counts, nr, i);
	rank = first_rank(operations, counts, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kermon_operation *each = &operations[i];

		if (isnan(counts[i]))
			continue;
		add_to_mix(&mix, each, counts[i]);
		if (each->flop && each->whole == whole[each->precision % KERMON_PRECISIONS])
			add_flop(sum, each, counts[i]);
		if (each->memory && each->rank == rank)
			add(&sum->memory_bytes, each->bytes * counts[i]);
		if (!each->access)
			continue;
		add(each->access == KERMON_LOAD ? &sum->loads : &sum->stores,
		    counts[i]);
		if (each->bytes)
			wide += each->bytes * counts[i];
		else
			accesses += counts[i];
	}
	sum->simd = operations_simd(sum->flop);
	sum_bytes(sum, &mix, wide, accesses);
}

double kermon_intensity(const struct kermon_operations *sum, double bytes)
{
	return isnan(sum->all_flop) || !(bytes > 0) ? NAN : sum->all_flop / bytes;
}
