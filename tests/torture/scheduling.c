// SPDX-License-Identifier: GPL-2.0
/* Policy, weight, slice, affinity and core scheduling cookies. */
#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <linux/kermon.h>
#include <linux/prctl.h>

#include "actions.h"
#include "attributes.h"
#include "dice.h"
#include "victims.h"

#define MSEC	1000000ULL

static int result_of(int ret)
{
	return ret < 0 ? -errno : 0;
}

/* Set a utilization clamp. */
static void clamp(struct attributes *attr)
{
	attr->util_min = dice(1025);
	attr->util_max = dice_between(attr->util_min, 1024);
	attr->flags |= SCHED_FLAG_UTIL_CLAMP_MIN | SCHED_FLAG_UTIL_CLAMP_MAX;
}

static int set_attributes_of_any(struct attributes *attr)
{
	pid_t tid = any_thread();

	if (tid < 0)
		return -ESRCH;
	if (one_in(4))
		attr->flags |= SCHED_FLAG_RESET_ON_FORK;
	if (one_in(4))
		clamp(attr);
	return result_of(set_attributes(tid, attr));
}

int set_any_policy(void)
{
	static const int policies[] = { SCHED_KERMON, SCHED_KERMON, SCHED_OTHER,
					SCHED_BATCH, SCHED_IDLE };
	struct attributes attr = {
		.policy = policies[dice(5)],
		.nice = dice_between(-20, 19),
		.runtime = one_in(2) ? 0 : dice_between(100, 100000) * 1000ULL,
	};

	return set_attributes_of_any(&attr);
}

/*
 * At most a quarter of a CPU, subject to admission control. Reset on fork,
 * since otherwise deadline tasks may not fork (sched_fork()), and a command
 * that cannot fork fails.
 */
static struct attributes deadline(void)
{
	struct attributes attr = {
		.policy = SCHED_DEADLINE,
		.flags = SCHED_FLAG_RESET_ON_FORK,
	};

	attr.period = dice_between(2, 40) * MSEC;
	attr.deadline = attr.period;
	attr.runtime = attr.period / dice_between(4, 20);
	return attr;
}

int set_realtime_policy(void)
{
	struct attributes attr = {
		.policy = one_in(2) ? SCHED_FIFO : SCHED_RR,
		/* Below the priority of the fuzzer. */
		.priority = dice_between(1, 50),
	};

	if (one_in(3))
		attr = deadline();
	return set_attributes_of_any(&attr);
}

int set_any_affinity(void)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(dice(nr), &set);
	for (cpu = 0; cpu < nr; cpu++) {
		if (one_in(3))
			CPU_SET(cpu, &set);
	}
	return result_of(sched_setaffinity(any_thread(), sizeof(set), &set));
}

int set_any_nice(void)
{
	return result_of(setpriority(PRIO_PROCESS, any_thread(),
				     dice_between(-20, 19)));
}

/* Give a task a new cookie, or one that the fuzzer took from another task. */
int set_any_cookie(void)
{
	static const int commands[] = { PR_SCHED_CORE_CREATE,
					PR_SCHED_CORE_SHARE_FROM,
					PR_SCHED_CORE_SHARE_TO };
	int command = commands[dice(3)];
	int scope = one_in(2) ? PR_SCHED_CORE_SCOPE_THREAD :
				PR_SCHED_CORE_SCOPE_THREAD_GROUP;
	pid_t tid = any_thread();

	if (tid < 0)
		return -ESRCH;

	/* From a single thread, and never to the fuzzer and its children. */
	if (command == PR_SCHED_CORE_SHARE_FROM)
		scope = PR_SCHED_CORE_SCOPE_THREAD;
	return result_of(prctl(PR_SCHED_CORE, command, tid, scope, 0));
}
