/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of text in great numbers, to standard output: what printf(3) would make
 * of "%16s" and "%10lu", many times as fast.
 */
#ifndef KERMON_LINE_H
#define KERMON_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LINE_ROOM	65536

/* Columns to which numbers can be aligned, at most. */
#define LINE_COLUMNS	32

/**
 * struct line - what has been put and is not written yet
 * @used: bytes of it
 * @bytes: with room behind for a number, so that only its begin has to be looked at
 */
struct line {
	size_t used;
	char bytes[LINE_ROOM + 2 * LINE_COLUMNS];
};

/* 0, or -EPIPE where nobody can be told any more. To be called now and then. */
int line_check(void);
/* Writes what is left. As line_check(). */
int line_flush(struct line *line);

/* line_bytes() of what does not fit any more. */
void line_overflow(struct line *line, const char *bytes, size_t size);

/* Anything; what is longer than LINE_ROOM, too. */
static inline void line_bytes(struct line *line, const char *bytes, size_t size)
{
	if (size > sizeof(line->bytes) - line->used) {
		line_overflow(line, bytes, size);
		return;
	}
	memcpy(line->bytes + line->used, bytes, size);
	line->used += size;
}

static inline void line_text(struct line *line, const char *text)
{
	line_bytes(line, text, strlen(text));
}

static inline void line_char(struct line *line, char c)
{
	line_bytes(line, &c, 1);
}

/*
 * Where the next @size bytes, at most LINE_ROOM, will be put one behind the other.
 * It is good until more is put.
 */
const char *line_together(struct line *line, size_t size);

/* Aligned to the right of @width columns at least: "%*s". */
void line_right(struct line *line, const char *text, size_t width);
/* The same of a name that a program chose, with escapes: see <kermon/text.h>. */
void line_name(struct line *line, const char *name, size_t width);
/* Aligned to the left: "%-*s". */
void line_left(struct line *line, const char *text, size_t width);

/* "%*lu" of at most LINE_COLUMNS; with a @fill of '0' "%0*lu". */
void line_decimal(struct line *line, uint64_t value, size_t width, char fill);
/* "%*d" */
void line_signed(struct line *line, int32_t value, size_t width);
/* "%-*d" */
void line_signed_left(struct line *line, int32_t value, size_t width);
/* "%*lx" of at most LINE_COLUMNS */
void line_hex(struct line *line, uint64_t value, size_t width);

#endif /* KERMON_LINE_H */
