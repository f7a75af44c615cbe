// SPDX-License-Identifier: GPL-2.0
/* Formats many numbers for programs. */
#include <math.h>
#include <string.h>

#include "digits.h"

#define DIGITS_SIZE	24
#define NS_DIGITS	9

/* The digits of @value, at least @least of them, before @end. Returns where they begin. */
static char *before(char *end, uint64_t value, int least)
{
	do {
		*--end = '0' + value % 10;
		value /= 10;
	} while (--least > 0 || value);
	return end;
}

void digits_put(FILE *out, uint64_t value)
{
	char text[DIGITS_SIZE], *end = text + sizeof(text);
	char *begin = before(end, value, 1);

	fwrite_unlocked(begin, 1, end - begin, out);
}

void digits_put_seconds(FILE *out, uint64_t ns)
{
	char text[DIGITS_SIZE], *end = text + sizeof(text);
	char *begin = before(end, ns % 1000000000, NS_DIGITS);

	digits_put(out, ns / 1000000000);
	while (end > begin && end[-1] == '0')
		end--;
	if (end == begin)
		return;
	*--begin = '.';
	fwrite_unlocked(begin, 1, end - begin, out);
}

/* Integers up to this are exact as floating-point numbers. */
#define EXACT	9007199254740992.0

void digits_put_real(FILE *out, double value, const char *none)
{
	char text[DIGITS_SIZE + 8];
	size_t length;

	if (value >= 0 && value <= EXACT && value == floor(value)) {
		digits_put(out, (uint64_t)value);
		return;
	}
	if (isfinite(value)) {
		length = snprintf(text, sizeof(text), "%.9g", value);
		fwrite_unlocked(text, 1, length, out);
	} else {
		fwrite_unlocked(none, 1, strlen(none), out);
	}
}
