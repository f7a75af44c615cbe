/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to csv.c: a writer of comma-separated values, quoted as in RFC 4180.
 */
#ifndef KERMON_CSV_H
#define KERMON_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *out;
	char separator;		/* between values; 0: a comma */
	bool begun;		/* the line has a value already */
};

/*
 * Write a text: NULL is an empty value; a text with separators or quotes is quoted. Control
 * characters are escaped, see <kermon/text.h>, so that a row is always one line.
 */
void csv_text(struct csv *csv, const char *text);
void csv_number(struct csv *csv, uint64_t number);
void csv_hex(struct csv *csv, uint64_t number);
/* As number_real(); NaN is an empty value. */
void csv_real(struct csv *csv, double number);
void csv_end(struct csv *csv);

#endif /* KERMON_CSV_H */
