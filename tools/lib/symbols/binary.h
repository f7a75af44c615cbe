/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ELF file behind a DSO, opened for symbols, lines and unwinding.
 *
 * It is looked for where it was when it ran, in perf's cache of build ids, and by
 * its build id where distributions and debuginfod servers keep files. That of the
 * kernel is vmlinux, whose build id is all that is known of it. Separate debug
 * files and .gnu_debugdata are found by libdwfl. A file with another build id than
 * the recorded one is never taken.
 */
#ifndef KERMON_BINARY_H
#define KERMON_BINARY_H

#include <elfutils/libdwfl.h>

#include "dso.h"
#include "segments.h"
#include "sources.h"

/**
 * struct binary - an open file
 * @module: what libdwfl knows of it; its addresses are those of the file
 * @dwfl: that it is the only module of
 * @callbacks: of @dwfl
 * @fd: the file once more, for whoever wants to read it in another way
 * @path: where it was found
 * @debug_path: where debug files are; in use by @callbacks
 * @debug: its separate debug file, once binary_debug_elf() was asked for it; open
 *	on @debug_fd
 */
struct binary {
	Dwfl_Module *module;
	Dwfl *dwfl;
	Dwfl_Callbacks callbacks;
	int fd;
	char *path;
	char *debug_path;
	Elf *debug;
	int debug_fd;
};

/**
 * binary_open - open the file that was recorded
 * @dso: that it is of
 * @sources: where to look
 * @binary: set on success, to be closed with binary_close(); else NULL
 *
 * Return: SYMBOLS_FOUND, whether it has symbols or not; SYMBOLS_NO_FILE,
 * SYMBOLS_FORBIDDEN, SYMBOLS_OTHER_FILE, SYMBOLS_NONE if it is no ELF file; or -ENOMEM.
 */
int binary_open(const struct dso *dso, const struct symbol_sources *sources,
		struct binary **binary);
void binary_close(struct binary *binary);

/* NULL: libdwfl has not been able to read it. */
Elf *binary_elf(const struct binary *binary);
/* Whether it has yet to be linked, as modules of the kernel have. */
bool binary_is_module(const struct binary *binary);
/*
 * What has the debugging information: a separate file (by build id, .gnu_debuglink)
 * as it is, for libdwfl opens one together with all that it can make of it; and only
 * then what libdwfl opens. That of modules of the kernel it has put to their
 * addresses. NULL: there is none.
 */
Elf *binary_debug_elf(struct binary *binary);

/*
 * module.c: what libdwfl made of the code of a module of the kernel, which is
 * at @start there. Return: 0 or -ENOMEM.
 */
int binary_module_segments(const struct binary *binary, uint64_t start,
			   struct segments *segments);
/* Where the kernel that was recorded has it below @root, if only "[name]" is known. */
bool binary_module_path(const struct dso *dso, const char *root, char *path,
			size_t size);

/* Of a kernel: where it was linked to, its symbol _text; 0: it has none. */
uint64_t binary_text(const struct binary *binary);

#endif /* KERMON_BINARY_H */
