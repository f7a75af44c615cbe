/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to wrap.c: text in lines that fit the terminal. */
#ifndef KERMON_WRAP_H
#define KERMON_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Write @text and a newline, with line breaks between words. The first line continues at
 * @column; the others are indented by @indent.
 */
void wrap_text(FILE *out, const char *text, size_t column, size_t indent,
	       size_t width);

#endif /* KERMON_WRAP_H */
