/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print untrusted text. Names of threads, files, functions and events are chosen by
 * programs. In output to a terminal, or in lines that another program splits, everything
 * except visible characters is written as an escape: \n, \t, \x1b, \u202e.
 */
#ifndef KERMON_TEXT_H
#define KERMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/*
 * Return: length in bytes of the UTF-8 sequence at @text, whose code point is stored in
 * @code; 0: invalid sequence. @text ends with a NUL, which is a character of its own.
 */
int kermon_text_character(const char *text, uint32_t *code);

/*
 * Whether a character is visible: not C0, DEL and C1, which control terminals, nor
 * characters that change the direction of text or end a line.
 */
bool kermon_text_is_visible(uint32_t code);

/* Whether kermon_text_print() prints @text unchanged. */
bool kermon_text_is_plain(const char *text);

/* Print the first character of @text, or its escape. Return: its length in bytes. */
int kermon_text_print_next(FILE *out, const char *text);

/* Print @text with escapes for everything that is not visible or not UTF-8. */
void kermon_text_print(FILE *out, const char *text);

/* The same in memory, to be freed with free(3); NULL if out of memory. */
char *kermon_text_escaped(const char *text);

/* Write a size such as "14.2 kB" to @text, which has @size bytes. */
#define KERMON_SIZE_TEXT	32
void kermon_size_text(uint64_t bytes, char *text, size_t size);

/* The ending of "byte" for a number of bytes, "" or "s"; likewise "was" or "were". */
const char *kermon_plural(uint64_t nr);
const char *kermon_were(uint64_t nr);

KERMON_END_DECLS

#endif /* KERMON_TEXT_H */
