/* SPDX-License-Identifier: GPL-2.0 */
/* Credentials of the caller, and the permission level of the system. */
#ifndef KERMON_TEST_CREDENTIALS_H
#define KERMON_TEST_CREDENTIALS_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "log.h"

#define NOBODY		65534
#define SOMEBODY	1000

/* For set_counters_group(): the group of SOMEBODY. */
#define GROUP_OF_SOMEBODY	"1000 1000"

#define CAPABILITY(number)	(1ULL << (number))

/* Below /proc/sys. */
#define PARANOID	"kernel/perf_event_paranoid"
#define MLOCK_KB	"kernel/perf_event_mlock_kb"
#define RDPMC_POLICY	"kernel/kermon_rdpmc"
#define SUID_DUMPABLE	"fs/suid_dumpable"
#define YAMA		"kernel/yama/ptrace_scope"

/* Returns -100 if it cannot be read. */
int get_sysctl(const char *name);
bool set_sysctl(const char *name, int value);

/* Members of which groups may occupy counters: "FIRST LAST", "1 0" for none. */
bool set_counters_group(const char *range);

/* What set_events() says to @uid who counts with the modes @count: 0 or errno. */
int count_as(uid_t uid, __u32 count);

/* Become an ordinary user who keeps only the capabilities in @mask. */
void become(uid_t uid, __u64 mask);

/* Become an ordinary user who is also in @group, as after "usermod -aG". */
void become_member(uid_t uid, gid_t group);

/* Start a child that waits; it has become @uid when this returns. */
void start_as(struct child *child, uid_t uid);

/*
 * The same, and it is root of a new user namespace, where @uid is not mapped.
 */
void start_contained(struct child *child, uid_t uid);

/*
 * Become @uid, the creator of the user namespace of @pid, enter that namespace,
 * and keep only the capabilities in @mask there.
 */
void become_contained(uid_t uid, pid_t pid, __u64 mask);

#endif /* KERMON_TEST_CREDENTIALS_H */
