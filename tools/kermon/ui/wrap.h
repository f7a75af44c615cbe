/* SPDX-License-Identifier: GPL-2.0 */
/* Text in lines that are not longer than the terminal is wide. */
#ifndef KERMON_WRAP_H
#define KERMON_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes @text, whose first line goes on at @column, and whose others begin at @indent;
 * between words only. There is a newline at its end.
 */
void wrap_text(FILE *out, const char *text, size_t column, size_t indent,
	       size_t width);

#endif /* KERMON_WRAP_H */
