/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks of an application that are alive, and those that have executed a program
 * that may not be monitored, according to the side-band. Its records arrive CPU by CPU,
 * so events are ordered by their times.
 */
#ifndef KERMON_TASKS_H
#define KERMON_TASKS_H

#include <linux/perf_event.h>

#include <kermon/recorder.h>

struct tasks;

/* Return: NULL if out of memory. */
struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

/* Add a task that existed before the side-band was opened. Return: 0 or -ENOMEM. */
int tasks_add(struct tasks *tasks, pid_t pid, pid_t tid);

/* Process a record of the side-band. Return: 0 or -ENOMEM. */
int tasks_take(struct tasks *tasks, const struct perf_event_header *record);

/* All rings have been read: drop the tasks whose end was read before the previous call. */
void tasks_round(struct tasks *tasks);

/*
 * Call @fn for all tasks that have not ended and for those that are no longer
 * monitored. The latter are omitted if the side-band has lost records, because they are
 * uncertain then.
 */
void tasks_each(const struct tasks *tasks, kermon_task_fn fn, void *data);

#endif /* KERMON_TASKS_H */
