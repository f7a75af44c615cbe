/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to power.c: the power of energy domains, and what an idle machine needs of it.
 */
#ifndef KERMON_POWER_H
#define KERMON_POWER_H

#include <kermon/report.h>

#include "values.h"

#define POWER_DOMAINS	5

/* Watts of the idle machine by domain, to be subtracted; 0: not given. */
struct idle_power {
	double watts[POWER_DOMAINS];
};

/* "pkg=12.5,ram=1.5" */
#define VALUE_idle	struct idle_power
extern const struct value_type value_idle;

/* Whether a column is the energy of a domain, in a file of KerMon, and not "alone". */
bool power_has(const struct kermon_report *report, size_t column);

/* Watts in a row, less those of the idle machine; NaN if unknown. */
double power_watts(const struct kermon_report *report, const uint64_t *values,
		   size_t column, const struct idle_power *idle);

/* Whether anything is subtracted from a column. */
bool power_is_above_idle(const struct kermon_report *report, size_t column,
			 const struct idle_power *idle);

/* The first domain with idle power that the file has no energy of; NULL: there is none. */
const char *power_missing(const struct kermon_report *report, const struct idle_power *idle);

#endif /* KERMON_POWER_H */
