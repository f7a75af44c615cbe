/* SPDX-License-Identifier: GPL-2.0 */
/* A record as text, by the table of records. */
#ifndef KERMON_PERFDATA_RECORD_TEXT_H
#define KERMON_PERFDATA_RECORD_TEXT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>

#include "perfdata/format/record.h"

/*
 * Writes "name value" of each field, with commas between. @attr: of its event;
 * NULL: it has none. False: the record is too short for its fields.
 */
bool record_text(FILE *out, const struct record *record,
		 const struct perf_event_attr *attr);

#endif /* KERMON_PERFDATA_RECORD_TEXT_H */
