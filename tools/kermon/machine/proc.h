/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to proc.c: facts about processes and threads from /proc.
 */
#ifndef KERMON_PROC_H
#define KERMON_PROC_H

#include <stdbool.h>
#include <sys/types.h>

/* Process of the thread @tid; 0 if there is none. */
pid_t proc_process(pid_t tid);

/* Whether @pid is a descendant of the process @ancestor. */
bool proc_descends(pid_t pid, pid_t ancestor);

/* Whether @pid exists and is not a zombie. */
bool proc_is_alive(pid_t pid);

/* The number in line "NAME:\tNUMBER" of this process's @fd; -1 without such a line. */
long proc_fdinfo(int fd, const char *name);

#endif /* KERMON_PROC_H */
