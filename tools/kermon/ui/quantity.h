/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to quantity.c: headings, units and digits of sums of events in tables.
 */
#ifndef KERMON_QUANTITY_H
#define KERMON_QUANTITY_H

#include <kermon/report.h>

#include "number.h"

#define HEADING_SIZE	128

/* Below tables with estimates. */
#define ESTIMATE_LEGEND	"~: estimates: an interval is counted entirely where and when it ended."

/* The unit in which sums are shown: " [s]"; "" for numbers of events. */
const char *quantity_unit(const struct kermon_column *column);

/* The modes that an event counts in, by its name or else its attr: ":u", ":uk". */
const char *quantity_modes(const struct kermon_column *column);

/* A sum in that unit; an estimate with a '~' and three digits. */
void quantity_format(const struct kermon_column *column, uint64_t sum,
		     bool estimate, char exact[NUMBER_SIZE],
		     char brief[NUMBER_SIZE]);

/*
 * The heading of @columns[@index] among the @nr columns of a table: a few words, with the
 * modes of the event (":u") if another column has the same words.
 */
void quantity_heading(const struct kermon_column *const *columns, size_t nr,
		      size_t index, char heading[HEADING_SIZE]);

#endif /* KERMON_QUANTITY_H */
