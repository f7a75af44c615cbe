/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What remains after a recording: processes that the command leaves running, and tasks
 * that are in SCHED_KERMON because of the recording.
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

/* The policy of thread @tid, 0 for this one; SCHED_OTHER if that cannot be read. */
struct policy policy_of(pid_t tid);

/* Number of processes that are still monitored, without that of the command. */
unsigned int leftover_count(const struct recording *recording);

/*
 * Return tasks that are in SCHED_KERMON because of the recording to the policy that the
 * command had before. Tasks with any other policy are left alone. Call it before the log
 * is closed: the kernel knows which tasks belong to it. Prints a message about tasks that
 * may or may not be of this recording and stay in the class.
 */
void leftover_leave_class(const struct recording *recording);

#endif /* KERMON_LEFTOVER_H */
