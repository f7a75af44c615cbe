/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: per-task data, separate from <linux/kermon.h> so that <linux/sched.h>
 * can embed it.
 */
#ifndef _LINUX_KERMON_TYPES_H
#define _LINUX_KERMON_TYPES_H

#include <linux/rbtree_types.h>
#include <linux/types.h>

struct kermon_app;
struct kermon_self;

/**
 * struct kermon_task - membership of a task in an application, task_struct.kermon
 * @app: RCU, written under the application's lock; NULL if not monitored
 * @node: in kermon_app.tasks
 * @pid: thread group id in the application's pid namespace
 * @tid: thread id in it; exec refreshes both, since it may change the thread id
 * @open: an interval is open on the CPU that the task runs on; accessed only by that
 *	CPU, with irqs off
 * @opened: id of the application that the open interval belongs to. The module discards
 *	the interval if that is no longer @app: a running task may have left it, and
 *	even joined another.
 * @self: what it needs to read its own counts, a reference, RCU; NULL if it does not.
 *	Written only by the task itself
 *
 * The hooks look at nothing else, neither policy nor class: a task may change both
 * while an interval is open.
 */
struct kermon_task {
	struct kermon_app __rcu *app;
	struct list_head node;
	pid_t pid;
	pid_t tid;
	bool open;
	u32 opened;
	struct kermon_self __rcu *self;
};

/**
 * struct sched_kermon_entity - per-task data of the scheduling class,
 *	task_struct.kermon_se, protected by the runqueue lock
 * @node: in kermon_rq.tasks, also while the task runs
 * @vruntime: CPU time scaled by weight, the key in the tree; valid while queued
 * @lag: CPU time, in ns at the task's weight, that the task received beyond its queue;
 *	valid while not queued. Negative if the task received less.
 * @slept_at: rq_clock() when it went to sleep
 * @recent: recent CPU time scaled by weight: halved whenever @epoch changes
 * @epoch: second in which @recent was last updated
 * @slice: CPU time in ns before the next task runs, as set by sched_setattr(); 0: the
 *	default
 * @on_rq: queued
 * @lent_policy: for a task on loan, the policy that it had before
 * @lent_priority: its real-time priority then
 * @lent_by: id of the application that moved it into the class, which it leaves with
 *	that; 0 if none did. Also cleared without the lock.
 *
 * The last three are valid only while the policy is SCHED_KERMON, and not cleared when
 * that changes: fork copies the policy without a lock, and these later
 * (init_kermon_task()).
 */
struct sched_kermon_entity {
	struct rb_node node;
	u64 vruntime;
	s64 lag;
	u64 slept_at;
	u64 recent;
	u32 epoch;
	u32 slice;
	bool on_rq;
	u8 lent_policy;
	u8 lent_priority;
	u32 lent_by;
};

#endif /* _LINUX_KERMON_TYPES_H */
