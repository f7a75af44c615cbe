/* SPDX-License-Identifier: GPL-2.0 */
/* Records that are no samples, as perf script prints them. */
#ifndef KERMON_PERFDATA_RECORD_LINE_H
#define KERMON_PERFDATA_RECORD_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "perfdata/format/record.h"

/*
 * Writes "PERF_RECORD_COMM exec: sh:1/1", with a newline, of a record whose size is
 * without what sample_id_all appended. False: it is too short for its fields, or of a
 * type that perf script does not print; then what was written is of no use.
 */
bool record_line(FILE *out, const struct record *record);

#endif /* KERMON_PERFDATA_RECORD_LINE_H */
