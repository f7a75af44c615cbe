/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code of which is known what it counts, and where it is put together and run.
 */
#ifndef KERMON_TEST_SEQUENCE_H
#define KERMON_TEST_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

#include "counter.h"

/* One sequence of sequences.S. The list ends with a name of NULL. */
struct sequence {
	const char *name;
	const uint8_t *code;	/* up to the code of the next sequence */
	uint64_t needs_fma;
	uint64_t counts[NR_EVENTS];
};

extern const struct sequence sequences[];

/* The first one that this CPU can execute, from @seq on. */
const struct sequence *sequence_from(const struct sequence *seq);

/* What the sequences read and write; offsets are in sequences.S. */
struct scratch {
	uint8_t any[64];
	float singles[16];
	double doubles[16];
	uint8_t out[768];
	uint8_t state[3072];
} __attribute__((aligned(64)));

/* Executable code that grows at its end, and what it counts. */
struct program {
	uint8_t *start;		/* call as void (*)(struct scratch *) */
	uint8_t *end;
	uint8_t *limit;
	uint64_t counts[NR_EVENTS];
};

/* Make an empty program with room for @size bytes; exits if it cannot. */
void program_open(struct program *program, size_t size);
void program_close(struct program *program);

/* Empty @program, and let it start @offset bytes into its memory. */
void program_reset(struct program *program, size_t offset);

/* Append bytes, a sequence, or RET. RET adds nothing to the counts. */
void program_bytes(struct program *program, const void *bytes, size_t len);
void program_sequence(struct program *program, const struct sequence *seq);
void program_return(struct program *program);

void scratch_reset(struct scratch *scratch);

#endif
