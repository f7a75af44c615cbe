// SPDX-License-Identifier: GPL-2.0
/*
 * Formats numbers and texts into a buffer for standard output.
 */
#include <errno.h>
#include <kermon/text.h>
#include <stdio.h>
#include <stdlib.h>

#include "line.h"

/* Maximum number of decimal digits of a 64-bit number. */
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

void line_overflow(struct line *line, const char *bytes, size_t size)
{
	line_flush(line);
	if (size > sizeof(line->bytes)) {
		fwrite(bytes, 1, size, stdout);
		return;
	}
	memcpy(line->bytes, bytes, size);
	line->used = size;
}

const char *line_together(struct line *line, size_t size)
{
	if (line->used + size > LINE_ROOM)
		line_flush(line);
	return line->bytes + line->used;
}

/* Position of the next number, with room for 2 * LINE_COLUMNS bytes. */
static char *begin_number(struct line *line)
{
	if (line->used > LINE_ROOM)
		line_flush(line);
	return line->bytes + line->used;
}

static void fill_up(struct line *line, size_t have, size_t width)
{
	for (; have < width; have++)
		line_char(line, ' ');
}

void line_right(struct line *line, const char *text, size_t width)
{
	size_t size = strlen(text);

	fill_up(line, size, width);
	line_bytes(line, text, size);
}

void line_name(struct line *line, const char *name, size_t width)
{
	char *escaped = kermon_text_is_plain(name) ? NULL :
						     kermon_text_escaped(name);

	line_right(line, escaped ? escaped : name, width);
	free(escaped);
}

void line_left(struct line *line, const char *text, size_t width)
{
	size_t size = strlen(text);

	line_bytes(line, text, size);
	fill_up(line, size, width);
}

/* Number of decimal digits; 1233 / 4096 is slightly more than log10(2). */
static size_t nr_digits(uint64_t value)
{
	static const uint64_t powers[DIGITS] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000,
		10000000000000, 100000000000000, 1000000000000000,
		10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000U,
	};
	size_t nr = (64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return nr + (value >= powers[nr]);
}

/* Write nr_digits() digits that end at @end. */
static void put_digits(char *end, uint64_t value)
{
	static const char pairs[] =
		"00010203040506070809" "10111213141516171819"
		"20212223242526272829" "30313233343536373839"
		"40414243444546474849" "50515253545556575859"
		"60616263646566676869" "70717273747576777879"
		"80818283848586878889" "90919293949596979899";

	for (; value >= 100; value /= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
	}
	if (value < 10)
		end[-1] = '0' + value;
	else
		memcpy(end - 2, pairs + 2 * value, 2);
}

/*
 * Reserve columns for a number of @size characters, and return its end. Filling a constant
 * number of bytes is faster than filling only those needed.
 */
static char *take_columns(struct line *line, size_t size, size_t width,
			  char fill)
{
	char *at = begin_number(line);

	memset(at, fill, LINE_COLUMNS);
	if (size < width)
		size = width;
	line->used += size;
	return at + size;
}

void line_decimal(struct line *line, uint64_t value, size_t width, char fill)
{
	put_digits(take_columns(line, nr_digits(value), width, fill), value);
}

/* Returns the number of characters. */
static size_t put_signed(struct line *line, int32_t value, size_t width)
{
	uint64_t positive = value < 0 ? -(int64_t)value : value;
	size_t digits = nr_digits(positive);
	size_t size = digits + (value < 0);
	char *end = take_columns(line, size, width, ' ');

	put_digits(end, positive);
	if (value < 0)
		end[-(ptrdiff_t)size] = '-';
	return size;
}

void line_signed(struct line *line, int32_t value, size_t width)
{
	put_signed(line, value, width);
}

void line_signed_left(struct line *line, int32_t value, size_t width)
{
	fill_up(line, put_signed(line, value, 0), width);
}

/* The 16 pairs of digits that begin with @d, and all pairs. */
#define HEX_ROW(d)							\
	d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7"			\
	d "8" d "9" d "a" d "b" d "c" d "d" d "e" d "f"

static const char hex_pairs[] =
	HEX_ROW("0") HEX_ROW("1") HEX_ROW("2") HEX_ROW("3")
	HEX_ROW("4") HEX_ROW("5") HEX_ROW("6") HEX_ROW("7")
	HEX_ROW("8") HEX_ROW("9") HEX_ROW("a") HEX_ROW("b")
	HEX_ROW("c") HEX_ROW("d") HEX_ROW("e") HEX_ROW("f");

void line_hex(struct line *line, uint64_t value, size_t width)
{
	size_t size = (67 - __builtin_clzll(value | 1)) / 4;
	char *end = take_columns(line, size, width, ' ');

	for (; value >= 16; value /= 256) {
		end -= 2;
		memcpy(end, hex_pairs + 2 * (value % 256), 2);
	}
	if (size % 2)
		end[-1] = hex_pairs[2 * value + 1];
}
