/* SPDX-License-Identifier: GPL-2.0 */
/* Code sequences with known counts, and programs assembled from them. */
#ifndef KERMON_TEST_SEQUENCE_H
#define KERMON_TEST_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

#include "counter.h"

/* What a CPU must have beyond Core 2. */
enum needs {
	NOTHING,
	AVX,		/* and what each CPU with AVX has: POPCNT, XSAVE */
	FMA,
};

/* A sequence in sequences.S; a name of NULL ends the list. */
struct sequence {
	const char *name;
	const uint8_t *code;	/* up to the code of the next sequence */
	uint64_t needs;
	uint64_t counts[NR_EVENTS];
};

extern const struct sequence sequences[];

/* The first sequence that this CPU supports, from @seq on. */
const struct sequence *sequence_from(const struct sequence *seq);

/*
 * Memory accessed by the sequences; keep in sync with the offsets in
 * sequences.S.
 */
struct scratch {
	uint8_t any[64];
	float singles[16];
	double doubles[16];
	uint8_t out[768];
	uint8_t state[3072];
} __attribute__((aligned(64)));

/* Executable code that can be appended to, and its expected counts. */
struct program {
	uint8_t *start;		/* call as void (*)(struct scratch *) */
	uint8_t *end;
	uint8_t *limit;
	uint64_t counts[NR_EVENTS];
};

/* Make an empty program with room for @size bytes; exits on failure. */
void program_open(struct program *program, size_t size);
void program_close(struct program *program);

/* Clear @program, and start it @offset bytes into its memory. */
void program_reset(struct program *program, size_t offset);

/* Append bytes, a sequence, or RET. RET does not change the expected counts. */
void program_bytes(struct program *program, const void *bytes, size_t len);
void program_sequence(struct program *program, const struct sequence *seq);
void program_return(struct program *program);

void scratch_reset(struct scratch *scratch);

#endif
