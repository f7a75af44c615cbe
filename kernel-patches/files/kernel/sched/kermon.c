// SPDX-License-Identifier: GPL-2.0
/*
 * The KerMon scheduling class: between real-time and fair, for tasks whose
 * measurement should be disturbed as little as possible.
 *
 * Tasks share a CPU by the weights of their nice values. They are ordered by
 * vruntime, CPU time scaled by weight, and the leftmost one runs. It stays in
 * the tree while it runs, so that picking has no side effects other than
 * accounting. A task that leaves its queue, to sleep, to migrate or to be
 * changed, keeps its lag: the CPU time that it received beyond the queue. This
 * is independent of its weight and of the queue that it returns to. Sleeping
 * pays off excess time, and earns a bounded bonus.
 *
 * Priorities are those of nice values, 100 to 139; the policy, not the
 * priority, selects the class.
 */
#include <linux/math64.h>

#include "kermon_queue.h"
#include "pelt.h"

/* Maximum credit for sleeping. */
#define KERMON_BONUS_NS		(KERMON_SLICE_NS / 2)

/* A waking task preempts only a task that is ahead by more than this. */
#define KERMON_GRANULARITY_NS	NSEC_PER_MSEC

#define node_to_entity(n)	rb_entry((n), struct sched_kermon_entity, node)

/*
 * inv_weight is 2^32 / weight and the weight of nice 0 is 2^10, so virtual time
 * equals CPU time at nice 0.
 */
static u64 kermon_to_virtual(const struct task_struct *p, u64 service)
{
	return mul_u64_u32_shr(service, p->se.load.inv_weight, 22);
}

static u64 kermon_to_service(const struct task_struct *p, u64 virtual)
{
	return mul_u64_u32_shr(virtual, scale_load_down(p->se.load.weight), 10);
}

static s64 kermon_lag_to_virtual(const struct task_struct *p, s64 lag)
{
	return lag < 0 ? -kermon_to_virtual(p, -lag) : kermon_to_virtual(p, lag);
}

static s64 kermon_virtual_to_lag(const struct task_struct *p, s64 virtual)
{
	return virtual < 0 ? -kermon_to_service(p, -virtual) : kermon_to_service(p, virtual);
}

static bool kermon_entity_before(struct rb_node *a, const struct rb_node *b)
{
	return (s64)(node_to_entity(a)->vruntime -
		     node_to_entity(b)->vruntime) < 0;
}

static struct task_struct *kermon_leftmost(struct kermon_rq *kermon)
{
	struct rb_node *node = rb_first_cached(&kermon->tasks);

	return node ? kermon_task_of(node) : NULL;
}

static u64 kermon_max_vruntime(u64 a, u64 b)
{
	return (s64)(a - b) > 0 ? a : b;
}

static void kermon_update_min_vruntime(struct kermon_rq *kermon)
{
	struct task_struct *p = kermon_leftmost(kermon);

	if (p)
		kermon->min_vruntime = kermon_max_vruntime(kermon->min_vruntime,
							   p->kermon_se.vruntime);
}

static void kermon_age_entity(struct kermon_rq *kermon, struct sched_kermon_entity *se,
			      u64 virtual)
{
	struct rb_node *next = kermon->nr_running > 1 ? rb_next(&se->node) : NULL;

	se->vruntime += virtual;
	if (next && kermon_entity_before(next, &se->node)) {
		rb_erase_cached(&se->node, &kermon->tasks);
		rb_add_cached(&se->node, &kermon->tasks, kermon_entity_before);
	}
	kermon_update_min_vruntime(kermon);
}

/* Charge the running task; returns the virtual time that it has run. */
static u64 kermon_charge_service(struct rq *rq, struct task_struct *curr)
{
	s64 delta = update_curr_common(rq);
	u64 virtual;

	if (delta <= 0)
		return 0;

	kermon_reserve_charge(rq, delta);
	virtual = kermon_to_virtual(curr, delta);
	kermon_charge_recent(&curr->kermon_se, virtual);
	return virtual;
}

static noinline void kermon_charge_curr(struct rq *rq, struct task_struct *curr)
{
	u64 virtual = kermon_charge_service(rq, curr);

	if (virtual && curr->kermon_se.on_rq)
		kermon_age_entity(&rq->kermon, &curr->kermon_se, virtual);
}

/* A switch does this several times without updating the clock. */
static __always_inline void update_curr_kermon(struct rq *rq)
{
	struct task_struct *curr = kermon_curr(rq);

	lockdep_assert_rq_held(rq);
	if (is_kermon_class(curr->sched_class) &&
	    curr->se.exec_start != rq_clock_task(rq))
		kermon_charge_curr(rq, curr);
}

/* The vruntime that the running task would have if it were charged now. */
static u64 kermon_curr_vruntime(struct rq *rq, const struct task_struct *curr)
{
	s64 delta = rq_clock_task(rq) - curr->se.exec_start;

	return curr->kermon_se.vruntime +
		(delta > 0 ? kermon_to_virtual(curr, delta) : 0);
}

/*
 * The min_vruntime if the running task were charged now. A wakeup needs no more of
 * it, and charging twice per switch would take several hundred instructions.
 */
static u64 kermon_min_vruntime_now(struct rq *rq)
{
	const struct task_struct *curr = kermon_curr(rq);
	struct kermon_rq *kermon = &rq->kermon;
	struct rb_node *first = rb_first_cached(&kermon->tasks);
	struct rb_node *next;
	u64 vruntime;

	if (first != &curr->kermon_se.node)
		return kermon->min_vruntime;
	vruntime = kermon_curr_vruntime(rq, curr);
	next = kermon->nr_running > 1 ? rb_next(first) : NULL;
	if (next && (s64)(node_to_entity(next)->vruntime - vruntime) < 0)
		vruntime = node_to_entity(next)->vruntime;
	return kermon_max_vruntime(kermon->min_vruntime, vruntime);
}

static s64 kermon_lag_after_sleep(struct rq *rq, struct task_struct *p, s64 lag)
{
	/* The clocks of two CPUs may differ slightly. */
	s64 slept = max_t(s64, rq_clock(rq) - p->kermon_se.slept_at, 0);

	return max_t(s64, lag - slept, -(s64)KERMON_BONUS_NS);
}

#ifdef CONFIG_SCHED_CORE
/* Is a CPU of this core forced idle by core scheduling? */
static bool kermon_is_core_contended(struct rq *rq)
{
	return sched_core_enabled(rq) && rq->core->core_forceidle_count;
}

/* Start comparing the queues of a core. */
static void kermon_rebase_core(struct rq *rq)
{
	struct kermon_rq *kermon;
	int cpu;

	for_each_cpu(cpu, cpu_smt_mask(cpu_of(rq))) {
		kermon = &cpu_rq(cpu)->kermon;
		kermon->min_vruntime_fi = kermon->min_vruntime;
		kermon->forceidle_seq = rq->core->core_forceidle_seq;
	}
}

/* The vruntime of @p relative to the start of the comparison. */
static u64 kermon_vruntime_fi(const struct task_struct *p, bool in_fi)
{
	struct rq *rq = task_rq(p);

	lockdep_assert_rq_held(rq);
	if (!in_fi || rq->kermon.forceidle_seq != rq->core->core_forceidle_seq)
		kermon_rebase_core(rq);
	return p->kermon_se.vruntime - rq->kermon.min_vruntime_fi;
}

/* The progress of the queue of @rq since then. */
static s64 kermon_progress_fi(struct rq *rq)
{
	return rq->kermon.min_vruntime - rq->kermon.min_vruntime_fi;
}

/*
 * The queue of @rq becomes non-empty. It stood still while it was empty and its
 * siblings advanced; let it lag behind them by at most a slice.
 */
static void kermon_join_core(struct rq *rq)
{
	s64 ahead = 0;
	int cpu;

	if (!sched_core_enabled(rq))
		return;
	for_each_cpu(cpu, cpu_smt_mask(cpu_of(rq)))
		ahead = max(ahead, kermon_progress_fi(cpu_rq(cpu)));
	ahead -= KERMON_SLICE_NS;
	if (kermon_progress_fi(rq) < ahead)
		rq->kermon.min_vruntime_fi = rq->kermon.min_vruntime - ahead;
}

/*
 * Compare tasks of two CPUs of a core that cannot run at the same time: has @a
 * received more CPU time than @b? Their queues have different origins, and the
 * min_vruntime of a single task follows it, so compare progress from a common
 * point in time, as cfs_prio_less() does.
 */
bool kermon_prio_less(const struct task_struct *a, const struct task_struct *b,
		      bool in_fi)
{
	return (s64)(kermon_vruntime_fi(a, in_fi) - kermon_vruntime_fi(b, in_fi)) > 0;
}
#else
static bool kermon_is_core_contended(struct rq *rq)
{
	return false;
}

static void kermon_join_core(struct rq *rq) { }
#endif

static void enqueue_task_kermon(struct rq *rq, struct task_struct *p, int flags)
{
	struct kermon_rq *kermon = &rq->kermon;
	struct sched_kermon_entity *se = &p->kermon_se;
	s64 lag = kermon_lag_to_virtual(p, se->lag);

	check_schedstat_required();
	if (schedstat_enabled())
		kermon_stats_enqueue(rq, p, flags);
	if (flags & ENQUEUE_WAKEUP)
		lag = kermon_lag_after_sleep(rq, p, lag);

	if (!kermon->nr_running)
		kermon_join_core(rq);
	se->vruntime = kermon_min_vruntime_now(rq) + lag;
	se->on_rq = true;
	rb_add_cached(&se->node, &kermon->tasks, kermon_entity_before);
	kermon_account_enqueue(rq, p);
	add_nr_running(rq, 1);
	cpufreq_update_util(rq, 0);
}

void kermon_dequeue_task(struct rq *rq, struct task_struct *p, int flags)
{
	struct kermon_rq *kermon = &rq->kermon;
	struct sched_kermon_entity *se = &p->kermon_se;
	s64 lag;

	/* A task that leaves need not find its place in the tree before. */
	if (p == kermon_curr(rq))
		se->vruntime += kermon_charge_service(rq, p);
	else
		update_curr_kermon(rq);
	kermon->min_vruntime = kermon_min_vruntime_now(rq);
	lag = se->vruntime - kermon->min_vruntime;
	if (schedstat_enabled())
		kermon_stats_dequeue(rq, p, flags);
	if (flags & DEQUEUE_SLEEP)
		se->slept_at = rq_clock(rq);

	rb_erase_cached(&se->node, &kermon->tasks);
	se->on_rq = false;
	kermon_update_min_vruntime(kermon);
	/*
	 * Attributes of the task change; it keeps its place, perhaps before the
	 * others.
	 */
	if (flags & DEQUEUE_SAVE)
		lag = max_t(s64, se->vruntime - kermon->min_vruntime,
			    -(s64)kermon_to_virtual(p, kermon_slice(p)));
	se->lag = kermon_virtual_to_lag(p, lag);
	kermon_account_dequeue(rq, p);
	sub_nr_running(rq, 1);
}

/* Move behind the other tasks, but by at most a slice: they may be far ahead. */
static void yield_task_kermon(struct rq *rq)
{
	struct task_struct *curr = kermon_curr(rq);
	struct sched_kermon_entity *se = &curr->kermon_se;
	struct rb_node *last;
	u64 behind;

	update_rq_clock(rq);
	update_curr_kermon(rq);
	last = rb_last(&rq->kermon.tasks.rb_root);
	behind = node_to_entity(last)->vruntime + 1 - se->vruntime;
	if (last != &se->node)
		kermon_age_entity(&rq->kermon, se,
				  min(behind, kermon_to_virtual(curr, kermon_slice(curr))));
}

/* Is @p the first one behind the running task? */
static bool kermon_is_next(struct kermon_rq *kermon, const struct task_struct *curr,
			   const struct task_struct *p)
{
	struct rb_node *first = rb_first_cached(&kermon->tasks);

	if (first == &curr->kermon_se.node)
		first = rb_next(first);
	return first == &p->kermon_se.node;
}

static void wakeup_preempt_kermon(struct rq *rq, struct task_struct *p,
				  int flags)
{
	struct task_struct *curr = kermon_curr(rq);
	s64 ahead = kermon_curr_vruntime(rq, curr) - p->kermon_se.vruntime;

	if (ahead > 0 && ahead > (s64)kermon_to_virtual(p, KERMON_GRANULARITY_NS) &&
	    kermon_is_next(&rq->kermon, curr, p))
		resched_curr(rq);
}

static bool kermon_runnable(struct rq *rq)
{
	return rq->kermon.nr_running && !kermon_reserve_yields(rq);
}

/* Try to get a task; return whether this or a higher class has one. */
static int balance_kermon(struct rq *rq, struct task_struct *prev,
			  struct rq_flags *rf)
{
	/*
	 * Charging @prev may have used up the share of the class; check
	 * afterwards.
	 */
	update_curr_kermon(rq);
	if (!rq->kermon.nr_running) {
		/*
		 * Unpin: kermon_pull() may drop the lock to acquire it in order
		 * with that of another runqueue.
		 */
		rq_unpin_lock(rq, rf);
		kermon_pull(rq);
		rq_repin_lock(rq, rf);
	}
	return kermon_runnable(rq) || kermon_outranked(rq);
}

struct task_struct *kermon_pick_task(struct rq *rq)
{
	if (!rq->kermon.nr_running)
		return NULL;

	/* The running task may no longer be leftmost since the last tick. */
	update_curr_kermon(rq);
	if (kermon_runnable(rq))
		return kermon_leftmost(&rq->kermon);

	kermon_reserve_resume(rq);
	return NULL;
}

/* If its attributes change, the task has already been dequeued. */
void kermon_put_prev_task(struct rq *rq, struct task_struct *p)
{
	update_curr_kermon(rq);
	update_rt_rq_load_avg(rq_clock_pelt(rq), rq, 1);
	kermon_reserve_leave(rq);
	if (p->kermon_se.on_rq)
		kermon_stats_wait(rq, p);
	kermon_update_overload(rq);
}

/*
 * Account time in the class in avg_rt, where fair load balancing and schedutil
 * look for CPU time that they cannot use. The time up to now belongs to another
 * class, or put_prev_task added it at this same clock value.
 */
static void set_next_task_kermon(struct rq *rq, struct task_struct *p,
				 bool first)
{
	/* Still the previous task, or @p if it continues after a change. */
	struct task_struct *prev = kermon_curr(rq);

	p->se.exec_start = rq_clock_task(rq);
	update_rt_rq_load_avg(rq_clock_pelt(rq), rq, 0);
	if (p->kermon_se.on_rq)
		kermon_stats_waited(rq, p);
	if (prev == p)
		return;

	p->se.prev_sum_exec_runtime = p->se.sum_exec_runtime;
	kermon_reserve_enter(rq, prev);
	kermon_update_overload(rq);
}

static bool kermon_is_slice_over(struct rq *rq, struct task_struct *curr)
{
	u64 ran = curr->se.sum_exec_runtime - curr->se.prev_sum_exec_runtime;

	return ran >= kermon_slice(curr) &&
		(kermon_leftmost(&rq->kermon) != curr || kermon_is_core_contended(rq));
}

static void task_tick_kermon(struct rq *rq, struct task_struct *curr,
			     int queued)
{
	update_curr_kermon(rq);
	update_rt_rq_load_avg(rq_clock_pelt(rq), rq, 1);
	cpufreq_update_util(rq, 0);

	/* A turn that begins while a core picks is noticed only here. */
	if (kermon_is_slice_over(rq, curr) || kermon_reserve_yields(rq))
		resched_curr(rq);
}

/* A child starts one slice behind, so that forking gains no CPU time. */
static void task_fork_kermon(struct task_struct *p)
{
	p->kermon_se.lag = kermon_slice(p);
}

/* @p was added or changed its weight: reschedule if another task should run. */
static void check_preempt_kermon(struct rq *rq, struct task_struct *p)
{
	if (!task_on_rq_queued(p))
		return;
	if (!task_current(rq, p))
		wakeup_preempt(rq, p, 0);
	else if (kermon_leftmost(&rq->kermon) != p)
		resched_curr(rq);
}

/*
 * A task from a higher class may leave tasks of that class waiting; let them
 * run.
 */
static void switched_to_kermon(struct rq *rq, struct task_struct *p)
{
	if (task_on_rq_queued(p) && task_current(rq, p))
		resched_curr(rq);
	else
		check_preempt_kermon(rq, p);
}

static void prio_changed_kermon(struct rq *rq, struct task_struct *p,
				int oldprio)
{
	check_preempt_kermon(rq, p);
}

static unsigned int get_rr_interval_kermon(struct rq *rq, struct task_struct *p)
{
	/* 0 would mean an unlimited slice. */
	return max(NS_TO_JIFFIES(kermon_slice(p)), 1UL);
}

/* Slices, the reserve and sampling all need the tick. */
bool kermon_can_stop_tick(struct rq *rq)
{
	return !rq->kermon.nr_running;
}

void init_kermon_rq(struct kermon_rq *kermon)
{
	kermon->tasks = RB_ROOT_CACHED;
	kermon_reserve_init(kermon);
}

DEFINE_SCHED_CLASS(kermon) = {
	.enqueue_task		= enqueue_task_kermon,
	.dequeue_task		= dequeue_task_kermon,
	.yield_task		= yield_task_kermon,

	.wakeup_preempt		= wakeup_preempt_kermon,

	.balance		= balance_kermon,
	.pick_task		= kermon_pick_task,
	.put_prev_task		= put_prev_task_kermon,
	.set_next_task		= set_next_task_kermon,

	.select_task_rq		= select_task_rq_kermon,
	.set_cpus_allowed	= set_cpus_allowed_common,

	.task_tick		= task_tick_kermon,
	.task_fork		= task_fork_kermon,

	.switched_to		= switched_to_kermon,
	.prio_changed		= prio_changed_kermon,
	.get_rr_interval	= get_rr_interval_kermon,
	.update_curr		= update_curr_kermon,

#ifdef CONFIG_UCLAMP_TASK
	.uclamp_enabled		= 1,
#endif
	KERMON_LINE_OPS
};
