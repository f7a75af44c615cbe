/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stubs of procedure linkage tables look like on each machine: which instructions
 * they are made of, and by which slot of the global offset table they jump.
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
 * @got: what stubs take to be the global offset table, if they address slots from there
 * @big: of words, the byte of the highest value comes first
 */
struct plt_code {
	const unsigned char *bytes;
	size_t size;
	uint64_t address;
	uint64_t got;
	bool big;
};

/**
 * struct plt_machine - of ELF files for a machine
 * @machine: e_machine
 * @jump_slot: relocation of a slot for a function of another file
 * @glob_dat: the same of a slot that is a variable of the program, too; 0: no stub has one
 * @irelative: of a slot for a function that is chosen when the program starts
 * @irelative_old: another number for that; 0: there is none
 * @step: stubs begin at multiples of so many bytes
 * @size: no stub has more bytes; 0: it has those that @parse returns
 * @anywhere: stubs are in all sections of code
 * @got: section from which stubs address slots; NULL: they do so from where they are
 * @got_bias: bytes from its begin to what stubs take for it
 * @parse: bytes of the stub at @at that are taken apart, and in *@slot what it jumps by;
 *	0: there is none
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

/* NULL: nothing is known of the stubs of this machine. */
const struct plt_machine *plt_machine_of(uint16_t machine);

#endif /* KERMON_PLT_STUB_H */
