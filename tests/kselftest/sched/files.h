/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files by which the kernel is told and tells.
 */
#ifndef KERMON_TEST_FILES_H
#define KERMON_TEST_FILES_H

#include <stdbool.h>
#include <sys/types.h>

/* False with errno. */
bool write_file(const char *path, const char *text);

/* A field of /proc/PID/stat after the name, counted from 1 as proc(5) does. */
long long stat_field(pid_t pid, int field);

/* The state of the queues of all CPUs; those of the class are "kermon_rq[CPU]". */
#define QUEUES	"/sys/kernel/debug/sched/debug"

/*
 * The number behind the last colon of the line that begins with @name, after one
 * that begins with @section unless that is NULL; or -1.
 */
double value_in(const char *path, const char *section, const char *name);

/* In /proc/PID/sched. */
double value_of_task(pid_t pid, const char *name);

#endif /* KERMON_TEST_FILES_H */
