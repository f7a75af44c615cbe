/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to power.c: the power of energy domains, and what an idle machine needs of it.
 */
#ifndef KERMON_POWER_H
#define KERMON_POWER_H

#include <kermon/report.h>

#include "quantity.h"
#include "values.h"

#define POWER_DOMAINS	5

/* Watts of the idle machine by domain, to be subtracted; 0: not given. */
struct idle_power {
	double watts[POWER_DOMAINS];
};

/* "pkg=12.5,ram=1.5" */
#define VALUE_idle	struct idle_power
extern const struct value_type value_idle;

/* --idle-power, into @member of @in. */
#define IDLE_OPTION(in, member)						\
	{ 0, "idle-power", "DOMAIN=WATTS,...",				\
	  "subtract the power of the idle machine from the watts of these domains", \
	  VALUE(idle, in, member) }

/* What the idle machine needs of the domain with this event; 0: not given. */
double power_idle(const char *event, const struct idle_power *idle);

/* The first domain with idle power that none of the @nr events is of; NULL: there is none. */
const char *power_without(const char *const *events, size_t nr,
			  const struct idle_power *idle);

/* Whether a column is the energy of a domain, in a file of KerMon, and not "alone". */
bool power_has(const struct kermon_report *report, size_t column);

/* Watts in a row, less those of the idle machine; NaN if unknown. */
double power_watts(const struct kermon_report *report, const uint64_t *values,
		   size_t column, const struct idle_power *idle);

/* Peak of a row, likewise; @table NULL: of the whole recording. */
double power_peak(const struct kermon_report *report, const struct kermon_table *table,
		  size_t row, size_t column, const struct idle_power *idle);

/* Watts of the whole recording, less those of the idle machine; NaN if unknown. */
double power_average(const struct kermon_report *report, size_t column,
		     const struct idle_power *idle);

/* Whether anything is subtracted from a column. */
bool power_is_above_idle(const struct kermon_report *report, size_t column,
			 const struct idle_power *idle);

/* Heading of a column of watts: "package [W] shared", "package peak [W] above idle". */
void power_heading(const struct kermon_report *report, size_t column, bool peak,
		   const struct idle_power *idle, char heading[HEADING_SIZE]);

/* The first domain with idle power that the file has no energy of; NULL: there is none. */
const char *power_missing(const struct kermon_report *report, const struct idle_power *idle);

#endif /* KERMON_POWER_H */
