/* SPDX-License-Identifier: GPL-2.0 */
/* The test program itself as the program that was recorded. */
#ifndef TESTS_UNIT_SELF_H
#define TESTS_UNIT_SELF_H

#include <elf.h>
#include <link.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symbols.h"

#define SELF_PATH	"/proc/self/exe"

/* For links: under valgrind, SELF_PATH is ours only if exactly that path is opened. */
static inline const char *self_file(void)
{
	static char path[PATH_MAX];

	if (!*path && readlink(SELF_PATH, path, sizeof(path) - 1) < 0)
		return SELF_PATH;
	return path;
}

static int self_take_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	return 1;	/* the program is the first one */
}

/* The offset of code in the file; its segments have the same layout in memory. */
static inline uint64_t self_offset(const void *code)
{
	uint64_t base;

	dl_iterate_phdr(self_take_base, &base);
	return (uintptr_t)code - base;
}

static int self_take_note(struct dl_phdr_info *info, size_t size, void *context)
{
	struct build_id *id = context;
	const ElfW(Phdr) *header;
	const ElfW(Nhdr) *note;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !id->size; i++) {
		header = &info->dlpi_phdr[i];
		if (header->p_type != PT_NOTE)
			continue;
		note = (const void *)(info->dlpi_addr + header->p_vaddr);
		if (note->n_type != NT_GNU_BUILD_ID)
			continue;
		id->size = note->n_descsz;
		memcpy(id->bytes, (const char *)(note + 1) + 4, id->size);
	}
	return 1;
}

/* The linker's address and size; size 0: there is none. */
static inline struct build_id self_build_id(void)
{
	struct build_id id = {};

	dl_iterate_phdr(self_take_note, &id);
	return id;
}

#endif /* TESTS_UNIT_SELF_H */
