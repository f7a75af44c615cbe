/* SPDX-License-Identifier: GPL-2.0 */
/* Unwind stacks by rules and with libdwfl alone: chains and statistics must be equal. */
#ifndef TESTS_UNIT_BOTH_WAYS_H
#define TESTS_UNIT_BOTH_WAYS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/unwind.h"

/**
 * struct both_ways - two ways to unwind the samples of a pipeline
 * @differ: number of stacks whose chains or statistics differ
 * @stacks: number of stacks
 * @frames: number of functions in their chains
 */
struct both_ways {
	struct pipeline *pipeline;
	struct unwinder *by_rules;
	struct unwinder *by_libdwfl;
	uint64_t differ;
	uint64_t stacks;
	uint64_t frames;
};

/* Return: false if out of memory. */
static inline bool both_begin(struct both_ways *both, struct pipeline *pipeline)
{
	*both = (struct both_ways){
		.pipeline = pipeline,
		.by_rules = unwinder_new(pipeline),
		.by_libdwfl = unwinder_new(pipeline),
	};
	if (!both->by_rules || !both->by_libdwfl)
		return false;
	unwinder_use_libdwfl(both->by_libdwfl);
	return true;
}

static inline void both_end(struct both_ways *both)
{
	unwinder_free(both->by_rules);
	unwinder_free(both->by_libdwfl);
}

static inline void both_print(const char *way, const uint64_t *addresses,
			      size_t nr, const struct kermon_unwinding *sums)
{
	printf("# %s:", way);
	for (size_t i = 0; i < nr; i++)
		printf(" %llx", (unsigned long long)addresses[i]);
	for (int i = 0; i < KERMON_UNWIND_ENDS; i++)
		if (sums->ended[i])
			printf(", end %d", i);
	printf("\n");
}

/* Unwind the stack of @sample both ways, without changing the pipeline's statistics. */
static inline void both_unwind(struct both_ways *both,
			       const struct pipeline_sample *sample)
{
	struct kermon_unwinding *sums = &both->pipeline->unwinding, before = *sums;
	struct kermon_unwinding one, other;
	const uint64_t *ours, *theirs;
	size_t nr, nr_theirs;

	*sums = (struct kermon_unwinding){};
	nr = unwind(both->by_rules, sample, &ours);
	one = *sums;
	*sums = (struct kermon_unwinding){};
	nr_theirs = unwind(both->by_libdwfl, sample, &theirs);
	other = *sums;
	*sums = before;
	both->stacks += one.stacks;
	both->frames += nr;
	if (nr == nr_theirs && !memcmp(&one, &other, sizeof(one)) &&
	    (!nr || !memcmp(ours, theirs, nr * sizeof(*ours))))
		return;
	if (!both->differ++) {
		both_print("by rules", ours, nr, &one);
		both_print("by libdwfl", theirs, nr_theirs, &other);
	}
}

/* A random word: any, small, or near one of the stack. */
static inline uint64_t both_word(const unsigned char *stack, size_t size)
{
	uint64_t word = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ random();
	size_t at = size >= 8 ? random() % (size / 8) * 8 : 0;

	switch (random() % 4) {
	case 0:
		return word;
	case 1:
		return word >> random() % 64;
	case 2:
		return 1ULL << 62 | word >> 40;
	}
	if (size < 8)
		return 0;
	memcpy(&word, stack + at, 8);
	return word + random() % 64 - 32;
}

/* Damage a few words of the stack, mostly of the innermost functions. */
static inline void both_damage_stack(unsigned char *stack, size_t size)
{
	uint64_t word;
	size_t at;

	for (long i = random() % 8; i > 0; i--) {
		word = both_word(stack, size);
		at = random() % (random() % 2 && size > 128 ? 16 : size / 8);
		memcpy(stack + at * 8, &word, 8);
	}
}

/* The same, with random damage to the stack, its size and the registers. */
static inline void both_unwind_damaged(struct both_ways *both,
				       const struct pipeline_sample *sample)
{
	struct pipeline_sample damaged = *sample;
	struct sample fields = *sample->fields;
	size_t nr = __builtin_popcountll(fields.user_regs.mask);
	size_t size = fields.user_stack.size;
	uint64_t word, number = both->pipeline->nr_samples;
	unsigned char registers[64 * 8], *stack;

	if (size < 8 || !fields.user_regs.values || !nr)
		return;
	if (random() % 4 == 0)
		size = 8 + random() % (size - 7);
	/* exactly that size, for ASan */
	stack = malloc(size);
	if (!stack)
		return;
	memcpy(stack, fields.user_stack.data, size);
	memcpy(registers, fields.user_regs.values, nr * 8);
	both_damage_stack(stack, size);
	if (random() % 4 == 0) {
		word = both_word(stack, size);
		memcpy(registers + random() % nr * 8, &word, 8);
	}
	fields.user_stack = (struct sample_bytes){ .data = stack, .size = size };
	fields.user_regs.values = registers;
	damaged.fields = &fields;
	/* unwind() recognises a sample by its number */
	both->pipeline->nr_samples = UINT64_MAX - both->stacks;
	both_unwind(both, &damaged);
	both->pipeline->nr_samples = number;
	free(stack);
}

#endif /* TESTS_UNIT_BOTH_WAYS_H */
