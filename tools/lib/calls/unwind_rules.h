/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwinding rules of code: what the call frame information of a file says about an
 * address, in the form that a step to the caller needs, and kept by file and offset.
 *
 * Most code has simple rules: the caller's registers are where they were, or on the stack
 * at a fixed distance. Any other code has the rule UNWIND_BY_LIBDWFL.
 */
#ifndef KERMON_UNWIND_RULES_H
#define KERMON_UNWIND_RULES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "symbols/symbols.h"
#include "util/hash.h"

/* DWARF's numbers of the registers of x86-64: the address is the last one. */
#define UNWIND_REGISTERS	17
#define UNWIND_BX		3
#define UNWIND_BP		6
#define UNWIND_SP		7
#define UNWIND_R12		12
#define UNWIND_IP		16
/* Maximum number of saved registers: those that calls preserve, and the address. */
#define UNWIND_SAVED_MAX	8

enum unwind_kind {
	UNWIND_BY_LIBDWFL,
	UNWIND_STEP,		/* the caller's address is saved */
	UNWIND_POINTER,		/* the same, if rbp is a frame pointer */
	UNWIND_OUTERMOST,	/* there is no caller */
};

/**
 * struct unwind_rule - how to find the caller's registers
 * @cfa_offset: the caller's stack pointer (CFA), from register @cfa_register
 * @same: a bit for each register that has not been changed
 * @saved: a bit for each register that is on the stack
 * @offsets: from the CFA to these, in the order of bits
 * @ip_offset: the one of the caller's address
 * @depth: they are in this many bytes before the CFA
 * @kind: of &enum unwind_kind
 * @tried: UNWIND_OUTERMOST: the registers that were known when libdwfl last took this
 *	step, and whether it @failed; 0: it never has
 */
struct unwind_rule {
	int32_t cfa_offset;
	uint32_t same;
	uint32_t saved;
	int16_t offsets[UNWIND_SAVED_MAX];
	int16_t ip_offset;
	uint16_t depth;
	uint8_t cfa_register;
	uint8_t kind;
	bool failed;
	uint32_t tried;
};

/**
 * struct unwind_rules - rules by address; all zero: none yet
 * @entries: a cache of fixed size; NULL: none yet
 * @distinct: struct unwind_rule, each once: many addresses have the same
 */
struct unwind_rules {
	struct unwind_entry *entries;
	struct hash distinct;
};

/* The rule of the code at @offset in @dso. Return: NULL: not in the cache. */
struct unwind_rule *unwind_rules_find(const struct unwind_rules *rules,
				      const struct dso *dso, uint64_t offset);

/*
 * Derive the rule of that code from its call frame information, and keep it. @frame may
 * be NULL: libdwfl follows frame pointers. Return: NULL if out of memory.
 */
struct unwind_rule *unwind_rules_learn(struct unwind_rules *rules,
				       const struct dso *dso, uint64_t offset,
				       Dwarf_Frame *frame);

void unwind_rules_free(struct unwind_rules *rules);

#endif /* KERMON_UNWIND_RULES_H */
