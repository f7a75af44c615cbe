/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to shown.c: lines that quote names, whose control characters are escaped.
 */
#ifndef KERMON_SHOWN_H
#define KERMON_SHOWN_H

#include <stdarg.h>
#include <stdio.h>

/* Print a line, given without newline, with escapes, see <kermon/text.h>. */
void shown_vline(FILE *out, const char *format, va_list args);
void shown_line(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints a line of a file's header; as callback of kermon_file_header(). */
void shown_header(void *context, const char *name, const char *value);

#endif /* KERMON_SHOWN_H */
