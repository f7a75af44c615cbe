// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPU a KerMon task runs on.
 *
 * Waking, forking and executing tasks are placed: best on an idle core, then on
 * an idle CPU, then where only lower classes run, then where the load of the
 * class is least; near the CPU where the task ran if it can be. The load is the
 * sum of the tasks' weights.
 *
 * A CPU whose last task of the class goes to sleep, or whose real-time tasks do,
 * pulls one from a CPU where one waits. A CPU where one waits looks at each tick
 * for another CPU that has less to do, and pushes what evens them out. A surplus
 * that never can be, three tasks on two CPUs, is passed around: who had most of
 * late moves on, and leaves the better place to those who had less.
 *
 * How much is looked at is bounded, however many tasks and CPUs there are.
 */
#include "kermon_compat.h"

/* No more tasks than this are looked at with the lock of a runqueue held. */
#define KERMON_SCAN		32

/* In one go no more CPUs than this are looked at. */
#define KERMON_LOOK		64

/* So often another CPU is tried when what waits may not run on the best one. */
#define KERMON_TRIES		4

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

/* The best of the CPUs that were looked at. */
struct choice {
	int cpu;
	int rank;
};

#define NO_CHOICE	((struct choice){ .cpu = -1, .rank = RANK_NEVER })

/*
 * CPUs where a task of the class waits that may run elsewhere; each is set under
 * the lock of its runqueue.
 */
static struct cpumask kermon_overloaded_mask;
static atomic_t kermon_overloaded;

/* Where those who wait may go: for the tick of this CPU. */
static DEFINE_PER_CPU(struct cpumask, kermon_targets);

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

/* Do real-time or deadline tasks have this CPU? Not the server of fair ones. */
static bool is_taken(struct rq *rq)
{
	return READ_ONCE(rq->rt.rt_nr_running) || kermon_deadline_running(rq);
}

/* Looks without the lock: a wrong answer is corrected by the next push. */
static int cpu_rank(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	unsigned long load = READ_ONCE(rq->kermon.load);

	if (!cpu_active(cpu) || is_taken(rq))
		return RANK_NEVER;
	if (load || !available_idle_cpu(cpu))
		return min(RANK_LOWER + load, RANK_NEVER - 1UL);
	return is_idle_core(cpu) ? RANK_IDLE_CORE : RANK_IDLE_CPU;
}

static bool may_run_on(struct task_struct *p, int cpu)
{
	return cpumask_test_cpu(cpu, p->cpus_ptr) && !is_migration_disabled(p) &&
		sched_core_cookie_match(cpu_rq(cpu), p);
}

/*
 * Is there a better choice in @span, for @p if it is given? Where not all are
 * looked at, others are the next time.
 */
static void look_around(struct choice *best, const struct cpumask *span,
			struct task_struct *p)
{
	int start = jiffies * KERMON_LOOK % nr_cpu_ids;
	int left = KERMON_LOOK;
	int cpu, rank;

	for_each_cpu_wrap(cpu, span, start) {
		if (best->rank == RANK_IDLE_CORE || !left--)
			break;
		rank = cpu_rank(cpu);
		if (rank >= best->rank || (p && !may_run_on(p, cpu)))
			continue;
		best->cpu = cpu;
		best->rank = rank;
	}
}

/* All that @cpu may exchange tasks with: nobody if it is isolated. */
static const struct cpumask *balance_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(cpu_rq(cpu)->sd);
	struct sched_domain *top = NULL;

	for (; sd; sd = rcu_dereference(sd->parent))
		top = sd;
	return top ? sched_domain_span(top) : cpu_none_mask;
}

static const struct cpumask *cache_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(per_cpu(sd_llc, cpu));

	return sd ? sched_domain_span(sd) : cpu_none_mask;
}

/*
 * Near @cpu, the one where @p ran, and best there, if that is as good; -1:
 * nowhere. A lock of @p is held meanwhile, with interrupts off: so even a busy
 * machine is looked at in no more than KERMON_LOOK places near and as many far.
 */
static int place_task(struct task_struct *p, int cpu)
{
	struct choice best = NO_CHOICE;

	look_around(&best, cpumask_of(cpu), p);
	look_around(&best, cache_span(cpu), p);
	if (best.rank > RANK_LOWER)
		look_around(&best, balance_span(cpu), p);

	return best.cpu;
}

int select_task_rq_kermon(struct task_struct *p, int cpu, int flags)
{
	int best;

	/* Alone, an executing task stays: it is the one that counts there. */
	if (!(flags & (WF_TTWU | WF_FORK)) &&
	    READ_ONCE(cpu_rq(cpu)->kermon.nr_running) < 2)
		return cpu;

	rcu_read_lock();
	best = place_task(p, cpu);
	rcu_read_unlock();

	return best < 0 ? cpu : best;
}

static unsigned long task_weight(const struct task_struct *p)
{
	return scale_load_down(p->se.load.weight);
}

/* Does anybody wait here who may run elsewhere? */
static bool is_overloaded(struct rq *rq)
{
	return READ_ONCE(rq->kermon.nr_movable) &&
		READ_ONCE(rq->kermon.nr_running) + is_taken(rq) > 1;
}

void kermon_update_overload(struct rq *rq)
{
	bool overloaded = is_overloaded(rq);

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

/* @p is queued. Its affinity and its weight do not change until it is not. */
void kermon_count_in(struct rq *rq, struct task_struct *p)
{
	struct kermon_rq *kermon = &rq->kermon;

	if (!kermon->nr_running++)
		kermon->came = rq_clock_task(rq);
	kermon->nr_movable += p->nr_cpus_allowed > 1;
	kermon->load += task_weight(p);
	kermon_update_overload(rq);
}

void kermon_count_out(struct rq *rq, struct task_struct *p)
{
	struct kermon_rq *kermon = &rq->kermon;

	kermon->nr_running--;
	kermon->nr_movable -= p->nr_cpus_allowed > 1;
	kermon->load -= task_weight(p);
	kermon_update_overload(rq);
}

static bool is_rotation_due(struct rq *rq)
{
	return time_after(jiffies, rq->kermon.moved +
				   msecs_to_jiffies(KERMON_ROTATE_MS));
}

/*
 * Is it worth moving @weight from @src to a CPU whose load is smaller by @room?
 * It evens them out if it is less; it turns them around if it is the same.
 */
static bool fits(struct rq *src, unsigned long weight, unsigned long room)
{
	return weight < room || (weight == room && is_rotation_due(src));
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
	return fits(src, task_weight(p), room) && may_run_on(p, cpu);
}

static struct task_struct *next_queued(struct rq *rq, struct task_struct *p)
{
	struct rb_node *node = p ? rb_next(&p->kermon_se.node) :
				   rb_first_cached(&rq->kermon.tasks);

	return node ? kermon_task_of(node) : NULL;
}

/* Of those who wait on @src and may move to @cpu: who had most of late. */
static struct task_struct *best_served(struct rq *src, int cpu,
				       unsigned long room)
{
	struct task_struct *p, *best = NULL;
	int left = KERMON_SCAN;

	for (p = next_queued(src, NULL); p && left--; p = next_queued(src, p)) {
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

/* Has a class above somebody to run? The server of fair tasks is above too. */
bool kermon_outranked(struct rq *rq)
{
	return sched_stop_runnable(rq) || sched_dl_runnable(rq) ||
		sched_rt_runnable(rq);
}

/* Would a task that is pulled run, and now? */
static bool wants_task(struct rq *rq)
{
	return !rq->kermon.nr_running && !kermon_outranked(rq) &&
		!kermon_reserve_yields(rq);
}

/* Both locks held: much may have changed while they were taken. */
static void pull_from(struct rq *rq, struct rq *src)
{
	struct task_struct *p;

	if (!wants_task(rq) || !src->kermon.overloaded)
		return;

	p = best_served(src, cpu_of(rq), ULONG_MAX);
	if (p)
		move_task(src, rq, p);
}

/*
 * Get a task for @rq if it has none and one would run at once. May drop the lock
 * of @rq meanwhile.
 */
void kermon_pull(struct rq *rq)
{
	const struct cpumask *span;
	int cpu;

	lockdep_assert_rq_held(rq);
	if (!atomic_read(&kermon_overloaded) || !cpu_active(cpu_of(rq)))
		return;

	rcu_read_lock();
	span = balance_span(cpu_of(rq));
	for_each_cpu_wrap(cpu, &kermon_overloaded_mask, cpu_of(rq)) {
		if (!wants_task(rq))
			break;
		if (!cpumask_test_cpu(cpu, span) || cpu == cpu_of(rq))
			continue;
		double_lock_balance(rq, cpu_rq(cpu));
		pull_from(rq, cpu_rq(cpu));
		double_unlock_balance(rq, cpu_rq(cpu));
	}
	rcu_read_unlock();
}

/*
 * Has a real-time task kept the class waiting for long? Since it ran here last,
 * or, if nobody was there then, since somebody came.
 */
static bool is_starving(struct rq *rq)
{
	u64 since = max(rq->kermon.left, rq->kermon.came);

	return is_taken(rq) && !is_kermon_class(kermon_curr(rq)->sched_class) &&
		(s64)(rq_clock_task(rq) - since) >
		(s64)(KERMON_ROTATE_MS * NSEC_PER_MSEC);
}

/* By how much the load of a CPU of @rank is smaller, as far as that matters. */
static unsigned long room_for(struct rq *src, int rank)
{
	unsigned long here = src->kermon.load;
	unsigned long there = max(rank - RANK_LOWER, 0);

	if (rank == RANK_NEVER)
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

/* Where those who wait on @src may go, and the weight of the lightest. */
static unsigned long survey_waiting(struct rq *src, struct cpumask *targets)
{
	unsigned long lightest = ULONG_MAX;
	int left = KERMON_SCAN;
	struct task_struct *p;

	cpumask_clear(targets);
	for (p = next_queued(src, NULL); p && left--; p = next_queued(src, p)) {
		if (task_on_cpu(src, p) || is_migration_disabled(p))
			continue;
		cpumask_or(targets, targets, p->cpus_ptr);
		lightest = min(lightest, task_weight(p));
	}
	cpumask_and(targets, targets, balance_span(cpu_of(src)));
	cpumask_clear_cpu(cpu_of(src), targets);

	return lightest;
}

/* In @span, where there is most; 0: nowhere. */
static unsigned long best_room(struct rq *src, const struct cpumask *span,
			       int *cpu)
{
	struct choice best = NO_CHOICE;

	look_around(&best, span, NULL);
	*cpu = best.cpu;
	return room_for(src, best.rank);
}

/*
 * Who shall be pushed from @src, if anybody, and to which CPU: to the best one
 * that has room. If nobody is light enough for that, nobody is for the others.
 */
static struct task_struct *surplus_task(struct rq *src, int *target)
{
	struct cpumask *targets = this_cpu_ptr(&kermon_targets);
	struct task_struct *p = NULL;
	unsigned long room, lightest;
	int tries = KERMON_TRIES;

	if (!best_room(src, balance_span(cpu_of(src)), target))
		return NULL;

	lightest = survey_waiting(src, targets);
	while (!p && tries--) {
		room = best_room(src, targets, target);
		if (!fits(src, lightest, room))
			return NULL;
		p = best_served(src, *target, room);
		cpumask_clear_cpu(*target, targets);
	}
	if (!p || task_weight(p) < room)
		return p;
	/* The one that runs cannot be pushed now: soon it waits. */
	return is_its_turn(src, kermon_curr(src), p, *target, room) ? NULL : p;
}

static void push_to(struct rq *rq, struct task_struct *p, int cpu)
{
	struct rq *dst = cpu_rq(cpu);

	get_task_struct(p);
	double_lock_balance(rq, dst);
	/* The lock may have been dropped, and @p may be anywhere. */
	update_rq_clock(rq);
	if (task_rq(p) == rq && p->kermon_se.on_rq &&
	    !task_on_cpu(rq, p) &&
	    may_move(rq, p, cpu, room_for(rq, cpu_rank(cpu))))
		move_task(rq, dst, p);
	double_unlock_balance(rq, dst);
	put_task_struct(p);
}

static void push_surplus(struct rq *rq)
{
	struct task_struct *p;
	int target;

	rcu_read_lock();
	p = surplus_task(rq, &target);
	rcu_read_unlock();

	if (p)
		push_to(rq, p, target);
}

/*
 * At each tick, whoever runs: a real-time hog too may keep tasks waiting. Where
 * nobody waits the lock is left alone; a wrong look is mended a tick later.
 */
void kermon_balance_tick(struct rq *rq)
{
	if (!READ_ONCE(rq->kermon.overloaded) && !is_overloaded(rq))
		return;

	raw_spin_rq_lock(rq);
	update_rq_clock(rq);
	kermon_update_overload(rq);
	if (rq->kermon.overloaded && cpu_active(cpu_of(rq)))
		push_surplus(rq);
	raw_spin_rq_unlock(rq);
}
