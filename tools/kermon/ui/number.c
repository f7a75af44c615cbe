// SPDX-License-Identifier: GPL-2.0
/*
 * Formats counts, times, energies and estimates for people.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Round to three significant digits; cannot overflow, since 2^64 rounds down to 184... */
static uint64_t round_off(uint64_t value)
{
	uint64_t unit = 1;

	while (value / unit >= 1000)
		unit *= 10;
	return (value / unit + (value % unit >= unit / 2 + unit % 2)) * unit;
}

void number_about(uint64_t value, char exact[NUMBER_SIZE],
		  char brief[NUMBER_SIZE])
{
	static const char units[] = " kMGTPE";
	uint64_t rounded = round_off(value);
	double rest = (double)rounded;
	size_t unit = 0;

	number_exact(rounded, brief);
	snprintf(exact, NUMBER_SIZE, "~%.*s", NUMBER_SIZE - 2, brief);
	while (rounded >= 10000 && rest >= 1000) {
		rest /= 1000;
		unit++;
	}
	if (unit)
		snprintf(brief, NUMBER_SIZE, "~%.*f%c",
			 rest < 10 ? 2 : rest < 100 ? 1 : 0, rest, units[unit]);
	else
		snprintf(brief, NUMBER_SIZE, "~%" PRIu64, rounded);
}

void number_about_real(double value, int decimals, char text[NUMBER_SIZE])
{
	double rounded, size;
	int digits = 2;

	/* As rounded: 0.9996 is 1.00. */
	snprintf(text, NUMBER_SIZE, "%.2e", value);
	rounded = strtod(text, NULL);
	size = fabs(rounded);
	for (; size > 0 && size < 1 && digits < decimals; size *= 10)
		digits++;
	for (; size >= 10 && digits; size /= 10)
		digits--;
	snprintf(text, NUMBER_SIZE, "~%.*f",
		 digits < decimals ? digits : decimals, rounded);
}

void number_real(double value, char text[NUMBER_SIZE])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
}

void number_joules(uint64_t value, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.6f", kermon_joules(value));
}

void number_brief_joules(uint64_t value, char text[NUMBER_SIZE])
{
	snprintf(text, NUMBER_SIZE, "%.3f", kermon_joules(value));
}
