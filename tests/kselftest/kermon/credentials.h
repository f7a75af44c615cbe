/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who asks, and how strict the machine is.
 */
#ifndef KERMON_TEST_CREDENTIALS_H
#define KERMON_TEST_CREDENTIALS_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "log.h"

#define NOBODY		65534
#define SOMEBODY	1000

#define CAPABILITY(number)	(1ULL << (number))

/* Of /proc/sys. */
#define PARANOID	"kernel/perf_event_paranoid"
#define MLOCK_KB	"kernel/perf_event_mlock_kb"
#define SUID_DUMPABLE	"fs/suid_dumpable"

/* -100: it cannot be read. */
int get_sysctl(const char *name);
bool set_sysctl(const char *name, int value);

/* The caller keeps the capabilities of @mask only, as an ordinary user. */
void become(uid_t uid, __u64 mask);

/* A child that has become @uid by the time this returns, and waits. */
void start_as(struct child *child, uid_t uid);

/* One that is, besides, root of a new user namespace, where @uid is not mapped. */
void start_contained(struct child *child, uid_t uid);

/*
 * The caller becomes @uid, who made the user namespace of @pid, goes there, and
 * keeps the capabilities of @mask only, which it has there.
 */
void become_contained(uid_t uid, pid_t pid, __u64 mask);

#endif /* KERMON_TEST_CREDENTIALS_H */
