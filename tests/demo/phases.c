// SPDX-License-Identifier: GPL-2.0
/*
 * phases - a program with a known number of floating-point operations
 *
 * usage: phases [ITERATIONS]
 *
 * Three threads, "scalar", "sse" and "avx", each go through a phase of single
 * and one of double precision. A phase is a function of its own. Every
 * iteration executes eight floating-point instructions (four chains of a
 * multiplication and an addition) of the kind that the phase is named after,
 * and no others; what they amount to is printed, for the reader to compare.
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ITERATIONS	1000000
#define CHAINS			4
#define PER_ITERATION		(2 * CHAINS)

/* What the chains converge to: x = x / 2 + 1 is 2. */
static const float half_single[8] = { .5, .5, .5, .5, .5, .5, .5, .5 };
static const float one_single[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
static const double half_double[4] = { .5, .5, .5, .5 };
static const double one_double[4] = { 1, 1, 1, 1 };

/*
 * A phase: @isa has its instructions, @vector is its type, the last four are
 * its intrinsics. Moves do not count as operations. The compiler must not see
 * through the chains, or it would shorten them: hence the empty asm.
 */
#define OPAQUE(x)	__asm__ volatile("" : "+x"(x))

#define PHASE(name, isa, vector, element, width, load, store, mul, add)	\
__attribute__((noinline, noclone, target(isa)))				\
static element name(uint64_t iterations)				\
{									\
	vector half = load(half_##width), one = load(one_##width);	\
	vector x[CHAINS];						\
	element result[sizeof(vector) / sizeof(element)];		\
									\
	OPAQUE(half);							\
	OPAQUE(one);							\
	for (int i = 0; i < CHAINS; i++)				\
		x[i] = half;						\
	for (; iterations; iterations--) {				\
		_Pragma("GCC unroll 4")					\
		for (int i = 0; i < CHAINS; i++) {			\
			x[i] = add(mul(x[i], half), one);		\
			OPAQUE(x[i]);					\
		}							\
	}								\
	store(result, x[0]);						\
	return result[0];						\
}

PHASE(scalar_single, "sse2", __m128, float, single, _mm_load_ss,
      _mm_storeu_ps, _mm_mul_ss, _mm_add_ss)
PHASE(scalar_double, "sse2", __m128d, double, double, _mm_load_sd,
      _mm_storeu_pd, _mm_mul_sd, _mm_add_sd)
PHASE(sse_single, "sse2", __m128, float, single, _mm_loadu_ps,
      _mm_storeu_ps, _mm_mul_ps, _mm_add_ps)
PHASE(sse_double, "sse2", __m128d, double, double, _mm_loadu_pd,
      _mm_storeu_pd, _mm_mul_pd, _mm_add_pd)
PHASE(avx_single, "avx", __m256, float, single, _mm256_loadu_ps,
      _mm256_storeu_ps, _mm256_mul_ps, _mm256_add_ps)
PHASE(avx_double, "avx", __m256d, double, double, _mm256_loadu_pd,
      _mm256_storeu_pd, _mm256_mul_pd, _mm256_add_pd)

/**
 * struct worker - a thread and its two phases
 * @lanes_single: operations of an instruction of the first phase
 * @lanes_double: of the second
 */
struct worker {
	const char *name;
	float (*single_phase)(uint64_t iterations);
	double (*double_phase)(uint64_t iterations);
	unsigned int lanes_single;
	unsigned int lanes_double;
	pthread_t thread;
};

static struct worker workers[] = {
	{ "scalar", scalar_single, scalar_double, 1, 1 },
	{ "sse", sse_single, sse_double, 4, 2 },
	{ "avx", avx_single, avx_double, 8, 4 },
};

#define WORKERS	(sizeof(workers) / sizeof(workers[0]))

static uint64_t iterations = DEFAULT_ITERATIONS;

static void *work(void *argument)
{
	static const float two_single = 2;
	static const double two_double = 2;
	struct worker *worker = argument;
	double precise;
	float single;

	pthread_setname_np(pthread_self(), worker->name);
	single = worker->single_phase(iterations);
	precise = worker->double_phase(iterations);
	/* Comparing them as numbers would be one operation more. */
	if (memcmp(&single, &two_single, sizeof(single)) ||
	    memcmp(&precise, &two_double, sizeof(precise)))
		abort();
	return NULL;
}

static void print_row(const char *thread, const char *precision,
		      unsigned int lanes)
{
	uint64_t instructions = iterations * PER_ITERATION;

	printf("%-8s %-10s %14" PRIu64 " %6u %16" PRIu64 "\n", thread,
	       precision, instructions, lanes, instructions * lanes);
}

static int parse_iterations(const char *text)
{
	char *end;

	iterations = strtoull(text, &end, 10);
	/* fewer do not get the chains to 2 */
	if (*end || iterations < 100 || iterations > 1000000000000ULL) {
		fprintf(stderr, "usage: phases [ITERATIONS, at least 100]\n");
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && parse_iterations(argv[1]))
		return 2;
	if (!__builtin_cpu_supports("avx")) {
		fprintf(stderr, "phases: this CPU has no AVX\n");
		return 1;
	}
	for (size_t i = 0; i < WORKERS; i++) {
		if (pthread_create(&workers[i].thread, NULL, work,
				   &workers[i])) {
			fprintf(stderr, "phases: cannot start a thread\n");
			return 1;
		}
	}
	for (size_t i = 0; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);

	printf("thread   precision    instructions  lanes             FLOP\n");
	for (size_t i = 0; i < WORKERS; i++) {
		print_row(workers[i].name, "single", workers[i].lanes_single);
		print_row(workers[i].name, "double", workers[i].lanes_double);
	}
	return 0;
}
