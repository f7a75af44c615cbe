/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Quantities that can be counted exactly, in the paper's sets (Table 1) or the
 * closest equivalent on other CPUs, and code with known counts of each.
 */
#ifndef KERMON_TEST_QUANTITIES_H
#define KERMON_TEST_QUANTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/kermon.h>

enum quantity {
	INSTRUCTIONS,
	SCALAR_SINGLE,
	PACKED_SINGLE,
	AVX_SINGLE,
	AVX_DOUBLE,
	SCALAR_DOUBLE,
	PACKED_DOUBLE,
	LOADS,
	STORES,
	BRANCHES,
	ADD_FLOPS,	/* operations on elements */
	MULTIPLY_FLOPS,
	NR_QUANTITIES,
};

/* Events of a set where the CPU has as many counters: all but Core 2. */
#define SET_SIZE	4

/**
 * struct quantity_set - quantities that are counted together, of Core 2 only two
 * @name: for people
 * @quantities: meaning of each event; without fixed counters, the first one is
 *	instructions
 * @events: user mode only
 */
struct quantity_set {
	const char *name;
	enum quantity quantities[SET_SIZE];
	struct kermon_event events[SET_SIZE];
};

#define NR_SETS		2

/* Set @number of this CPU; NULL if its events are not known here. */
const struct quantity_set *quantity_set(unsigned int number);

/* How many events @set has. */
unsigned int set_size(const struct quantity_set *set);

/* plain_set() with the events of @set. */
struct kermon_event_set event_set_of(const struct quantity_set *set);

/*
 * Code in quantities.S: @n rounds, each with the given quantities; @memory must
 * have 64 bytes, for code_faults() @n pages.
 */
typedef void (*code_t)(uint64_t n, void *memory);

void code_arithmetic(uint64_t n, void *memory);
void code_memory(uint64_t n, void *memory);
void code_faults(uint64_t n, void *memory);
extern const char code_arithmetic_end[];
extern const uint64_t arithmetic_round[NR_QUANTITIES];
/* What CPUs without AVX have of it. */
void code_sse(uint64_t n, void *memory);
extern const uint64_t sse_round[NR_QUANTITIES];
extern const uint64_t memory_round[NR_QUANTITIES];
extern const uint64_t faults_round[NR_QUANTITIES];

/*
 * Create a thread that runs @code(@n, @memory) and exits, without a single
 * other instruction in user mode. @stack is its upper end. Returns the tid, or
 * -errno. The thread shares the caller's thread-local storage.
 */
long spawn(void *stack, code_t code, uint64_t n, void *memory);

#endif /* KERMON_TEST_QUANTITIES_H */
