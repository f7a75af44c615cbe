// SPDX-License-Identifier: GPL-2.0
/*
 * Stubs of the procedure linkage table have no symbols of their own: they get
 * those of the functions that they jump to, as "name@plt". Stub and relocation
 * are in the same order (System V ABI for x86-64, 5.2).
 */
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "symbols.h"
#include "symbols_plt.h"

#define STUB_SIZE	16
#define NAME_SIZE	512

/**
 * struct plt - the sections that it takes
 * @stubs: .plt, the first stub of which is the linker's, or .plt.sec
 * @relocations: .rela.plt
 * @symbols: that they are about, with their strings
 * @nr: how many relocations there are; damaged files have any size of stubs
 */
struct plt {
	GElf_Shdr stubs;
	Elf_Data *relocations;
	Elf_Data *symbols;
	size_t strings;
	size_t nr;
	uint64_t first;
};

static void take_section(struct plt *plt, Elf *elf, Elf_Scn *section,
			 const char *name)
{
	GElf_Shdr header, symbols;
	Elf_Scn *linked;

	if (!gelf_getshdr(section, &header))
		return;
	if (!strcmp(name, ".plt.sec")) {
		plt->stubs = header;
		plt->first = header.sh_addr;
	} else if (!strcmp(name, ".plt") && !plt->first) {
		plt->stubs = header;
		plt->first = header.sh_addr + STUB_SIZE;
	} else if (!strcmp(name, ".rela.plt") && header.sh_type == SHT_RELA) {
		linked = elf_getscn(elf, header.sh_link);
		if (!linked || !gelf_getshdr(linked, &symbols))
			return;
		plt->relocations = elf_getdata(section, NULL);
		plt->symbols = elf_getdata(linked, NULL);
		plt->strings = symbols.sh_link;
	}
}

static bool find_plt(struct plt *plt, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names, size;

	*plt = (struct plt){ .first = 0 };
	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name)
			take_section(plt, elf, section, name);
	}
	if (!plt->first || !plt->relocations || !plt->symbols)
		return false;
	size = gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT);
	plt->nr = size ? plt->relocations->d_size / size : 0;
	return true;
}

static const char *target_of(const struct plt *plt, Elf *elf, int index)
{
	GElf_Rela relocation;
	GElf_Sym symbol;

	if (!gelf_getrela(plt->relocations, index, &relocation) ||
	    !gelf_getsym(plt->symbols, GELF_R_SYM(relocation.r_info), &symbol))
		return NULL;
	return elf_strptr(elf, plt->strings, symbol.st_name);
}

int symbols_add_plt(struct symbols *symbols, Elf *elf)
{
	uint64_t address, end;
	char name[NAME_SIZE];
	const char *target;
	struct plt plt;
	int err = 0;

	if (!find_plt(&plt, elf))
		return 0;
	address = plt.first;
	end = plt.stubs.sh_addr + plt.stubs.sh_size;
	for (size_t i = 0; !err && i < plt.nr && address < end;
	     i++, address += STUB_SIZE) {
		target = target_of(&plt, elf, i);
		if (!target || !*target)
			continue;
		snprintf(name, sizeof(name), "%s@plt", target);
		err = symbols_add(symbols, address, address + STUB_SIZE, name,
				  symbol_rank(name, true, false, true));
	}
	return err;
}
