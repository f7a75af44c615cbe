/* SPDX-License-Identifier: GPL-2.0 */
/* The victims: all tasks in two control groups, whoever started them. */
#ifndef KERMON_TORTURE_VICTIMS_H
#define KERMON_TORTURE_VICTIMS_H

#include <stdbool.h>
#include <sys/types.h>

#define GROUPS	2

/*
 * Create both groups, with the available controllers for CPUs; prints an error
 * on failure.
 */
bool victims_prepare(void);

/* The caller joins a random group. */
void victims_join(void);

/* A random thread; -1, which is never a valid task, if there is none. */
pid_t any_thread(void);
pid_t any_process(void);

/* Write to a control file of a group; 0 or -errno. */
int group_write(int group, const char *file, const char *text);

void victims_kill(void);

/*
 * Kill all victims and wait for them; returns false and prints the remaining
 * ones if that takes longer than a minute.
 */
bool victims_end(void);

#endif /* KERMON_TORTURE_VICTIMS_H */
