// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "line.h"

/* The most digits that a 64-bit number has. */
#define DIGITS	20

int line_check(void)
{
	return ferror(stdout) ? -EPIPE : 0;
}

int line_flush(struct line *line)
{
	fwrite(line->bytes, 1, line->used, stdout);
	line->used = 0;
	return line_check();
}

void line_bytes(struct line *line, const char *bytes, size_t size)
{
	if (size > sizeof(line->bytes) - line->used)
		line_flush(line);
	if (size > sizeof(line->bytes)) {
		fwrite(bytes, 1, size, stdout);
		return;
	}
	memcpy(line->bytes + line->used, bytes, size);
	line->used += size;
}

void line_text(struct line *line, const char *text)
{
	line_bytes(line, text, strlen(text));
}

void line_char(struct line *line, char c)
{
	line_bytes(line, &c, 1);
}

static void fill_up(struct line *line, size_t have, size_t width, char fill)
{
	for (; have < width; have++)
		line_char(line, fill);
}

void line_right(struct line *line, const char *text, size_t width)
{
	size_t size = strlen(text);

	fill_up(line, size, width, ' ');
	line_bytes(line, text, size);
}

void line_left(struct line *line, const char *text, size_t width)
{
	size_t size = strlen(text);

	line_bytes(line, text, size);
	fill_up(line, size, width, ' ');
}

void line_decimal(struct line *line, uint64_t value, size_t width, char fill)
{
	char digits[DIGITS];
	size_t at = DIGITS;

	do {
		digits[--at] = '0' + value % 10;
		value /= 10;
	} while (value);
	fill_up(line, DIGITS - at, width, fill);
	line_bytes(line, digits + at, DIGITS - at);
}

void line_hex(struct line *line, uint64_t value, size_t width)
{
	char digits[DIGITS];
	size_t at = DIGITS;

	do {
		digits[--at] = "0123456789abcdef"[value % 16];
		value /= 16;
	} while (value);
	fill_up(line, DIGITS - at, width, ' ');
	line_bytes(line, digits + at, DIGITS - at);
}
