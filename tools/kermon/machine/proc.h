/* SPDX-License-Identifier: GPL-2.0 */
/* What /proc says of a process or thread. */
#ifndef KERMON_PROC_H
#define KERMON_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Process of the thread @tid; 0 if there is none. */
pid_t proc_process(pid_t tid);

/* Parent of the process @pid; 0 if there is none. */
pid_t proc_parent(pid_t pid);

/* Whether @pid is below the process @ancestor. */
bool proc_descends(pid_t pid, pid_t ancestor);

/* Whether @pid is there, and not a zombie. */
bool proc_is_alive(pid_t pid);

/* When the process @pid started, by CLOCK_BOOTTIME, to 10 ms; 0 if there is none. */
uint64_t proc_start_ns(pid_t pid);

/* The system call that @tid sleeps in, -1 if it sleeps elsewhere or is a zombie. */
#define PROC_SYSCALL_UNKNOWN	(-2)	/* it is running, or may not be asked */
long proc_syscall(pid_t tid);

/* "NAME:\tNUMBER" of descriptor @fd of this process; -1 if there is no such line. */
long proc_fdinfo(int fd, const char *name);

#endif /* KERMON_PROC_H */
