// SPDX-License-Identifier: GPL-2.0
/*
 * Names of code of other machines than this one: stubs of procedure linkage tables, and what
 * symbols of ARM, AArch64 and RISC-V have in their own way.
 *
 * The files are made here. The instructions are those that GNU ld 2.40 and LLD 14 write for
 * a program that calls one(), two() and three() of a library, and chosen(), an STT_GNU_IFUNC.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shell.h"
#include "symbols/symbols.h"

#include "kselftest_harness.h"

#define TEXT_AT		0x800
#define TEXT_SIZE	0x40
#define CHOSEN_AT	0x810
#define ODD_AT		0x820
#define CODE_MAX	256
#define NR_STUBS	4

enum { TWO, ONE, THREE, CHOSEN };

static const char *const stub_names[NR_STUBS] = {
	[TWO] = "two@plt", [ONE] = "one@plt", [THREE] = "three@plt",
	[CHOSEN] = "chosen@plt",
};

/**
 * struct program - for a machine
 * @has_rel: its relocations have no addends of their own
 * @section: of the stubs, which begins at @at with these bytes of @code
 * @got: section of the slots, at @got_at
 * @slots: addresses of the slots of the stubs, and @stubs of these; 0: there is none
 */
struct program {
	const char *name;
	unsigned char class;
	unsigned char data;
	uint16_t machine;
	uint32_t flags;
	bool has_rel;
	uint32_t jump_slot;
	uint32_t irelative;
	const char *section;
	uint64_t at;
	const char *code;
	const char *got;
	uint64_t got_at;
	uint64_t slots[NR_STUBS];
	uint64_t stubs[NR_STUBS];
};

/* They have the same byte order in all files. */
#define AARCH64_CODE							\
	"f07bbfa9f00000f011fe47f910e23f9120021fd61f2003d51f2003d51f2003d5" \
	"10010090110240f91002009120021fd610010090110640f91022009120021fd6" \
	"10010090110a40f91042009120021fd610010090110e40f91062009120021fd6"

static const struct program programs[] = {
	{
		"AArch64", ELFCLASS64, ELFDATA2LSB, EM_AARCH64,
		.jump_slot = R_AARCH64_JUMP_SLOT,
		.irelative = R_AARCH64_IRELATIVE,
		.section = ".plt", .at = 0x350, .got = ".got.plt", .got_at = 0x1ffe8,
		.slots = { 0x20000, 0x20008, 0x20010, 0x20018 },
		.stubs = { 0x370, 0x380, 0x390, 0x3a0 },
		.code = AARCH64_CODE,
	},
	{
		"AArch64, big-endian data", ELFCLASS64, ELFDATA2MSB, EM_AARCH64,
		.jump_slot = R_AARCH64_JUMP_SLOT,
		.irelative = R_AARCH64_IRELATIVE,
		.section = ".plt", .at = 0x350, .got = ".got.plt", .got_at = 0x1ffe8,
		.slots = { 0x20000, 0x20008, 0x20010, 0x20018 },
		.stubs = { 0x370, 0x380, 0x390, 0x3a0 },
		.code = AARCH64_CODE,
	},
	{
		"AArch64 with branch targets and signed pointers",
		ELFCLASS64, ELFDATA2LSB, EM_AARCH64,
		.jump_slot = R_AARCH64_JUMP_SLOT,
		.irelative = R_AARCH64_IRELATIVE,
		.section = ".plt", .at = 0x350, .got = ".got.plt", .got_at = 0x1ffe8,
		.slots = { 0x20000, 0x20008, 0x20010 },
		.stubs = { 0x370, 0x38c, 0x3a4 },
		/* the second with "bti c", as an executable at a fixed address has it */
		.code = "5f2403d5f07bbfa9f00000f011fe47f910e23f9120021fd61f2003d51f2003d5"
			"10010090110240f9100200919f2103d520021fd61f2003d5"
			"1f2003d55f2403d510010090110640f91022009120021fd6"
			"1f2003d510010090110a40f910420091" "9f2103d520021fd61f2003d5",
	},
	{
		"ARM", ELFCLASS32, ELFDATA2LSB, EM_ARM, .has_rel = true,
		.jump_slot = R_ARM_JUMP_SLOT, .irelative = R_ARM_IRELATIVE,
		.section = ".plt", .at = 0x220, .got = ".got", .got_at = 0x2000,
		.slots = { 0x200c, 0x2010, 0x2014, 0x2018 },
		/* the last one with an entry for Thumb instructions before it */
		.stubs = { 0x234, 0x240, 0x24c, 0x258 },
		.code = "04e02de504e09fe50ee08fe008f0bee5d01d0000"
			"00c68fe201ca8ce2d0fdbce500c68fe201ca8ce2c8fdbce5"
			"00c68fe201ca8ce2c0fdbce57847c04600c68fe201ca8ce2b4fdbce5",
	},
	{
		"ARM by LLD", ELFCLASS32, ELFDATA2LSB, EM_ARM, .has_rel = true,
		.jump_slot = R_ARM_JUMP_SLOT, .irelative = R_ARM_IRELATIVE,
		.section = ".plt", .at = 0x1000, .got = ".got", .got_at = 0x2000,
		.slots = { 0x200c, 0x2010 },
		.stubs = { 0x1020, 0x1030 },
		/* the second for a slot that is far away */
		.code = "04e02de500e68fe220ea8ee2ecf0bee5d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4"
			"00c68fe200ca8ce2e4ffbce5d4d4d4d404c09fe50fc08ce000f09ce5d40f0000",
	},
	{
		"RISC-V", ELFCLASS64, ELFDATA2LSB, EM_RISCV,
		.jump_slot = R_RISCV_JUMP_SLOT, .irelative = R_RISCV_IRELATIVE,
		.section = ".plt", .at = 0x360, .got = ".got", .got_at = 0x2000,
		.slots = { 0x2010, 0x2018, 0x2020, 0x2028 },
		.stubs = { 0x380, 0x390, 0x3a0, 0x3b0 },
		.code = "972300003303c34103be03ca130343fd938203ca1353130083b2820067000e00"
			"172e0000033e0ec967030e0013000000172e0000033e8ec867030e0013000000"
			"172e0000033e0ec867030e0013000000172e0000033e8ec767030e0013000000",
	},
	{
		"s390x", ELFCLASS64, ELFDATA2MSB, EM_S390,
		.jump_slot = R_390_JMP_SLOT, .irelative = R_390_IRELATIVE,
		.section = ".plt", .at = 0x350, .got = ".got.plt", .got_at = 0x1fe0,
		.slots = { 0x2000, 0x2008, 0x2010, 0x2018 },
		.stubs = { 0x370, 0x390, 0x3b0, 0x3d0 },
		.code = "e310f0380024c01000000e45d207f0301008e3101010000407f1070007000700"
			"c01000000e48e3101000000407f10d10e310100c0014c0f4ffffffe500000000"
			"c01000000e3ce3101000000407f10d10e310100c0014c0f4ffffffd500000018"
			"c01000000e30e3101000000407f10d10e310100c0014c0f4ffffffc500000030"
			"c01000000e24e3101000000407f10d10e310100c0014c0f4ffffffb500000048",
	},
	{
		"ppc64le", ELFCLASS64, ELFDATA2LSB, EM_PPC64,
		.jump_slot = R_PPC64_JMP_SLOT, .irelative = R_PPC64_IRELATIVE,
		.section = ".text", .at = 0x360, .got = ".got", .got_at = 0x1ff00,
		/* in another order; and one at the end of a far jump */
		.slots = { 0x20010, 0x20018, 0x20020, 0x48028 },
		.stubs = { 0x380, 0x3a0, 0x360, 0x3c0 },
		.code = "180041f8208182e9a603897d2004804e00000000000000000000000000000000"
			"180041f8108182e9a603897d2004804e00000000000000000000000000000000"
			"180041f8188182e9a603897d2004804e00000000000000000000000000000000"
			"180041f80200823d28018ce9a603897d2004804e000000000000000000000000",
	},
	{
		"ppc64", ELFCLASS64, ELFDATA2MSB, EM_PPC64,
		.jump_slot = R_PPC64_JMP_SLOT, .irelative = R_PPC64_JMP_IREL,
		.section = ".text", .at = 0x420, .got = ".got", .got_at = 0x1ff00,
		.slots = { 0x20018, 0x20030, 0x20048 },
		.stubs = { 0x440, 0x460, 0x420 },
		.code = "f8410028e98281487d8903a6e84281504e800420000000000000000000000000"
			"f8410028e98281187d8903a6e84281204e800420000000000000000000000000"
			"f8410028e98281307d8903a6e84281384e800420000000000000000000000000",
	},
	{
		"i386", ELFCLASS32, ELFDATA2LSB, EM_386, .has_rel = true,
		.jump_slot = R_386_JMP_SLOT, .irelative = R_386_IRELATIVE,
		.section = ".plt", .at = 0x1000, .got = ".got.plt", .got_at = 0x2ff4,
		.slots = { 0x3000, 0x3008, 0x3004, 0x300c },
		.stubs = { 0x1010, 0x1030, 0x1020, 0x1040 },
		/* after "endbr32", and at a fixed address */
		.code = "ffb304000000ffa30800000000000000ffa30c0000006800000000e9e0ffffff"
			"ffa3100000006808000000e9d0fffffff30f1efbffa314000000669000000000"
			"ff250c3000006810000000e9b0ffffff",
	},
};

/**
 * struct maker - of a file
 * @names: of sections
 * @tables: symbols and relocations, one table behind the other
 */
struct maker {
	const struct program *program;
	Elf *elf;
	char names[256];
	size_t names_size;
	unsigned char code[CODE_MAX];
	unsigned char got[64];
	unsigned char tables[1024] __attribute__((aligned(8)));
	size_t tables_size;
};

FIXTURE(machines)
{
	char home[32];
	char path[64];
	struct dsos dsos;
	struct dso *dso;
};

FIXTURE_SETUP(machines)
{
	ASSERT_TRUE(make_home(self->home));
	snprintf(self->path, sizeof(self->path), "%s/program", self->home);
	elf_version(EV_CURRENT);
}

FIXTURE_TEARDOWN(machines)
{
	dsos_free(&self->dsos);
	ASSERT_TRUE(run_in(self->home, "rm -r $PWD"));
}

static size_t from_hex(const char *hex, unsigned char *bytes)
{
	size_t nr = 0;

	for (; hex[0] && nr < CODE_MAX; hex += 2)
		sscanf(hex, "%2hhx", &bytes[nr++]);
	return nr;
}

/* Returns its index. */
static size_t add_section(struct maker *maker, const char *name,
			  GElf_Shdr header, Elf_Type type, void *bytes,
			  size_t size)
{
	Elf_Scn *section = elf_newscn(maker->elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr new;

	data->d_buf = bytes;
	data->d_size = size;
	data->d_type = type;
	data->d_version = EV_CURRENT;
	data->d_align = 1;
	gelf_getshdr(section, &new);
	header.sh_name = maker->names_size;
	header.sh_size = size;
	header.sh_addralign = 1;
	header.sh_entsize = type == ELF_T_BYTE ? 0 :
			    gelf_fsize(maker->elf, type, 1, EV_CURRENT);
	gelf_update_shdr(section, &header);
	strcpy(maker->names + maker->names_size, name);
	maker->names_size += strlen(name) + 1;
	return elf_ndxscn(section);
}

static size_t make_code(struct maker *maker)
{
	const struct program *program = maker->program;
	const GElf_Shdr header = {
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_addr = program->at,
	};

	return add_section(maker, program->section, header, ELF_T_BYTE,
			   maker->code, from_hex(program->code, maker->code));
}

/* With the address of the resolver, where relocations do not have that. */
static void make_got(struct maker *maker)
{
	const struct program *program = maker->program;
	const GElf_Shdr header = {
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_WRITE,
		.sh_addr = program->got_at,
	};
	const uint32_t chosen = CHOSEN_AT + (program->machine == EM_ARM);

	if (program->has_rel && program->slots[CHOSEN])
		memcpy(maker->got + (program->slots[CHOSEN] - program->got_at),
		       &chosen, sizeof(chosen));
	add_section(maker, program->got, header, ELF_T_BYTE, maker->got,
		    sizeof(maker->got));
}

/* Symbols or relocations, whose form depends on the class: to be filled. */
static Elf_Scn *make_table(struct maker *maker, const char *name,
			   GElf_Shdr header, Elf_Type type, size_t nr,
			   Elf_Data **data)
{
	size_t size = gelf_fsize(maker->elf, type, nr, EV_CURRENT);
	size_t index = add_section(maker, name, header, type,
				   maker->tables + maker->tables_size, size);
	Elf_Scn *section = elf_getscn(maker->elf, index);

	maker->tables_size += (size + 7) & ~7UL;
	*data = elf_getdata(section, NULL);
	return section;
}

static size_t make_strings(struct maker *maker, const char *name,
			   const char *strings, size_t size)
{
	const GElf_Shdr header = { .sh_type = SHT_STRTAB };

	return add_section(maker, name, header, ELF_T_BYTE, (void *)strings,
			   size);
}

static const char dynamic_names[] = "\0two\0one\0three";
static const unsigned int dynamic_at[] = { 0, 1, 5, 9 };

static size_t make_dynamic(struct maker *maker)
{
	const GElf_Shdr header = {
		.sh_type = SHT_DYNSYM, .sh_flags = SHF_ALLOC,
		.sh_link = make_strings(maker, ".dynstr", dynamic_names,
					sizeof(dynamic_names)),
	};
	Elf_Data *data;
	Elf_Scn *section = make_table(maker, ".dynsym", header, ELF_T_SYM, 4,
				      &data);

	for (int i = 1; i < 4; i++) {
		GElf_Sym symbol = {
			.st_name = dynamic_at[i],
			.st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC),
		};

		gelf_update_sym(data, i, &symbol);
	}
	return elf_ndxscn(section);
}

static void put_relocation(const struct program *program, Elf_Data *data,
			   int index)
{
	const bool chosen = index == CHOSEN;
	GElf_Rela relocation = {
		.r_offset = program->slots[index],
		.r_info = chosen ? GELF_R_INFO(0, program->irelative) :
				   GELF_R_INFO(index + 1, program->jump_slot),
		.r_addend = chosen ? CHOSEN_AT : 0,
	};
	GElf_Rel old = { relocation.r_offset, relocation.r_info };

	if (program->has_rel)
		gelf_update_rel(data, index, &old);
	else
		gelf_update_rela(data, index, &relocation);
}

static void make_relocations(struct maker *maker, size_t symbols)
{
	const struct program *program = maker->program;
	const GElf_Shdr header = {
		.sh_type = program->has_rel ? SHT_REL : SHT_RELA,
		.sh_flags = SHF_ALLOC, .sh_link = symbols,
	};
	Elf_Data *data;

	make_table(maker, program->has_rel ? ".rel.plt" : ".rela.plt", header,
		   program->has_rel ? ELF_T_REL : ELF_T_RELA, NR_STUBS, &data);
	for (int i = 0; i < NR_STUBS; i++)
		put_relocation(program, data, i);
}

/*
 * Symbols of the file itself: functions, which are Thumb code on ARM, and mapping
 * symbols.
 */
static const struct {
	unsigned int name;
	unsigned char type;
	uint64_t at;
} own_symbols[] = {
	{ 0, STT_NOTYPE, 0 },		{ 1, STT_GNU_IFUNC, CHOSEN_AT },
	{ 8, STT_FUNC, ODD_AT },	{ 12, STT_NOTYPE, TEXT_AT },
	{ 15, STT_NOTYPE, ODD_AT },	{ 18, STT_NOTYPE, CHOSEN_AT },
};

static const char own_names[] = "\0chosen\0odd\0$x\0$d\0$d";

#define NR_OWN	(sizeof(own_symbols) / sizeof(own_symbols[0]))

static void make_symbols(struct maker *maker, size_t text)
{
	const GElf_Shdr header = {
		.sh_type = SHT_SYMTAB, .sh_info = 1,
		.sh_link = make_strings(maker, ".strtab", own_names,
					sizeof(own_names)),
	};
	Elf_Data *data;

	make_table(maker, ".symtab", header, ELF_T_SYM, NR_OWN, &data);
	for (size_t i = 1; i < NR_OWN; i++) {
		const bool is_code = own_symbols[i].type != STT_NOTYPE;
		const bool thumb = is_code && maker->program->machine == EM_ARM;
		GElf_Sym symbol = {
			.st_name = own_symbols[i].name,
			.st_info = GELF_ST_INFO(STB_GLOBAL, own_symbols[i].type),
			.st_shndx = text,
			.st_value = own_symbols[i].at + thumb,
			.st_size = is_code ? 8 : 0,
		};

		gelf_update_sym(data, i, &symbol);
	}
}

static void make_header(const struct maker *maker)
{
	GElf_Ehdr header;

	gelf_newehdr(maker->elf, maker->program->class);
	gelf_getehdr(maker->elf, &header);
	header.e_ident[EI_DATA] = maker->program->data;
	header.e_type = ET_DYN;
	header.e_machine = maker->program->machine;
	header.e_flags = maker->program->flags;
	header.e_version = EV_CURRENT;
	gelf_update_ehdr(maker->elf, &header);
	gelf_newphdr(maker->elf, 1);
}

static void make_names(struct maker *maker)
{
	const GElf_Shdr strings = { .sh_type = SHT_STRTAB };
	GElf_Ehdr header;

	gelf_getehdr(maker->elf, &header);
	header.e_shstrndx = add_section(maker, ".shstrtab", strings, ELF_T_BYTE,
					maker->names, sizeof(maker->names));
	gelf_update_ehdr(maker->elf, &header);
}

static bool make_file(const struct program *program, const char *path)
{
	static unsigned char text[TEXT_SIZE];
	const GElf_Shdr header = {
		.sh_type = SHT_PROGBITS, .sh_addr = TEXT_AT,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
	};
	GElf_Phdr load = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		.p_filesz = 0x1000, .p_memsz = 0x50000, .p_align = 0x1000,
	};
	struct maker maker = { .program = program, .names_size = 1 };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	bool made;

	maker.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	make_header(&maker);
	make_code(&maker);
	make_got(&maker);
	make_symbols(&maker, add_section(&maker, ".other", header, ELF_T_BYTE,
					 text, sizeof(text)));
	make_relocations(&maker, make_dynamic(&maker));
	make_names(&maker);
	gelf_update_phdr(maker.elf, 0, &load);
	made = elf_update(maker.elf, ELF_C_WRITE) > 0;
	elf_end(maker.elf);
	close(fd);
	return made;
}

static void load(FIXTURE_DATA(machines) *self)
{
	const struct symbol_sources sources = {};

	dsos_free(&self->dsos);
	self->dsos = (struct dsos){};
	self->dso = dsos_get(&self->dsos, self->path, NULL, false);
	dso_symbol(self->dso, &sources, 0);
}

static const struct symbol *symbol_at(const struct dso *dso, uint64_t address)
{
	for (size_t i = 0; i < dso->symbols->nr; i++)
		if (dso->symbols->all[i].start <= address &&
		    address < dso->symbols->all[i].end)
			return &dso->symbols->all[i];
	return NULL;
}

static const char *name_at(const struct dso *dso, uint64_t address)
{
	const struct symbol *symbol = symbol_at(dso, address);

	return symbol ? symbol_name(dso, symbol) : "";
}

TEST_F(machines, have_stubs)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const struct program *program = &programs[i];

		TH_LOG("%s", program->name);
		ASSERT_TRUE(make_file(program, self->path));
		load(self);
		ASSERT_NE(NULL, self->dso->symbols);
		for (int stub = 0; stub < NR_STUBS; stub++) {
			if (!program->stubs[stub])
				continue;
			EXPECT_STREQ(stub_names[stub],
				     name_at(self->dso, program->stubs[stub]));
			EXPECT_STREQ(stub_names[stub],
				     name_at(self->dso,
					     program->stubs[stub] + 4));
			EXPECT_NE(0, strcmp(stub_names[stub],
					    name_at(self->dso,
						    program->stubs[stub] - 1)));
		}
		/* the first one is the dynamic linker's */
		if (!strcmp(program->section, ".plt"))
			EXPECT_STREQ("", name_at(self->dso, program->at + 4));
	}
}

/*
 * Where a function begins, neither a mapping symbol is its name nor the next byte its
 * start.
 */
TEST_F(machines, have_marks)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const uint16_t machine = programs[i].machine;
		const struct symbol *symbol;

		if (machine != EM_ARM && machine != EM_AARCH64 &&
		    machine != EM_RISCV)
			continue;
		TH_LOG("%s", programs[i].name);
		ASSERT_TRUE(make_file(&programs[i], self->path));
		load(self);
		EXPECT_STREQ("odd", name_at(self->dso, ODD_AT));
		EXPECT_STREQ("chosen", name_at(self->dso, CHOSEN_AT));
		EXPECT_STREQ("", name_at(self->dso, TEXT_AT));
		symbol = symbol_at(self->dso, ODD_AT);
		if (symbol)
			EXPECT_EQ(ODD_AT, symbol->start);
		for (size_t nr = 0; nr < self->dso->symbols->nr; nr++)
			EXPECT_NE('$', *symbol_name(self->dso,
						    &self->dso->symbols->all[nr]));
	}
}

TEST_HARNESS_MAIN
