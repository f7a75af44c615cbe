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

#endif /* KERMON_TEST_FILES_H */
