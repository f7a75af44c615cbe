// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kermon/report.h>

#include "number.h"

void number_exact(uint64_t value, char text[NUMBER_SIZE])
{
	char digits[NUMBER_SIZE];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	char *to = text;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
}

/* Four digits and one of @units, each a thousand times the one before it. */
static void brief(double value, const char *const *units, int last,
		  char text[NUMBER_SIZE])
{
	int unit = 0;

	while (value >= 999.95 && unit < last) {
		value /= 1000;
		unit++;
	}
	snprintf(text, NUMBER_SIZE, "%.*f%s",
		 value < 9.9995 ? 3 : value < 99.995 ? 2 : 1, value,
		 units[unit]);
}

void number_brief(uint64_t value, char text[NUMBER_SIZE])
{
	static const char *const units[] = { "k", "M", "G", "T", "P", "E" };

	if (value < 10000)
		snprintf(text, NUMBER_SIZE, "%" PRIu64, value);
	else
		brief((double)value / 1000, units, 5, text);
}

void number_seconds(uint64_t ns, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		 ns % 1000000000);
}

void number_brief_time(uint64_t ns, char text[NUMBER_SIZE])
{
	static const char *const units[] = { "us", "ms", "s" };

	brief((double)ns / 1000, units, 2, text);
}

void number_joules(uint64_t value, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.6f", kermon_joules(value));
}
