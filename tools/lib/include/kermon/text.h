/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of threads, files, functions and events are whatever a program chose. Before
 * they go to a terminal, or into a line that another program splits, all that is not
 * a visible character is written as an escape: \n, \t, \x1b, \u202e.
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
 * Length in bytes of the UTF-8 sequence at @text, and its code point; 0: there is no
 * valid one. @text ends with a NUL, which is a character of its own.
 */
int kermon_text_character(const char *text, uint32_t *code);

/*
 * Whether a terminal shows a character: not C0, DEL and C1, which it obeys, nor what
 * changes the direction of the text around it or ends a line.
 */
bool kermon_text_is_visible(uint32_t code);

/* Whether kermon_text_print() prints @text as it is. */
bool kermon_text_is_plain(const char *text);

/* Prints the first character of @text, or its escape. Returns its length in bytes. */
int kermon_text_print_next(FILE *out, const char *text);

/* Prints @text with escapes in place of all that is not visible, or not UTF-8. */
void kermon_text_print(FILE *out, const char *text);

/* The same in memory, to be freed with free(3); NULL: no memory. */
char *kermon_text_escaped(const char *text);

/* A size for people, "14.2 kB", in @size bytes of @text. */
#define KERMON_SIZE_TEXT	32
void kermon_size_text(uint64_t bytes, char *text, size_t size);

/* What follows "byte" and a number of them: "" or "s"; likewise "was" or "were". */
const char *kermon_plural(uint64_t nr);
const char *kermon_were(uint64_t nr);

KERMON_END_DECLS

#endif /* KERMON_TEXT_H */
