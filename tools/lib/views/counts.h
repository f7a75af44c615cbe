/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What perf stat record has counted. Maps of CPUs and threads come first; then each count,
 * by event, CPU and thread; and when all of a round are there, STAT_ROUND, which shows them.
 */
#ifndef KERMON_COUNTS_H
#define KERMON_COUNTS_H

#include <kermon/profile.h>

#include "perfdata/read/read.h"

struct counts;

/*
 * Index of the event, and all of the count but its profile and event, which are to be filled
 * in. 0 to go on, anything else to stop.
 */
typedef int (*count_fn)(void *context, size_t event,
			struct kermon_profile_count *count);

/* Of the events of @reader, which lives longer. NULL: no memory. */
struct counts *counts_new(const struct reader *reader, struct damages *damages);
void counts_free(struct counts *counts);

/*
 * Takes a record in, if it is about counts. Behind each round @fn is called for each count:
 * by event, by thread, by CPU. 0, -ENOMEM, or what @fn returned.
 */
int counts_record(struct counts *counts, const struct record *record,
		  count_fn fn, void *context);

#endif /* KERMON_COUNTS_H */
