// SPDX-License-Identifier: GPL-2.0
/*
 * CPU selection and load balancing of KerMon tasks.
 *
 * Waking, forking and executing tasks are placed on an idle core if possible,
 * else on an idle CPU, else where only lower classes run, else where the load
 * of the class is smallest; preferably near the CPU where the task ran. The
 * load is the sum of the weights of the tasks.
 *
 * A CPU whose last task of the class or last real-time task goes to sleep pulls
 * a waiting task from another CPU. A CPU with a waiting task looks for a less
 * loaded one at each tick and pushes a task there if that evens out the load.
 * An imbalance that cannot be evened out, such as three tasks on two CPUs, is
 * rotated: the task that received most CPU time recently moves, and leaves the
 * better place to the others.
 *
 * The number of tasks and CPUs examined at a time is bounded.
 */
#include "kermon_queue.h"

/* Maximum number of tasks examined with a runqueue lock held. */
#define KERMON_SCAN		32

/* Maximum number of CPUs examined in one scan. */
#define KERMON_LOOK		64

/* Number of target CPUs to try if waiting tasks may not run on the best one. */
#define KERMON_TRIES		4

/* Time before an imbalance, or a task behind a real-time one, is moved. */
#define KERMON_ROTATE_MS	50

/* How suitable a CPU is, lower is better; RANK_LOWER + n: a load of n. */
enum {
	RANK_IDLE_CORE,
	RANK_IDLE_CPU,
	RANK_LOWER,
	RANK_NEVER = INT_MAX,
};

/* The best CPU found so far. */
struct choice {
	int cpu;
	int rank;
};

#define NO_CHOICE	((struct choice){ .cpu = -1, .rank = RANK_NEVER })

/*
 * CPUs with a waiting task that may run elsewhere; each bit is set under the
 * lock of that runqueue.
 */
static struct cpumask kermon_overloaded_mask;
static atomic_t kermon_overloaded;

/* CPUs allowed for waiting tasks; scratch space of the tick. */
static DEFINE_PER_CPU(struct cpumask, kermon_targets);

static bool kermon_is_idle_core(int cpu)
{
#ifdef CONFIG_SCHED_SMT
	int sibling;

	for_each_cpu(sibling, cpu_smt_mask(cpu)) {
		if (!available_idle_cpu(sibling))
			return false;
	}
#endif
	return true;
}

/* Lockless: the next push corrects a wrong result. */
static int kermon_cpu_rank(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	unsigned long load = READ_ONCE(rq->kermon.load);

	if (!cpu_active(cpu) || kermon_rt_or_dl_queued(rq))
		return RANK_NEVER;
	if (load || !available_idle_cpu(cpu))
		return min(RANK_LOWER + load, RANK_NEVER - 1UL);
	return kermon_is_idle_core(cpu) ? RANK_IDLE_CORE : RANK_IDLE_CPU;
}

static bool kermon_may_run_on(struct task_struct *p, int cpu)
{
	return cpumask_test_cpu(cpu, p->cpus_ptr) && !is_migration_disabled(p) &&
		sched_core_cookie_match(cpu_rq(cpu), p);
}

/*
 * Look for a better CPU in @span, for @p if given. If not all are examined, the
 * next call starts at a different one.
 */
static void kermon_find_better_cpu(struct choice *best, const struct cpumask *span,
				   struct task_struct *p)
{
	int start = jiffies * KERMON_LOOK % nr_cpu_ids;
	int left = KERMON_LOOK;
	int cpu, rank;

	for_each_cpu_wrap(cpu, span, start) {
		if (best->rank == RANK_IDLE_CORE || !left--)
			break;
		rank = kermon_cpu_rank(cpu);
		if (rank >= best->rank || (p && !kermon_may_run_on(p, cpu)))
			continue;
		best->cpu = cpu;
		best->rank = rank;
	}
}

/* All CPUs that @cpu may exchange tasks with; none if it is isolated. */
static const struct cpumask *kermon_balance_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(cpu_rq(cpu)->sd);
	struct sched_domain *top = NULL;

	for (; sd; sd = rcu_dereference(sd->parent))
		top = sd;
	return top ? sched_domain_span(top) : cpu_none_mask;
}

static const struct cpumask *kermon_cache_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(per_cpu(sd_llc, cpu));

	return sd ? sched_domain_span(sd) : cpu_none_mask;
}

/*
 * Prefer @cpu, where @p ran, then CPUs that share its cache, to others of the
 * same rank; -1 if there is none. Runs with interrupts off and a lock of @p
 * held, so at most KERMON_LOOK CPUs are examined near @cpu and as many farther
 * away.
 */
static int kermon_place_task(struct task_struct *p, int cpu)
{
	struct choice best = NO_CHOICE;

	kermon_find_better_cpu(&best, cpumask_of(cpu), p);
	kermon_find_better_cpu(&best, kermon_cache_span(cpu), p);
	if (best.rank > RANK_LOWER)
		kermon_find_better_cpu(&best, kermon_balance_span(cpu), p);

	return best.cpu;
}

int select_task_rq_kermon(struct task_struct *p, int cpu, int flags)
{
	int best;

	/* On exec, a task that is alone stays: the load here is its own. */
	if (!(flags & (WF_TTWU | WF_FORK)) &&
	    READ_ONCE(cpu_rq(cpu)->kermon.nr_running) < 2)
		return cpu;

	rcu_read_lock();
	best = kermon_place_task(p, cpu);
	rcu_read_unlock();

	return best < 0 ? cpu : best;
}

void kermon_set_overload(struct rq *rq, bool overloaded)
{
	rq->kermon.overloaded = overloaded;
	if (overloaded) {
		cpumask_set_cpu(cpu_of(rq), &kermon_overloaded_mask);
		atomic_inc(&kermon_overloaded);
	} else {
		atomic_dec(&kermon_overloaded);
		cpumask_clear_cpu(cpu_of(rq), &kermon_overloaded_mask);
	}
}

static bool kermon_is_rotation_due(struct rq *rq)
{
	return time_after(jiffies, rq->kermon.moved +
				   msecs_to_jiffies(KERMON_ROTATE_MS));
}

/*
 * Should @weight move from @src to a CPU whose load is lower by @room? A
 * smaller weight evens out the load; an equal one swaps it, which is done only
 * in rotation.
 */
static bool kermon_fits(struct rq *src, unsigned long weight, unsigned long room)
{
	return weight < room || (weight == room && kermon_is_rotation_due(src));
}

static bool kermon_may_move(struct rq *src, struct task_struct *p, int cpu,
			    unsigned long room)
{
	return kermon_fits(src, kermon_task_weight(p), room) && kermon_may_run_on(p, cpu);
}

static struct task_struct *kermon_next_queued(struct rq *rq, struct task_struct *p)
{
	struct rb_node *node = p ? rb_next(&p->kermon_se.node) :
				   rb_first_cached(&rq->kermon.tasks);

	return node ? kermon_task_of(node) : NULL;
}

/*
 * The task waiting on @src that may move to @cpu and received most CPU time
 * recently.
 */
static struct task_struct *kermon_most_served(struct rq *src, int cpu,
					      unsigned long room)
{
	struct task_struct *p, *best = NULL;
	int left = KERMON_SCAN;

	for (p = kermon_next_queued(src, NULL); p && left--; p = kermon_next_queued(src, p)) {
		if (task_on_cpu(src, p) || !kermon_may_move(src, p, cpu, room))
			continue;
		if (!best || kermon_recent_service(&p->kermon_se) >
			     kermon_recent_service(&best->kermon_se))
			best = p;
	}
	return best;
}

static void kermon_move_task(struct rq *src, struct rq *dst, struct task_struct *p)
{
	lockdep_assert_rq_held(src);
	lockdep_assert_rq_held(dst);

	deactivate_task(src, p, 0);
	set_task_cpu(p, cpu_of(dst));
	activate_task(dst, p, 0);
	wakeup_preempt(dst, p, 0);
	src->kermon.moved = jiffies;
	dst->kermon.moved = jiffies;
}

/* Does a higher class have a task? That includes the fair server. */
bool kermon_outranked(struct rq *rq)
{
	return sched_stop_runnable(rq) || sched_dl_runnable(rq) ||
		sched_rt_runnable(rq);
}

/* Would a pulled task run immediately? */
static bool kermon_wants_task(struct rq *rq)
{
	return !rq->kermon.nr_running && !kermon_outranked(rq) &&
		!kermon_reserve_yields(rq);
}

/* Both locks are held; recheck, since state may have changed meanwhile. */
static void kermon_pull_from(struct rq *rq, struct rq *src)
{
	struct task_struct *p;

	if (!kermon_wants_task(rq) || !src->kermon.overloaded)
		return;

	p = kermon_most_served(src, cpu_of(rq), ULONG_MAX);
	if (p)
		kermon_move_task(src, rq, p);
}

/*
 * Pull a task to @rq if it has none and the task would run immediately. May
 * drop and retake the lock of @rq.
 */
void kermon_pull(struct rq *rq)
{
	const struct cpumask *span;
	int cpu;

	lockdep_assert_rq_held(rq);
	if (!atomic_read(&kermon_overloaded) || !cpu_active(cpu_of(rq)))
		return;

	rcu_read_lock();
	span = kermon_balance_span(cpu_of(rq));
	for_each_cpu_wrap(cpu, &kermon_overloaded_mask, cpu_of(rq)) {
		if (!kermon_wants_task(rq))
			break;
		if (!cpumask_test_cpu(cpu, span) || cpu == cpu_of(rq))
			continue;
		double_lock_balance(rq, cpu_rq(cpu));
		kermon_pull_from(rq, cpu_rq(cpu));
		double_unlock_balance(rq, cpu_rq(cpu));
	}
	rcu_read_unlock();
}

/*
 * Has a real-time task kept the class waiting too long, since it last ran here
 * or since its queue last became non-empty?
 */
static bool kermon_is_starving(struct rq *rq)
{
	u64 since = max(rq->kermon.last_out, rq->kermon.queued_since);

	return kermon_rt_or_dl_queued(rq) && !is_kermon_class(kermon_curr(rq)->sched_class) &&
		(s64)(rq_clock_task(rq) - since) >
		(s64)(KERMON_ROTATE_MS * NSEC_PER_MSEC);
}

/* How much lower the load of a CPU of @rank is, as far as it matters. */
static unsigned long kermon_room_for(struct rq *src, int rank)
{
	unsigned long here = src->kermon.load;
	unsigned long there = max(rank - RANK_LOWER, 0);

	if (rank == RANK_NEVER)
		return 0;
	if (kermon_rt_or_dl_queued(src))
		return !there || kermon_is_starving(src) ? ULONG_MAX : 0;
	return here > there ? here - there : 0;
}

/* Has @curr, running on @src in this class, received clearly more than @p? */
static bool kermon_curr_had_more(struct rq *src, struct task_struct *curr,
				 struct task_struct *p, int cpu, unsigned long room)
{
	return is_kermon_class(curr->sched_class) &&
		kermon_may_move(src, curr, cpu, room) &&
		kermon_recent_service(&curr->kermon_se) >
		kermon_recent_service(&p->kermon_se) +
		KERMON_ROTATE_MS / 4 * NSEC_PER_MSEC;
}

/* Find the CPUs allowed for tasks waiting on @src, and their lowest weight. */
static unsigned long kermon_survey_waiting(struct rq *src, struct cpumask *targets)
{
	unsigned long lightest = ULONG_MAX;
	int left = KERMON_SCAN;
	struct task_struct *p;

	cpumask_clear(targets);
	for (p = kermon_next_queued(src, NULL); p && left--; p = kermon_next_queued(src, p)) {
		if (task_on_cpu(src, p) || is_migration_disabled(p))
			continue;
		cpumask_or(targets, targets, p->cpus_ptr);
		lightest = min(lightest, kermon_task_weight(p));
	}
	cpumask_and(targets, targets, kermon_balance_span(cpu_of(src)));
	cpumask_clear_cpu(cpu_of(src), targets);

	return lightest;
}

/* The largest room in @span, and its CPU; 0 if there is none. */
static unsigned long kermon_best_room(struct rq *src, const struct cpumask *span,
				      int *cpu)
{
	struct choice best = NO_CHOICE;

	kermon_find_better_cpu(&best, span, NULL);
	*cpu = best.cpu;
	return kermon_room_for(src, best.rank);
}

/*
 * Select a task to push from @src, and the CPU with most room that it may run
 * on. If no task is light enough for the best CPU, none is for the others.
 */
static struct task_struct *kermon_surplus_task(struct rq *src, int *target)
{
	struct cpumask *targets = this_cpu_ptr(&kermon_targets);
	struct task_struct *p = NULL;
	unsigned long room, lightest;
	int tries = KERMON_TRIES;

	if (!kermon_best_room(src, kermon_balance_span(cpu_of(src)), target))
		return NULL;

	lightest = kermon_survey_waiting(src, targets);
	while (!p && tries--) {
		room = kermon_best_room(src, targets, target);
		if (!kermon_fits(src, lightest, room))
			return NULL;
		p = kermon_most_served(src, *target, room);
		cpumask_clear_cpu(*target, targets);
	}
	if (!p || kermon_task_weight(p) < room)
		return p;
	/* @curr should move but is running; it can be pushed once it waits. */
	return kermon_curr_had_more(src, kermon_curr(src), p, *target, room) ? NULL : p;
}

static void kermon_push_to(struct rq *rq, struct task_struct *p, int cpu)
{
	struct rq *dst = cpu_rq(cpu);

	get_task_struct(p);
	double_lock_balance(rq, dst);
	/* The lock may have been dropped and @p may have moved. */
	update_rq_clock(rq);
	if (task_rq(p) == rq && p->kermon_se.on_rq &&
	    !task_on_cpu(rq, p) &&
	    kermon_may_move(rq, p, cpu, kermon_room_for(rq, kermon_cpu_rank(cpu))))
		kermon_move_task(rq, dst, p);
	double_unlock_balance(rq, dst);
	put_task_struct(p);
}

static void kermon_push_surplus(struct rq *rq)
{
	struct task_struct *p;
	int target;

	rcu_read_lock();
	p = kermon_surplus_task(rq, &target);
	rcu_read_unlock();

	if (p)
		kermon_push_to(rq, p, target);
}

/*
 * At each tick, whatever class runs: a real-time hog may also keep tasks
 * waiting. Skip the lock if no task waits; the next tick corrects a stale
 * result.
 */
void kermon_balance_tick(struct rq *rq)
{
	if (!READ_ONCE(rq->kermon.overloaded) && !kermon_is_overloaded(rq))
		return;

	raw_spin_rq_lock(rq);
	update_rq_clock(rq);
	kermon_update_overload(rq);
	if (rq->kermon.overloaded && cpu_active(cpu_of(rq)))
		kermon_push_surplus(rq);
	raw_spin_rq_unlock(rq);
}
