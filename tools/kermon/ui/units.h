/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to units.c: durations and sizes, which are written as a number and a unit.
 */
#ifndef KERMON_UNITS_H
#define KERMON_UNITS_H

#include <stdint.h>

#define UNITS_TEXT	32

/**
 * struct unit - a unit of durations or sizes; an array ends with {}
 * @name: unit as written after the number
 * @factor: ns or bytes
 */
struct unit {
	const char *name;
	uint64_t factor;
};

/* ns, us, ms, s, m, h */
extern const struct unit duration_units[];
/* B, K, M, G */
extern const struct unit size_units[];

/*
 * Parse "50ms", by duration_units, to 50000000. Returns 0; -ENODATA if there is no unit;
 * -ERANGE if it does not fit; -EINVAL otherwise.
 */
int unit_parse(const struct unit *units, const char *text, uint64_t *value);

/* Format a value with the largest unit that leaves an integer. */
void unit_format(const struct unit *units, uint64_t value, char text[UNITS_TEXT]);

/* Format "ns, us, ms, s, m or h". */
void unit_names(const struct unit *units, char text[UNITS_TEXT]);

#endif /* KERMON_UNITS_H */
