/* SPDX-License-Identifier: GPL-2.0 */
/* Name the stubs of the procedure linkage table after the functions that they jump to. */
#ifndef KERMON_SYMBOLS_PLT_H
#define KERMON_SYMBOLS_PLT_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/**
 * struct ifuncs - functions that are chosen at program start (STT_GNU_IFUNC)
 * @all: address of the resolver, and name and rank of its symbol
 */
struct ifuncs {
	struct ifunc {
		uint64_t resolver;
		uint32_t rank;
		uint32_t name;
	} *all;
	size_t nr;
	size_t room;
};

/* Add the last symbol of @symbols, which is of this type. Return: 0 or -ENOMEM. */
int ifuncs_add(struct ifuncs *ifuncs, const struct symbols *symbols);
void ifuncs_free(struct ifuncs *ifuncs);

/*
 * Address of the instruction behind the value of a symbol or relocation in an ELF file
 * for @machine: on ARM, bit 0 marks Thumb code.
 */
static inline uint64_t code_address(uint16_t machine, uint64_t address)
{
	return machine == EM_ARM ? address & ~1ULL : address;
}

/*
 * Add the stubs of the procedure linkage table. Sorts @ifuncs.
 *
 * Return: 0 or -ENOMEM.
 */
int symbols_add_plt(struct symbols *symbols, Elf *elf, struct ifuncs *ifuncs);

#endif /* KERMON_SYMBOLS_PLT_H */
