// SPDX-License-Identifier: GPL-2.0
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool has(enum needs needs)
{
	switch (needs) {
	case AVX:
		return __builtin_cpu_supports("avx");
	case FMA:
		return __builtin_cpu_supports("fma");
	default:
		return true;
	}
}

const struct sequence *sequence_from(const struct sequence *seq)
{
	while (!has(seq->needs))
		seq++;
	return seq;
}

void program_open(struct program *program, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("cannot map memory for code");
		exit(1);
	}
	program->limit = (uint8_t *)memory + size;
	program->start = memory;
	program_reset(program, 0);
}

static uint8_t *memory_of(const struct program *program)
{
	return (uint8_t *)((uintptr_t)program->start & -4096ul);
}

void program_close(struct program *program)
{
	uint8_t *memory = memory_of(program);

	munmap(memory, program->limit - memory);
}

void program_reset(struct program *program, size_t offset)
{
	program->start = memory_of(program) + offset;
	program->end = program->start;
	memset(program->counts, 0, sizeof(program->counts));
}

void program_bytes(struct program *program, const void *bytes, size_t len)
{
	if (len > (size_t)(program->limit - program->end)) {
		fprintf(stderr, "a program exceeds its memory\n");
		exit(1);
	}
	memcpy(program->end, bytes, len);
	program->end += len;
}

void program_sequence(struct program *program, const struct sequence *seq)
{
	int i;

	program_bytes(program, seq->code, seq[1].code - seq->code);
	for (i = 0; i < NR_EVENTS; i++)
		program->counts[i] += seq->counts[i];
}

void program_return(struct program *program)
{
	program_bytes(program, "\xc3", 1);
}

void scratch_reset(struct scratch *scratch)
{
	size_t i;

	memset(scratch, 0, sizeof(*scratch));
	for (i = 0; i < sizeof(scratch->any); i++)
		scratch->any[i] = i;
	for (i = 0; i < 16; i++) {
		scratch->singles[i] = 1;
		scratch->doubles[i] = 1;
	}
}
