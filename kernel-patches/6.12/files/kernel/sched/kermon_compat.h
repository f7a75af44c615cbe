/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Version differences: everything that the files of the class cannot write the
 * same way for every supported kernel. This file is for 6.12.
 */
#ifndef _KERNEL_SCHED_KERMON_COMPAT_H
#define _KERNEL_SCHED_KERMON_COMPAT_H

#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/security.h>

#include "sched.h"

static inline struct task_struct *kermon_curr(struct rq *rq)
{
	return rcu_dereference_protected(rq->curr,
					 lockdep_is_held(__rq_lockp(rq)));
}

/* A delayed dequeue leaves a sleeping fair task on the queue. */
static inline bool kermon_task_queued(struct task_struct *p)
{
	return task_on_rq_queued(p) && !p->se.sched_delayed;
}

/* Does a lower class have a runnable task? */
static inline bool kermon_lower_waiting(struct rq *rq)
{
#ifdef CONFIG_SCHED_CLASS_EXT
	if (rq->scx.nr_running)
		return true;
#endif
	return rq->cfs.h_nr_runnable;
}

/* Is the deadline server of the fair class queued? */
static inline bool kermon_fair_server_queued(struct rq *rq)
{
	return !RB_EMPTY_NODE(&rq->fair_server.rb_node);
}

/*
 * Is a deadline task running or queued? The fair server counts as one while it
 * is queued, but runs fair tasks.
 */
static inline bool kermon_deadline_running(struct rq *rq)
{
	return READ_ONCE(rq->dl.dl_nr_running) > kermon_fair_server_queued(rq);
}

/* The slice of the fair class set by sched_setattr(), 0 if there is none. */
static inline u64 kermon_fair_slice(const struct task_struct *p)
{
	return p->se.custom_slice ? p->se.slice : 0;
}

/* In mmap() or fork(): @vma is new and its mm is locked for writing. */
static inline void kermon_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				       vm_flags_t clear)
{
	vm_flags_mod(vma, set, clear);
}

/* Sysctl tables know their size and need no terminator. */
#define KERMON_SYSCTL_END

/* Their handlers get them as constants. */
#define KERMON_SYSCTL_CONST const

static inline int kermon_security_open(int type)
{
	return security_perf_event_open(type);
}

/* Returns false if the dequeue is delayed, which it never is here. */
static inline bool dequeue_task_kermon(struct rq *rq, struct task_struct *p,
				       int flags)
{
	kermon_dequeue_task(rq, p, flags);
	return true;
}

static inline void put_prev_task_kermon(struct rq *rq, struct task_struct *p,
					struct task_struct *next)
{
	kermon_put_prev_task(rq, p);
}

/* Operations that not every supported kernel has. */
#ifdef CONFIG_SCHED_CORE
static inline int task_is_throttled_kermon(struct task_struct *p, int cpu)
{
	return kermon_core_yields(cpu_rq(cpu));
}

#define KERMON_LINE_OPS	.task_is_throttled = task_is_throttled_kermon,
#else
#define KERMON_LINE_OPS
#endif

#endif /* _KERNEL_SCHED_KERMON_COMPAT_H */
