/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERMON_SYMBOLS_PLT_H
#define KERMON_SYMBOLS_PLT_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/**
 * struct ifuncs - functions that are chosen when the program starts (STT_GNU_IFUNC)
 * @all: address of what chooses one, name of its symbol, and rank of that name
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

/* The symbol that was added last is one of them. Return: 0 or -ENOMEM. */
int ifuncs_add(struct ifuncs *ifuncs, const struct symbols *symbols);
void ifuncs_free(struct ifuncs *ifuncs);

/*
 * The instruction at @address, as a symbol or a relocation of an ELF file for @machine has
 * it: on ARM, bit 0 says that it is one of Thumb.
 */
static inline uint64_t code_address(uint16_t machine, uint64_t address)
{
	return machine == EM_ARM ? address & ~1ULL : address;
}

/*
 * Adds the stubs of the procedure linkage table. @ifuncs are put in order.
 *
 * Return: 0 or -ENOMEM.
 */
int symbols_add_plt(struct symbols *symbols, Elf *elf, struct ifuncs *ifuncs);

#endif /* KERMON_SYMBOLS_PLT_H */
