/* SPDX-License-Identifier: GPL-2.0 */
/* Programs as a shell finds and the kernel executes them. */
#ifndef KERMON_PROGRAM_H
#define KERMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether there is a program called @name, @length characters of it; without a slash
 * it is looked for in PATH. Puts its file into @file, which has @size bytes.
 */
bool program_find(const char *name, size_t length, char *file, size_t size);

/* Whether @file is a script, "#!INTERPRETER ...". Puts that into @interpreter. */
bool program_interpreter(const char *file, char *interpreter, size_t size);

#endif /* KERMON_PROGRAM_H */
