/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who of an application is alive, and who has executed a program that may not be
 * monitored, by the records of the side-band. These come CPU by CPU, so each
 * event of a task is known by its time, not by its place.
 */
#ifndef KERMON_TASKS_H
#define KERMON_TASKS_H

#include <linux/perf_event.h>

#include <kermon/recorder.h>

struct tasks;

/* NULL: no memory. */
struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

/* One that was there before the side-band: 0 or -ENOMEM. */
int tasks_add(struct tasks *tasks, pid_t pid, pid_t tid);

/* A record of the side-band: 0 or -ENOMEM. */
int tasks_take(struct tasks *tasks, const struct perf_event_header *record);

/* All rings have been read: those that had ended before the last call are forgotten. */
void tasks_round(struct tasks *tasks);

/* Those that have not ended, and those that are not monitored any more. */
void tasks_each(const struct tasks *tasks, kermon_task_fn fn, void *data);

#endif /* KERMON_TASKS_H */
