/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of the class on loan share. */
#ifndef LENT_H
#define LENT_H

#include <sched.h>
#include <unistd.h>

#include "log.h"

static inline int set_policy(pid_t pid, int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(pid, policy, &param);
}

static inline int lend(pid_t pid, unsigned int flags)
{
	const struct kermon_event_set set = time_set();

	return set_events(pid, &set, sizeof(set), flags | KERMON_FLAG_LEND_CLASS);
}

static inline void wait_for(const int *value, int expected)
{
	while (__atomic_load_n(value, __ATOMIC_ACQUIRE) != expected)
		usleep(500);
}

static inline void say(int *value, int what)
{
	__atomic_store_n(value, what, __ATOMIC_RELEASE);
}

static inline int wait_here(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return 0;
}

#endif /* LENT_H */
