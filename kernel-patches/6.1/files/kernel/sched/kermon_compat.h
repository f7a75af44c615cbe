/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Version differences: everything that the files of the class cannot write the
 * same way for every supported kernel. This file is for 6.1.
 */
#ifndef _KERNEL_SCHED_KERMON_COMPAT_H
#define _KERNEL_SCHED_KERMON_COMPAT_H

#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/perf_event.h>
#include <linux/sched/cputime.h>
#include <linux/security.h>

#include "sched.h"

/* Both the function and the operation had another name. */
#define wakeup_preempt	check_preempt_curr

static inline struct task_struct *kermon_curr(struct rq *rq)
{
	return rcu_dereference_protected(rq->curr,
					 lockdep_is_held(__rq_lockp(rq)));
}

static inline bool kermon_task_queued(struct task_struct *p)
{
	return task_on_rq_queued(p);
}

/* Does a lower class have a runnable task? */
static inline bool kermon_lower_waiting(struct rq *rq)
{
	return rq->cfs.h_nr_running;
}

/* This kernel has no deadline server. */
static inline bool kermon_fair_server_queued(struct rq *rq)
{
	return false;
}

/* Is a deadline task running or queued? */
static inline bool kermon_deadline_running(struct rq *rq)
{
	return READ_ONCE(rq->dl.dl_nr_running);
}

/* This kernel does not let users set the slice of the fair class. */
static inline u64 kermon_fair_slice(const struct task_struct *p)
{
	return 0;
}

/* In mmap() or fork(): @vma is new and its mm is locked for writing. */
static inline void kermon_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				       vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

/* Sysctl tables need a terminator. */
#define KERMON_SYSCTL_END	{ }

/* Their handlers get writable ones. */
#define KERMON_SYSCTL_CONST

/* No security module looks at the attributes. */
static inline int kermon_security_open(int type)
{
	struct perf_event_attr attr = { };

	return security_perf_event_open(&attr, type);
}

/*
 * As in the real-time class of this kernel; returns the time since the last
 * call.
 */
static inline s64 update_curr_common(struct rq *rq)
{
	struct task_struct *curr = kermon_curr(rq);
	u64 now = rq_clock_task(rq);
	s64 delta = now - curr->se.exec_start;

	if (delta <= 0)
		return delta;

	schedstat_set(curr->stats.exec_max,
		      max_t(u64, curr->stats.exec_max, delta));
	trace_sched_stat_runtime(curr, delta, 0);
	update_current_exec_runtime(curr, now, delta);
	return delta;
}

static inline void dequeue_task_kermon(struct rq *rq, struct task_struct *p,
				       int flags)
{
	kermon_dequeue_task(rq, p, flags);
}

static inline void put_prev_task_kermon(struct rq *rq, struct task_struct *p)
{
	kermon_put_prev_task(rq, p);
}

static inline struct task_struct *pick_next_task_kermon(struct rq *rq)
{
	struct task_struct *p = kermon_pick_task(rq);

	if (p)
		p->sched_class->set_next_task(rq, p, true);
	return p;
}

/* Operations that not every supported kernel has. */
#define KERMON_LINE_OPS	.pick_next_task = pick_next_task_kermon,

#endif /* _KERNEL_SCHED_KERMON_COMPAT_H */
