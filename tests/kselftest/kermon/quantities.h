/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can be counted exactly on Ivy Bridge, in the paper's sets of four
 * (Table 1), and code that does a known number of each.
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
	NR_QUANTITIES,
};

#define SET_SIZE	4

/**
 * struct quantity_set - quantities that are counted together
 * @name: for people
 * @quantities: each one's meaning
 * @events: user mode only
 */
struct quantity_set {
	const char *name;
	enum quantity quantities[SET_SIZE];
	struct kermon_event events[SET_SIZE];
};

extern const struct quantity_set quantity_sets[2];

/* plain_set() with the events of @set. */
struct kermon_event_set event_set_of(const struct quantity_set *set);

/* Whether this CPU has these events: Ivy Bridge and Ivy Bridge-EP. */
bool quantities_known(void);

/*
 * Code of quantities.S: @n rounds, each with the quantities given; @memory must
 * have 64 bytes, for code_faults() @n pages.
 */
typedef void (*code_t)(uint64_t n, void *memory);

void code_arithmetic(uint64_t n, void *memory);
void code_memory(uint64_t n, void *memory);
void code_faults(uint64_t n, void *memory);
extern const char code_arithmetic_end[];
extern const uint64_t arithmetic_round[NR_QUANTITIES];
extern const uint64_t memory_round[NR_QUANTITIES];
extern const uint64_t faults_round[NR_QUANTITIES];

/*
 * A thread of the calling process that does @code(@n, @memory) and exits; not
 * one instruction more in user mode. @stack is its upper end. Returns the tid,
 * or -errno. The thread shares the caller's thread-local storage.
 */
long spawn(void *stack, code_t code, uint64_t n, void *memory);

#endif /* KERMON_TEST_QUANTITIES_H */
