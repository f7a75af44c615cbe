/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of this kernel line: all that the files of the class cannot spell
 * the same way for every kernel. This is 6.1.
 */
#ifndef _KERNEL_SCHED_KERMON_COMPAT_H
#define _KERNEL_SCHED_KERMON_COMPAT_H

#include <linux/mmu_context.h>
#include <linux/sched/cputime.h>

#include "sched.h"

/* The function and the operation. */
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

/* Does a class below have somebody who wants to run? */
static inline bool kermon_others_wait(struct rq *rq)
{
	return rq->cfs.h_nr_running;
}

/* This kernel has no deadline server. */
static inline bool kermon_is_served(struct rq *rq)
{
	return false;
}

/* Does a deadline task have this CPU or wait for it? */
static inline bool kermon_deadline_running(struct rq *rq)
{
	return READ_ONCE(rq->dl.dl_nr_running);
}

/* The slice that the user asked for: this kernel does not let users ask. */
static inline u64 kermon_custom_slice(const struct task_struct *p)
{
	return 0;
}

/* A last entry says where a table of sysctls ends. */
#define KERMON_SYSCTL_END	{ }

/* As the real-time class does it here; returns the time since the last call. */
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

/* Operations that not every kernel asks for. */
#define KERMON_LINE_OPS	.pick_next_task = pick_next_task_kermon,

#endif /* _KERNEL_SCHED_KERMON_COMPAT_H */
