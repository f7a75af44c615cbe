/* SPDX-License-Identifier: GPL-2.0 */
/* Reading and writing files in /proc, /sys and cgroups. */
#ifndef KERMON_TEST_FILES_H
#define KERMON_TEST_FILES_H

#include <stdbool.h>
#include <sys/types.h>

/* False with errno. */
bool write_file(const char *path, const char *text);

/* Field of /proc/PID/stat after the name, numbered from 1 as in proc(5). */
long long stat_field(pid_t pid, int field);

/* State of the queues of all CPUs; those of the class are "kermon_rq[CPU]". */
#define QUEUES	"/sys/kernel/debug/sched/debug"

/*
 * The number after the last colon of the first line that begins with @name,
 * after one that begins with @section unless that is NULL; -1 if there is none.
 */
double value_in(const char *path, const char *section, const char *name);

/* In /proc/PID/sched. */
double value_of_task(pid_t pid, const char *name);

#endif /* KERMON_TEST_FILES_H */
