/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Select samples of a file. All others are ignored as if they had not been recorded.
 * Other records are not filtered, so names, mappings and losses are unaffected.
 *
 *	filter = kermon_filter_new();
 *	err = kermon_filter_add(filter, KERMON_FILTER_COMM, "sh,make");
 *	options.filter = filter;
 */
#ifndef KERMON_FILTER_H
#define KERMON_FILTER_H

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/**
 * enum kermon_filter_by - the property that a list selects by
 * @KERMON_FILTER_COMM: names of threads, at the time of the sample
 * @KERMON_FILTER_PID: process ids
 * @KERMON_FILTER_TID: thread ids
 * @KERMON_FILTER_CPU: CPU numbers
 * @KERMON_FILTER_DSO: files that contain the sample's address, by name as in tables
 *	or by path; "[unknown]"
 * @KERMON_FILTER_SYMBOL: functions, by name as in tables, without parameters, or as in
 *	the file; "[unknown]"
 * @KERMON_FILTER_TIME: one range, "FROM,TO" in seconds of the recording's clock, one of
 *	which may be omitted; or several parts of the recorded time: "0%-10%,50%-60%", or
 *	"10%/2" for the second tenth; or one range of times of day in the local time zone,
 *	"2026-11-25 10:29:33.5,10:30". Without a date, FROM is on the day on which the
 *	recording began, and TO is the first such time after FROM. Requires CLOCK_DATA
 */
enum kermon_filter_by {
	KERMON_FILTER_COMM,
	KERMON_FILTER_PID,
	KERMON_FILTER_TID,
	KERMON_FILTER_CPU,
	KERMON_FILTER_DSO,
	KERMON_FILTER_SYMBOL,
	KERMON_FILTER_TIME,
	KERMON_FILTER_COUNT,
};

struct kermon_filter;

/* A filter that all samples pass. Return: NULL if out of memory. */
struct kermon_filter *kermon_filter_new(void);
void kermon_filter_free(struct kermon_filter *filter);

/**
 * kermon_filter_add - restrict the samples that pass
 * @filter: must not be in use
 * @by: property of samples
 * @list: comma-separated; numbers may be ranges, "0-3,8". A comma before a space is part
 *	of a name: "f(int, int)". Copied.
 *
 * A sample passes if it matches any of the lists for each @by that was added.
 *
 * Return: 0; -EINVAL: invalid @list; -ENOMEM. After an error, @filter can only be freed.
 */
int kermon_filter_add(struct kermon_filter *filter, enum kermon_filter_by by,
		      const char *list);

KERMON_END_DECLS
#endif /* KERMON_FILTER_H */
