// SPDX-License-Identifier: GPL-2.0
/* The system calls of a monitoring session. */
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include <kermon/session.h>

static long errno_of(long result)
{
	return result < 0 ? -errno : result;
}

/* No process has this pid, so the call fails; all that matters is whether it exists. */
int kermon_session_probe(void)
{
	int fd = kermon_session_open(-1, NULL, KERMON_FLAG_OPEN_LOG);

	if (fd >= 0)
		close(fd);
	if (fd == -ENOSYS || sched_get_priority_max(SCHED_KERMON) < 0)
		return -ENOSYS;
	return 0;
}

int kermon_session_open(pid_t pid, const struct kermon_event_set *set,
			unsigned int flags)
{
	return errno_of(syscall(KERMON_NR_SET_EVENTS, pid, set,
				set ? sizeof(*set) : 0, flags));
}

int kermon_session_schedule(pid_t pid)
{
	const struct sched_param param = { .sched_priority = 0 };

	return errno_of(sched_setscheduler(pid, SCHED_KERMON, &param));
}

ssize_t kermon_session_read(int fd, void *buf, size_t len, unsigned int flags)
{
	return errno_of(syscall(KERMON_NR_READ_EVENT_LOG, fd, buf, len, flags));
}

unsigned int kermon_session_refused(pid_t pid,
				    const struct kermon_event_set *set,
				    unsigned int flags)
{
	const struct kermon_event *events = (const void *)(uintptr_t)set->events;
	struct kermon_event_set one = *set;
	unsigned int i, refused = 0;
	int fd;

	one.nr_events = 1;
	for (i = 0; i < set->nr_events; i++) {
		one.events = (uintptr_t)&events[i];
		fd = kermon_session_open(pid, &one, flags);
		if (fd >= 0)
			close(fd);
		else if (fd == -EINVAL || fd == -EOPNOTSUPP)
			refused |= 1U << i;
	}
	return refused;
}

bool kermon_session_log_refused(pid_t pid, const struct kermon_event_set *set,
				unsigned int flags)
{
	struct kermon_event_set small = *set;
	int fd;

	small.log_bytes = KERMON_LOG_MIN_BYTES;
	small.watermark = 0;
	fd = kermon_session_open(pid, &small, flags);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}
