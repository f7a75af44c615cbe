/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who outlives a recording: processes that the command has left running, and those
 * that were put into SCHED_KERMON for it.
 */
#ifndef KERMON_LEFTOVER_H
#define KERMON_LEFTOVER_H

#include <sched.h>

struct recording;

/**
 * struct policy - how a task was scheduled before
 * @number: SCHED_*
 * @param: priority
 */
struct policy {
	int number;
	struct sched_param param;
};

/* Of thread @tid. */
struct policy policy_of(pid_t tid);

/* Processes that are still monitored, the command's own aside. */
unsigned int leftover_count(const struct recording *recording);

/*
 * Puts what has entered SCHED_KERMON for the recording back to the policy that the
 * command had before. Who has changed it since is left alone. The log is still open.
 */
void leftover_leave_class(const struct recording *recording);

#endif /* KERMON_LEFTOVER_H */
