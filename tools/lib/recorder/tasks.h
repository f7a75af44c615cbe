/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks of an application that are alive, and those that have executed a program that
 * may not be monitored, according to the side-band. Its records come CPU by CPU, so events
 * are ordered by their times.
 */
#ifndef KERMON_TASKS_H
#define KERMON_TASKS_H

#include <linux/perf_event.h>

#include <kermon/recorder.h>

struct tasks;

/* NULL if there is no memory. */
struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

/* Adds a task that is older than the side-band: 0 or -ENOMEM. */
int tasks_add(struct tasks *tasks, pid_t pid, pid_t tid);

/* Takes a record of the side-band: 0 or -ENOMEM. */
int tasks_take(struct tasks *tasks, const struct perf_event_header *record);

/* All rings have been read: drops the tasks that had ended by the call before this one. */
void tasks_round(struct tasks *tasks);

/*
 * Calls @fn for the tasks that have not ended and for those that are no longer monitored.
 * The latter are left out if the side-band has lost records, as that is not certain then.
 */
void tasks_each(const struct tasks *tasks, kermon_task_fn fn, void *data);

#endif /* KERMON_TASKS_H */
