/* SPDX-License-Identifier: GPL-2.0 */
/* Sums of events in the tables that people read: their headings, units and digits. */
#ifndef KERMON_QUANTITY_H
#define KERMON_QUANTITY_H

#include <kermon/report.h>

#include "number.h"

#define HEADING_SIZE	128

/* Below tables with estimates. */
#define ESTIMATE_LEGEND	"~: estimates: an interval is counted entirely where and when it ended."

/* " [s]": the unit that sums are shown in; "" if they are numbers of events. */
const char *quantity_unit(const struct kermon_column *column);

/* ":u", ":uk": the modes that an event counts in, as its name or else its attr says. */
const char *quantity_modes(const struct kermon_column *column);

/* A sum in that unit; an estimate with a '~' and three digits. */
void quantity_format(const struct kermon_column *column, uint64_t sum,
		     bool estimate, char exact[NUMBER_SIZE],
		     char brief[NUMBER_SIZE]);

/*
 * The heading of @columns[@index], of @nr that stand beside each other: a few words,
 * with the modes of the event (":u") if there is another with these words.
 */
void quantity_heading(const struct kermon_column *const *columns, size_t nr,
		      size_t index, char heading[HEADING_SIZE]);

#endif /* KERMON_QUANTITY_H */
