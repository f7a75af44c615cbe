// SPDX-License-Identifier: GPL-2.0
/*
 * What the classes below keep beside a KerMon task that never sleeps: 5 ms in
 * 100 ms of the time that the classes above leave, on every CPU, unless the
 * administrator sets another reserve.
 *
 * The time that the class takes while others wait is added up, and time that
 * they get, by whatever way, is subtracted at the rate of the reserve. Once it
 * amounts to the rest of the period, the others go first until a timer has
 * given them their reserve. So a fair task runs within a period, and a KerMon
 * task is interrupted only when it must be. The deadline server of newer kernels
 * gives fair tasks bandwidth too, but no latency: it waits for most of a second.
 */
#include <linux/sysctl.h>

#include "kermon_compat.h"

/*
 * The period is shorter than what is promised: the end of a turn is seen at a
 * tick only; and the others get a little more than the 50 ms in a second after
 * which the deadline server does not step in, in addition, for 50 ms at once.
 */
static unsigned int kermon_period_us = 90 * USEC_PER_MSEC;
static unsigned int kermon_reserve_us = 5 * USEC_PER_MSEC;

/*
 * Whatever is written, both sides get something, and a fair task waits for no
 * more than half a second: the bounds of the one do not depend on the other.
 */
static const unsigned int kermon_period_min = 20 * USEC_PER_MSEC;
static const unsigned int kermon_period_max = 500 * USEC_PER_MSEC;
static const unsigned int kermon_reserve_min = USEC_PER_MSEC;
static const unsigned int kermon_reserve_max = 10 * USEC_PER_MSEC;

static u64 reserve_ns(void)
{
	return (u64)READ_ONCE(kermon_reserve_us) * NSEC_PER_USEC;
}

/* What the class may take of each period. */
static u64 share_ns(void)
{
	return (u64)READ_ONCE(kermon_period_us) * NSEC_PER_USEC - reserve_ns();
}

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
	    sched_class_above(&kermon_sched_class,
			      kermon_curr(rq)->sched_class))
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
	if (kermon->starved + TICK_NSEC <= share_ns())
		return;

	kermon->yielding = true;
	hrtimer_start(&kermon->reserve, ns_to_ktime(reserve_ns()),
		      HRTIMER_MODE_REL_HARD);
	resched_curr(rq);
}

/* The class stops to run on @rq, for now. */
void kermon_reserve_leave(struct rq *rq)
{
	rq->kermon.left = rq_clock_task(rq);
}

/* The class runs on @rq, after @prev. */
void kermon_reserve_enter(struct rq *rq, struct task_struct *prev)
{
	struct kermon_rq *kermon = &rq->kermon;
	u64 had, paid;

	if (!sched_class_above(&kermon_sched_class, prev->sched_class))
		return;

	had = rq_clock_task(rq) - kermon->left;
	paid = had * div64_u64(share_ns(), reserve_ns());
	kermon->starved -= min(kermon->starved, paid);
}

/* Do the others go first now? Not when they have nobody: no time is wasted. */
bool kermon_reserve_yields(struct rq *rq)
{
	return rq->kermon.yielding && kermon_others_wait(rq);
}

#ifdef CONFIG_SYSCTL
static struct ctl_table kermon_sysctls[] = {
	{
		.procname	= "sched_kermon_period_us",
		.data		= &kermon_period_us,
		.maxlen		= sizeof(kermon_period_us),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= (void *)&kermon_period_min,
		.extra2		= (void *)&kermon_period_max,
	},
	{
		.procname	= "sched_kermon_reserve_us",
		.data		= &kermon_reserve_us,
		.maxlen		= sizeof(kermon_reserve_us),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= (void *)&kermon_reserve_min,
		.extra2		= (void *)&kermon_reserve_max,
	},
	KERMON_SYSCTL_END
};

static int __init kermon_sysctl_init(void)
{
	register_sysctl_init("kernel", kermon_sysctls);
	return 0;
}
late_initcall(kermon_sysctl_init);
#endif
