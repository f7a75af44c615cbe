// SPDX-License-Identifier: GPL-2.0
/*
 * Read the symbols of ELF files, their debug files and .gnu_debugdata. They are copied,
 * so the file is closed again.
 */
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "loaders.h"
#include "plt.h"
#include "util/cancel.h"

#define SMALLEST_PAGE	4096

/* Bytes from @address to the end of its section; 0 if the section has none of @flags. */
static uint64_t left_of_section(Elf *elf, GElf_Word index, uint64_t flags,
				uint64_t address)
{
	Elf_Scn *section = elf ? elf_getscn(elf, index) : NULL;
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) ||
	    !(header.sh_flags & flags) ||
	    address - header.sh_addr >= header.sh_size)
		return 0;
	return header.sh_size - (address - header.sh_addr);
}

/*
 * Mapping symbols mark where code or data begins ("$x", "$d") or an instruction set
 * ("$xrv64i2p0" on RISC-V). They do not name anything.
 */
static bool is_mapping(uint16_t machine, const char *name)
{
	if (*name != '$')
		return false;
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[1] && strchr("adtx", name[1]) &&
		       (!name[2] || name[2] == '.');
	case EM_RISCV:
		return name[1] == 'x' || (name[1] == 'd' && !name[2]);
	default:
		return false;
	}
}

/* Whether it names a function or a variable; memory accesses are looked up as well. */
static bool is_named(const GElf_Sym *symbol, Elf *elf, GElf_Word index,
		     GElf_Addr address)
{
	unsigned int visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (index == SHN_UNDEF || index == SHN_ABS)
		return false;
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE:
		return visibility == STV_DEFAULT &&
		       left_of_section(elf, index, SHF_EXECINSTR, address);
	default:
		return false;
	}
}

static bool is_code(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_FUNC ||
	       GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
}

static int copy_symbol(struct symbols *symbols, struct ifuncs *ifuncs,
		       uint16_t machine, Dwfl_Module *module, int index)
{
	GElf_Sym symbol;
	GElf_Addr address;
	GElf_Word section;
	Elf *elf;
	Dwarf_Addr bias;
	const char *name = dwfl_module_getsym_info(module, index, &symbol,
						   &address, &section, &elf,
						   &bias);
	unsigned int binding = GELF_ST_BIND(symbol.st_info);
	size_t before = symbols->nr;
	uint64_t size;
	int err;

	if (!name || !*name || is_mapping(machine, name) ||
	    !is_named(&symbol, elf, section, address))
		return 0;
	if (is_code(&symbol))
		address = code_address(machine, address);
	size = symbol.st_size ? symbol.st_size :
				left_of_section(elf, section, SHF_ALLOC,
						address);
	err = symbols_add(symbols, address, address + size, name,
			  symbol_rank(name, symbol.st_size,
				      binding == STB_WEAK,
				      binding == STB_GLOBAL));
	if (symbols->nr > before &&
	    GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
		err = ifuncs_add(ifuncs, symbols);
	return err;
}

/*
 * The bytes of .bss on the last file-backed page of a segment: that page is mapped, so
 * addresses there have an offset beyond the segment's bytes in the file.
 */
static uint64_t bss_size(const GElf_Phdr *header)
{
	uint64_t end = header->p_offset + header->p_filesz;
	uint64_t to_page_end = -end % SMALLEST_PAGE;
	uint64_t size = header->p_memsz - header->p_filesz;

	if (header->p_memsz <= header->p_filesz)
		return 0;
	return size < to_page_end ? size : to_page_end;
}

static int copy_segments(struct segments *segments, Elf *elf)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	segments->all = calloc(nr ? nr : 1, sizeof(*segments->all));
	if (!segments->all)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD)
			continue;
		segments->all[segments->nr++] = (struct segment){
			.offset = header.p_offset,
			.size = header.p_filesz,
			.bss_size = bss_size(&header),
			.address = header.p_vaddr,
			.is_code = header.p_flags & PF_X,
		};
	}
	return 0;
}

int symbols_load_binary(struct symbols *symbols, const struct dso *dso,
			const struct binary *binary,
			const struct kermon_cancel *cancel)
{
	Dwfl_Module *module = binary->module;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	struct ifuncs ifuncs = { .nr = 0 };
	GElf_Ehdr header;
	int nr, err;

	if (!elf || !gelf_getehdr(elf, &header)) {
		symbols->state = SYMBOLS_NO_FILE;
		return 0;
	}
	err = dso->kind == DSO_MODULE ?
	      binary_module_segments(binary, dso->start, &symbols->segments) :
	      copy_segments(&symbols->segments, elf);
	nr = dwfl_module_getsymtab(module);
	for (int i = 1; i < nr && !err; i++) {
		err = cancel_check(cancel);
		if (!err)
			err = copy_symbol(symbols, &ifuncs, header.e_machine,
					  module, i);
	}
	if (!err)
		err = symbols_add_plt(symbols, elf, &ifuncs);
	ifuncs_free(&ifuncs);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}

int symbols_load_elf(struct symbols *symbols, const struct dso *dso,
		     const struct symbol_sources *sources)
{
	struct binary *binary;
	int err = 0, state = binary_open(dso, sources, &binary);

	if (state < 0)
		return state;
	symbols->state = state;
	if (binary)
		err = symbols_load_binary(symbols, dso, binary,
					  sources->cancel);
	binary_close(binary);
	return err;
}
