/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of text in great numbers, to standard output: what printf(3) would make
 * of "%16s" and "%10lu", many times as fast.
 */
#ifndef KERMON_LINE_H
#define KERMON_LINE_H

#include <stddef.h>
#include <stdint.h>

#define LINE_ROOM	65536

/**
 * struct line - what has been put and is not written yet
 * @used: bytes of it
 */
struct line {
	size_t used;
	char bytes[LINE_ROOM];
};

/* Anything; what is longer than LINE_ROOM, too. */
void line_bytes(struct line *line, const char *bytes, size_t size);
void line_text(struct line *line, const char *text);
void line_char(struct line *line, char c);

/* Aligned to the right of @width columns at least: "%*s". */
void line_right(struct line *line, const char *text, size_t width);
/* Aligned to the left: "%-*s". */
void line_left(struct line *line, const char *text, size_t width);

/* "%*lu"; with a @fill of '0' "%0*lu". */
void line_decimal(struct line *line, uint64_t value, size_t width, char fill);
/* "%*lx" */
void line_hex(struct line *line, uint64_t value, size_t width);

/* 0, or -EPIPE where nobody can be told any more. To be called now and then. */
int line_check(void);
/* Writes what is left. As line_check(). */
int line_flush(struct line *line);

#endif /* KERMON_LINE_H */
