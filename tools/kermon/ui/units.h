/* SPDX-License-Identifier: GPL-2.0 */
/* Durations and sizes as people write them: a number and its unit, which is never left out. */
#ifndef KERMON_UNITS_H
#define KERMON_UNITS_H

#include <stdint.h>

#define UNITS_TEXT	32

/**
 * struct unit - a unit of durations or sizes; an array ends with {}
 * @name: what follows the number
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
 * "50ms" is 50000000 by duration_units. 0, or -EINVAL: no such thing; -ENODATA: a number
 * without a unit; -ERANGE: it does not fit.
 */
int unit_parse(const struct unit *units, const char *text, uint64_t *value);

/* The same backwards, by the largest unit without a fraction. */
void unit_format(const struct unit *units, uint64_t value, char text[UNITS_TEXT]);

/* "ns, us, ms, s, m or h" */
void unit_names(const struct unit *units, char text[UNITS_TEXT]);

#endif /* KERMON_UNITS_H */
