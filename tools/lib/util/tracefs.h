/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's tracepoints, as tracefs describes them. */
#ifndef KERMON_TRACEFS_H
#define KERMON_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

#define TRACEFS_NAME	128

/*
 * Find the id of tracepoint @name, "sched:sched_switch". Return: 0; -ENXIO: tracefs is not
 * mounted; -EACCES: this user may not read it; -ENOENT: there is no such tracepoint.
 */
int tracefs_id(const char *name, uint64_t *id);

/*
 * Call @fn with the name of each tracepoint that matches @pattern, "sched:sched_*", in the
 * order of the alphabet, until it returns non-zero, which is returned. Otherwise 0, or as
 * tracefs_id().
 */
int tracefs_each(const char *pattern, int (*fn)(void *data, const char *name), void *data);

/*
 * Contents of a file below the mount point, "events/header_page"; free it. Return: its size or
 * -errno.
 */
long tracefs_read(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* KERMON_TRACEFS_H */
