/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of comma-separated values, quoted as in RFC 4180, each ended by a newline. */
#ifndef KERMON_CSV_H
#define KERMON_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *out;
	bool begun;		/* the line has a value already */
};

/*
 * NULL is an empty value; what has commas or quotes is quoted. Control characters are
 * written as escapes, see <kermon/text.h>: a row is always one line.
 */
void csv_text(struct csv *csv, const char *text);
void csv_number(struct csv *csv, uint64_t number);
void csv_hex(struct csv *csv, uint64_t number);
/* As number_real(); NaN is an empty value. */
void csv_real(struct csv *csv, double number);
void csv_end(struct csv *csv);

#endif /* KERMON_CSV_H */
