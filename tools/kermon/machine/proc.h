/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to proc.c: facts about processes and threads from /proc.
 */
#ifndef KERMON_PROC_H
#define KERMON_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Process of the thread @tid; 0 if there is none. */
pid_t proc_process(pid_t tid);

/* Parent of the process @pid; 0 if there is none. */
pid_t proc_parent(pid_t pid);

/* Whether @pid is a descendant of the process @ancestor. */
bool proc_descends(pid_t pid, pid_t ancestor);

/* Whether @pid exists and is not a zombie. */
bool proc_is_alive(pid_t pid);

/* Start of process @pid in CLOCK_BOOTTIME, rounded down to 10 ms; 0 if there is none. */
uint64_t proc_start_ns(pid_t pid);

/* The system call that @tid sleeps in, -1 if it sleeps elsewhere or is a zombie. */
#define PROC_SYSCALL_UNKNOWN	(-2)	/* it is running, or access is denied */
long proc_syscall(pid_t tid);

/* The number in line "NAME:\tNUMBER" of this process's @fd; -1 without such a line. */
long proc_fdinfo(int fd, const char *name);

#endif /* KERMON_PROC_H */
