/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ELF file behind a DSO, opened for symbols, lines and unwinding.
 *
 * It is searched at the recorded path, in perf's cache of build ids, and by its build
 * id where distributions and debuginfod servers keep files. The kernel's is vmlinux, of
 * which only the build id is known, unless the user names it. libdwfl finds separate
 * debug files and .gnu_debugdata. A file whose build id differs from the recorded one is never used.
 */
#ifndef KERMON_BINARY_H
#define KERMON_BINARY_H

#include <elfutils/libdwfl.h>

#include "dso.h"
#include "segments.h"
#include "sources.h"

/**
 * struct binary - an open file
 * @module: libdwfl's view of the file, at the addresses of the file
 * @dwfl: the session with @module as its only module
 * @callbacks: of @dwfl
 * @fd: second descriptor of the file, for other ways to read it
 * @path: where the file was found
 * @debug_path: search path for debug files; in use by @callbacks
 * @debug: the separate debug file, once binary_debug_elf() has been called
 * @debug_fd: descriptor of @debug
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
 * @dso: the DSO whose file to open
 * @sources: where to look
 * @binary: set on success, to be closed with binary_close(); else NULL
 *
 * Return: SYMBOLS_FOUND, whether it has symbols or not; SYMBOLS_NO_FILE,
 * SYMBOLS_FORBIDDEN, SYMBOLS_OTHER_FILE, SYMBOLS_NONE if it is not an ELF file; or
 * -ENOMEM.
 */
int binary_open(const struct dso *dso, const struct symbol_sources *sources,
		struct binary **binary);
void binary_close(struct binary *binary);

/* Return: NULL if libdwfl cannot read the file. */
Elf *binary_elf(const struct binary *binary);
/* Whether the file is not linked yet, like a kernel module. */
bool binary_is_module(const struct binary *binary);
/*
 * The file with the debugging information. Prefer the plain separate file (found by
 * build id or .gnu_debuglink), because libdwfl does expensive work when it opens one;
 * otherwise use what libdwfl opens. The sections of kernel modules have been relocated
 * by libdwfl. Return: NULL if there is none.
 */
Elf *binary_debug_elf(struct binary *binary);

/*
 * module.c: where libdwfl put the code sections of a kernel module that was loaded at
 * @start. Return: 0 or -ENOMEM.
 */
int binary_module_segments(const struct binary *binary, uint64_t start,
			   struct segments *segments);
/*
 * Path of a module of the recorded kernel below @root, if only "[name]" was recorded.
 * Return: false if not found.
 */
bool binary_module_path(const struct dso *dso, const char *root, char *path,
			size_t size);

/* Link address of the symbol _text of a kernel; 0: not found. */
uint64_t binary_text(const struct binary *binary);

#endif /* KERMON_BINARY_H */
