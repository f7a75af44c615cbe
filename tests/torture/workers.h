/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that keep a scheduler busy, each kind in a way of its own.
 */
#ifndef KERMON_TORTURE_WORKERS_H
#define KERMON_TORTURE_WORKERS_H

/* So many of them; or, if there is a @command, that one, again and again. */
void workers_start(unsigned int nr, char **command);

/* Take leave of who has ended, and replace workers. */
void workers_reap(void);

/* Do not replace them any more. */
void workers_forget(void);

/* How many have not been taken leave of. */
unsigned int workers_left(void);

/* How often the command has ended by itself, and how often badly. */
extern unsigned int commands_ended, commands_failed;

#endif /* KERMON_TORTURE_WORKERS_H */
