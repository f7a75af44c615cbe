/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is tortured: all that lives in two control groups, whoever started it.
 */
#ifndef KERMON_TORTURE_VICTIMS_H
#define KERMON_TORTURE_VICTIMS_H

#include <stdbool.h>
#include <sys/types.h>

#define GROUPS	2

/* Both groups, with the controllers that there are for CPUs; or says why not. */
bool victims_prepare(void);

/* The caller becomes one, in a group that the dice choose. */
void victims_join(void);

/* Somebody; -1 if there is nobody, which no system call takes for a task. */
pid_t any_thread(void);
pid_t any_process(void);

/* Write to a control file of a group; 0 or -errno. */
int group_write(int group, const char *file, const char *text);

void victims_kill(void);

/*
 * Kill all of them and wait until the last one is gone; false, and who is left,
 * if that takes longer than a minute.
 */
bool victims_end(void);

#endif /* KERMON_TORTURE_VICTIMS_H */
