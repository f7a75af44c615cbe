/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What PLT stubs look like on each machine: the instructions they consist of, and the
 * GOT slot through which they jump.
 */
#ifndef KERMON_PLT_STUB_H
#define KERMON_PLT_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct plt_code - instructions of a section
 * @bytes: @size of them
 * @address: of the first one
 * @got: base address for stubs that address slots relative to the GOT
 * @big: words are big-endian
 */
struct plt_code {
	const unsigned char *bytes;
	size_t size;
	uint64_t address;
	uint64_t got;
	bool big;
};

/**
 * struct plt_machine - PLT stubs of ELF files for a machine
 * @machine: e_machine
 * @jump_slot: relocation type of slots for functions of other files
 * @glob_dat: type of slots that the program also uses as variables; 0: no stub uses one
 * @irelative: type of slots for functions that are chosen at program start
 * @irelative_old: obsolete number for @irelative; 0: none
 * @step: alignment of stubs in bytes
 * @size: maximum size of a stub; 0: the size returned by @parse
 * @anywhere: stubs are in all code sections
 * @got: section relative to which stubs address slots; NULL: relative to the stub
 * @got_bias: offset from the start of @got to the base that stubs use
 * @parse: decode the stub at @at and set *@slot to the address of its slot.
 *	Return: number of bytes decoded; 0: not a stub
 */
struct plt_machine {
	uint16_t machine;
	uint32_t jump_slot;
	uint32_t glob_dat;
	uint32_t irelative;
	uint32_t irelative_old;
	uint8_t step;
	uint8_t size;
	bool anywhere;
	const char *got;
	uint16_t got_bias;
	size_t (*parse)(const struct plt_code *code, size_t at, uint64_t *slot);
};

/* Return: NULL if the stubs of this machine are unknown. */
const struct plt_machine *plt_machine_of(uint16_t machine);

#endif /* KERMON_PLT_STUB_H */
