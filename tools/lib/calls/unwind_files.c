// SPDX-License-Identifier: GPL-2.0
/* Arrange the files needed for unwinding in a libdwfl session. */
#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "symbols/symbols.h"
#include "unwind_files.h"

#define GAP		(1ULL << 21)
/* Maximum size of a mapped file; damaged files may state more. */
#define SPAN_MAX	(1ULL << 47)
/*
 * Each file has a descriptor: at most this many, and this part of the limit of open
 * files.
 */
#define FILES_MAX	256
#define PART_OF_LIMIT	4
#define FRAME_POINTER	6

/**
 * struct unwind_file - a file
 * @module: NULL: it cannot be used
 * @start: libdwfl's first address in it
 * @end: end address, exclusive
 * @bias: difference from the file's addresses to libdwfl's
 */
struct unwind_file {
	const struct dso *dso;
	Dwfl_Module *module;
	uint64_t start;
	uint64_t end;
	uint64_t bias;
};

/* Hand over the file, which is already open; libdwfl closes it. */
static int give_file(Dwfl_Module *module, void **context, const char *name,
		     Dwarf_Addr base, char **path, Elf **elf)
{
	const struct binary *binary = *context;

	(void)module;
	(void)name;
	(void)base;
	(void)path;
	(void)elf;
	return binary ? fcntl(binary->fd, F_DUPFD_CLOEXEC, 0) : -1;
}

/*
 * Programs contain .eh_frame even if stripped. For other code, mainly the start of
 * threads, do not search debug files: they are large.
 */
static int find_no_debuginfo(Dwfl_Module *module, void **context,
			     const char *name, Dwarf_Addr base,
			     const char *file, const char *debuglink,
			     GElf_Word crc, char **found)
{
	(void)module;
	(void)context;
	(void)name;
	(void)base;
	(void)file;
	(void)debuglink;
	(void)crc;
	(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = give_file,
	.find_debuginfo = find_no_debuginfo,
};

/* Relies on the state of its symbols, so that a missing file is searched only once. */
static bool has_file(const struct dso *dso)
{
	return (dso->kind == DSO_FILE || dso->kind == DSO_VDSO) &&
	       dso->symbols && (dso->symbols->state == SYMBOLS_FOUND ||
				dso->symbols->state == SYMBOLS_NONE);
}

/* Size of the address range from the first segment on; 0 for a file without segments. */
static uint64_t span_of(Elf *elf)
{
	uint64_t start = 0, end = 0;
	GElf_Phdr header;
	bool any = false;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD)
			continue;
		if (!any)
			start = header.p_vaddr & -header.p_align;
		any = true;
		if (header.p_vaddr + header.p_memsz > end)
			end = header.p_vaddr + header.p_memsz;
	}
	return end > start && end - start < SPAN_MAX ? end - start : 0;
}

/* Registers of another machine would be taken for those of this one. */
static bool is_of_x86_64(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && header.e_machine == EM_X86_64 &&
	       header.e_ident[EI_CLASS] == ELFCLASS64 &&
	       (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

/*
 * Place a file at the next address. dwfl_report_elf() would leave one without PIE at
 * its link address, but a file that libdwfl asks for is moved to its module.
 */
static void put(struct unwind_files *files, struct unwind_file *file,
		struct binary *binary)
{
	Elf *elf = binary_elf(binary);
	uint64_t span = elf && is_of_x86_64(elf) ? span_of(elf) : 0;
	Dwfl_Module *module;
	void **context;

	if (!span || !files->dwfl)
		return;
	dwfl_report_begin_add(files->dwfl);
	module = dwfl_report_module(files->dwfl, "", files->next,
				    files->next + span);
	dwfl_report_end(files->dwfl, NULL, NULL);
	if (!module)
		return;
	file->start = files->next;
	file->end = files->next + span;
	files->next += (span + 2 * GAP - 1) / GAP * GAP;
	dwfl_module_info(module, &context, NULL, NULL, NULL, NULL, NULL, NULL);
	*context = binary;
	if (dwfl_module_getelf(module, &file->bias)) {
		file->module = module;
		files->nr_open++;
	}
	*context = NULL;
}

static void begin(struct unwind_files *files)
{
	struct rlimit limit;

	files->dwfl = dwfl_begin(&callbacks);
	files->next = UNWIND_FILES_START;
	files->max_open = FILES_MAX;
	if (!getrlimit(RLIMIT_NOFILE, &limit) &&
	    limit.rlim_cur / PART_OF_LIMIT < FILES_MAX)
		files->max_open = limit.rlim_cur / PART_OF_LIMIT;
}

static struct unwind_file *open_file(struct unwind_files *files,
				     struct dso *dso,
				     const struct symbol_sources *sources)
{
	struct unwind_file *file = calloc(1, sizeof(*file));
	struct binary *binary;

	if (!file)
		return NULL;
	if (!files->dwfl)
		begin(files);
	file->dso = dso;
	if (has_file(dso) &&
	    binary_open(dso, sources, &binary) == SYMBOLS_FOUND) {
		put(files, file, binary);
		binary_close(binary);
	}
	if (!hash_add(&files->by_dso, hash_mix((uintptr_t)dso), file))
		return file;
	free(file);
	return NULL;
}

static bool is_of(const void *item, const void *dso)
{
	return ((const struct unwind_file *)item)->dso == dso;
}

bool unwind_files_find(struct unwind_files *files, struct dso *dso,
		       const struct symbol_sources *sources, uint64_t offset,
		       uint64_t *address)
{
	uint64_t in_file = dso_address(dso, sources, offset);
	void **found = hash_find(&files->by_dso, hash_mix((uintptr_t)dso),
				 is_of, dso);
	const struct unwind_file *file = found ? *found :
					 open_file(files, dso, sources);

	if (!file || !file->module)
		return false;
	*address = in_file + file->bias;
	return *address >= file->start && *address < file->end;
}

bool unwind_files_are_many(const struct unwind_files *files)
{
	return files->nr_open > files->max_open;
}

void unwind_files_close(struct unwind_files *files)
{
	if (files->dwfl)
		dwfl_end(files->dwfl);
	for (size_t i = 0; i < files->by_dso.room; i++)
		free(files->by_dso.slots[i].item);
	hash_free(&files->by_dso);
	*files = (struct unwind_files){};
}

/* The register whose value an operation reads; -1: none. */
static int register_of(const Dwarf_Op *operation)
{
	if (operation->atom >= DW_OP_breg0 && operation->atom <= DW_OP_breg31)
		return operation->atom - DW_OP_breg0;
	if (operation->atom == DW_OP_bregx && operation->number < 32)
		return operation->number;
	return -1;
}

static bool wants(Dwarf_Frame *frame, uint32_t known)
{
	Dwarf_Op *operations;
	int number;
	size_t nr;

	if (dwarf_frame_cfa(frame, &operations, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		number = register_of(&operations[i]);
		if (number >= 0 && !(known >> number & 1))
			return true;
	}
	return false;
}

Dwarf_Frame *unwind_files_frame(const struct unwind_files *files,
				uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(files->dwfl, address);
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;

	cfi = dwfl_module_eh_cfi(module, &bias);
	if (cfi && !dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return frame;
	cfi = dwfl_module_dwarf_cfi(module, &bias);
	if (cfi && !dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return frame;
	return NULL;
}

bool unwind_files_want(const struct unwind_files *files, uint64_t address,
		       uint32_t known)
{
	Dwarf_Frame *frame = unwind_files_frame(files, address);
	bool wanted = frame ? wants(frame, known) :
			      !(known >> FRAME_POINTER & 1);

	free(frame);
	return wanted;
}
