// SPDX-License-Identifier: GPL-2.0
/* Decode the instructions of PLT stubs, for each machine, as written by GNU ld and LLD. */
#include <elf.h>
#include <string.h>

#include "plt_stub.h"

static uint32_t half_at(const struct plt_code *code, size_t at)
{
	const unsigned char *bytes = code->bytes + at;

	if (at + 2 > code->size)
		return 0;
	return code->big ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0];
}

/* 0 beyond the end of the code; no stub contains that instruction. */
static uint32_t word_at(const struct plt_code *code, size_t at)
{
	uint32_t first, second;

	if (at + 4 > code->size)
		return 0;
	first = half_at(code, at);
	second = half_at(code, at + 2);
	return code->big ? first << 16 | second : second << 16 | first;
}

/* @bits bits from bit @first on, sign-extended. */
static int64_t signed_bits(uint32_t word, unsigned int first, unsigned int bits)
{
	return (int64_t)((uint64_t)word << (64 - first - bits)) >> (64 - bits);
}

static bool has_bytes(const struct plt_code *code, size_t at,
		      const char *bytes, size_t size)
{
	return at + size <= code->size && !memcmp(code->bytes + at, bytes, size);
}

/* Skip the marker of an indirect jump's target at the start of a stub. */
static size_t behind_endbr(const struct plt_code *code, size_t at,
			   const char *endbr)
{
	return at + (has_bytes(code, at, endbr, 4) ? 4 : 0);
}

/* "jmp *slot(%rip)", with a "bnd" prefix if linked that way. */
static size_t parse_x86_64(const struct plt_code *code, size_t at,
			   uint64_t *slot)
{
	size_t jump = behind_endbr(code, at, "\xf3\x0f\x1e\xfa");

	jump += has_bytes(code, jump, "\xf2", 1);
	if (!has_bytes(code, jump, "\xff\x25", 2) || jump + 6 > code->size)
		return 0;
	*slot = code->address + jump + 6 +
		signed_bits(word_at(code, jump + 2), 0, 32);
	return jump + 6 - at;
}

/* "jmp *slot", or "jmp *slot(%ebx)" in position-independent code. */
static size_t parse_i386(const struct plt_code *code, size_t at, uint64_t *slot)
{
	size_t jump = behind_endbr(code, at, "\xf3\x0f\x1e\xfb");
	uint32_t address = word_at(code, jump + 2);

	if (jump + 6 > code->size)
		return 0;
	if (has_bytes(code, jump, "\xff\xa3", 2))
		address += code->got;
	else if (!has_bytes(code, jump, "\xff\x25", 2))
		return 0;
	*slot = address;
	return jump + 6 - at;
}

/* "adrp x16, slot; ldr x17, [x16, slot]; add x16, x16, slot; br x17" */
static size_t parse_aarch64(const struct plt_code *code, size_t at,
			    uint64_t *slot)
{
	const uint32_t bti_c = 0xd503245f;
	size_t adrp = at + (word_at(code, at) == bti_c ? 4 : 0);
	uint32_t page = word_at(code, adrp), load = word_at(code, adrp + 4);

	if ((page & 0x9f00001f) != 0x90000010 ||
	    (load & 0xffc003ff) != 0xf9400211)
		return 0;
	*slot = ((code->address + adrp) & ~0xfffULL) +
		signed_bits(page, 5, 19) * 0x4000 +
		(page >> 29 & 3) * 0x1000 + (load >> 10 & 0xfff) * 8;
	return adrp + 16 - at;
}

/* An 8-bit value rotated right by twice a 4-bit number. */
static uint32_t arm_immediate(uint32_t instruction)
{
	unsigned int by = instruction >> 7 & 0x1e;
	uint32_t byte = instruction & 0xff;

	return by ? byte >> by | byte << (32 - by) : byte;
}

/* "ldr ip, [pc, #4]; add ip, ip, pc; ldr pc, [ip]; .word distance": LLD's long stub. */
static size_t parse_arm_long(const struct plt_code *code, size_t at,
			     uint64_t *slot)
{
	if (word_at(code, at) != 0xe59fc004 ||
	    word_at(code, at + 4) != 0xe08cc00f ||
	    word_at(code, at + 8) != 0xe59cf000)
		return 0;
	*slot = (uint32_t)(code->address + at + 12 + word_at(code, at + 12));
	return 16;
}

/* "add ip, pc, #slot; add ip, ip, #slot; ldr pc, [ip, #slot]!" */
static size_t parse_arm(const struct plt_code *code, size_t at, uint64_t *slot)
{
	/* "bx pc; nop", the entry from Thumb code */
	size_t add = at + (half_at(code, at) == 0x4778 &&
			   half_at(code, at + 2) == 0x46c0 ? 4 : 0);
	size_t each = add + 4, length;
	uint32_t address;

	length = parse_arm_long(code, add, slot);
	if (length)
		return add + length - at;
	if ((word_at(code, add) & 0xfffff000) != 0xe28fc000)
		return 0;
	address = code->address + add + 8 + arm_immediate(word_at(code, add));
	for (; (word_at(code, each) & 0xfffff000) == 0xe28cc000; each += 4)
		address += arm_immediate(word_at(code, each));
	if ((word_at(code, each) & 0xfffff000) != 0xe5bcf000)
		return 0;
	*slot = (uint32_t)(address + (word_at(code, each) & 0xfff));
	return each + 4 - at;
}

/* "auipc t3, slot; ld t3, slot(t3); jalr t1, t3; nop" */
static size_t parse_riscv(const struct plt_code *code, size_t at,
			  uint64_t *slot)
{
	uint32_t high = word_at(code, at), load = word_at(code, at + 4);

	if ((high & 0xfff) != 0xe17 || ((load & 0xfffff) != 0xe3e03 &&
					(load & 0xfffff) != 0xe2e03))
		return 0;
	*slot = code->address + at + signed_bits(high, 12, 20) * 0x1000 +
		signed_bits(load, 20, 12);
	return 16;
}

/* "larl %r1, slot; lg %r1, 0(%r1); br %r1" */
static size_t parse_s390(const struct plt_code *code, size_t at, uint64_t *slot)
{
	if (!has_bytes(code, at, "\xc0\x10", 2) ||
	    !has_bytes(code, at + 6, "\xe3\x10\x10\x00\x00\x04", 6))
		return 0;
	*slot = code->address + at +
		signed_bits(word_at(code, at + 2), 0, 32) * 2;
	return 32;
}

/*
 * "std r2, 24(r1); addis r12, r2, slot; ld r12, slot(r12); mtctr r12; ...; bctr"; addis
 * only if the slot is far away. ELFv1 stores to 40(r1) and loads another r2 before the
 * jump.
 */
static size_t parse_ppc64(const struct plt_code *code, size_t at,
			  uint64_t *slot)
{
	const uint32_t save = word_at(code, at);
	size_t each = at + 4;
	int64_t distance = 0;
	uint32_t base = 2, word;

	if (save != 0xf8410018 && save != 0xf8410028)
		return 0;
	word = word_at(code, each);
	if ((word & 0xffff0000) == 0x3d820000 ||
	    (word & 0xffff0000) == 0x3d620000) {
		distance = signed_bits(word, 0, 16) * 0x10000;
		base = word >> 21 & 0x1f;
		each += 4;
	}
	word = word_at(code, each);
	if ((word & 0xffff0003) != (0xe9800000 | base << 16) ||
	    word_at(code, each + 4) != 0x7d8903a6)
		return 0;
	*slot = code->got + distance + signed_bits(word, 0, 16);
	for (each += 8; each < at + 32; each += 4)
		if (word_at(code, each) == 0x4e800420)
			return each + 4 - at;
	return 0;
}

static const struct plt_machine machines[] = {
	{
		.machine = EM_X86_64, .jump_slot = R_X86_64_JUMP_SLOT,
		.glob_dat = R_X86_64_GLOB_DAT,
		.irelative = R_X86_64_IRELATIVE,
		.step = 8, .size = 16, .parse = parse_x86_64,
	},
	{
		.machine = EM_386, .jump_slot = R_386_JMP_SLOT,
		.glob_dat = R_386_GLOB_DAT, .irelative = R_386_IRELATIVE,
		.step = 8, .size = 16, .got = ".got.plt", .parse = parse_i386,
	},
	{
		.machine = EM_AARCH64, .jump_slot = R_AARCH64_JUMP_SLOT,
		.irelative = R_AARCH64_IRELATIVE,
		.step = 4, .size = 24, .parse = parse_aarch64,
	},
	{
		.machine = EM_ARM, .jump_slot = R_ARM_JUMP_SLOT,
		.irelative = R_ARM_IRELATIVE,
		.step = 4, .size = 20, .parse = parse_arm,
	},
	{
		.machine = EM_RISCV, .jump_slot = R_RISCV_JUMP_SLOT,
		.irelative = R_RISCV_IRELATIVE,
		.step = 4, .size = 16, .parse = parse_riscv,
	},
	{
		.machine = EM_S390, .jump_slot = R_390_JMP_SLOT,
		.irelative = R_390_IRELATIVE,
		.step = 4, .size = 32, .parse = parse_s390,
	},
	{
		.machine = EM_PPC64, .jump_slot = R_PPC64_JMP_SLOT,
		.irelative = R_PPC64_IRELATIVE,
		.irelative_old = R_PPC64_JMP_IREL,
		.step = 4, .anywhere = true, .got = ".got",
		.got_bias = 0x8000, .parse = parse_ppc64,
	},
};

const struct plt_machine *plt_machine_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return NULL;
}
