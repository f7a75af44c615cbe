// SPDX-License-Identifier: GPL-2.0
/*
 * What the classes below keep beside a KerMon task that never sleeps: 5 ms in
 * 100 ms of the time that the classes above leave, on every CPU, unless the
 * administrator sets another reserve.
 *
 * The time that the class takes while others wait is added up, and time that
 * they get, by whatever way, is subtracted at the rate of the reserve. Once it
 * amounts to the rest of the period, the others go first for as long as their
 * reserve is; who sleeps meanwhile waits for the next turn. So a fair task runs
 * within a period, and a KerMon task is interrupted only when it must be. The
 * deadline server of newer kernels gives fair tasks bandwidth too, but no
 * latency: it waits for most of a second.
 *
 * Where cookies of core scheduling keep CPUs of one core apart, a task may also
 * wait for one of the class that runs on another CPU of its core. So a CPU that
 * must be idle is charged with what runs beside it, and turns are the core's.
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

/* The end of a turn is looked for this early: the next chance may be a tick away. */
static u64 margin_ns(void)
{
	return min_t(u64, TICK_NSEC, share_ns() / 2);
}

/*
 * The CPUs of which one may have to wait for another: those of a core where
 * cookies are queued. Not for hot paths while core scheduling is off.
 */
static const struct cpumask *reserve_span(struct rq *rq)
{
#ifdef CONFIG_SCHED_CORE
	const struct cpumask *core = cpu_smt_mask(cpu_of(rq));
	int cpu;

	for_each_cpu(cpu, core) {
		if (!RB_EMPTY_ROOT(&cpu_rq(cpu)->core_tree))
			return core;
	}
#endif
	return cpumask_of(cpu_of(rq));
}

static void start_timer(struct rq *rq, u64 now)
{
	struct kermon_rq *kermon = &rq->kermon;
	s64 left = kermon->turn_end - now;

	kermon->turn_seen = now;
	hrtimer_start(&kermon->reserve, ns_to_ktime(max_t(s64, left, 0)),
		      HRTIMER_MODE_REL_HARD);
}

/* The clock of @rq itself may be old, when another CPU of the core calls. */
static void begin_turn(struct rq *rq, u64 now)
{
	rq->kermon.yielding = true;
	rq->kermon.turn_end = now + reserve_ns();
	start_timer(rq, now);
	if (is_kermon_class(kermon_curr(rq)->sched_class))
		resched_curr(rq);
}

static void end_turn(struct rq *rq)
{
	struct kermon_rq *kermon = &rq->kermon;

	if (kermon->yielding)
		kermon->starved = 0;
	kermon->yielding = false;
	if (kermon->nr_running &&
	    sched_class_above(&kermon_sched_class,
			      kermon_curr(rq)->sched_class))
		resched_curr(rq);
}

static enum hrtimer_restart reserve_expired(struct hrtimer *timer)
{
	struct kermon_rq *kermon = container_of(timer, struct kermon_rq,
						reserve);
	struct rq *rq = container_of(kermon, struct rq, kermon);
	enum hrtimer_restart again = HRTIMER_NORESTART;
	unsigned long flags;

	raw_spin_rq_lock_irqsave(rq, flags);
	if (hrtimer_is_queued(timer)) {
		/* Put off while this waited for the lock. */
	} else if (sched_class_above(kermon_curr(rq)->sched_class,
				     &kermon_sched_class)) {
		/* It took the end: kermon_reserve_resume() shall go on. */
		hrtimer_forward_now(timer, ns_to_ktime(TICK_NSEC));
		again = HRTIMER_RESTART;
	} else {
		end_turn(rq);
	}
	raw_spin_rq_unlock_irqrestore(rq, flags);

	return again;
}

void kermon_reserve_init(struct kermon_rq *kermon)
{
	hrtimer_init(&kermon->reserve, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_HARD);
	kermon->reserve.function = reserve_expired;
}

/*
 * What the last task of the classes above took of a turn, until now, does not
 * count; sched_info knows since when it ran. If there was another one before it
 * that took the end, half of what was left of the turn is given once more.
 */
static void put_off(struct kermon_rq *kermon, struct task_struct *last, u64 now)
{
	u64 left = kermon->turn_end - kermon->turn_seen;

	kermon->turn_end += now - max(kermon->turn_seen,
				      last->sched_info.last_arrival);
	if ((s64)(kermon->turn_end - now) <= 0)
		kermon->turn_end = now + left / 2;
}

/*
 * Others go before the tasks of the class on @rq. Whyever that is, a timer must
 * see to it that these are looked at again: nobody else may.
 */
void kermon_reserve_resume(struct rq *rq)
{
	struct kermon_rq *kermon = &rq->kermon;
	struct task_struct *prev = kermon_curr(rq);
	bool from_above = sched_class_above(prev->sched_class,
					    &kermon_sched_class);
	u64 now = rq_clock(rq);

	lockdep_assert_rq_held(rq);
	if (kermon->yielding && from_above)
		put_off(kermon, prev, now);
	else if (hrtimer_active(&kermon->reserve))
		return;
	else if (!kermon->yielding)
		kermon->turn_end = now + reserve_ns();
	start_timer(rq, now);
}

/* Others had time on @rq: it counts at the rate of the reserve. */
static void pay(struct kermon_rq *kermon, u64 had)
{
	u64 paid = had * div64_u64(share_ns(), reserve_ns());

	kermon->starved -= min(kermon->starved, paid);
}

/* Tasks on @rq waited for @delta until @now; says whether that is enough. */
static bool starve(struct rq *rq, u64 delta, u64 now)
{
	struct kermon_rq *kermon = &rq->kermon;

	/* A turn whose timer is over is none: nobody of the class came to see it. */
	if (kermon->yielding && hrtimer_active(&kermon->reserve))
		return false;
	if (!kermon_others_wait(rq))
		return false;

	kermon->charged = now;
	kermon->starved += delta;
	return kermon->starved + margin_ns() > share_ns();
}

/* The same where the class runs on another CPU of the core, if it must be idle. */
static bool starve_beside(struct rq *rq, u64 delta, u64 now)
{
	s64 had = now - delta - rq->kermon.charged;

	if (!is_idle_task(kermon_curr(rq)))
		return false;
	if (had > 0)
		pay(&rq->kermon, had);
	return starve(rq, delta, now);
}

static void charge_core(struct rq *rq, u64 delta, u64 now)
{
	const struct cpumask *span = reserve_span(rq);
	bool enough = starve(rq, delta, now);
	int cpu;

	for_each_cpu(cpu, span) {
		if (cpu != cpu_of(rq))
			enough |= starve_beside(cpu_rq(cpu), delta, now);
	}
	if (!enough)
		return;

	for_each_cpu(cpu, span)
		begin_turn(cpu_rq(cpu), now);
}

/* The class took @delta on @rq, ending now. */
void kermon_reserve_charge(struct rq *rq, u64 delta)
{
	lockdep_assert_rq_held(rq);

	if (sched_core_enabled(rq))
		charge_core(rq, delta, rq_clock(rq));
	else if (starve(rq, delta, rq_clock(rq)))
		begin_turn(rq, rq_clock(rq));
}

/* The class stops to run on @rq, for now. */
void kermon_reserve_leave(struct rq *rq)
{
	rq->kermon.left = rq_clock_task(rq);
}

/* The class runs on @rq, after @prev. */
void kermon_reserve_enter(struct rq *rq, struct task_struct *prev)
{
	if (!sched_class_above(&kermon_sched_class, prev->sched_class))
		return;
	/* It was idle because it had to be: they waited on. */
	if (is_idle_task(prev) && kermon_others_wait(rq))
		return;

	pay(&rq->kermon, rq_clock_task(rq) - rq->kermon.left);
}

static bool core_yields(struct rq *rq)
{
	struct rq *other;
	int cpu;

	for_each_cpu(cpu, reserve_span(rq)) {
		other = cpu_rq(cpu);
		if (!kermon_others_wait(other))
			continue;
		/* One that is served looks to the core's pick as any fair task. */
		if (rq->kermon.yielding ||
		    (other != rq && kermon_is_served(other)))
			return true;
	}
	return false;
}

/* Do the others go first now? Not when they have nobody: no time is wasted. */
bool kermon_reserve_yields(struct rq *rq)
{
	if (sched_core_enabled(rq))
		return core_yields(rq);
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
