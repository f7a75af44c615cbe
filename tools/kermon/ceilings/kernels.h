/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to kernels.c: loops whose number of operations and bytes is known, for which
 * the tool measures how long they take.
 */
#ifndef KERMON_KERNELS_H
#define KERMON_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Widths of instructions, ascending. */
enum isa {
	ISA_SCALAR,
	ISA_SSE,
	ISA_AVX,
	ISA_AVX512,
	NR_ISAS,
};

enum operation {
	OPERATION_ADD,
	OPERATION_MUL,
	OPERATION_FMA,
	OPERATION_ADD_MUL,
	OPERATION_FMA_ADD,
	NR_OPERATIONS,
};

enum precision {
	PRECISION_SINGLE,
	PRECISION_DOUBLE,
	NR_PRECISIONS,
};

/* Lines that are loaded, and lines that are stored. */
enum pattern {
	PATTERN_LOAD,
	PATTERN_STORE,
	PATTERN_TWO_ONE,
	PATTERN_ONE_ONE,
	NR_PATTERNS,
};

/* As in files of ceilings. */
extern const char *const isa_names[NR_ISAS];
extern const char *const operation_names[NR_OPERATIONS];
extern const char *const precision_names[NR_PRECISIONS];
extern const char *const pattern_names[NR_PATTERNS];

/* Bytes of a register of a kernel, and number of them whose results are stored. */
#define KERNEL_VECTOR	64
#define KERNEL_CHAINS	14

/* Operands of arithmetic: three vectors whose elements are equal. */
struct operands {
	_Alignas(KERNEL_VECTOR) char start[KERNEL_VECTOR];
	_Alignas(KERNEL_VECTOR) char one[KERNEL_VECTOR];
	_Alignas(KERNEL_VECTOR) char other[KERNEL_VECTOR];
};

/* The first elements of each chain, a vector each. */
struct results {
	_Alignas(KERNEL_VECTOR) char chains[KERNEL_CHAINS][KERNEL_VECTOR];
};

/**
 * struct peak_kernel - arithmetic in registers, in independent chains
 * @run: executes @rounds rounds. Additions add @one and @other of the operands alternately,
 *	multiplications multiply by them; FMA computes chain = chain * @one + @other
 * @adds: instructions of a round
 * @muls: likewise
 * @fmas: likewise
 * @lanes: elements of an instruction
 */
struct peak_kernel {
	void (*run)(uint64_t rounds, const struct operands *operands,
		    struct results *results);
	unsigned int adds;
	unsigned int muls;
	unsigned int fmas;
	unsigned int lanes;
};

/* The kernel, which requires CPU features of cpu.h. */
const struct peak_kernel *peak_kernel(enum operation operation, enum isa isa,
				      enum precision precision);

/* FLOP of a round: an FMA is two. */
unsigned int peak_flops(const struct peak_kernel *kernel);

/* Operands with which values stay normal and change with each operation. */
void operands_for(struct operands *operands, enum operation operation,
		  enum precision precision);

/* The size of accessed memory is a multiple of this; with long rounds, of the latter. */
#define ACCESS_BLOCK	768
#define LONG_BLOCK	(16 * ACCESS_BLOCK)

/**
 * struct access_kernel - accesses to consecutive memory
 * @run: accesses @bytes from @data, aligned to KERNEL_VECTOR, @passes times, each byte once
 *	per pass. What is stored are copies of @vector
 * @width: bytes of an access
 * @loads: of @loads + @stores pairs of lines of cache, so many are loaded
 * @stores: and so many stored
 * @block: @bytes is a multiple of it
 */
struct access_kernel {
	void (*run)(uint64_t passes, char *data, size_t bytes, const char *vector);
	unsigned int width;
	unsigned int loads;
	unsigned int stores;
	unsigned int block;
};

const struct access_kernel *access_kernel(enum pattern pattern, enum isa isa);

/* The same in long rounds, which suit L1; NULL: there is none. */
const struct access_kernel *long_access_kernel(enum pattern pattern, enum isa isa);

/* @rounds rounds of CLOCK_ADDS additions, each of which takes a cycle. */
#define CLOCK_ADDS	64
void kernel_clock(uint64_t rounds);

#endif /* KERMON_KERNELS_H */
