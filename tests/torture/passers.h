/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Short-lived tasks to monitor: they fork, execute programs, migrate and exit.
 * Some belong to root, some to an ordinary user, some are in namespaces.
 */
#ifndef KERMON_TORTURE_PASSERS_H
#define KERMON_TORTURE_PASSERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The ordinary user. */
#define PASSERS_USER	1000

/* 0, or -1 with errno. */
int passers_start(uint64_t seed);
void passers_stop(void);

/* Usually the pid of a passer; otherwise the caller, another task, or none. */
pid_t passers_any(void);

/* Whether this program was executed by a passer, and so has only to exit. */
bool passers_is_one(int argc, char **argv);

#endif /* KERMON_TORTURE_PASSERS_H */
