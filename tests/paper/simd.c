// SPDX-License-Identifier: GPL-2.0
/*
 * simd triad | polynomial: the two ends of a roofline, with vectors of four doubles. A triad of
 * arrays that no cache holds moves 24 bytes for 2 operations, most of them from memory; polynomials
 * of the same value are added up in the L1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double vector __attribute__((vector_size(32)));

#define AVX __attribute__((target("avx")))
/* three arrays of 8 MB each */
#define VECTORS (1UL << 18)
#define ROUNDS 16
#define POINTS 3000000
#define CHAINS 8

AVX static double triad(void)
{
	vector *a = aligned_alloc(64, VECTORS * sizeof(*a));
	vector *b = aligned_alloc(64, VECTORS * sizeof(*b));
	vector *c = aligned_alloc(64, VECTORS * sizeof(*c));
	vector factor = { 0.5, 0.25, 0.125, 2 };

	if (!a || !b || !c)
		exit(1);
	for (size_t i = 0; i < VECTORS; i++) {
		b[i] = factor;
		c[i] = factor;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < VECTORS; i++)
			a[i] = b[i] + factor * c[i];
		factor += a[round] / 16;
	}
	return factor[0];
}

AVX static double polynomial(void)
{
	vector sums[CHAINS] = { { 0 } }, x = { 0.1, 0.2, 0.3, 0.4 }, one = { 1, 1, 1, 1 };

	for (long i = 0; i < POINTS; i++)
		for (int chain = 0; chain < CHAINS; chain++)
			sums[chain] = sums[chain] * x + one;
	for (int chain = 1; chain < CHAINS; chain++)
		sums[0] += sums[chain];
	return sums[0][0];
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "triad")) {
		printf("%g\n", triad());
	} else if (argc == 2 && !strcmp(argv[1], "polynomial")) {
		printf("%g\n", polynomial());
	} else {
		fputs("usage: simd triad|polynomial\n", stderr);
		return 2;
	}
	return 0;
}
