/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts in recordings of perf stat. Maps of CPUs and threads come first, then each
 * count by event, CPU and thread. A round ends with STAT_ROUND, at which its counts are
 * reported.
 */
#ifndef KERMON_COUNTS_H
#define KERMON_COUNTS_H

#include <kermon/profile.h>

#include "perfdata/read/read.h"

struct counts;

/*
 * Called with the index of the event and all fields of the count except profile and
 * event, which the callee sets. Return: 0 to continue, anything else to stop.
 */
typedef int (*count_fn)(void *context, size_t event,
			struct kermon_profile_count *count);

/*
 * Counts of the events of @reader, which must outlive them. Return: NULL if out of
 * memory.
 */
struct counts *counts_new(const struct reader *reader, struct damages *damages);
void counts_free(struct counts *counts);

/*
 * Process a record if it is about counts. After each round, @fn is called for each
 * count: by event, by thread, by CPU. Return: 0, -ENOMEM, or the result of @fn.
 */
int counts_record(struct counts *counts, const struct record *record,
		  count_fn fn, void *context);

#endif /* KERMON_COUNTS_H */
