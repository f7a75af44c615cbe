// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPU a KerMon task runs on.
 *
 * Waking, forking and executing tasks are placed: best on an idle core, then on
 * an idle CPU, then where only lower classes run, then where the load of the
 * class is least; near the CPU where the task ran if it can be. The load is the
 * sum of the tasks' weights.
 *
 * A CPU that runs out of tasks pulls one from a CPU where one waits. A CPU where
 * one waits looks at each tick for another CPU that has less to do, and pushes
 * what evens them out. A surplus that never can be, three tasks on two CPUs, is
 * passed around: who had most of late moves on, and leaves the better place to
 * those who had less.
 */
#include "kermon_compat.h"

/* No more tasks than this are looked at with the lock of a runqueue held. */
#define KERMON_SCAN		32

/* How long a surplus stays where it is, or a task behind a real-time one. */
#define KERMON_ROTATE_MS	50

/* In jiffies: what was used longer ago than a few of these is forgotten. */
#define KERMON_EPOCH		HZ

/* A CPU for a task, the smaller the better; RANK_LOWER + n: a load of n. */
enum {
	RANK_IDLE_CORE,
	RANK_IDLE_CPU,
	RANK_LOWER,
	RANK_NEVER = INT_MAX,
};

/* CPUs where a task of the class waits; set under each one's own lock. */
static struct cpumask kermon_overloaded_mask;
static atomic_t kermon_overloaded;

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
	unsigned long load = READ_ONCE(rq->kermon.load);

	if (!cpu_active(cpu) || is_taken(rq))
		return RANK_NEVER;
	if (load || !available_idle_cpu(cpu))
		return RANK_LOWER + load;
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

static unsigned long task_weight(const struct task_struct *p)
{
	return scale_load_down(p->se.load.weight);
}

static bool may_run_on(struct task_struct *p, int cpu)
{
	return cpumask_test_cpu(cpu, p->cpus_ptr) && !is_migration_disabled(p) &&
		sched_core_cookie_match(cpu_rq(cpu), p);
}

static bool is_rotation_due(struct rq *rq)
{
	return time_after(jiffies, rq->kermon.moved +
				   msecs_to_jiffies(KERMON_ROTATE_MS));
}

/*
 * Is it worth moving @p from @src to a CPU whose load is smaller by @room? It
 * evens them out if @p weighs less; it turns them around if @p weighs the same.
 */
static bool fits(struct rq *src, const struct task_struct *p, unsigned long room)
{
	return task_weight(p) < room ||
		(task_weight(p) == room && is_rotation_due(src));
}

static u64 recent_service(const struct sched_kermon_entity *se)
{
	unsigned long age = jiffies / KERMON_EPOCH - se->epoch;

	return age < BITS_PER_TYPE(se->recent) ? se->recent >> age : 0;
}

/* Everybody's is halved at the same time, so that they can be compared. */
void kermon_charge_recent(struct sched_kermon_entity *se, u64 virtual)
{
	se->recent = recent_service(se) + virtual;
	se->epoch = jiffies / KERMON_EPOCH;
}

static bool may_move(struct rq *src, struct task_struct *p, int cpu,
		     unsigned long room)
{
	return fits(src, p, room) && may_run_on(p, cpu);
}

/* Of those who wait on @src and may move to @cpu: who had most of late. */
static struct task_struct *best_served(struct rq *src, int cpu,
				       unsigned long room)
{
	struct rb_node *node = rb_first_cached(&src->kermon.tasks);
	struct task_struct *p, *best = NULL;
	int left = KERMON_SCAN;

	for (; node && left--; node = rb_next(node)) {
		p = kermon_task_of(node);
		if (task_on_cpu(src, p) || !may_move(src, p, cpu, room))
			continue;
		if (!best || recent_service(&p->kermon_se) >
			     recent_service(&best->kermon_se))
			best = p;
	}
	return best;
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

	p = best_served(src, cpu_of(rq), ULONG_MAX);
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

/* Has nobody of the class run for long, because of a real-time task? */
static bool is_starving(struct rq *rq)
{
	s64 waited = rq_clock_task(rq) - rq->kermon.left;

	return is_taken(rq) && !is_kermon_class(kermon_curr(rq)->sched_class) &&
		waited > KERMON_ROTATE_MS * NSEC_PER_MSEC;
}

/* By how much the load of @dst is smaller, as far as that matters. */
static unsigned long room_for(struct rq *src, struct rq *dst)
{
	unsigned long here = src->kermon.load;
	unsigned long there = READ_ONCE(dst->kermon.load);

	if (cpu_rank(cpu_of(dst)) == RANK_NEVER)
		return 0;
	if (is_taken(src))
		return !there || is_starving(src) ? ULONG_MAX : 0;
	return here > there ? here - there : 0;
}

/* Did @curr, of this class and running on @src, have clearly more than @p? */
static bool is_its_turn(struct rq *src, struct task_struct *curr,
			struct task_struct *p, int cpu, unsigned long room)
{
	return is_kermon_class(curr->sched_class) &&
		may_move(src, curr, cpu, room) &&
		recent_service(&curr->kermon_se) >
		recent_service(&p->kermon_se) +
		KERMON_ROTATE_MS / 4 * NSEC_PER_MSEC;
}

/* Who shall be pushed from @src to @dst, if anybody. */
static struct task_struct *surplus_task(struct rq *src, struct rq *dst)
{
	unsigned long room = room_for(src, dst);
	int cpu = cpu_of(dst);
	struct task_struct *p = best_served(src, cpu, room);

	if (!p || task_weight(p) < room)
		return p;
	/* The one that runs cannot be pushed now: soon it waits. */
	return is_its_turn(src, kermon_curr(src), p, cpu, room) ? NULL : p;
}

static void push_to(struct rq *rq, struct task_struct *p, struct rq *dst)
{
	get_task_struct(p);
	double_lock_balance(rq, dst);
	/* The lock may have been dropped, and @p may be anywhere. */
	update_rq_clock(rq);
	if (task_rq(p) == rq && p->kermon_se.on_rq &&
	    !task_on_cpu(rq, p) &&
	    may_move(rq, p, cpu_of(dst), room_for(rq, dst)))
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
		if (best && cpu_rank(cpu) >= cpu_rank(target))
			continue;
		p = surplus_task(rq, cpu_rq(cpu));
		if (!p)
			continue;
		best = p;
		target = cpu;
	}
	rcu_read_unlock();

	if (best)
		push_to(rq, best, cpu_rq(target));
}

/* At each tick, whoever runs: a real-time hog too may keep tasks waiting. */
void kermon_balance_tick(struct rq *rq)
{
	if (!READ_ONCE(rq->kermon.nr_running))
		return;

	raw_spin_rq_lock(rq);
	update_rq_clock(rq);
	kermon_update_overload(rq);
	if (rq->kermon.overloaded && cpu_active(cpu_of(rq)))
		push_surplus(rq);
	raw_spin_rq_unlock(rq);
}
