// SPDX-License-Identifier: GPL-2.0
/*
 * Loops in assembly for peak performance and bandwidth. They are functions, so that the
 * compiler knows which registers they change, and macros, so that all are alike.
 */
#include <string.h>

#include "kernels.h"

/*
 * Fourteen chains, registers 0 to 13, are more than the latency of an operation times the
 * number of units on any CPU so far; 14 and 15 are operands. Loops are aligned so that none
 * crosses a page, where a CPU may fetch, and the model of tests/qemu does divide, a loop.
 *
 * \v is "v" for three operands (VEX, EVEX), or empty for two; \s is the type (ss, sd, ps,
 * pd); \mov moves a register from and to memory.
 */
__asm__(
"	.text\n"

"	.macro kernel_begin name, align=6\n"
"	.globl	\\name\n"
"	.hidden	\\name\n"
"	.type	\\name, @function\n"
"	.p2align \\align\n"
"\\name:\n"
"	endbr64\n"
"	.endm\n"

"	.macro kernel_end name, v\n"
"	.ifc	\\v, v\n"
"	vzeroupper\n"
"	.endif\n"
"	ret\n"
"	.size	\\name, . - \\name\n"
"	.endm\n"

"	.macro binary v, op, s, r, operand, chain\n"
"	.ifc	\\v, v\n"
"	v\\op\\s	%\\r\\operand, %\\r\\chain, %\\r\\chain\n"
"	.else\n"
"	\\op\\s	%\\r\\operand, %\\r\\chain\n"
"	.endif\n"
"	.endm\n"

"	.macro ternary s, r, chain\n"
"	vfmadd213\\s %\\r\\()15, %\\r\\()14, %\\r\\chain\n"
"	.endm\n"

"	.macro round_add v, s, r\n"
"	.irp	operand, 14, 15\n"
"	.irp	chain, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
"	binary	\\v, add, \\s, \\r, \\operand, \\chain\n"
"	.endr\n"
"	.endr\n"
"	.endm\n"

"	.macro round_mul v, s, r\n"
"	.irp	operand, 14, 15\n"
"	.irp	chain, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
"	binary	\\v, mul, \\s, \\r, \\operand, \\chain\n"
"	.endr\n"
"	.endr\n"
"	.endm\n"

"	.macro round_fma v, s, r\n"
"	.rept	2\n"
"	.irp	chain, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
"	ternary	\\s, \\r, \\chain\n"
"	.endr\n"
"	.endr\n"
"	.endm\n"

/* Even chains are added to, odd ones multiplied. */
"	.macro round_add_mul v, s, r\n"
"	.irp	operand, 14, 15\n"
"	.irp	chain, 0, 2, 4, 6, 8, 10, 12\n"
"	binary	\\v, add, \\s, \\r, \\operand, \\chain\n"
"	pair	\\v, mul, \\s, \\r, \\operand, \\chain\n"
"	.endr\n"
"	.endr\n"
"	.endm\n"

/* On the chain after this one. */
"	.macro pair v, op, s, r, operand, chain\n"
"	.irp	odd, 1, 3, 5, 7, 9, 11, 13\n"
"	.if	\\odd == \\chain + 1\n"
"	binary	\\v, \\op, \\s, \\r, \\operand, \\odd\n"
"	.endif\n"
"	.endr\n"
"	.endm\n"

/* FMA has the longer latency: three times eight chains, and four times six for additions. */
"	.macro fma_add_pair s, r, operand, chain, added\n"
"	ternary	\\s, \\r, \\chain\n"
"	binary	v, add, \\s, \\r, \\operand, \\added\n"
"	.endm\n"

"	.macro round_fma_add v, s, r\n"
"	fma_add_pair \\s, \\r, 14, 0, 8\n"
"	fma_add_pair \\s, \\r, 14, 1, 9\n"
"	fma_add_pair \\s, \\r, 14, 2, 10\n"
"	fma_add_pair \\s, \\r, 14, 3, 11\n"
"	fma_add_pair \\s, \\r, 14, 4, 12\n"
"	fma_add_pair \\s, \\r, 14, 5, 13\n"
"	fma_add_pair \\s, \\r, 15, 6, 8\n"
"	fma_add_pair \\s, \\r, 15, 7, 9\n"
"	fma_add_pair \\s, \\r, 15, 0, 10\n"
"	fma_add_pair \\s, \\r, 15, 1, 11\n"
"	fma_add_pair \\s, \\r, 15, 2, 12\n"
"	fma_add_pair \\s, \\r, 15, 3, 13\n"
"	fma_add_pair \\s, \\r, 14, 4, 8\n"
"	fma_add_pair \\s, \\r, 14, 5, 9\n"
"	fma_add_pair \\s, \\r, 14, 6, 10\n"
"	fma_add_pair \\s, \\r, 14, 7, 11\n"
"	fma_add_pair \\s, \\r, 14, 0, 12\n"
"	fma_add_pair \\s, \\r, 14, 1, 13\n"
"	fma_add_pair \\s, \\r, 15, 2, 8\n"
"	fma_add_pair \\s, \\r, 15, 3, 9\n"
"	fma_add_pair \\s, \\r, 15, 4, 10\n"
"	fma_add_pair \\s, \\r, 15, 5, 11\n"
"	fma_add_pair \\s, \\r, 15, 6, 12\n"
"	fma_add_pair \\s, \\r, 15, 7, 13\n"
"	.endm\n"

/* void kernel(uint64_t rounds, const struct operands *, struct results *) */
"	.macro peak op, isa, precision, v, s, r, mov\n"
"	kernel_begin kernel_\\op\\()_\\isa\\()_\\precision\n"
"	.irp	chain, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
"	\\mov	(%rsi), %\\r\\chain\n"
"	.endr\n"
"	\\mov	64(%rsi), %\\r\\()14\n"
"	\\mov	128(%rsi), %\\r\\()15\n"
"	.p2align 9\n"
"1:	round_\\op \\v, \\s, \\r\n"
"	dec	%rdi\n"
"	jnz	1b\n"
"	.irp	chain, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n"
"	\\mov	%\\r\\chain, \\chain * 64(%rdx)\n"
"	.endr\n"
"	kernel_end kernel_\\op\\()_\\isa\\()_\\precision, \\v\n"
"	.endm\n"

"	.irp	op, add, mul, add_mul\n"
"	peak	\\op, scalar, single, , ss, xmm, movss\n"
"	peak	\\op, scalar, double, , sd, xmm, movsd\n"
"	peak	\\op, sse, single, , ps, xmm, movups\n"
"	peak	\\op, sse, double, , pd, xmm, movups\n"
"	.endr\n"
"	.irp	op, fma, fma_add\n"
"	peak	\\op, scalar, single, v, ss, xmm, vmovss\n"
"	peak	\\op, scalar, double, v, sd, xmm, vmovsd\n"
"	peak	\\op, sse, single, v, ps, xmm, vmovups\n"
"	peak	\\op, sse, double, v, pd, xmm, vmovups\n"
"	.endr\n"
"	.irp	op, add, mul, fma, add_mul, fma_add\n"
"	peak	\\op, avx, single, v, ps, ymm, vmovups\n"
"	peak	\\op, avx, double, v, pd, ymm, vmovups\n"
"	peak	\\op, avx512, single, v, ps, zmm, vmovups\n"
"	peak	\\op, avx512, double, v, pd, zmm, vmovups\n"
"	.endr\n"

/*
 * \at counts bytes. All loads to one register: it is renamed, so they are independent. Rounds
 * have four lines: with 6 or 12, loads from L2 were 5 to 8 % slower on a CPU of Intel, and
 * stores to L1 7 %. Long rounds of 192 lines were 5 to 10 % faster in L1. ceilings.rst has the
 * figures.
 */
"	.macro body_load round, mov, r, w\n"
"	.set	at, 0\n"
"	.rept	\\round / \\w\n"
"	\\mov	at(%rax), %\\r\\()0\n"
"	.set	at, at + \\w\n"
"	.endr\n"
"	.endm\n"

"	.macro body_store round, mov, r, w\n"
"	.set	at, 0\n"
"	.rept	\\round / \\w\n"
"	\\mov	%\\r\\()15, at(%rax)\n"
"	.set	at, at + \\w\n"
"	.endr\n"
"	.endm\n"

/*
 * Whole lines are loaded or stored, as by a program with several arrays; two at a time,
 * because CPUs fetch lines in pairs.
 */
"	.macro body_two_one round, mov, r, w\n"
"	.set	line, 0\n"
"	.rept	\\round / 384\n"
"	.set	at, line\n"
"	.rept	128 / \\w\n"
"	\\mov	at(%rax), %\\r\\()0\n"
"	\\mov	at + 128(%rax), %\\r\\()1\n"
"	\\mov	%\\r\\()15, at + 256(%rax)\n"
"	.set	at, at + \\w\n"
"	.endr\n"
"	.set	line, line + 384\n"
"	.endr\n"
"	.endm\n"

"	.macro body_one_one round, mov, r, w\n"
"	.set	line, 0\n"
"	.rept	\\round / 256\n"
"	.set	at, line\n"
"	.rept	128 / \\w\n"
"	\\mov	at(%rax), %\\r\\()0\n"
"	\\mov	%\\r\\()15, at + 128(%rax)\n"
"	.set	at, at + \\w\n"
"	.endr\n"
"	.set	line, line + 256\n"
"	.endr\n"
"	.endm\n"

/* void kernel(uint64_t passes, char *data, size_t bytes, const char *vector) */
"	.macro access pattern, round, isa, v, r, w, mov, suffix\n"
"	kernel_begin kernel_\\pattern\\()_\\isa\\suffix, 10\n"
"	\\mov	(%rcx), %\\r\\()15\n"
"	lea	(%rsi,%rdx), %rcx\n"
"1:	mov	%rsi, %rax\n"
"	.p2align 6\n"
"2:	body_\\pattern \\round, \\mov, \\r, \\w\n"
"	add	$\\round, %rax\n"
"	cmp	%rcx, %rax\n"
"	jne	2b\n"
"	dec	%rdi\n"
"	jnz	1b\n"
"	kernel_end kernel_\\pattern\\()_\\isa\\suffix, \\v\n"
"	.endm\n"

"	.macro accesses pattern, round\n"
"	access	\\pattern, \\round, scalar, , xmm, 8, movsd\n"
"	access	\\pattern, \\round, sse, , xmm, 16, movaps\n"
"	access	\\pattern, \\round, avx, v, ymm, 32, vmovaps\n"
"	access	\\pattern, \\round, avx512, v, zmm, 64, vmovaps\n"
"	.endm\n"

"	accesses load, 256\n"
"	accesses store, 256\n"
"	accesses two_one, 768\n"
"	accesses one_one, 768\n"

"	.irp	pattern, load, two_one\n"
"	access	\\pattern, 12288, avx, v, ymm, 32, vmovaps, _long\n"
"	access	\\pattern, 12288, avx512, v, zmm, 64, vmovaps, _long\n"
"	.endr\n"

/* With a register: some CPUs add constants when they rename, in no time. */
"	kernel_begin kernel_clock\n"
"	mov	$1, %ecx\n"
"	.p2align 6\n"
"1:	.rept	64\n"
"	add	%rcx, %rax\n"
"	.endr\n"
"	dec	%rdi\n"
"	jnz	1b\n"
"	kernel_end kernel_clock, \n"
"	.purgem	kernel_begin\n"
"	.purgem	kernel_end\n"
);

const char *const isa_names[NR_ISAS] = { "scalar", "sse", "avx", "avx512" };
const char *const operation_names[NR_OPERATIONS] = {
	"add", "mul", "fma", "add+mul", "fma+add",
};
const char *const precision_names[NR_PRECISIONS] = { "single", "double" };
const char *const pattern_names[NR_PATTERNS] = { "load", "store", "2:1", "1:1" };

#define DECLARE_PEAK(op, isa, precision)				\
	void kernel_##op##_##isa##_##precision(uint64_t rounds,		\
					       const struct operands *operands, \
					       struct results *results);
#define DECLARE_ACCESS(pattern, isa)					\
	void kernel_##pattern##_##isa(uint64_t passes, char *data, size_t bytes, \
				      const char *vector);
#define ALL_ISAS(macro, ...)						\
	macro(__VA_ARGS__, scalar) macro(__VA_ARGS__, sse)		\
	macro(__VA_ARGS__, avx) macro(__VA_ARGS__, avx512)
#define DECLARE_LONG(pattern)						\
	DECLARE_ACCESS(pattern, avx_long) DECLARE_ACCESS(pattern, avx512_long)
#define DECLARE_BOTH(op, isa)						\
	DECLARE_PEAK(op, isa, single) DECLARE_PEAK(op, isa, double)

ALL_ISAS(DECLARE_BOTH, add)
ALL_ISAS(DECLARE_BOTH, mul)
ALL_ISAS(DECLARE_BOTH, fma)
ALL_ISAS(DECLARE_BOTH, add_mul)
ALL_ISAS(DECLARE_BOTH, fma_add)
ALL_ISAS(DECLARE_ACCESS, load)
ALL_ISAS(DECLARE_ACCESS, store)
ALL_ISAS(DECLARE_ACCESS, two_one)
ALL_ISAS(DECLARE_ACCESS, one_one)
DECLARE_LONG(load)
DECLARE_LONG(two_one)

#define PEAK(op, isa, singles, nr_adds, nr_muls, nr_fmas) {		\
	{ kernel_##op##_##isa##_single, nr_adds, nr_muls, nr_fmas, singles }, \
	{ kernel_##op##_##isa##_double, nr_adds, nr_muls, nr_fmas,	\
	  (singles + 1) / 2 },						\
}
#define PEAKS(op, ...) {						\
	[ISA_SCALAR] = PEAK(op, scalar, 1, __VA_ARGS__),		\
	[ISA_SSE] = PEAK(op, sse, 4, __VA_ARGS__),			\
	[ISA_AVX] = PEAK(op, avx, 8, __VA_ARGS__),			\
	[ISA_AVX512] = PEAK(op, avx512, 16, __VA_ARGS__),		\
}

static const struct peak_kernel peaks[NR_OPERATIONS][NR_ISAS][NR_PRECISIONS] = {
	[OPERATION_ADD] = PEAKS(add, 28, 0, 0),
	[OPERATION_MUL] = PEAKS(mul, 0, 28, 0),
	[OPERATION_FMA] = PEAKS(fma, 0, 0, 28),
	[OPERATION_ADD_MUL] = PEAKS(add_mul, 14, 14, 0),
	[OPERATION_FMA_ADD] = PEAKS(fma_add, 24, 0, 24),
};

#define ACCESS(name, width, loads, stores, block)			\
	{ kernel_##name, width, loads, stores, block }
#define ACCESSES(pattern, ...) {					\
	[ISA_SCALAR] = ACCESS(pattern##_scalar, 8, __VA_ARGS__, ACCESS_BLOCK), \
	[ISA_SSE] = ACCESS(pattern##_sse, 16, __VA_ARGS__, ACCESS_BLOCK), \
	[ISA_AVX] = ACCESS(pattern##_avx, 32, __VA_ARGS__, ACCESS_BLOCK), \
	[ISA_AVX512] = ACCESS(pattern##_avx512, 64, __VA_ARGS__, ACCESS_BLOCK), \
}
#define LONG_ACCESSES(pattern, ...) {					\
	[ISA_AVX] = ACCESS(pattern##_avx_long, 32, __VA_ARGS__, LONG_BLOCK), \
	[ISA_AVX512] = ACCESS(pattern##_avx512_long, 64, __VA_ARGS__, LONG_BLOCK), \
}

static const struct access_kernel accesses[NR_PATTERNS][NR_ISAS] = {
	[PATTERN_LOAD] = ACCESSES(load, 1, 0),
	[PATTERN_STORE] = ACCESSES(store, 0, 1),
	[PATTERN_TWO_ONE] = ACCESSES(two_one, 2, 1),
	[PATTERN_ONE_ONE] = ACCESSES(one_one, 1, 1),
};

static const struct access_kernel long_accesses[NR_PATTERNS][NR_ISAS] = {
	[PATTERN_LOAD] = LONG_ACCESSES(load, 1, 0),
	[PATTERN_TWO_ONE] = LONG_ACCESSES(two_one, 2, 1),
};

const struct peak_kernel *peak_kernel(enum operation operation, enum isa isa,
				      enum precision precision)
{
	return &peaks[operation][isa][precision];
}

unsigned int peak_flops(const struct peak_kernel *kernel)
{
	return kernel->lanes * (kernel->adds + kernel->muls + 2 * kernel->fmas);
}

const struct access_kernel *access_kernel(enum pattern pattern, enum isa isa)
{
	return &accesses[pattern][isa];
}

const struct access_kernel *long_access_kernel(enum pattern pattern, enum isa isa)
{
	const struct access_kernel *kernel = &long_accesses[pattern][isa];

	return kernel->run ? kernel : NULL;
}

static void fill(char vector[KERNEL_VECTOR], enum precision precision, double value)
{
	float single = value;

	for (size_t at = 0; at < KERNEL_VECTOR;
	     at += precision == PRECISION_SINGLE ? sizeof(single) : sizeof(value))
		if (precision == PRECISION_SINGLE)
			memcpy(vector + at, &single, sizeof(single));
		else
			memcpy(vector + at, &value, sizeof(value));
}

void operands_for(struct operands *operands, enum operation operation,
		  enum precision precision)
{
	/* chain + -1 + 1; chain * -1 + 1, twice, is the former value as well */
	double one = -1, other = 1;

	if (operation == OPERATION_MUL) {
		one = 1.5;
		other = 1 / 1.5;
	}
	fill(operands->start, precision, 0.40625);
	fill(operands->one, precision, one);
	fill(operands->other, precision, other);
}
