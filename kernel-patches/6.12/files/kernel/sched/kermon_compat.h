/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of this kernel line: all that the files of the class cannot spell
 * the same way for every kernel. This is 6.12.
 */
#ifndef _KERNEL_SCHED_KERMON_COMPAT_H
#define _KERNEL_SCHED_KERMON_COMPAT_H

#include <linux/mmu_context.h>

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

/* Does a class below have somebody who wants to run? */
static inline bool kermon_others_wait(struct rq *rq)
{
#ifdef CONFIG_SCHED_CLASS_EXT
	if (rq->scx.nr_running)
		return true;
#endif
	return rq->cfs.h_nr_runnable;
}

/* Is it the turn of the fair class, by its deadline server? */
static inline bool kermon_is_served(struct rq *rq)
{
	return !RB_EMPTY_NODE(&rq->fair_server.rb_node);
}

/*
 * Does a deadline task have this CPU or wait for it? The server of fair tasks
 * counts as one while it is queued, but they are below.
 */
static inline bool kermon_deadline_running(struct rq *rq)
{
	return READ_ONCE(rq->dl.dl_nr_running) > kermon_is_served(rq);
}

/* The slice that the user asked for with sched_setattr(), 0: none. */
static inline u64 kermon_custom_slice(const struct task_struct *p)
{
	return p->se.custom_slice ? p->se.slice : 0;
}

/* Tables of sysctls know their size, and have no last entry to say it. */
#define KERMON_SYSCTL_END

/* Returns whether @p is off the queue, not merely on its way. */
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

/* Operations that not every kernel asks for. */
#ifdef CONFIG_SCHED_CORE
static inline int task_is_throttled_kermon(struct task_struct *p, int cpu)
{
	return kermon_reserve_yields(cpu_rq(cpu));
}

#define KERMON_LINE_OPS	.task_is_throttled = task_is_throttled_kermon,
#else
#define KERMON_LINE_OPS
#endif

#endif /* _KERNEL_SCHED_KERMON_COMPAT_H */
