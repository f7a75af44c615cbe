// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the TSC counts instructions. An emulator may advance it by one for each of them,
 * whatever it does; then the cycles of a step are what it executes, in user and kernel mode.
 * Processors take more cycles for a chain of multiplications than for one of additions.
 */
#include "../../probe/probe.h"
#include "overhead.h"

#define ROUNDS		1000
#define TRIES		8

static uint64_t time_additions(uint32_t rounds)
{
	uint64_t value = 1, begin = probe_now();

	__asm__ volatile("1:\taddq %0, %0\n\t"
			 "decl %1\n\t"
			 "jnz 1b" : "+r" (value), "+r" (rounds) : : "cc");
	return probe_now() - begin;
}

static uint64_t time_multiplications(uint32_t rounds)
{
	uint64_t value = 3, begin = probe_now();

	__asm__ volatile("1:\timulq %0, %0\n\t"
			 "decl %1\n\t"
			 "jnz 1b" : "+r" (value), "+r" (rounds) : : "cc");
	return probe_now() - begin;
}

/* The least of some: an interrupt may come in between. */
static uint64_t least(uint64_t (*time)(uint32_t rounds), uint32_t rounds)
{
	uint64_t found = UINT64_MAX;

	for (unsigned int i = 0; i < TRIES; i++) {
		const uint64_t took = time(rounds);

		found = took < found ? took : found;
	}
	return found;
}

static bool is_exact(uint64_t (*time)(uint32_t rounds))
{
	return least(time, 2 * ROUNDS) - least(time, ROUNDS) == 3 * ROUNDS;
}

bool clock_counts_instructions(void)
{
	return is_exact(time_additions) && is_exact(time_multiplications);
}
