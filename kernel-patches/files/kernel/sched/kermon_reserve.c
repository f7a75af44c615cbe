// SPDX-License-Identifier: GPL-2.0
/*
 * The reserve: CPU time for lower classes beside a KerMon task that never sleeps,
 * 5 ms out of every 100 ms that higher classes leave, on every CPU, unless the
 * administrator configures another one.
 *
 * The algorithm, for each runqueue:
 * - While the class runs and a lower class waits, kermon_rq.starved grows by what the
 *   class runs (kermon_reserve_charge()).
 * - When the class is switched in again, what lower classes had meanwhile, for
 *   whatever reason, is paid back at the rate of the reserve, share:reserve
 *   (kermon_reserve_credit()).
 * - Once the sum reaches the rest of the period, lower classes have a turn for the
 *   length of the reserve.
 * So a fair task runs within a period, and a KerMon task is interrupted only when
 * necessary.
 *
 * The states:
 *
 *   saving    !yielding: the class goes first.
 *             -> turn     @starved is due           kermon_begin_turn()
 *   turn      yielding, timer armed: lower classes go first if any is waiting.
 *             -> turn     a higher class took time  kermon_extend_turn()
 *             -> saving   timer, @starved = 0       kermon_end_turn()
 *   expired   yielding, timer not active: over, though nothing has cleared @yielding
 *             yet; the class is charged as when saving.
 *             -> turn     lower classes are picked  kermon_reserve_resume()
 *
 * If lower classes go first without a turn, as for the deadline server, the timer ends
 * that, too (kermon_reserve_resume()).
 *
 * The deadline server of newer kernels guarantees bandwidth to fair tasks, but not
 * latency: it waits for most of a second.
 *
 * Where core scheduling cookies keep the CPUs of a core apart, a task may also
 * wait for a task of the class that runs on a sibling CPU. So a CPU that is
 * forced idle is charged with what its siblings run, and turns apply to the
 * whole core.
 */
#include <linux/sysctl.h>

#include "kermon_queue.h"

/*
 * The period is shorter than the documented 100 ms for two reasons: the end of
 * a turn is noticed only at a tick; and lower classes should receive slightly
 * more than 50 ms per second, otherwise the deadline server adds 50 ms at once.
 */
static unsigned int kermon_period_us = 90 * USEC_PER_MSEC;
static unsigned int kermon_reserve_us = 5 * USEC_PER_MSEC;

/*
 * Whatever values are written, both sides get CPU time and a fair task waits
 * for at most half a second. The bounds of each are independent of the other's
 * value.
 */
static const unsigned int kermon_period_min = 20 * USEC_PER_MSEC;
static const unsigned int kermon_period_max = 500 * USEC_PER_MSEC;
static const unsigned int kermon_reserve_min = USEC_PER_MSEC;
static const unsigned int kermon_reserve_max = 10 * USEC_PER_MSEC;

static u64 kermon_reserve_ns(void)
{
	return (u64)READ_ONCE(kermon_reserve_us) * NSEC_PER_USEC;
}

/* CPU time that the class may use in each period. */
static u64 kermon_share_ns(void)
{
	return (u64)READ_ONCE(kermon_period_us) * NSEC_PER_USEC - kermon_reserve_ns();
}

/* Begin a turn this early: the next opportunity may be a tick away. */
static u64 kermon_margin_ns(void)
{
	return min_t(u64, TICK_NSEC, kermon_share_ns() / 2);
}

/*
 * The CPUs that may have to wait for each other: those of a core where cookies
 * are queued. Avoid in hot paths while core scheduling is off.
 */
static const struct cpumask *kermon_reserve_span(struct rq *rq)
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

static void kermon_start_timer(struct rq *rq, u64 now)
{
	struct kermon_rq *kermon = &rq->kermon;
	s64 left = kermon->turn_end - now;

	kermon->turn_seen = now;
	hrtimer_start(&kermon->reserve, ns_to_ktime(max_t(s64, left, 0)),
		      HRTIMER_MODE_REL_HARD);
}

/* @now, since the clock of @rq may be stale if a sibling CPU calls. */
static void kermon_begin_turn(struct rq *rq, u64 now)
{
	rq->kermon.yielding = true;
	rq->kermon.turn_end = now + kermon_reserve_ns();
	kermon_start_timer(rq, now);
	if (is_kermon_class(kermon_curr(rq)->sched_class))
		resched_curr(rq);
}

static void kermon_end_turn(struct rq *rq)
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

static enum hrtimer_restart kermon_reserve_expired(struct hrtimer *timer)
{
	struct kermon_rq *kermon = container_of(timer, struct kermon_rq,
						reserve);
	struct rq *rq = container_of(kermon, struct rq, kermon);
	enum hrtimer_restart again = HRTIMER_NORESTART;
	unsigned long flags;

	raw_spin_rq_lock_irqsave(rq, flags);
	if (hrtimer_is_queued(timer)) {
		/* The turn was extended while this waited for the lock. */
	} else if (sched_class_above(kermon_curr(rq)->sched_class,
				     &kermon_sched_class)) {
		/*
		 * A higher class took the end; kermon_reserve_resume()
		 * continues the turn.
		 */
		hrtimer_forward_now(timer, ns_to_ktime(TICK_NSEC));
		again = HRTIMER_RESTART;
	} else {
		kermon_end_turn(rq);
	}
	raw_spin_rq_unlock_irqrestore(rq, flags);

	return again;
}

void kermon_reserve_init(struct kermon_rq *kermon)
{
	hrtimer_init(&kermon->reserve, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_HARD);
	kermon->reserve.function = kermon_reserve_expired;
}

/*
 * Extend the turn by the time that the last task of a higher class took of it
 * until now; sched_info knows when that task started. If an earlier such task
 * took the end of the turn, grant half of the remaining turn again.
 */
static void kermon_extend_turn(struct kermon_rq *kermon, struct task_struct *last, u64 now)
{
	u64 left = kermon->turn_end - kermon->turn_seen;

	kermon->turn_end += now - max(kermon->turn_seen,
				      last->sched_info.last_arrival);
	if ((s64)(kermon->turn_end - now) <= 0)
		kermon->turn_end = now + left / 2;
}

/*
 * Lower classes go before the tasks of the class on @rq. For whatever reason,
 * make sure that a timer reschedules: nothing else might.
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
		kermon_extend_turn(kermon, prev, now);
	else if (hrtimer_active(&kermon->reserve))
		return;
	else if (!kermon->yielding)
		kermon->turn_end = now + kermon_reserve_ns();
	kermon_start_timer(rq, now);
}

/* Lower classes received CPU time: credit it at the rate of the reserve. */
static void kermon_credit_lower(struct kermon_rq *kermon, u64 had)
{
	u64 paid = had * div64_u64(kermon_share_ns(), kermon_reserve_ns());

	kermon->starved -= min(kermon->starved, paid);
}

/*
 * Lower classes on @rq waited for @delta until @now; return whether their turn
 * is due.
 */
static bool kermon_charge_wait(struct rq *rq, u64 delta, u64 now)
{
	struct kermon_rq *kermon = &rq->kermon;

	/*
	 * Once the timer has expired the turn is over, even if nothing has
	 * cleared @yielding yet.
	 */
	if (kermon->yielding && hrtimer_active(&kermon->reserve))
		return false;
	if (!kermon_lower_waiting(rq))
		return false;

	kermon->charged = now;
	kermon->starved += delta;
	return kermon->starved + kermon_margin_ns() > kermon_share_ns();
}

/* As kermon_charge_wait(), for a forced idle CPU while a sibling runs the class. */
static bool kermon_charge_wait_sibling(struct rq *rq, u64 delta, u64 now)
{
	s64 had = now - delta - rq->kermon.charged;

	if (!is_idle_task(kermon_curr(rq)))
		return false;
	if (had > 0)
		kermon_credit_lower(&rq->kermon, had);
	return kermon_charge_wait(rq, delta, now);
}

static void kermon_charge_core(struct rq *rq, u64 delta, u64 now)
{
	const struct cpumask *span = kermon_reserve_span(rq);
	bool enough = kermon_charge_wait(rq, delta, now);
	int cpu;

	for_each_cpu(cpu, span) {
		if (cpu != cpu_of(rq))
			enough |= kermon_charge_wait_sibling(cpu_rq(cpu), delta, now);
	}
	if (!enough)
		return;

	for_each_cpu(cpu, span)
		kermon_begin_turn(cpu_rq(cpu), now);
}

/* The class ran for @delta on @rq until now. */
void kermon_reserve_charge(struct rq *rq, u64 delta)
{
	lockdep_assert_rq_held(rq);

	if (sched_core_enabled(rq))
		kermon_charge_core(rq, delta, rq_clock(rq));
	else if (kermon_charge_wait(rq, delta, rq_clock(rq)))
		kermon_begin_turn(rq, rq_clock(rq));
}

/* The class is switched in on @rq, after @prev of a lower class. */
void kermon_reserve_credit(struct rq *rq, struct task_struct *prev)
{
	/* The CPU was forced idle: lower classes were still waiting. */
	if (is_idle_task(prev) && kermon_lower_waiting(rq))
		return;

	kermon_credit_lower(&rq->kermon, rq_clock_task(rq) - rq->kermon.last_out);
}

/* kermon_reserve_yields() with core scheduling */
bool kermon_core_yields(struct rq *rq)
{
	struct rq *other;
	int cpu;

	for_each_cpu(cpu, kermon_reserve_span(rq)) {
		other = cpu_rq(cpu);
		if (!kermon_lower_waiting(other))
			continue;
		/* To the core-wide pick, a fair server is like any fair task. */
		if (rq->kermon.yielding ||
		    (other != rq && kermon_fair_server_queued(other)))
			return true;
	}
	return false;
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
