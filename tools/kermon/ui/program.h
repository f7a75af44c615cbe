/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to program.c: how a shell finds and the kernel executes programs.
 */
#ifndef KERMON_PROGRAM_H
#define KERMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Find the program whose name is the first @length characters of @name, in PATH unless it
 * has a slash. Returns whether it exists, and its path in @file of @size bytes.
 */
bool program_find(const char *name, size_t length, char *file, size_t size);

/* Whether @file is a script, "#!INTERPRETER ...", with the interpreter in @interpreter. */
bool program_interpreter(const char *file, char *interpreter, size_t size);

#endif /* KERMON_PROGRAM_H */
