// SPDX-License-Identifier: GPL-2.0
/*
 * usage: loops p|1|2
 *
 * Executes loops of "kermon roofline bench" a known number of times, without libc, whose
 * counts would add to them: p: the arithmetic, 1: the accesses to memory, 2: these twice.
 * tests/cli/machine/stat.sh knows the counts.
 */
#include "ceilings/kernels.h"

#define BLOCKS	4

static _Alignas(KERNEL_VECTOR) char data[BLOCKS * ACCESS_BLOCK];
static _Alignas(KERNEL_VECTOR) char vector[KERNEL_VECTOR];

/* 1 round of ADD, 100 of MUL, 10,000 of both; each with all types up to AVX. */
static void run_peaks(void)
{
	static const struct {
		enum operation operation;
		unsigned int rounds;
	} steps[] = {
		{ OPERATION_ADD, 1 }, { OPERATION_MUL, 100 }, { OPERATION_ADD_MUL, 10000 },
	};
	struct operands operands;
	struct results results;

	for (int i = 0; i < 3 * ISA_AVX512 * NR_PRECISIONS; i++) {
		const enum operation operation = steps[i % 3].operation;
		const enum isa isa = i / 3 % ISA_AVX512;
		const enum precision precision = i / 3 / ISA_AVX512;

		operands_for(&operands, operation, precision);
		peak_kernel(operation, isa, precision)->run(steps[i % 3].rounds, &operands,
							    &results);
	}
}

/* 1, 2, 3... times @times passes: of loads with scalar instructions, with SSE... */
static void run_accesses(unsigned int times)
{
	unsigned int passes = 0;

	for (int pattern = 0; pattern < NR_PATTERNS; pattern++)
		for (int isa = 0; isa < ISA_AVX512; isa++)
			access_kernel(pattern, isa)->run(++passes * times, data, sizeof(data),
							 vector);
}

__attribute__((used)) static void run(const long *stack)
{
	const char *word = *stack > 1 ? (const char *)stack[2] : "";

	if (*word == 'p')
		run_peaks();
	else if (*word == '1' || *word == '2')
		run_accesses(*word - '0');
	/* exit(0) */
	__asm__ volatile("syscall" :: "a"(60L), "D"(0L));
	__builtin_unreachable();
}

__asm__(
"	.globl	_start\n"
"_start:	mov	%rsp, %rdi\n"
"	and	$-64, %rsp\n"
"	call	run\n"
);
