/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What outlives a recording: processes that the command leaves running, and tasks that
 * are in SCHED_KERMON because of the recording.
 */
#ifndef KERMON_LEFTOVER_H
#define KERMON_LEFTOVER_H

#include <sched.h>

struct recording;

/**
 * struct policy - how a task is scheduled
 * @number: SCHED_*
 * @param: its priority
 */
struct policy {
	int number;
	struct sched_param param;
};

/* The policy of thread @tid; SCHED_OTHER if that cannot be read. */
struct policy policy_of(pid_t tid);

/* The number of processes still monitored, not counting the command's own. */
unsigned int leftover_count(const struct recording *recording);

/*
 * Returns tasks that are in SCHED_KERMON because of the recording to the policy that the
 * command had before. Tasks with any other policy are left alone. Call it before the log
 * is closed: the kernel knows which tasks belong to it.
 */
void leftover_leave_class(const struct recording *recording);

#endif /* KERMON_LEFTOVER_H */
