/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to counting.c: start counting for a recording, which gives a log, and
 * switch between its sets.
 */
#ifndef KERMON_COUNTING_H
#define KERMON_COUNTING_H

#include <kermon/events.h>
#include <stdbool.h>
#include <sys/types.h>

#include "request.h"

/**
 * struct counted - the target and its events
 * @request: interval and log size, from which the flags of set_events() follow
 * @count: modes of the fixed counters, KERMON_COUNT_*; 0 without any counter
 * @sets: event sets; the events of one are counted simultaneously
 * @nr_sets: length of @sets; more than 1 are rotated
 * @energy: log energy too
 * @pid: thread to pass to set_events()
 */
struct counted {
	const struct request *request;
	unsigned int count;
	const struct kermon_selection *sets;
	unsigned int nr_sets;
	bool energy;
	pid_t pid;
};

/*
 * Count only set @index from now on. On return, the log has all that was counted with
 * the previous set. Returns 0 or -errno.
 */
int counting_change(const struct counted *counted, unsigned int index);

/*
 * Return a log descriptor to close, or a negative value after a message. @lend: whether
 * to move the target into SCHED_KERMON until the log is closed; cleared if this user
 * may not, and the log is opened nevertheless.
 */
int counting_open(const struct counted *counted, bool *lend);

#endif /* KERMON_COUNTING_H */
