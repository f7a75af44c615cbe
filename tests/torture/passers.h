/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that come, multiply, execute programs, move from CPU to CPU and go, to be
 * monitored meanwhile: some are root's, some a user's, some in namespaces.
 */
#ifndef KERMON_TORTURE_PASSERS_H
#define KERMON_TORTURE_PASSERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Who some of them are. */
#define PASSERS_USER	1000

/* 0, or -1 with errno. */
int passers_start(uint64_t seed);
void passers_stop(void);

/* One of them, mostly; else the caller, somebody else, or nobody. */
pid_t passers_any(void);

/* The program was executed by one of them: it has nothing to do but to end. */
bool passers_is_one(int argc, char **argv);

#endif /* KERMON_TORTURE_PASSERS_H */
