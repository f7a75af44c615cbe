// SPDX-License-Identifier: GPL-2.0
/* Reduce call frame information to rules, and keep these by file and offset. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind_rules.h"

/* 6 MB if every entry is in use; an address is in one of a few consecutive entries. */
#define ENTRY_BITS	18
#define NR_ENTRIES	(1UL << ENTRY_BITS)
#define WINDOW		8
/* Programs that are compiled have some hundred. */
#define DISTINCT_MAX	(1UL << 16)

/* @dso NULL: free */
struct unwind_entry {
	const struct dso *dso;
	uint64_t offset;
	struct unwind_rule *rule;
};

/* An offset in operations is unsigned. Return: false if it is out of range. */
static bool take_offset(uint64_t number, int64_t limit, int64_t *offset)
{
	*offset = (int64_t)number;
	return *offset >= -limit && *offset < limit;
}

/* The CFA must be a register and an offset. */
static bool reduce_cfa(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	Dwarf_Op *operations;
	int64_t offset;
	size_t nr;
	bool fits;

	if (dwarf_frame_cfa(frame, &operations, &nr) || nr != 1)
		return false;
	if (operations->atom == DW_OP_bregx &&
	    operations->number < UNWIND_REGISTERS) {
		rule->cfa_register = operations->number;
		fits = take_offset(operations->number2, INT32_MAX, &offset);
	} else if (operations->atom >= DW_OP_breg0 &&
		   operations->atom < DW_OP_breg0 + UNWIND_REGISTERS) {
		rule->cfa_register = operations->atom - DW_OP_breg0;
		fits = take_offset(operations->number, INT32_MAX, &offset);
	} else {
		return false;
	}
	rule->cfa_offset = offset;
	return fits && rule->cfa_register != UNWIND_IP;
}

/* A register that is on the stack, before the CFA. */
static bool reduce_saved(const Dwarf_Op *operations, size_t nr, uint32_t bit,
			 struct unwind_rule *rule)
{
	size_t place = __builtin_popcount(rule->saved);
	int64_t offset = 0;

	if (place == UNWIND_SAVED_MAX || nr > 2 ||
	    operations[0].atom != DW_OP_call_frame_cfa)
		return false;
	if (nr == 2 && (operations[1].atom != DW_OP_plus_uconst ||
			!take_offset(operations[1].number, INT16_MAX, &offset)))
		return false;
	if (offset > -(int64_t)sizeof(uint64_t))
		return false;
	rule->saved |= bit;
	rule->offsets[place] = offset;
	rule->ip_offset = offset;	/* the address is the last one */
	if (-offset > rule->depth)
		rule->depth = -offset;
	return true;
}

/* The caller's stack pointer must be the CFA, and its address saved or undefined. */
static bool reduce_register(Dwarf_Frame *frame, int number,
			    struct unwind_rule *rule)
{
	uint32_t bit = 1U << number;
	Dwarf_Op own[3], *operations;
	size_t nr;

	if (dwarf_frame_register(frame, number, own, &operations, &nr))
		return false;
	if (number == UNWIND_SP)
		return nr == 2 && operations[0].atom == DW_OP_call_frame_cfa &&
		       operations[1].atom == DW_OP_stack_value;
	if (nr)
		return reduce_saved(operations, nr, bit, rule);
	if (operations == own)
		return true;
	rule->same |= bit;
	return !operations && number != UNWIND_IP;
}

/*
 * Of the frame of a signal handler, libdwfl reports that the caller's address is exact.
 */
static bool reduce(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	bool is_signal;

	if (dwarf_frame_info(frame, NULL, NULL, &is_signal) != UNWIND_IP ||
	    is_signal || !reduce_cfa(frame, rule))
		return false;
	for (int number = 0; number < UNWIND_REGISTERS; number++)
		if (!reduce_register(frame, number, rule))
			return false;
	rule->kind = rule->saved >> UNWIND_IP & 1 ? UNWIND_STEP :
						    UNWIND_OUTERMOST;
	return rule->kind == UNWIND_STEP || !rule->saved;
}

/*
 * Without call frame information: a frame pointer, to the caller's, with the address after
 * it. Nothing else is known of the caller's registers.
 */
static const struct unwind_rule by_pointer = {
	.cfa_offset = 16,
	.saved = 1U << UNWIND_BP | 1U << UNWIND_IP,
	.offsets = { -16, -8 },
	.ip_offset = -8,
	.depth = 16,
	.cfa_register = UNWIND_BP,
	.kind = UNWIND_POINTER,
};

static bool is_same(const void *item, const void *key)
{
	return !memcmp(item, key, offsetof(struct unwind_rule, failed));
}

/* The rule like @new of those that are kept. Return: NULL if out of memory. */
static struct unwind_rule *keep(struct unwind_rules *rules,
				const struct unwind_rule *new)
{
	uint64_t hash = hash_bytes(new, offsetof(struct unwind_rule, failed));
	void **found = hash_find(&rules->distinct, hash, is_same, new);
	struct unwind_rule *rule;

	if (found)
		return *found;
	rule = malloc(sizeof(*rule));
	if (!rule)
		return NULL;
	*rule = *new;
	if (!hash_add(&rules->distinct, hash, rule))
		return rule;
	free(rule);
	return NULL;
}

/* The first of the entries that an address may be in. */
static struct unwind_entry *window_of(const struct unwind_rules *rules,
				      const struct dso *dso, uint64_t offset)
{
	uint64_t hash = hash_spread((uintptr_t)dso ^ hash_mix(offset), ENTRY_BITS);

	return rules->entries + hash;
}

struct unwind_rule *unwind_rules_find(const struct unwind_rules *rules,
				      const struct dso *dso, uint64_t offset)
{
	const struct unwind_entry *entry;

	if (!rules->entries)
		return NULL;
	entry = window_of(rules, dso, offset);
	for (size_t i = 0; i < WINDOW && entry[i].dso; i++)
		if (entry[i].offset == offset && entry[i].dso == dso)
			return entry[i].rule;
	return NULL;
}

/* If there is no free entry in the window, the first one is replaced. */
static struct unwind_entry *entry_for(const struct unwind_rules *rules,
				      const struct dso *dso, uint64_t offset)
{
	struct unwind_entry *entry = window_of(rules, dso, offset);

	for (size_t i = 0; i < WINDOW; i++)
		if (!entry[i].dso)
			return &entry[i];
	return entry;
}

struct unwind_rule *unwind_rules_learn(struct unwind_rules *rules,
				       const struct dso *dso, uint64_t offset,
				       Dwarf_Frame *frame)
{
	struct unwind_rule new = by_pointer, *rule;

	if (rules->distinct.nr == DISTINCT_MAX)
		unwind_rules_free(rules);
	if (!rules->entries)
		rules->entries = calloc(NR_ENTRIES + WINDOW,
					sizeof(*rules->entries));
	if (!rules->entries)
		return NULL;
	if (frame)
		memset(&new, 0, sizeof(new));
	if (frame && !reduce(frame, &new))
		memset(&new, 0, sizeof(new));
	rule = keep(rules, &new);
	if (rule)
		*entry_for(rules, dso, offset) = (struct unwind_entry){
			.dso = dso, .offset = offset, .rule = rule,
		};
	return rule;
}

void unwind_rules_free(struct unwind_rules *rules)
{
	for (size_t i = 0; i < rules->distinct.room; i++)
		free(rules->distinct.slots[i].item);
	hash_free(&rules->distinct);
	free(rules->entries);
	*rules = (struct unwind_rules){};
}
