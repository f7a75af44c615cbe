/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to digits.c: numbers for programs, many of them: several times as fast as
 * fprintf(3).
 */
#ifndef KERMON_DIGITS_H
#define KERMON_DIGITS_H

#include <stdint.h>
#include <stdio.h>

/* An integer. */
void digits_put(FILE *out, uint64_t value);
/* Seconds, to the last nanosecond, without zeros at the end: "1.5" */
void digits_put_seconds(FILE *out, uint64_t ns);
/* A number, integers with all digits and others with nine; NaN and infinities as @none. */
void digits_put_real(FILE *out, double value, const char *none);

#endif /* KERMON_DIGITS_H */
