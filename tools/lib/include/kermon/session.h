/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls of KerMon, see <linux/kermon.h> for what they mean.
 */
#ifndef KERMON_SESSION_H
#define KERMON_SESSION_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/*
 * 0 if the running kernel has KerMon's system calls and scheduling class,
 * -ENOSYS if it is not patched. Changes nothing.
 */
int kermon_session_probe(void);

/*
 * set_events(2) and sched_setscheduler(2): a log descriptor or -errno. @set is
 * NULL with KERMON_SET_OPEN_LOG. Close the descriptor with close(2).
 */
int kermon_session_open(pid_t pid, const struct kermon_event_set *set,
			unsigned int flags);

/* Makes thread @pid SCHED_KERMON; its children inherit that. */
int kermon_session_schedule(pid_t pid);

/* read_event_log(2): bytes, 0 at the end of the log, or -errno. */
ssize_t kermon_session_read(int fd, void *buf, size_t len, unsigned int flags);

/*
 * After kermon_session_open(), called with the same, failed with -EINVAL or
 * -EOPNOTSUPP: a bit for
 * each event of @set that is refused even when it is alone; 0 if it is not the
 * events.
 */
unsigned int kermon_session_refused(pid_t pid,
				    const struct kermon_event_set *set,
				    unsigned int flags);

/*
 * After kermon_session_open() failed with -EPERM: whether it is the size of the log,
 * for a small one is let.
 */
bool kermon_session_log_refused(pid_t pid, const struct kermon_event_set *set,
				unsigned int flags);

KERMON_END_DECLS
#endif /* KERMON_SESSION_H */
