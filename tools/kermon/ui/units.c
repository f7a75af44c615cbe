// SPDX-License-Identifier: GPL-2.0
/* Parses and formats durations and sizes. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

const struct unit duration_units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60 * 1000000000ULL },
	{ "h", 3600 * 1000000000ULL },
	{}
};

const struct unit size_units[] = {
	{ "B", 1 },
	{ "K", 1 << 10 },
	{ "M", 1 << 20 },
	{ "G", 1 << 30 },
	{}
};

int unit_parse(const struct unit *units, const char *text, uint64_t *value)
{
	unsigned long long number;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -ERANGE;
	if (!*end)
		return -ENODATA;
	for (; units->name; units++) {
		if (strcmp(end, units->name))
			continue;
		if (__builtin_mul_overflow(number, units->factor, value))
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

void unit_format(const struct unit *units, uint64_t value, char text[UNITS_TEXT])
{
	while (units[1].name && !(value % units[1].factor))
		units++;
	snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", value / units->factor,
		 units->name);
}

void unit_names(const struct unit *units, char text[UNITS_TEXT])
{
	size_t length = 0;

	for (const struct unit *unit = units; unit->name; unit++)
		length += snprintf(text + length, UNITS_TEXT - length, "%s%s",
				   unit == units ? "" :
				   unit[1].name ? ", " : " or ", unit->name);
}
