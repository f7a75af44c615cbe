/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops of known instructions, timed by the TSC and by a counter of cycles, on the
 * CPU of tests/qemu with pmu-time=on and the default properties: tests/qemu/README.md.
 */
#ifndef KERMON_TEST_STRETCH_H
#define KERMON_TEST_STRETCH_H

#include <stdint.h>

#define MHZ		3500

/* Keep in sync with the offsets in stretches.S. */
struct stretch {
	uint64_t rounds;	/* at least 1 */
	uint64_t counter;	/* for RDPMC */
	uint64_t area;		/* memory to access, aligned to 64 bytes */
	uint64_t steps;		/* of a walk: 8 lines each, at least 1 */
	uint64_t tsc_before;
	uint64_t cycles_before;
	uint64_t tsc_after;
	uint64_t cycles_after;
};

typedef void (*stretch_fn)(struct stretch *stretch);

/* 60 instructions in each round, or as many as said, and two that end it */
void loop_nothing(struct stretch *stretch);
void loop_add_scalar(struct stretch *stretch);
void loop_add_sse(struct stretch *stretch);
void loop_add_avx(struct stretch *stretch);
void loop_mul_scalar(struct stretch *stretch);
void loop_mul_avx(struct stretch *stretch);
void loop_mix_sse(struct stretch *stretch);
void loop_mix_avx(struct stretch *stretch);
void loop_div_sse(struct stretch *stretch);
void loop_div_avx(struct stretch *stretch);
void loop_x87(struct stretch *stretch);
void loop_load_scalar(struct stretch *stretch);
void loop_load_sse(struct stretch *stretch);
void loop_load_avx(struct stretch *stretch);
void loop_store_scalar(struct stretch *stretch);
void loop_store_sse(struct stretch *stretch);
void loop_store_avx(struct stretch *stretch);
void loop_copy_avx(struct stretch *stretch);	/* 40 loads, 20 stores */
void loop_fused(struct stretch *stretch);	/* 20 loads in 20 of 40 operations */

/* Access each line of the area in each round, with AVX. */
void walk_loads(struct stretch *stretch);
void walk_stores(struct stretch *stretch);
void walk_compute(struct stretch *stretch);	/* loads, and 40 additions a step */

/* Count cycles of CPU 0, whatever runs there; returns the counter for RDPMC. */
uint32_t stretch_counter(void);

struct clocks {
	uint64_t tsc;
	uint64_t cycles;
};

/*
 * What @rounds more rounds of @stretch take than @rounds: without the overhead
 * of starting and reading, and the least of several attempts, for interrupts.
 */
struct clocks stretch_time(stretch_fn run, struct stretch stretch,
			   uint64_t rounds);

#endif
