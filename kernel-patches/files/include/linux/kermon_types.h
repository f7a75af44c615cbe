/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: what every task carries, apart from <linux/kermon.h> so that
 * <linux/sched.h> can embed it.
 */
#ifndef _LINUX_KERMON_TYPES_H
#define _LINUX_KERMON_TYPES_H

#include <linux/rbtree_types.h>
#include <linux/types.h>

struct kermon_app;

/**
 * struct kermon_task - a task's share in an application, task_struct.kermon
 * @app: RCU, written under the application's lock; NULL: not monitored
 * @node: in kermon_app.tasks
 * @pid: thread group in the application's pid namespace
 * @tid: thread in it; both refreshed when exec changes the thread
 * @open: an interval is open on the CPU that the task runs on; only ever
 *	touched by that CPU with irqs off
 * @opened: the built-in half's: id of the application that the open interval
 *	is of. It drops the interval when that is not @app any more, so that
 *	the module sees @open for the interval of @app only.
 *
 * The hooks look at nothing else, neither policy nor class: a task may change
 * both while an interval is open.
 */
struct kermon_task {
	struct kermon_app __rcu *app;
	struct list_head node;
	pid_t pid;
	pid_t tid;
	bool open;
	u32 opened;
};

/**
 * struct sched_kermon_entity - a task's share in the scheduling class,
 *	task_struct.kermon_se, protected by the lock of its runqueue
 * @node: in kermon_rq.tasks, also while the task runs
 * @vruntime: weighted time on the CPU, the key in the tree; while queued
 * @lag: service that the task had beyond that of its queue, in ns of CPU time
 *	at its weight; while not queued. Negative: the queue owes it.
 * @slept_at: rq_clock() when it fell asleep
 * @recent: weighted time on the CPU of late: halved at every change of @epoch
 * @epoch: the second of the last change of @recent
 * @on_rq: queued
 */
struct sched_kermon_entity {
	struct rb_node node;
	u64 vruntime;
	s64 lag;
	u64 slept_at;
	u64 recent;
	unsigned long epoch;
	bool on_rq;
};

#endif /* _LINUX_KERMON_TYPES_H */
