/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon in the scheduler: the queue of the class, the hooks that core.c calls,
 * and declarations shared by the files of the class.
 *
 * The class (kermon.c with kermon_queue.h, kermon_balance.c, kermon_reserve.c,
 * kermon_attr.c, kermon_stats.c) schedules tasks; kermon.c calls the other files,
 * balancing asks the reserve. The hooks (kermon_hooks.c) sample monitored tasks of any
 * class. The two are independent of each other. An application may have its tasks in the
 * class on loan (kermon_loan.c).
 */
#ifndef _KERNEL_SCHED_KERMON_H
#define _KERNEL_SCHED_KERMON_H

#include <linux/hrtimer.h>
#include <linux/jump_label.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include <uapi/linux/kermon.h>

struct rq;
struct rq_flags;
struct sched_attr;
struct sched_class;
struct seq_file;

extern const struct sched_class kermon_sched_class;

static inline bool kermon_policy(int policy)
{
	return IS_ENABLED(CONFIG_SCHED_KERMON) && policy == SCHED_KERMON;
}

static inline bool is_kermon_class(const struct sched_class *class)
{
	return IS_ENABLED(CONFIG_SCHED_KERMON) && class == &kermon_sched_class;
}

#ifdef CONFIG_SCHED_KERMON

/*
 * Flags of struct sched_attr that only kermon_loan.c may use: sched_period has the id
 * of an application.
 */
#define SCHED_FLAG_KERMON_LEND		0x20000000
#define SCHED_FLAG_KERMON_RETURN	0x40000000
#define SCHED_FLAG_KERMON	(SCHED_FLAG_KERMON_LEND | SCHED_FLAG_KERMON_RETURN)

/* CPU time before the next task of the queue runs. */
#define KERMON_SLICE_NS		(3 * NSEC_PER_MSEC)

/**
 * struct kermon_rq - the queue of a CPU, protected by its runqueue lock
 * @tasks: entities by vruntime, including the running one
 * @nr_running: number of @tasks
 * @nr_movable: number of @tasks that may run on other CPUs
 * @load: sum of their weights
 * @overloaded: a task waits behind another one or a real-time task, and some are
 *	movable: this CPU is in kermon_overloaded_mask
 * @min_vruntime: monotonic floor of the leftmost vruntime; vruntime is meaningful only
 *	relative to it
 * @min_vruntime_fi: value of @min_vruntime when the core began to force a CPU idle
 * @forceidle_seq: sequence number of that forced idling
 * @queued_since: rq_clock_task() when the queue last became non-empty
 * @moved: jiffies when a task was last moved to or from this CPU
 * @starved: CPU time of the class while lower classes waited, minus what they received
 * @last_out: rq_clock_task() when the class was last switched out
 * @yielding: lower classes go first, until @reserve fires
 * @turn_end: end of their turn, extended by what higher classes take of it
 * @turn_seen: time up to which such extensions are accounted for
 * @charged: when @starved last grew; like the two above in rq_clock() time
 * @reserve: ends the turn of the lower classes
 */
struct kermon_rq {
	struct rb_root_cached	tasks;
	unsigned int		nr_running;
	unsigned int		nr_movable;
	unsigned long		load;
	bool			overloaded;
	u64			min_vruntime;
#ifdef CONFIG_SCHED_CORE
	u64			min_vruntime_fi;
	unsigned int		forceidle_seq;
#endif

	u64			queued_since;
	unsigned long		moved;

	u64			starved;
	u64			last_out;
	bool			yielding;
	u64			turn_end;
	u64			turn_seen;
	u64			charged;
	struct hrtimer		reserve;
};

/* The task of a node of kermon_rq.tasks. */
static inline struct task_struct *kermon_task_of(struct rb_node *node)
{
	return container_of(node, struct task_struct, kermon_se.node);
}

static inline u64 kermon_slice(const struct task_struct *p)
{
	return READ_ONCE(p->kermon_se.slice) ?: KERMON_SLICE_NS;
}

/* kermon.c: the class; kermon_compat.h wraps some of these as its operations */
void init_kermon_rq(struct kermon_rq *kermon);
bool kermon_prio_less(const struct task_struct *a, const struct task_struct *b,
		      bool in_fi);
bool kermon_can_stop_tick(struct rq *rq);
void kermon_dequeue_task(struct rq *rq, struct task_struct *p, int flags);
void kermon_put_prev_task(struct rq *rq, struct task_struct *p);
struct task_struct *kermon_pick_task(struct rq *rq);

/* kermon_balance.c: CPU selection and load balancing; see kermon_queue.h, too */
int select_task_rq_kermon(struct task_struct *p, int cpu, int flags);
void kermon_set_overload(struct rq *rq, bool overloaded);
bool kermon_outranked(struct rq *rq);
void kermon_pull(struct rq *rq);
void kermon_balance_tick(struct rq *rq);

/* kermon_reserve.c: the CPU time reserved for lower classes; likewise */
void kermon_reserve_init(struct kermon_rq *kermon);
void kermon_reserve_charge(struct rq *rq, u64 delta);
void kermon_reserve_credit(struct rq *rq, struct task_struct *prev);
bool kermon_core_yields(struct rq *rq);
void kermon_reserve_resume(struct rq *rq);

/* kermon_stats.c: statistics and debug output; likewise */
void kermon_stats_enqueue(struct rq *rq, struct task_struct *p, int flags);
void kermon_stats_dequeue(struct rq *rq, struct task_struct *p, int flags);
void print_kermon_stats(struct seq_file *m, int cpu);
void kermon_show_task(struct task_struct *p, struct seq_file *m);

/**
 * struct kermon_key - a static branch that hooks depend on
 * @key: enabled while there are users, and for a while after that
 * @users: who need them, protected by kermon_key_mutex
 * @disable: the end of that time
 */
struct kermon_key {
	struct static_key_false key;
	unsigned int users;
	struct delayed_work disable;
};

void kermon_key_get(struct kermon_key *key);
void kermon_key_put(struct kermon_key *key);

/* kermon_attr.c: what sched_setattr() and its relatives do to tasks of the class */
bool kermon_may_enter(int policy);
int kermon_setscheduler(struct task_struct *p, const struct sched_attr *attr,
			int policy, bool may_enter);
bool kermon_has_no_bandwidth(const struct task_struct *p,
			     const struct sched_attr *attr, int policy);
void kermon_set_params(struct task_struct *p, const struct sched_attr *attr);
bool kermon_params_changed(const struct task_struct *p,
			   const struct sched_attr *attr);
void kermon_keep_slice(const struct task_struct *p, int policy,
		       struct sched_attr *attr);

/* kermon_loan.c: the class on loan */
int kermon_lend(struct task_struct *p, u32 app);
int kermon_lend_nocheck(struct task_struct *p, u32 app);
void kermon_return(struct task_struct *p, u32 app);

/* kermon_hooks.c; kermon_registry.c enables it while any application exists */
extern struct kermon_key kermon_active;

/* kermon_hooks.c: enabled while kermon_watch_idle() is in effect */
extern struct kermon_key kermon_watching;

void __kermon_cpu_idle(bool idle);
void __kermon_task_switch(struct task_struct *prev, struct task_struct *next);
void __kermon_task_tick(struct task_struct *curr);
void __kermon_post_fork(struct task_struct *p);
void __kermon_affinity(struct task_struct *p, const struct cpumask *cpus);

/* Lockless: if the result matters, the caller checks again in __sched_setscheduler(). */
static inline bool kermon_is_lent(const struct task_struct *p)
{
	return kermon_policy(p->policy) && READ_ONCE(p->kermon_se.lent_by);
}

/*
 * In __sched_fork(): dup_task_struct() copied data that belongs to the parent. What goes
 * with the policy is inherited, unless that is reset.
 *
 * The copy was made without a lock, while the parent may have been moved into the class
 * or out of it. A policy that was copied must not come without its loan, or nothing would
 * return @p: so take one that is at least as new. @p cannot be found by its pid yet.
 */
static inline void init_kermon_task(struct task_struct *p)
{
	const u32 slice = p->kermon_se.slice;

	memset(&p->kermon, 0, sizeof(p->kermon));
	memset(&p->kermon_se, 0, sizeof(p->kermon_se));
	if (p->sched_reset_on_fork)
		return;
	p->kermon_se.slice = slice;
	if (kermon_policy(p->policy)) {
		smp_rmb(); /* kermon_note_loan() */
		p->kermon_se.lent_by = READ_ONCE(current->kermon_se.lent_by);
		p->kermon_se.lent_policy = current->kermon_se.lent_policy;
		p->kermon_se.lent_priority = current->kermon_se.lent_priority;
	}
}

/* In prepare_task_switch(): irqs off, runqueue lock held. */
static inline void kermon_task_switch(struct task_struct *prev,
				      struct task_struct *next)
{
	if (!static_branch_unlikely(&kermon_active.key))
		return;
	/* Test the pid: a task that injects idle time is not an idle task. */
	if (static_branch_unlikely(&kermon_watching.key) &&
	    (!prev->pid || !next->pid))
		__kermon_cpu_idle(!next->pid);
	if (rcu_access_pointer(prev->kermon.app) ||
	    rcu_access_pointer(next->kermon.app))
		__kermon_task_switch(prev, next);
}

/* In sched_tick(), on the local CPU: irqs off, no runqueue lock held. */
static inline void kermon_task_tick(struct task_struct *curr)
{
	if (static_branch_unlikely(&kermon_active.key) &&
	    rcu_access_pointer(curr->kermon.app))
		__kermon_task_tick(curr);
}

/*
 * In sched_post_fork(): @p inherits the application of its creator. If that was closed
 * meanwhile, @p must not keep what the application has lent.
 */
static inline void kermon_post_fork(struct task_struct *p)
{
	if ((static_branch_unlikely(&kermon_active.key) &&
	     rcu_access_pointer(current->kermon.app)) || kermon_is_lent(p))
		__kermon_post_fork(p);
}

/* In __sched_setaffinity(), before @p may run on @cpus: may sleep, no lock held. */
static inline void kermon_affinity(struct task_struct *p,
				   const struct cpumask *cpus)
{
	if (static_branch_unlikely(&kermon_active.key) &&
	    rcu_access_pointer(p->kermon.app))
		__kermon_affinity(p, cpus);
}

#else /* !CONFIG_SCHED_KERMON */

#define SCHED_FLAG_KERMON	0

static inline bool kermon_may_enter(int policy)
{
	return false;
}

static inline int kermon_setscheduler(struct task_struct *p,
				      const struct sched_attr *attr, int policy,
				      bool may_enter)
{
	return 0;
}

/* Macros: inline functions would let the compiler reorder __sched_setscheduler(). */
#define kermon_has_no_bandwidth(...)	false
#define kermon_params_changed(...)	false

static inline u64 kermon_slice(const struct task_struct *p)
{
	return 0;
}

static inline void kermon_set_params(struct task_struct *p,
				     const struct sched_attr *attr) { }
static inline void kermon_keep_slice(const struct task_struct *p, int policy,
				     struct sched_attr *attr) { }

static inline bool kermon_prio_less(const struct task_struct *a,
				    const struct task_struct *b, bool in_fi)
{
	return false;
}

static inline bool kermon_can_stop_tick(struct rq *rq)
{
	return true;
}

static inline void print_kermon_stats(struct seq_file *m, int cpu) { }
static inline void kermon_show_task(struct task_struct *p,
				    struct seq_file *m) { }
static inline void kermon_balance_tick(struct rq *rq) { }
static inline void init_kermon_task(struct task_struct *p) { }
static inline void kermon_task_switch(struct task_struct *prev,
				      struct task_struct *next) { }
static inline void kermon_task_tick(struct task_struct *curr) { }
static inline void kermon_post_fork(struct task_struct *p) { }
static inline void kermon_affinity(struct task_struct *p,
				   const struct cpumask *cpus) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _KERNEL_SCHED_KERMON_H */
