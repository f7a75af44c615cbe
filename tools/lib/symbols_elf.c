// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of ELF files by libdwfl, which finds separate debug files by build id
 * and debug link, and the symbols hidden in .gnu_debugdata. Each file is opened
 * once; what is needed is copied, and the file closed again.
 */
#define _GNU_SOURCE
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols.h"
#include "symbols_plt.h"

#define PATH_SIZE	4096

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Bytes from a place in a section of code to its end; 0 if it is none of code. */
static uint64_t code_behind(Elf *elf, GElf_Word index, uint64_t address)
{
	Elf_Scn *section = elf ? elf_getscn(elf, index) : NULL;
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) ||
	    !(header.sh_flags & SHF_EXECINSTR) ||
	    address - header.sh_addr >= header.sh_size)
		return 0;
	return header.sh_size - (address - header.sh_addr);
}

static bool is_function(const GElf_Sym *symbol, Elf *elf, GElf_Word index)
{
	unsigned int visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (index == SHN_UNDEF)
		return false;
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return index != SHN_ABS && visibility == STV_DEFAULT &&
		       code_behind(elf, index, symbol->st_value);
	default:
		return false;
	}
}

static int copy_symbol(struct symbols *symbols, Dwfl_Module *module, int index)
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
	uint64_t size;

	if (!name || !*name || !is_function(&symbol, elf, section))
		return 0;
	size = symbol.st_size ? symbol.st_size :
				code_behind(elf, section, symbol.st_value);
	return symbols_add(symbols, address, address + size, name,
			   symbol_rank(name, symbol.st_size,
				       binding == STB_WEAK,
				       binding == STB_GLOBAL));
}

static int copy_segments(struct symbols *symbols, Elf *elf)
{
	GElf_Phdr header;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	symbols->segments = calloc(nr ? nr : 1, sizeof(*symbols->segments));
	if (!symbols->segments)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD)
			continue;
		symbols->segments[symbols->nr_segments++] = (struct segment){
			.offset = header.p_offset,
			.size = header.p_filesz,
			.address = header.p_vaddr,
		};
	}
	return 0;
}

static int copy_module(struct symbols *symbols, Dwfl_Module *module)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	int nr, err;

	if (!elf) {
		symbols->state = SYMBOLS_NO_FILE;
		return 0;
	}
	err = copy_segments(symbols, elf);
	nr = dwfl_module_getsymtab(module);
	for (int i = 1; i < nr && !err; i++)
		err = copy_symbol(symbols, module, i);
	if (!err)
		err = symbols_add_plt(symbols, elf);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}

static bool is_other_file(Dwfl_Module *module, const struct build_id *wanted)
{
	const unsigned char *bytes;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &bytes, &address);

	if (!wanted->size)
		return false;
	return size < wanted->size ||
	       memcmp(bytes, wanted->bytes, wanted->size);
}

/* Takes the symbols of the file that @fd is open on, and closes it. */
static int load_fd(struct symbols *symbols, const struct dso *dso,
		   const char *path, int fd)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	int err = 0;

	if (!dwfl) {
		close(fd);
		return -ENOMEM;
	}
	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, dso->name, path, fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!module) {
		symbols->state = SYMBOLS_NONE;
		close(fd);
	} else if (is_other_file(module, &dso->build_id)) {
		symbols->state = SYMBOLS_OTHER_FILE;
	} else {
		err = copy_module(symbols, module);
	}
	dwfl_end(dwfl);
	return err;
}

/* The vDSO has no file: ours is written to one, and the build id decides. */
static int open_vdso(void)
{
	unsigned long start = getauxval(AT_SYSINFO_EHDR);
	unsigned long page = sysconf(_SC_PAGESIZE);
	Elf64_Ehdr header;
	size_t size;
	int fd;

	if (!start)
		return -1;
	memcpy(&header, (const void *)start, sizeof(header));
	size = header.e_shoff + header.e_shnum * header.e_shentsize;
	size = (size + page - 1) / page * page;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, (const void *)start, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

static void hex(const struct build_id *id, char text[2 * BUILD_ID_MAX + 1])
{
	for (size_t i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
}

/* Where else the very same file may be: perf's cache of what it recorded. */
static int open_cached(const struct dso *dso, char path[PATH_SIZE])
{
	const char *home = getenv("HOME");
	char id[2 * BUILD_ID_MAX + 1] = "";

	if (!home || dso->build_id.size < 2)
		return -1;
	hex(&dso->build_id, id);
	snprintf(path, PATH_SIZE, "%s/.debug/.build-id/%.2s/%s/%s", home, id,
		 id + 2, dso->kind == DSO_VDSO ? "vdso" : "elf");
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int open_dso(const struct dso *dso, const struct symbol_sources *sources,
		    char path[PATH_SIZE])
{
	const char *root = sources->symfs ? sources->symfs : "";

	if (dso->kind == DSO_VDSO) {
		/* No build id, no knowing whose vDSO it was. */
		snprintf(path, PATH_SIZE, "[vdso]");
		return dso->build_id.size ? open_vdso() : -1;
	}
	snprintf(path, PATH_SIZE, "%s%s", root, dso->path);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int symbols_load_elf(struct symbols *symbols, const struct dso *dso,
		     const struct symbol_sources *sources)
{
	char path[PATH_SIZE];
	int fd, err = 0;

	symbols->state = SYMBOLS_NO_FILE;
	fd = open_dso(dso, sources, path);
	if (fd >= 0)
		err = load_fd(symbols, dso, path, fd);
	if (err || symbols->state == SYMBOLS_FOUND ||
	    symbols->state == SYMBOLS_NONE)
		return err;
	fd = open_cached(dso, path);
	return fd >= 0 ? load_fd(symbols, dso, path, fd) : 0;
}
