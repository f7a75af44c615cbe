// SPDX-License-Identifier: GPL-2.0
/*
 * What the classes below keep beside a KerMon task that never sleeps: 5 ms in
 * 100 ms, on every CPU.
 *
 * The time that the class takes while others wait is added up. Once it amounts
 * to the rest of the period, the others go first until a timer has given them
 * their reserve. So a fair task runs within a period, and a KerMon task is
 * interrupted only when it must be. The deadline server of newer kernels gives
 * fair tasks bandwidth too, but no latency: it waits for most of a second.
 */
#include "kermon_compat.h"

#define KERMON_PERIOD_NS	(100 * NSEC_PER_MSEC)
#define KERMON_RESERVE_NS	(5 * NSEC_PER_MSEC)

static enum hrtimer_restart reserve_expired(struct hrtimer *timer)
{
	struct kermon_rq *kermon = container_of(timer, struct kermon_rq,
						reserve);
	struct rq *rq = container_of(kermon, struct rq, kermon);
	unsigned long flags;

	raw_spin_rq_lock_irqsave(rq, flags);
	kermon->yielding = false;
	kermon->starved = 0;
	if (kermon->nr_running &&
	    sched_class_above(&kermon_sched_class, rq->curr->sched_class))
		resched_curr(rq);
	raw_spin_rq_unlock_irqrestore(rq, flags);

	return HRTIMER_NORESTART;
}

void kermon_reserve_init(struct kermon_rq *kermon)
{
	hrtimer_init(&kermon->reserve, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_HARD);
	kermon->reserve.function = reserve_expired;
}

/* The class took @delta, ending now. */
void kermon_reserve_charge(struct rq *rq, u64 delta)
{
	struct kermon_rq *kermon = &rq->kermon;

	lockdep_assert_rq_held(rq);
	if (kermon->yielding || !kermon_others_wait(rq))
		return;

	/* Early rather than late: the next chance to look may be a tick away. */
	kermon->starved += delta;
	if (kermon->starved + TICK_NSEC < KERMON_PERIOD_NS - KERMON_RESERVE_NS)
		return;

	kermon->yielding = true;
	hrtimer_start(&kermon->reserve, ns_to_ktime(KERMON_RESERVE_NS),
		      HRTIMER_MODE_REL_HARD);
	resched_curr(rq);
}

/* A gap in which the others could take their reserve settles the account. */
void kermon_reserve_fill(struct rq *rq)
{
	if (rq_clock_task(rq) - rq->kermon.emptied >= KERMON_RESERVE_NS)
		rq->kermon.starved = 0;
}

void kermon_reserve_empty(struct rq *rq)
{
	rq->kermon.emptied = rq_clock_task(rq);
}

/* Do the others go first now? Not when they have nobody: no time is wasted. */
bool kermon_reserve_yields(struct rq *rq)
{
	return rq->kermon.yielding && kermon_others_wait(rq);
}
