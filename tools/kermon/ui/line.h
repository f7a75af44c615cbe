/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to line.c: buffered output of many lines, formatted like "%16s" and "%10lu" of
 * printf(3), but many times as fast.
 */
#ifndef KERMON_LINE_H
#define KERMON_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LINE_ROOM	65536

/* Maximum width of numbers. */
#define LINE_COLUMNS	32

/**
 * struct line - output buffer
 * @used: number of bytes that are not written yet
 * @bytes: the buffer, with extra room for a number that begins before LINE_ROOM
 */
struct line {
	size_t used;
	char bytes[LINE_ROOM + 2 * LINE_COLUMNS];
};

/* 0, or -EPIPE if standard output has failed; call it from time to time. */
int line_check(void);
/* Write the remaining bytes. Returns as line_check(). */
int line_flush(struct line *line);

/* Slow path of line_bytes(), if the buffer is full. */
void line_overflow(struct line *line, const char *bytes, size_t size);

/* Put bytes, which may be more than LINE_ROOM. */
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
 * Make the next @size bytes, at most LINE_ROOM, contiguous, and return their address, which
 * is valid until more are put.
 */
const char *line_together(struct line *line, size_t size);

/* Put a text aligned to the right: "%*s". */
void line_right(struct line *line, const char *text, size_t width);
/* The same for a name from a file, with escapes: see <kermon/text.h>. */
void line_name(struct line *line, const char *name, size_t width);
/* Put a text aligned to the left: "%-*s". */
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
