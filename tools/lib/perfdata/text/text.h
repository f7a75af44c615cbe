/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of perf.data files as text: events, features and records, in the formats
 * of `kermon header` and `kermon dump`, or of perf script.
 */
#ifndef KERMON_PERFDATA_TEXT_H
#define KERMON_PERFDATA_TEXT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

/* "type 1, size 128, config 0x0, ...": fields that are 0 are omitted. */
void attr_text(FILE *out, const struct perf_event_attr *attr);

/*
 * Call @line for the name and value of each line of feature @bit, if the file has it.
 * Return: false if the feature is truncated.
 */
bool feature_text(const struct reader *reader, unsigned int bit,
		  void (*line)(void *context, const char *name,
			       const char *value),
		  void *context);

/*
 * Print "name value" for each field, separated by commas, according to the table of
 * record types. @attr: of its event; NULL: it has none. Return: false if the record is
 * too short for its fields.
 */
bool record_text(FILE *out, const struct record *record,
		 const struct perf_event_attr *attr);

/*
 * Print a record other than a sample like perf script: "PERF_RECORD_COMM exec: sh:1/1"
 * and a newline. The size of the record excludes the trailer of sample_id_all. Return:
 * false if it is too short for its fields, or perf script does not print its type; then
 * discard the output.
 */
bool record_line(FILE *out, const struct record *record);

#endif /* KERMON_PERFDATA_TEXT_H */
