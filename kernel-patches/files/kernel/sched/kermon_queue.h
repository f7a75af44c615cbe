/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the class does at each switch and wakeup and is too short to be called: a
 * function of its own would take more instructions to enter than to execute.
 */
#ifndef _KERNEL_SCHED_KERMON_QUEUE_H
#define _KERNEL_SCHED_KERMON_QUEUE_H

#include "kermon_compat.h"
#include "stats.h"

/* In jiffies: CPU time is forgotten after a few epochs. */
#define KERMON_EPOCH		HZ

/* Are real-time or deadline tasks queued, not counting the fair server? */
static inline bool kermon_rt_or_dl_queued(struct rq *rq)
{
	return READ_ONCE(rq->rt.rt_nr_running) || kermon_deadline_running(rq);
}

/* Is there a waiting task, and one that may run elsewhere? */
static inline bool kermon_is_overloaded(struct rq *rq)
{
	return READ_ONCE(rq->kermon.nr_movable) &&
		READ_ONCE(rq->kermon.nr_running) + kermon_rt_or_dl_queued(rq) > 1;
}

static inline void kermon_update_overload(struct rq *rq)
{
	bool overloaded = kermon_is_overloaded(rq);

	lockdep_assert_rq_held(rq);
	if (overloaded != rq->kermon.overloaded)
		kermon_set_overload(rq, overloaded);
}

static inline unsigned long kermon_task_weight(const struct task_struct *p)
{
	return scale_load_down(p->se.load.weight);
}

/* The affinity and weight of @p do not change while it is queued. */
static inline void kermon_account_enqueue(struct rq *rq, struct task_struct *p)
{
	struct kermon_rq *kermon = &rq->kermon;

	if (!kermon->nr_running++)
		kermon->queued_since = rq_clock_task(rq);
	kermon->nr_movable += p->nr_cpus_allowed > 1;
	kermon->load += kermon_task_weight(p);
	kermon_update_overload(rq);
}

static inline void kermon_account_dequeue(struct rq *rq, struct task_struct *p)
{
	struct kermon_rq *kermon = &rq->kermon;

	kermon->nr_running--;
	kermon->nr_movable -= p->nr_cpus_allowed > 1;
	kermon->load -= kermon_task_weight(p);
	kermon_update_overload(rq);
}

static inline u64 kermon_recent_service(const struct sched_kermon_entity *se)
{
	u32 age = (u32)(jiffies / KERMON_EPOCH) - se->epoch;

	return age < BITS_PER_TYPE(se->recent) ? se->recent >> age : 0;
}

/* All tasks decay at the same time, so that the values are comparable. */
static inline void kermon_charge_recent(struct sched_kermon_entity *se,
					u64 virtual)
{
	se->recent = kermon_recent_service(se) + virtual;
	se->epoch = jiffies / KERMON_EPOCH;
}

/* Do lower classes go first now? Only if one has a task, so no time is wasted. */
static inline bool kermon_reserve_yields(struct rq *rq)
{
	if (sched_core_enabled(rq))
		return kermon_core_yields(rq);
	return rq->kermon.yielding && kermon_lower_waiting(rq);
}

/* The class is switched out on @rq. */
static inline void kermon_reserve_leave(struct rq *rq)
{
	rq->kermon.last_out = rq_clock_task(rq);
}

/* The class is switched in on @rq, after @prev. */
static inline void kermon_reserve_enter(struct rq *rq, struct task_struct *prev)
{
	if (sched_class_above(&kermon_sched_class, prev->sched_class))
		kermon_reserve_credit(rq, prev);
}

/* @p, queued, starts waiting for the CPU. */
static inline void kermon_stats_wait(struct rq *rq, struct task_struct *p)
{
	if (schedstat_enabled())
		__update_stats_wait_start(rq, p, &p->stats);
}

/* @p stops waiting: it runs or leaves the queue. */
static inline void kermon_stats_waited(struct rq *rq, struct task_struct *p)
{
	if (schedstat_enabled())
		__update_stats_wait_end(rq, p, &p->stats);
}

#endif /* _KERNEL_SCHED_KERMON_QUEUE_H */
