// SPDX-License-Identifier: GPL-2.0
/*
 * The KerMon scheduling class: between real-time and fair, for tasks that are
 * measured and shall be disturbed little.
 *
 * Tasks share a CPU by weight, those of their nice values. The key is vruntime,
 * CPU time scaled by weight, and the leftmost task runs; it stays in the tree
 * while it does, so that picking has no side effects but accounting. A task
 * that leaves its queue, to sleep, to migrate or to be changed, takes its lag
 * along: what it had beyond the queue, in CPU time, whatever the queue or its
 * weight will be when it comes back. Time slept pays back what a task had too
 * much, and earns it a bounded bonus.
 *
 * The priorities are those of nice values, 100 to 139; the policy, not the
 * priority, makes the class.
 */
#include <linux/math64.h>

#include "kermon_compat.h"
#include "pelt.h"

/* Time on the CPU before another task of the same queue gets its turn. */
#define KERMON_SLICE_NS		(3 * NSEC_PER_MSEC)

/* The most that a sleeper gets ahead of those who ran meanwhile. */
#define KERMON_BONUS_NS		(KERMON_SLICE_NS / 2)

/* A wake-up preempts only who is ahead by more than this. */
#define KERMON_GRANULARITY_NS	NSEC_PER_MSEC

#define node_to_entity(n)	rb_entry((n), struct sched_kermon_entity, node)

u64 kermon_slice(const struct task_struct *p)
{
	return kermon_custom_slice(p) ?: KERMON_SLICE_NS;
}

/*
 * inv_weight is 2^32 / weight, and the weight of nice 0 is 2^10, so that CPU
 * time of a task of nice 0 is virtual time.
 */
static u64 to_virtual(const struct task_struct *p, u64 service)
{
	return mul_u64_u32_shr(service, p->se.load.inv_weight, 22);
}

static u64 to_service(const struct task_struct *p, u64 virtual)
{
	return mul_u64_u32_shr(virtual, scale_load_down(p->se.load.weight), 10);
}

static s64 lag_to_virtual(const struct task_struct *p, s64 lag)
{
	return lag < 0 ? -to_virtual(p, -lag) : to_virtual(p, lag);
}

static s64 virtual_to_lag(const struct task_struct *p, s64 virtual)
{
	return virtual < 0 ? -to_service(p, -virtual) : to_service(p, virtual);
}

static bool entity_before(struct rb_node *a, const struct rb_node *b)
{
	return (s64)(node_to_entity(a)->vruntime -
		     node_to_entity(b)->vruntime) < 0;
}

static struct task_struct *leftmost(struct kermon_rq *kermon)
{
	struct rb_node *node = rb_first_cached(&kermon->tasks);

	return node ? kermon_task_of(node) : NULL;
}

static void update_min_vruntime(struct kermon_rq *kermon)
{
	struct task_struct *p = leftmost(kermon);

	if (p && (s64)(p->kermon_se.vruntime - kermon->min_vruntime) > 0)
		kermon->min_vruntime = p->kermon_se.vruntime;
}

static void age_entity(struct kermon_rq *kermon, struct sched_kermon_entity *se,
		       u64 virtual)
{
	struct rb_node *next = rb_next(&se->node);

	se->vruntime += virtual;
	if (next && entity_before(next, &se->node)) {
		rb_erase_cached(&se->node, &kermon->tasks);
		rb_add_cached(&se->node, &kermon->tasks, entity_before);
	}
	update_min_vruntime(kermon);
}

static void update_curr_kermon(struct rq *rq)
{
	struct task_struct *curr = kermon_curr(rq);
	u64 virtual;
	s64 delta;

	lockdep_assert_rq_held(rq);
	/* A switch asks for this several times at one reading of the clock. */
	if (!is_kermon_class(curr->sched_class) ||
	    curr->se.exec_start == rq_clock_task(rq))
		return;

	delta = update_curr_common(rq);
	if (delta <= 0)
		return;

	kermon_reserve_charge(rq, delta);
	virtual = to_virtual(curr, delta);
	kermon_charge_recent(&curr->kermon_se, virtual);
	if (curr->kermon_se.on_rq)
		age_entity(&rq->kermon, &curr->kermon_se, virtual);
}

static s64 lag_after_sleep(struct rq *rq, struct task_struct *p, s64 lag)
{
	/* The clocks of two CPUs may differ a little. */
	s64 slept = max_t(s64, rq_clock(rq) - p->kermon_se.slept_at, 0);

	return max_t(s64, lag - slept, -(s64)KERMON_BONUS_NS);
}

#ifdef CONFIG_SCHED_CORE
/* Do cookies keep a CPU of this core idle, though it has tasks? */
static bool is_core_contended(struct rq *rq)
{
	return sched_core_enabled(rq) && rq->core->core_forceidle_count;
}

/* From now on the queues of a core compete. */
static void rebase_core(struct rq *rq)
{
	struct kermon_rq *kermon;
	int cpu;

	for_each_cpu(cpu, cpu_smt_mask(cpu_of(rq))) {
		kermon = &cpu_rq(cpu)->kermon;
		kermon->min_vruntime_fi = kermon->min_vruntime;
		kermon->forceidle_seq = rq->core->core_forceidle_seq;
	}
}

/* How far @p is in its queue, from where all of the core began to compete. */
static u64 vruntime_fi(const struct task_struct *p, bool in_fi)
{
	struct rq *rq = task_rq(p);

	lockdep_assert_rq_held(rq);
	if (!in_fi || rq->kermon.forceidle_seq != rq->core->core_forceidle_seq)
		rebase_core(rq);
	return p->kermon_se.vruntime - rq->kermon.min_vruntime_fi;
}

/* How far the queue of @rq is, from there. */
static s64 progress_fi(struct rq *rq)
{
	return rq->kermon.min_vruntime - rq->kermon.min_vruntime_fi;
}

/*
 * A first task comes to @rq. While there was none its queue stood still, and
 * others of the core went on: it is to be behind them by no more than a slice.
 */
static void join_core(struct rq *rq)
{
	s64 ahead = 0;
	int cpu;

	if (!sched_core_enabled(rq))
		return;
	for_each_cpu(cpu, cpu_smt_mask(cpu_of(rq)))
		ahead = max(ahead, progress_fi(cpu_rq(cpu)));
	ahead -= KERMON_SLICE_NS;
	if (progress_fi(rq) < ahead)
		rq->kermon.min_vruntime_fi = rq->kermon.min_vruntime - ahead;
}

/*
 * Of two CPUs of one core that cannot run both: whose task has had more? Their
 * queues have different origins, and that of a lone task moves along with it:
 * so they are compared, as in cfs_prio_less(), from one moment on.
 */
bool kermon_prio_less(const struct task_struct *a, const struct task_struct *b,
		      bool in_fi)
{
	return (s64)(vruntime_fi(a, in_fi) - vruntime_fi(b, in_fi)) > 0;
}
#else
static bool is_core_contended(struct rq *rq)
{
	return false;
}

static void join_core(struct rq *rq) { }
#endif

static void enqueue_task_kermon(struct rq *rq, struct task_struct *p, int flags)
{
	struct kermon_rq *kermon = &rq->kermon;
	struct sched_kermon_entity *se = &p->kermon_se;
	s64 lag = lag_to_virtual(p, se->lag);

	update_curr_kermon(rq);
	kermon_stats_enqueue(rq, p, flags);
	if (flags & ENQUEUE_WAKEUP)
		lag = lag_after_sleep(rq, p, lag);

	if (!kermon->nr_running)
		join_core(rq);
	se->vruntime = kermon->min_vruntime + lag;
	se->on_rq = true;
	rb_add_cached(&se->node, &kermon->tasks, entity_before);
	kermon_count_in(rq, p);
	add_nr_running(rq, 1);
	cpufreq_update_util(rq, 0);
}

void kermon_dequeue_task(struct rq *rq, struct task_struct *p, int flags)
{
	struct kermon_rq *kermon = &rq->kermon;
	struct sched_kermon_entity *se = &p->kermon_se;
	s64 lag;

	update_curr_kermon(rq);
	lag = se->vruntime - kermon->min_vruntime;
	kermon_stats_dequeue(rq, p, flags);
	if (flags & DEQUEUE_SLEEP)
		se->slept_at = rq_clock(rq);

	rb_erase_cached(&se->node, &kermon->tasks);
	se->on_rq = false;
	update_min_vruntime(kermon);
	/* It is only changed, and keeps its place: before the others, maybe. */
	if (flags & DEQUEUE_SAVE)
		lag = max_t(s64, se->vruntime - kermon->min_vruntime,
			    -(s64)to_virtual(p, kermon_slice(p)));
	se->lag = virtual_to_lag(p, lag);
	kermon_count_out(rq, p);
	sub_nr_running(rq, 1);
}

/* Go behind the others, but by no more than a slice: they may be far ahead. */
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
		age_entity(&rq->kermon, se,
			   min(behind, to_virtual(curr, kermon_slice(curr))));
}

static void wakeup_preempt_kermon(struct rq *rq, struct task_struct *p,
				  int flags)
{
	struct task_struct *curr = kermon_curr(rq);
	s64 ahead;

	update_curr_kermon(rq);
	ahead = curr->kermon_se.vruntime - p->kermon_se.vruntime;
	if (ahead > (s64)to_virtual(p, KERMON_GRANULARITY_NS) &&
	    leftmost(&rq->kermon) == p)
		resched_curr(rq);
}

static bool kermon_runnable(struct rq *rq)
{
	return rq->kermon.nr_running && !kermon_reserve_yields(rq);
}

/* Returns whether this class or one above has a task, after trying to get one. */
static int balance_kermon(struct rq *rq, struct task_struct *prev,
			  struct rq_flags *rf)
{
	/* What @prev just used may be all that the class had: say no, then. */
	update_curr_kermon(rq);
	if (!rq->kermon.nr_running) {
		/*
		 * No pin: kermon_pull() drops the lock to take it together
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

	/* The running task may have lost its place since the last tick. */
	update_curr_kermon(rq);
	if (kermon_runnable(rq))
		return leftmost(&rq->kermon);

	kermon_reserve_resume(rq);
	return NULL;
}

/* Who is changed rather than switched out has been dequeued before. */
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
 * Time in the class counts as avg_rt: that is where fair balancing and
 * schedutil look for what is taken from a CPU. What passed until now is of
 * another class, or was added by put_prev_task at this very clock.
 */
static void set_next_task_kermon(struct rq *rq, struct task_struct *p,
				 bool first)
{
	/* It is the current one yet; @p is when it runs on after a change. */
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

static bool is_slice_over(struct rq *rq, struct task_struct *curr)
{
	u64 ran = curr->se.sum_exec_runtime - curr->se.prev_sum_exec_runtime;

	return ran >= kermon_slice(curr) &&
		(leftmost(&rq->kermon) != curr || is_core_contended(rq));
}

static void task_tick_kermon(struct rq *rq, struct task_struct *curr,
			     int queued)
{
	update_curr_kermon(rq);
	update_rt_rq_load_avg(rq_clock_pelt(rq), rq, 1);
	cpufreq_update_util(rq, 0);

	/* A turn of others that begins while a core picks is seen here only. */
	if (is_slice_over(rq, curr) || kermon_reserve_yields(rq))
		resched_curr(rq);
}

/* A child begins a slice behind: forking gains nothing. */
static void task_fork_kermon(struct task_struct *p)
{
	p->kermon_se.lag = kermon_slice(p);
}

/* @p came, or changed its weight: is it still right who runs? */
static void check_preempt_kermon(struct rq *rq, struct task_struct *p)
{
	if (!task_on_rq_queued(p))
		return;
	if (!task_current(rq, p))
		wakeup_preempt(rq, p, 0);
	else if (leftmost(&rq->kermon) != p)
		resched_curr(rq);
}

/* Whoever comes from above may leave others there who have waited for it. */
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
	/* 0 would mean that there is no slice. */
	return max(NS_TO_JIFFIES(kermon_slice(p)), 1UL);
}

/* Slices, the reserve and the sampling of ticks all need the tick. */
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
