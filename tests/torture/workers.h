/* SPDX-License-Identifier: GPL-2.0 */
/* Processes that keep the scheduler busy, each kind in its own way. */
#ifndef KERMON_TORTURE_WORKERS_H
#define KERMON_TORTURE_WORKERS_H

/* Start @nr workers or, if there is a @command, that command repeatedly. */
void workers_start(unsigned int nr, char **command);

/* Reap exited workers and start others in their place. */
void workers_reap(void);

/* Stop replacing workers. */
void workers_forget(void);

/* Number of workers not reaped yet. */
unsigned int workers_left(void);

/* Number of times that the command exited by itself, and that it failed. */
extern unsigned int commands_ended, commands_failed;

#endif /* KERMON_TORTURE_WORKERS_H */
