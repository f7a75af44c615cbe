// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPU a KerMon task runs on.
 *
 * Waking, forking and executing tasks are placed: best on an idle core, then on
 * an idle CPU, then where only lower classes run, then where the fewest tasks
 * of the class are; near the CPU where the task ran if it can be. A CPU that
 * runs out of tasks pulls one from a CPU where one waits, and such a CPU pushes
 * its surplus at every switch to where there is less. A surplus of one that can
 * never be evened out, three tasks on two CPUs, is passed around.
 */
#include "kermon_compat.h"

/* No more tasks than this are looked at with the lock of a runqueue held. */
#define KERMON_SCAN		32

/* How long a surplus of one stays where it is. */
#define KERMON_ROTATE_MS	50

/* A CPU for a task, the smaller the better; RANK_LOWER + n: n of the class. */
enum {
	RANK_IDLE_CORE,
	RANK_IDLE_CPU,
	RANK_LOWER,
	RANK_NEVER = INT_MAX,
};

/* CPUs where a task of the class waits; set under each one's own lock. */
static struct cpumask kermon_overloaded_mask;
static atomic_t kermon_overloaded;

static DEFINE_PER_CPU(struct balance_callback, kermon_push_head);

static bool is_idle_core(int cpu)
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

/* Do real-time or deadline tasks have this CPU? */
static bool is_taken(struct rq *rq)
{
	return READ_ONCE(rq->rt.rt_nr_running) ||
		READ_ONCE(rq->dl.dl_nr_running);
}

/* Looks without the lock: a wrong answer is corrected by the next push. */
static int cpu_rank(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	unsigned int nr = READ_ONCE(rq->kermon.nr_running);

	if (!cpu_active(cpu) || is_taken(rq))
		return RANK_NEVER;
	if (nr || !available_idle_cpu(cpu))
		return RANK_LOWER + nr;
	return is_idle_core(cpu) ? RANK_IDLE_CORE : RANK_IDLE_CPU;
}

static int best_cpu(struct task_struct *p, const struct cpumask *span, int best)
{
	int best_rank = best < 0 ? RANK_NEVER : cpu_rank(best);
	int cpu, rank;

	for_each_cpu_and(cpu, span, p->cpus_ptr) {
		if (best_rank == RANK_IDLE_CORE)
			break;
		rank = cpu_rank(cpu);
		if (rank >= best_rank || !sched_core_cookie_match(cpu_rq(cpu), p))
			continue;
		best = cpu;
		best_rank = rank;
	}
	return best;
}

/* All that @cpu may exchange tasks with; NULL if it is isolated. */
static const struct cpumask *balance_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(cpu_rq(cpu)->sd);
	struct sched_domain *top = NULL;

	for (; sd; sd = rcu_dereference(sd->parent))
		top = sd;
	return top ? sched_domain_span(top) : NULL;
}

static const struct cpumask *cache_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(per_cpu(sd_llc, cpu));

	return sd ? sched_domain_span(sd) : NULL;
}

/* Near @cpu, the one where @p ran, if that is as good; -1: nowhere. */
static int place_task(struct task_struct *p, int cpu)
{
	int best = cpumask_test_cpu(cpu, p->cpus_ptr) ? cpu : -1;
	const struct cpumask *span = cache_span(cpu);

	if (span)
		best = best_cpu(p, span, best);
	if (best >= 0 && cpu_rank(best) <= RANK_LOWER)
		return best;

	span = balance_span(cpu);
	return span ? best_cpu(p, span, best) : best;
}

int select_task_rq_kermon(struct task_struct *p, int cpu, int flags)
{
	int best;

	/* Alone, an executing task stays: it is the one that counts there. */
	if (!(flags & (WF_TTWU | WF_FORK)) &&
	    READ_ONCE(cpu_rq(cpu)->kermon.nr_running) < 2)
		return cpu;
	if (available_idle_cpu(cpu) && cpumask_test_cpu(cpu, p->cpus_ptr))
		return cpu;

	rcu_read_lock();
	best = place_task(p, cpu);
	rcu_read_unlock();

	return best < 0 ? cpu : best;
}

void kermon_update_overload(struct rq *rq)
{
	unsigned int nr = rq->kermon.nr_running;
	bool overloaded = nr && nr + is_taken(rq) > 1;

	lockdep_assert_rq_held(rq);
	if (overloaded == rq->kermon.overloaded)
		return;

	rq->kermon.overloaded = overloaded;
	if (overloaded) {
		cpumask_set_cpu(cpu_of(rq), &kermon_overloaded_mask);
		atomic_inc(&kermon_overloaded);
	} else {
		atomic_dec(&kermon_overloaded);
		cpumask_clear_cpu(cpu_of(rq), &kermon_overloaded_mask);
	}
}

static bool can_move(struct rq *src, struct task_struct *p, int cpu)
{
	return !task_on_cpu(src, p) && cpumask_test_cpu(cpu, p->cpus_ptr) &&
		!is_migration_disabled(p) &&
		sched_core_cookie_match(cpu_rq(cpu), p);
}

/* Who has been here longest moves on, so that everybody does in turn. */
static struct task_struct *oldest_task(struct rq *src, int cpu)
{
	struct rb_node *node = rb_first_cached(&src->kermon.tasks);
	struct task_struct *p, *oldest = NULL;
	int left = KERMON_SCAN;

	for (; node && left--; node = rb_next(node)) {
		p = kermon_task_of(node);
		if (!can_move(src, p, cpu))
			continue;
		if (!oldest || (s64)(p->kermon_se.arrived -
				     oldest->kermon_se.arrived) < 0)
			oldest = p;
	}
	return oldest;
}

static void move_task(struct rq *src, struct rq *dst, struct task_struct *p)
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

/* Both locks held: the numbers may have changed while they were taken. */
static bool pull_from(struct rq *rq, struct rq *src)
{
	struct task_struct *p;

	if (rq->kermon.nr_running || !src->kermon.overloaded)
		return false;

	p = oldest_task(src, cpu_of(rq));
	if (p)
		move_task(src, rq, p);
	return p;
}

/* @rq has no task of the class: get one. May drop the lock of @rq meanwhile. */
void kermon_pull(struct rq *rq)
{
	const struct cpumask *span;
	bool pulled;
	int cpu;

	lockdep_assert_rq_held(rq);
	if (!atomic_read(&kermon_overloaded) || !cpu_active(cpu_of(rq)))
		return;

	rcu_read_lock();
	span = balance_span(cpu_of(rq)) ?: cpu_none_mask;
	for_each_cpu_wrap(cpu, &kermon_overloaded_mask, cpu_of(rq)) {
		if (!cpumask_test_cpu(cpu, span) || cpu == cpu_of(rq))
			continue;
		double_lock_balance(rq, cpu_rq(cpu));
		pulled = pull_from(rq, cpu_rq(cpu));
		double_unlock_balance(rq, cpu_rq(cpu));
		if (pulled || rq->kermon.nr_running)
			break;
	}
	rcu_read_unlock();
}

/*
 * Is it worth moving a task from @src to @dst? The only one that waits for a
 * real-time task is a surplus of one too.
 */
static bool is_surplus(struct rq *src, struct rq *dst)
{
	unsigned int here = src->kermon.nr_running;
	unsigned int there = READ_ONCE(dst->kermon.nr_running);

	if (here <= there || cpu_rank(cpu_of(dst)) == RANK_NEVER)
		return false;
	return here > there + 1 ||
		time_after(jiffies, src->kermon.moved +
				    msecs_to_jiffies(KERMON_ROTATE_MS));
}

static void push_to(struct rq *rq, struct task_struct *p, struct rq *dst)
{
	get_task_struct(p);
	double_lock_balance(rq, dst);
	/* The lock may have been dropped, and @p may be anywhere. */
	if (task_rq(p) == rq && p->kermon_se.on_rq &&
	    can_move(rq, p, cpu_of(dst)) && is_surplus(rq, dst))
		move_task(rq, dst, p);
	double_unlock_balance(rq, dst);
	put_task_struct(p);
}

static void push_surplus(struct rq *rq)
{
	struct task_struct *p, *best = NULL;
	const struct cpumask *span;
	int cpu, target = -1;

	rcu_read_lock();
	span = balance_span(cpu_of(rq));
	for_each_cpu(cpu, span ?: cpu_none_mask) {
		if (!is_surplus(rq, cpu_rq(cpu)))
			continue;
		if (best && cpu_rank(cpu) >= cpu_rank(target))
			continue;
		p = oldest_task(rq, cpu);
		if (!p)
			continue;
		best = p;
		target = cpu;
	}
	rcu_read_unlock();

	if (best)
		push_to(rq, best, cpu_rq(target));
}

/* To be called when a task of the class begins to run or to wait on @rq. */
void kermon_queue_push(struct rq *rq)
{
	kermon_update_overload(rq);
	if (rq->kermon.overloaded && cpu_active(cpu_of(rq)))
		queue_balance_callback(rq,
				       &per_cpu(kermon_push_head, cpu_of(rq)),
				       push_surplus);
}
