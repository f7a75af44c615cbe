/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to number.c: numbers formatted for people.
 */
#ifndef KERMON_NUMBER_H
#define KERMON_NUMBER_H

#include <stdint.h>

#define NUMBER_SIZE	32

/* "1,234,567" */
void number_exact(uint64_t value, char text[NUMBER_SIZE]);
/* "1.235M": four digits; up to 9999 the number itself */
void number_brief(uint64_t value, char text[NUMBER_SIZE]);
/* "1.234567891": seconds, to the last nanosecond */
void number_seconds(uint64_t ns, char text[NUMBER_SIZE]);
/* "1.234568": the same, to the microsecond */
void number_brief_seconds(uint64_t ns, char text[NUMBER_SIZE]);
/*
 * Estimates: "~1,230,000" and "~1.23M", with three significant digits; a real number as
 * "~0.0123", with at most @decimals decimals.
 */
void number_about(uint64_t value, char exact[NUMBER_SIZE],
		  char brief[NUMBER_SIZE]);
void number_about_real(double value, int decimals, char text[NUMBER_SIZE]);
/* For programs, the fewest digits that read back as the same number: "0.1" */
void number_real(double value, char text[NUMBER_SIZE]);
/* "12.345678": joules, to the microjoule */
void number_joules(uint64_t value, char text[NUMBER_SIZE]);
/* "12.346": to the millijoule */
void number_brief_joules(uint64_t value, char text[NUMBER_SIZE]);

#endif /* KERMON_NUMBER_H */
