/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples of a file are looked at. All others are passed over, as if they
 * had not been recorded; other records are not: names, mappings and losses are
 * known all the same.
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
 * enum kermon_filter_by - what a list is of
 * @KERMON_FILTER_COMM: names of threads, at the time of the sample
 * @KERMON_FILTER_PID: numbers of processes
 * @KERMON_FILTER_TID: numbers of threads
 * @KERMON_FILTER_CPU: numbers of CPUs
 * @KERMON_FILTER_DSO: files that the sample's address is in: as tables name them
 *	or with their path; "[unknown]"
 * @KERMON_FILTER_SYMBOL: functions that it is in: as tables name them, without
 *	their parameters, or as the file has them; "[unknown]"
 * @KERMON_FILTER_TIME: one range: "FROM,TO" in seconds of the recording's clock, of
 *	which one may be left out; or several of the recorded time: "0%-10%,50%-60%",
 *	or "10%/2" for the second tenth
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

/* One that all samples pass. NULL: no memory. */
struct kermon_filter *kermon_filter_new(void);
void kermon_filter_free(struct kermon_filter *filter);

/**
 * kermon_filter_add - let only some samples pass
 * @filter: not in use
 * @by: what they are told by
 * @list: comma-separated; numbers may be ranges, "0-3,8". A comma before a space
 *	is part of a name: "f(int, int)". Copied.
 *
 * A sample passes if each @by that was added has the sample's in any of its lists.
 *
 * Return: 0; -EINVAL if @list makes no sense; -ENOMEM. After an error @filter is only
 * good to be freed.
 */
int kermon_filter_add(struct kermon_filter *filter, enum kermon_filter_by by,
		      const char *list);

KERMON_END_DECLS
#endif /* KERMON_FILTER_H */
