// SPDX-License-Identifier: GPL-2.0
/*
 * The application of the demonstration: threads that spend their time in
 * single-precision arithmetic, one operation at a time (scalar), four (SSE) or
 * eight (AVX). It says how many operations it did, so that the report can be
 * compared with the truth.
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define ROUNDS	2000000L

/* Two operations per round and lane: a multiplication and an addition. */
#define OPS	(2 * ROUNDS)

static const float factor[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };

__attribute__((noinline)) static void scalar_phase(void)
{
	__m128 x = _mm_setzero_ps(), one = _mm_loadu_ps(factor);
	long i;

	for (i = 0; i < ROUNDS; i++) {
		x = _mm_add_ss(_mm_mul_ss(x, one), one);
		__asm__ volatile("" : "+x"(x));
	}
}

__attribute__((noinline)) static void sse_phase(void)
{
	__m128 x = _mm_setzero_ps(), one = _mm_loadu_ps(factor);
	long i;

	for (i = 0; i < ROUNDS; i++) {
		x = _mm_add_ps(_mm_mul_ps(x, one), one);
		__asm__ volatile("" : "+x"(x));
	}
}

__attribute__((noinline, target("avx"))) static void avx_phase(void)
{
	__m256 x = _mm256_setzero_ps(), one = _mm256_loadu_ps(factor);
	long i;

	for (i = 0; i < ROUNDS; i++) {
		x = _mm256_add_ps(_mm256_mul_ps(x, one), one);
		__asm__ volatile("" : "+x"(x));
	}
}

/* All three, with a rest in between: a thread that comes and goes. */
static void mixed_phases(void)
{
	scalar_phase();
	usleep(20000);
	sse_phase();
	usleep(20000);
	avx_phase();
}

static const struct thread {
	const char *name;
	void (*work)(void);
} threads[] = {
	{ "scalar", scalar_phase },
	{ "sse", sse_phase },
	{ "avx", avx_phase },
	{ "mixed", mixed_phases },
};

#define NR_THREADS	(sizeof(threads) / sizeof(*threads))

static void *run(void *arg)
{
	const struct thread *thread = arg;

	pthread_setname_np(pthread_self(), thread->name);
	thread->work();
	return NULL;
}

int main(void)
{
	pthread_t id[NR_THREADS];
	size_t i;

	for (i = 0; i < NR_THREADS; i++) {
		if (pthread_create(&id[i], NULL, run, (void *)&threads[i]))
			return 1;
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(id[i], NULL);
	printf("done: %ld scalar, %ld SSE and %ld AVX instructions, %ld operations\n",
	       2 * OPS, 2 * OPS, 2 * OPS, 2 * OPS * (1 + 4 + 8));
	return 0;
}
