/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a perf.data file holds as text: events, features and records, in the words of
 * `kermon header` and `kermon dump`, or of perf script.
 */
#ifndef KERMON_PERFDATA_TEXT_H
#define KERMON_PERFDATA_TEXT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

/* "type 1, size 128, config 0x0, ...": what is 0 is left out. */
void attr_text(FILE *out, const struct perf_event_attr *attr);

/*
 * What feature @bit says, if the file has it: a line or several, name and value.
 * Return: false if there is less of it than it says.
 */
bool feature_text(const struct reader *reader, unsigned int bit,
		  void (*line)(void *context, const char *name,
			       const char *value),
		  void *context);

/*
 * Writes "name value" of each field, with commas between, by the table of record types.
 * @attr: of its event; NULL: it has none. False: the record is too short for its fields.
 */
bool record_text(FILE *out, const struct record *record,
		 const struct perf_event_attr *attr);

/*
 * As perf script prints records that are not samples: writes "PERF_RECORD_COMM exec:
 * sh:1/1", with a newline, of a record whose size is without what sample_id_all
 * appended. False: it is too short for its fields, or of a type that perf script does
 * not print; then what was written is of no use.
 */
bool record_line(FILE *out, const struct record *record);

#endif /* KERMON_PERFDATA_TEXT_H */
