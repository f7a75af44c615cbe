/* SPDX-License-Identifier: GPL-2.0 */
/* The system calls of KerMon, which are documented in <linux/kermon.h>. */
#ifndef KERMON_SESSION_H
#define KERMON_SESSION_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/*
 * Return: 0 if the running kernel has KerMon's system calls and scheduling class,
 * -ENOSYS if it is not patched. Has no side effects.
 */
int kermon_session_probe(void);

/*
 * set_events(2) or, with KERMON_FLAG_OPEN_LOG and @set NULL, only open the log. Return:
 * a log descriptor, to be closed with close(2), or -errno.
 */
int kermon_session_open(pid_t pid, const struct kermon_event_set *set,
			unsigned int flags);

/*
 * Set the policy of thread @pid to SCHED_KERMON, which its children inherit. Return: 0 or
 * -errno of sched_setscheduler(2): -EPERM without CAP_SYS_NICE.
 */
int kermon_session_schedule(pid_t pid);

/* read_event_log(2). Return: bytes, 0 at the end of the log, or -errno. */
ssize_t kermon_session_read(int fd, void *buf, size_t len, unsigned int flags);

/*
 * Call after kermon_session_open() with the same arguments has failed with -EINVAL or
 * -EOPNOTSUPP. Return: a bit for each event of @set that is rejected even on its own; 0
 * if the events are not the reason.
 */
unsigned int kermon_session_refused(pid_t pid,
				    const struct kermon_event_set *set,
				    unsigned int flags);

/*
 * Call after kermon_session_open() has failed with -EPERM. Return: whether the size of
 * the log is the reason, because a small log is permitted.
 */
bool kermon_session_log_refused(pid_t pid, const struct kermon_event_set *set,
				unsigned int flags);

KERMON_END_DECLS
#endif /* KERMON_SESSION_H */
