// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

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

void number_brief(uint64_t value, char text[NUMBER_SIZE])
{
	static const char units[] = "kMGTPE";
	double rest = (double)value / 1000;
	size_t unit = 0;

	if (value < 10000) {
		snprintf(text, NUMBER_SIZE, "%" PRIu64, value);
		return;
	}
	while (rest >= 999.95 && units[unit + 1]) {
		rest /= 1000;
		unit++;
	}
	snprintf(text, NUMBER_SIZE, "%.*f%c",
		 rest < 9.9995 ? 3 : rest < 99.995 ? 2 : 1, rest, units[unit]);
}

void number_seconds(uint64_t ns, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
		 ns % 1000000000);
}

void number_brief_seconds(uint64_t ns, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.6f", (double)ns / 1e9);
}

void number_joules(uint64_t value, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.6f", kermon_joules(value));
}

void number_brief_joules(uint64_t value, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.3f", kermon_joules(value));
}
