// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks of an application: they join by set_events() or inherit at fork, and leave
 * at exit, when a program with more privileges is executed, or when the last descriptor
 * is closed. With them goes the loan of the class, if they have one (kermon_loan.c).
 *
 * A task joins and leaves with its alloc_lock held, so that no task can join
 * after kermon_exit(); the application's lock nests inside it. Closing takes
 * only the latter: whichever path clears task->app also drops the task's
 * reference.
 */
#include <linux/binfmts.h>
#include <linux/pid_namespace.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/tick.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/* Held while tasks are added to a new application; fork joins without it. */
static DEFINE_MUTEX(kermon_join_mutex);

static void kermon_set_ids(struct kermon_app *app, struct task_struct *p)
{
	p->kermon.pid = task_tgid_nr_ns(p, app->ns);
	p->kermon.tid = task_pid_nr_ns(p, app->ns);
}

static int kermon_link(struct kermon_app *app, struct task_struct *p)
{
	unsigned long flags;
	int ret = -ENOENT;

	lockdep_assert_held(&p->alloc_lock);
	kermon_set_ids(app, p);
	raw_spin_lock_irqsave(&app->lock, flags);
	if (app->nr_files && !app->revoked) {
		kref_get(&app->ref);
		list_add_tail(&p->kermon.node, &app->tasks);
		app->nr_tasks++;
		rcu_assign_pointer(p->kermon.app, app);
		/*
		 * The tick takes samples, and reads energy before the counters
		 * wrap.
		 */
		tick_dep_set_task(p, TICK_DEP_BIT_PERF_EVENTS);
		ret = 0;
	}
	raw_spin_unlock_irqrestore(&app->lock, flags);

	return ret;
}

/* @app->lock is held; the caller puts the reference of @p. */
void kermon_unlink(struct kermon_app *app, struct task_struct *p)
{
	lockdep_assert_held(&app->lock);
	kermon_self_end(app, p);
	tick_dep_clear_task(p, TICK_DEP_BIT_PERF_EVENTS);
	list_del(&p->kermon.node);
	/* Pairs with kermon_join(): from now on, @p may join another application. */
	smp_wmb();
	RCU_INIT_POINTER(p->kermon.app, NULL);
	/* Pairs with kermon_app_ended(): the last sample is already in the log. */
	smp_store_release(&app->nr_tasks, app->nr_tasks - 1);
}

static bool kermon_has_ended(const struct kermon_app *app)
{
	lockdep_assert_held(&app->lock);
	return app->made && !app->nr_tasks && !app->revoking;
}

/* Process context, may sleep. */
void kermon_notify_end(struct kermon_app *app)
{
	wake_up_interruptible(&app->wait);
	app->ops->app_notice(app, KERMON_NOTICE_EXITED);
}

static int kermon_join(struct kermon_app *app, struct task_struct *p)
{
	int ret;

	task_lock(p);
	if (p->flags & PF_EXITING)
		ret = -ESRCH;
	else if (rcu_access_pointer(p->kermon.app))
		ret = -EALREADY;
	else
		ret = kermon_link(app, p);
	task_unlock(p);

	return ret;
}

/*
 * Add all threads of the process of @p that are not exiting, or none. The main thread may
 * have exited long ago.
 *
 * No thread is missed. A thread that is being created is found here if it is already in
 * the list of its group. Otherwise it is added to that list with tasklist_lock
 * write-held, hence after this function, by a thread that was found here: only members
 * of a group create further ones, and an exiting thread (PF_EXITING) creates none. The
 * new thread then inherits its creator's application in sched_post_fork(), which comes
 * still later. For a thread that was found, both this function and its creator may do
 * that concurrently; the second one finds it done.
 *
 * While kermon_join_mutex is held, no other caller adds members, so the result of the
 * first loop is still valid in the second. The exception is the only thread of a process
 * that a monitored one is just creating; with a single thread, the operation is still
 * all or nothing.
 */
static int kermon_join_process(struct kermon_app *app, struct task_struct *p)
{
	struct task_struct *t;
	int ret = -ESRCH;

	lockdep_assert_held(&kermon_join_mutex);
	read_lock(&tasklist_lock);
	for_each_thread(p, t) {
		if (rcu_access_pointer(t->kermon.app)) {
			ret = -EALREADY;
			goto unlock;
		}
	}
	for_each_thread(p, t) {
		int err = kermon_join(app, t);

		if (ret)
			ret = err;
	}
unlock:
	read_unlock(&tasklist_lock);

	return ret;
}

/*
 * Whether a member runs on @cpu. A task that is being switched in is either
 * seen here or sees in its hook that it has joined: both hold the runqueue
 * lock.
 */
static bool kermon_runs_member(int cpu, void *app)
{
	struct rq *rq = cpu_rq(cpu);
	unsigned long flags;
	bool member;

	raw_spin_rq_lock_irqsave(rq, flags);
	member = rcu_access_pointer(kermon_curr(rq)->kermon.app) == app;
	raw_spin_rq_unlock_irqrestore(rq, flags);

	return member;
}

void kermon_on_members(struct kermon_app *app, smp_call_func_t fn)
{
	on_each_cpu_cond(kermon_runs_member, fn, app, true);
}
EXPORT_SYMBOL_GPL(kermon_on_members);

static void kermon_open_here(void *app)
{
	if (rcu_access_pointer(current->kermon.app) == app)
		kermon_open_interval(current);
}

static bool kermon_is_member(const struct task_struct *p, u32 id)
{
	struct kermon_app *app;
	bool member;

	rcu_read_lock();
	app = rcu_dereference(p->kermon.app);
	member = app && app->id == id;
	rcu_read_unlock();

	return member;
}

/*
 * Get a member that the application has not lent to the class yet, with a reference. A
 * loan leaves its mark even if the policy has been changed since, so nothing is done twice.
 * Those that are done go to the end of the list: the next one is found quickly.
 */
static struct task_struct *kermon_next_unlent(struct kermon_app *app)
{
	struct task_struct *p, *found = NULL;

	raw_spin_lock_irq(&app->lock);
	list_for_each_entry(p, &app->tasks, kermon.node) {
		if (kermon_policy(p->policy) || p->kermon_se.lent_by == app->id)
			continue;
		found = get_task_struct(p);
		list_move_tail(&p->kermon.node, &app->tasks);
		break;
	}
	raw_spin_unlock_irq(&app->lock);

	return found;
}

/*
 * Move the members of a new application into the class; it returns them when they leave.
 *
 * Tasks that they create meanwhile are not missed. If one has been copied before its
 * creator is lent, it joins before all members are, and is found here; or it joins later,
 * and then follows its creator (kermon_follow()). After an error, others may be lent.
 */
static int kermon_lend_members(struct kermon_app *app)
{
	struct task_struct *p;
	int ret = 0;

	while (!ret && (p = kermon_next_unlent(app))) {
		ret = kermon_lend(p, app->id);
		/* Pairs with kermon_return(). It may have left, and found no loan. */
		smp_mb();
		if (!kermon_is_member(p, app->id))
			kermon_return(p, app->id);
		put_task_struct(p);
	}
	return ret;
}

/**
 * kermon_open_members() - start counting for the tasks of an application that run now
 * @app: the application
 *
 * For the others, the hook opens an interval.
 *
 * Context: Process context, may sleep.
 */
void kermon_open_members(struct kermon_app *app)
{
	kermon_on_members(app, kermon_open_here);
}

/**
 * kermon_cpus_of() - where tasks may run that are to be monitored
 * @p: the task, or any thread of the process
 * @flags: KERMON_FLAG_PROCESS for the whole process of @p
 * @cpus: the result
 *
 * Context: Any.
 */
void kermon_cpus_of(struct task_struct *p, unsigned int flags,
		    struct cpumask *cpus)
{
	struct task_struct *t;

	cpumask_copy(cpus, &p->cpus_mask);
	if (!(flags & KERMON_FLAG_PROCESS))
		return;
	rcu_read_lock();
	for_each_thread(p, t)
		cpumask_or(cpus, cpus, &t->cpus_mask);
	rcu_read_unlock();
}

/**
 * kermon_cpus_of_members() - where the tasks of an application may run
 * @app: the application
 * @cpus: the result
 *
 * There may be many tasks, and interrupts stay on. So one that is created meanwhile may be
 * missed; it has inherited the affinity of one that was not.
 *
 * Context: Process context.
 */
void kermon_cpus_of_members(const struct kermon_app *app, struct cpumask *cpus)
{
	struct task_struct *process, *t;

	cpumask_clear(cpus);
	rcu_read_lock();
	for_each_process_thread(process, t)
		if (rcu_access_pointer(t->kermon.app) == app)
			cpumask_or(cpus, cpus, &t->cpus_mask);
	rcu_read_unlock();
}

static struct kermon_app *kermon_app_of(struct task_struct *p)
{
	struct kermon_app *app;

	rcu_read_lock();
	app = rcu_dereference(p->kermon.app);
	if (app && !kref_get_unless_zero(&app->ref))
		app = NULL;
	rcu_read_unlock();

	return app;
}

/*
 * @p is about to be allowed to run on @cpus. No lock is held here. If it joins
 * meanwhile, kermon_app_start() may see its old affinity: then it is as with changes that
 * do not come here, those of control groups and of hotplug.
 */
void __kermon_affinity(struct task_struct *p, const struct cpumask *cpus)
{
	struct kermon_app *app = kermon_app_of(p);

	if (!app)
		return;
	app->ops->app_cover(app, cpus);
	kermon_app_put_later(app);
}

/**
 * kermon_add_members() - let tasks join a new application
 * @app: the application
 * @p: the task, or any thread of the process
 * @flags: KERMON_FLAG_PROCESS for the whole process of @p, KERMON_FLAG_LEND_CLASS to move
 *	them into the class
 *
 * Context: Process context, may sleep, but waits for no other CPU: the caller holds the
 * exec_update_lock of @p.
 * Return: 0; with no task added -ESRCH or -EALREADY; or an error of kermon_lend(), and
 * the caller is to close @app.
 */
int kermon_add_members(struct kermon_app *app, struct task_struct *p,
		       unsigned int flags)
{
	int ret;

	lockdep_assert_held(&p->signal->exec_update_lock);
	mutex_lock(&kermon_join_mutex);
	if (flags & KERMON_FLAG_PROCESS)
		ret = kermon_join_process(app, p);
	else
		ret = kermon_join(app, p);
	mutex_unlock(&kermon_join_mutex);
	if (!ret && flags & KERMON_FLAG_LEND_CLASS)
		ret = kermon_lend_members(app);

	return ret;
}

/**
 * kermon_members_complete() - from now on, the application ends with its last task
 * @app: the application, whose start observers have been notified of
 *
 * Context: Process context, may sleep.
 */
void kermon_members_complete(struct kermon_app *app)
{
	bool ended;

	raw_spin_lock_irq(&app->lock);
	/* Pairs with kermon_app_ended(): all tasks have joined. */
	smp_store_release(&app->made, true);
	ended = kermon_has_ended(app);
	raw_spin_unlock_irq(&app->lock);

	if (ended)
		kermon_notify_end(app);
}

/* No task can join any more. Returns whether that is so. */
static bool kermon_retire(struct kermon_app *app)
{
	bool retired;

	raw_spin_lock_irq(&app->lock);
	retired = !--app->nr_files;
	raw_spin_unlock_irq(&app->lock);

	return retired;
}

/* Take a task out, with a reference to it. @last: whether it was the last one. */
static struct task_struct *kermon_unlink_first(struct kermon_app *app, bool *last)
{
	struct task_struct *p;

	raw_spin_lock_irq(&app->lock);
	p = list_first_entry_or_null(&app->tasks, struct task_struct, kermon.node);
	if (p) {
		get_task_struct(p);
		kermon_unlink(app, p);
		*last = kermon_has_ended(app);
	}
	raw_spin_unlock_irq(&app->lock);

	return p;
}

/**
 * kermon_drop_members() - drop a descriptor, and with the last one all tasks
 * @app: the application; the caller holds another reference
 *
 * The tasks continue unmonitored, outside of the class if they were there on loan.
 *
 * Context: Process context, may sleep. Usually the release of a file, in a task that
 * returns to user space or exits, or in a workqueue.
 */
void kermon_drop_members(struct kermon_app *app)
{
	struct task_struct *p;
	bool last = false;

	if (!kermon_retire(app))
		return;
	while ((p = kermon_unlink_first(app, &last))) {
		kermon_return(p, app->id);
		put_task_struct(p);
		kermon_app_put(app);
	}
	if (last)
		kermon_notify_end(app);
}

/*
 * Before @curr exits or executes another program, write out its samples that
 * are pending on other CPUs. There may be many CPUs, so keep irqs on; the
 * caller prevents migration.
 */
static void kermon_settle(struct task_struct *curr)
{
	struct kermon_app *app;

	rcu_read_lock();
	app = rcu_dereference(curr->kermon.app);
	if (app)
		app->ops->task_settle(app, curr);
	rcu_read_unlock();
}

/*
 * Returns the application that @curr has left, or NULL; @last is set to whether
 * it was the last task of the application.
 */
static struct kermon_app *kermon_leave(struct task_struct *curr, bool *last)
{
	struct kermon_app *app;
	bool member = false;

	lockdep_assert_held(&curr->alloc_lock);
	/* The hooks must see closing and leaving as a single step. */
	local_irq_disable();
	app = rcu_dereference_sched(curr->kermon.app);
	if (app) {
		kermon_close_interval(curr, KERMON_REASON_EXIT);
		raw_spin_lock(&app->lock);
		/* kermon_drop_members() may have run meanwhile. */
		member = rcu_access_pointer(curr->kermon.app);
		if (member)
			kermon_unlink(app, curr);
		*last = member && kermon_has_ended(app);
		raw_spin_unlock(&app->lock);
	}
	local_irq_enable();

	return member ? app : NULL;
}

/*
 * @p, which has not run yet, has been created by a lent task. If it has not joined the
 * application, which returns its members, that has been closed since @p was copied, and
 * nothing else would return it. Doing so twice does no harm.
 */
static void kermon_return_child(struct task_struct *p)
{
	u32 id = READ_ONCE(p->kermon_se.lent_by);

	if (!kermon_is_member(p, id))
		kermon_return(p, id);
}

/* The creator of @p, which inherits the policy, has been lent since @p was copied. */
static void kermon_follow(struct task_struct *p)
{
	u32 id = READ_ONCE(current->kermon_se.lent_by);

	if (!kermon_policy(p->policy) && kermon_is_member(p, id))
		kermon_lend_nocheck(p, id);
}

/* @p, which has not run yet, joins the application of its creator. */
static void kermon_inherit(struct task_struct *p)
{
	struct kermon_app *app = kermon_app_of(current);

	if (!app)
		return;
	/* Ignore errors: closed meanwhile, or already joined by set_events(). */
	kermon_join(app, p);
	kermon_app_put_later(app);
}

void __kermon_post_fork(struct task_struct *p)
{
	kermon_inherit(p);
	if (kermon_is_lent(current) && !current->sched_reset_on_fork)
		kermon_follow(p);
	if (kermon_is_lent(p))
		kermon_return_child(p);
}

/*
 * In begin_new_exec(), after the old program is gone: what follows counts for
 * the new one. The thread may have become group leader and changed its id.
 */
void kermon_exec(struct task_struct *curr)
{
	struct kermon_app *app;

	kermon_self_leave(curr);
	if (!static_branch_unlikely(&kermon_active.key))
		return;

	migrate_disable();
	kermon_settle(curr);
	local_irq_disable();
	app = rcu_dereference_sched(curr->kermon.app);
	if (app) {
		kermon_close_interval(curr, KERMON_REASON_EXEC);
		kermon_set_ids(app, curr);
		kermon_open_interval(curr);
	}
	local_irq_enable();
	migrate_enable();
}

/*
 * In begin_new_exec(), where it is known whether the program has more privileges than
 * readers of the log may observe. One with file capabilities or another user ends the
 * monitoring whatever fs.suid_dumpable is.
 */
void kermon_exec_checked(const struct linux_binprm *bprm)
{
	if (bprm->secureexec || get_dumpable(current->mm) != SUID_DUMP_USER)
		kermon_exit(current);
}

/*
 * In do_exit(), before the parent can be woken, so that it finds the last
 * sample in the log; and in begin_new_exec().
 */
void kermon_exit(struct task_struct *curr)
{
	struct kermon_app *app;
	bool last;

	kermon_self_leave(curr);
	if (!static_branch_unlikely(&kermon_active.key))
		return;

	migrate_disable();
	kermon_settle(curr);
	task_lock(curr);
	app = kermon_leave(curr, &last);
	task_unlock(curr);
	migrate_enable();

	if (!app)
		return;
	if (last)
		kermon_notify_end(app);
	if (!(curr->flags & PF_EXITING))
		kermon_return(curr, app->id);
	kermon_app_put_later(app);
}
