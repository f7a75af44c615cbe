// SPDX-License-Identifier: GPL-2.0
/*
 * The lifetime of an application: created by set_events(), joined by every task
 * that its tasks create, left by each task at exit, ended when the last log
 * descriptor is closed, and freed with the last reference.
 *
 * A task joins and leaves with its alloc_lock held, so that no task can join
 * after kermon_exit(); the application's lock nests inside it. Closing takes
 * only the latter: whichever path clears task->app also drops the task's
 * reference.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tick.h>

#include "kermon_app.h"
#include "kermon_compat.h"

static DEFINE_MUTEX(kermon_apps_mutex);

/* Held while tasks are added to a new application; fork joins without it. */
static DEFINE_MUTEX(kermon_join_mutex);

static LIST_HEAD(kermon_apps);
static u32 kermon_last_id;

/* The module used by all applications; each of them holds a reference. */
static const struct kermon_ops *kermon_ops;

static void set_ids(struct kermon_app *app, struct task_struct *p)
{
	p->kermon.pid = task_tgid_nr_ns(p, app->ns);
	p->kermon.tid = task_pid_nr_ns(p, app->ns);
}

/* Add to the list of all applications; the hooks stay enabled while it has any. */
static void publish(struct kermon_app *app, const struct kermon_ops *ops)
{
	struct kermon_app *older;

	mutex_lock(&kermon_apps_mutex);
	kermon_ops = ops;
	/* Keep it sorted by id: an earlier application may take longer to open. */
	list_for_each_entry_reverse(older, &kermon_apps, node)
		if (older->id < app->id)
			break;
	list_add(&app->node, &older->node);
	mutex_unlock(&kermon_apps_mutex);
	static_branch_deferred_inc(&kermon_active);
}

static void withdraw(struct kermon_app *app)
{
	mutex_lock(&kermon_apps_mutex);
	list_del(&app->node);
	mutex_unlock(&kermon_apps_mutex);
	static_branch_slow_dec_deferred(&kermon_active);
}

int kermon_visit_apps(int (*fn)(struct kermon_app *app, void *data), void *data)
{
	struct kermon_app *app;
	int ret = 0;

	mutex_lock(&kermon_apps_mutex);
	list_for_each_entry(app, &kermon_apps, node) {
		ret = fn(app, data);
		if (ret)
			break;
	}
	mutex_unlock(&kermon_apps_mutex);

	return ret;
}
EXPORT_SYMBOL_GPL(kermon_visit_apps);

/* Pages that a user may pin per CPU, as for perf. */
static unsigned long cpu_lock_limit(void)
{
	return sysctl_perf_event_mlock >> (PAGE_SHIFT - 10);
}

/* Pages that an unprivileged user may pin. */
static unsigned long lock_limit(void)
{
	return cpu_lock_limit() * num_online_cpus() +
	       (rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT);
}

static unsigned long log_pages(size_t ring_size)
{
	return (PAGE_ALIGN(ring_size) >> PAGE_SHIFT) * num_possible_cpus();
}

/*
 * As much as fits the limit of unprivileged users. With the fixed default,
 * machines with many more possible than online CPUs would refuse all but
 * privileged users.
 */
u32 kermon_default_log(void)
{
	unsigned long limit = cpu_lock_limit() * num_online_cpus();
	u32 bytes = KERMON_LOG_DEFAULT_BYTES;

	while (bytes > KERMON_LOG_MIN_BYTES &&
	       log_pages(bytes + KERMON_RECORD_MAX) > limit)
		bytes /= 2;
	return bytes;
}

/* free_app() undoes this, even after an error. */
static int charge_log(struct kermon_app *app)
{
	app->locked = log_pages(kermon_ring_size(app));
	if (atomic_long_add_return(app->locked, &app->user->perf_mlock) <=
	    lock_limit())
		return 0;
	return !perf_is_paranoid() || capable(CAP_IPC_LOCK) ? 0 : -EPERM;
}

static void free_app(struct kermon_app *app)
{
	atomic_long_sub(app->locked, &app->user->perf_mlock);
	free_uid(app->user);
	put_pid_ns(app->ns);
	put_pid(app->pid);
	kfree(app);
}

static void destroy(struct kermon_app *app)
{
	const struct kermon_ops *ops = kermon_ops;

	withdraw(app);
	/* Hooks may still use the pointer that they found in a task. */
	synchronize_rcu();
	ops->app_close(app);
	free_app(app);
	kermon_put_module(ops);
}

static void destroy_now(struct kref *ref)
{
	destroy(container_of(ref, struct kermon_app, ref));
}

static void destroy_work(struct work_struct *work)
{
	destroy(container_of(work, struct kermon_app, work));
}

/* For callers that hold locks or otherwise cannot call destroy(). */
static void destroy_later(struct kref *ref)
{
	struct kermon_app *app = container_of(ref, struct kermon_app, ref);

	INIT_WORK(&app->work, destroy_work);
	schedule_work(&app->work);
}

static struct kermon_app *alloc_app(struct task_struct *p,
				    const struct kermon_event_set *set,
				    const struct kermon_group *groups)
{
	struct kermon_app *app = kzalloc(sizeof(*app), GFP_KERNEL_ACCOUNT);

	if (!app)
		return NULL;

	kref_init(&app->ref);
	app->pid = get_task_pid(p, PIDTYPE_PID);
	app->euid = current_euid();
	app->user = get_uid(current_user());
	app->ns = get_pid_ns(task_active_pid_ns(current));
	app->set = *set;
	memcpy(app->groups, groups, kermon_nr_groups(app) * sizeof(*groups));
	raw_spin_lock_init(&app->lock);
	INIT_LIST_HEAD(&app->tasks);
	app->nr_files = 1;
	init_waitqueue_head(&app->wait);
	mutex_init(&app->read_lock);
	mutex_init(&app->change_lock);

	mutex_lock(&kermon_apps_mutex);
	app->id = ++kermon_last_id;
	mutex_unlock(&kermon_apps_mutex);

	return app;
}

static int link_task(struct kermon_app *app, struct task_struct *p)
{
	unsigned long flags;
	int ret = -ENOENT;

	set_ids(app, p);
	raw_spin_lock_irqsave(&app->lock, flags);
	if (app->nr_files) {
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

static int join(struct kermon_app *app, struct task_struct *p)
{
	int ret;

	task_lock(p);
	if (p->flags & PF_EXITING)
		ret = -ESRCH;
	else if (rcu_access_pointer(p->kermon.app))
		ret = -EALREADY;
	else
		ret = link_task(app, p);
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
static int join_process(struct kermon_app *app, struct task_struct *p)
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
		int err = join(app, t);

		if (ret)
			ret = err;
	}
unlock:
	read_unlock(&tasklist_lock);

	return ret;
}

static void unlink_task(struct kermon_app *app, struct task_struct *p)
{
	lockdep_assert_held(&app->lock);
	RCU_INIT_POINTER(p->kermon.app, NULL);
	tick_dep_clear_task(p, TICK_DEP_BIT_PERF_EVENTS);
	list_del(&p->kermon.node);
	/* Pairs with kermon_app_ended(): the last sample is already in the log. */
	smp_store_release(&app->nr_tasks, app->nr_tasks - 1);
}

static bool has_ended(const struct kermon_app *app)
{
	lockdep_assert_held(&app->lock);
	return app->made && !app->nr_tasks;
}

/*
 * Before @curr exits or executes another program, write out its samples that
 * are pending on other CPUs. There may be many CPUs, so keep irqs on; the
 * caller prevents migration.
 */
static void settle(struct task_struct *curr)
{
	struct kermon_app *app;

	rcu_read_lock();
	app = rcu_dereference(curr->kermon.app);
	if (app)
		kermon_ops->task_settle(app, curr);
	rcu_read_unlock();
}

/*
 * Returns the application that @curr has left, or NULL; @last is set to whether
 * it was the last task of the application.
 */
static struct kermon_app *leave(struct task_struct *curr, bool *last)
{
	struct kermon_app *app;
	bool member = false;

	/* The hooks must see closing and leaving as a single step. */
	local_irq_disable();
	app = rcu_dereference_sched(curr->kermon.app);
	if (app) {
		kermon_close_interval(curr, KERMON_REASON_EXIT);
		raw_spin_lock(&app->lock);
		/* unlink_all() may have run meanwhile. */
		member = rcu_access_pointer(curr->kermon.app);
		if (member)
			unlink_task(app, curr);
		*last = member && has_ended(app);
		raw_spin_unlock(&app->lock);
	}
	local_irq_enable();

	return member ? app : NULL;
}

static void notify_end(struct kermon_app *app)
{
	wake_up_interruptible(&app->wait);
	kermon_ops->app_notice(app, KERMON_NOTICE_EXITED);
}

/*
 * Whether a member runs on @cpu. A task that is being switched in is either
 * seen here or sees in its hook that it has joined: both hold the runqueue
 * lock.
 */
static bool runs_member(int cpu, void *app)
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
	on_each_cpu_cond(runs_member, fn, app, true);
}
EXPORT_SYMBOL_GPL(kermon_on_members);

static void open_interval_here(void *app)
{
	if (rcu_access_pointer(current->kermon.app) == app)
		kermon_open_interval(current);
}

/* For members running now; for the others, the hook opens an interval. */
static void open_intervals(struct kermon_app *app)
{
	kermon_on_members(app, open_interval_here);
}

/* From now on the application ends with its last task; returns whether it has. */
static bool mark_made(struct kermon_app *app)
{
	bool ended;

	raw_spin_lock_irq(&app->lock);
	/* Pairs with kermon_app_ended(): all tasks have joined. */
	smp_store_release(&app->made, true);
	ended = has_ended(app);
	raw_spin_unlock_irq(&app->lock);

	return ended;
}

/* Add @p or, with KERMON_SET_PROCESS, its whole process, and start counting. */
static int add_tasks(struct kermon_app *app, struct task_struct *p,
		     unsigned int flags)
{
	int ret;

	mutex_lock(&kermon_join_mutex);
	if (flags & KERMON_SET_PROCESS)
		ret = join_process(app, p);
	else
		ret = join(app, p);
	mutex_unlock(&kermon_join_mutex);
	if (!ret)
		open_intervals(app);

	return ret;
}

/*
 * Create an application for @p, referenced by one log descriptor. The caller
 * has validated @set and @flags and checked permissions.
 */
struct kermon_app *kermon_app_create(struct task_struct *p,
				     const struct kermon_event_set *set,
				     const struct kermon_group *groups,
				     unsigned int flags)
{
	const struct kermon_ops *ops = kermon_get_module();
	struct kermon_app *app;
	int ret;

	if (!ops)
		return ERR_PTR(-ENODEV);

	ret = -ENOMEM;
	app = alloc_app(p, set, groups);
	if (!app)
		goto put_module;

	ret = charge_log(app);
	if (!ret)
		ret = ops->app_open(app);
	if (ret)
		goto free_app;

	publish(app, ops);
	ret = add_tasks(app, p, flags);
	if (ret) {
		kermon_app_close(app);
		return ERR_PTR(ret);
	}
	ops->app_notice(app, KERMON_NOTICE_STARTED);
	if (mark_made(app))
		notify_end(app);

	return app;

free_app:
	free_app(app);
put_module:
	kermon_put_module(ops);
	return ERR_PTR(ret);
}

/* Get the application of @p, with a reference for another log descriptor. */
struct kermon_app *kermon_app_open(struct task_struct *p)
{
	struct kermon_app *app;
	unsigned long flags;
	bool open = false;

	rcu_read_lock();
	app = rcu_dereference(p->kermon.app);
	if (app) {
		raw_spin_lock_irqsave(&app->lock, flags);
		open = app->nr_files;
		if (open) {
			app->nr_files++;
			kref_get(&app->ref);
		}
		raw_spin_unlock_irqrestore(&app->lock, flags);
	}
	rcu_read_unlock();

	return open ? app : ERR_PTR(-ENOENT);
}

/* After the last descriptor, the remaining tasks continue unmonitored. */
static unsigned int unlink_all(struct kermon_app *app)
{
	struct task_struct *p, *next;
	unsigned int nr = 0;

	raw_spin_lock_irq(&app->lock);
	if (!--app->nr_files) {
		list_for_each_entry_safe(p, next, &app->tasks, kermon.node) {
			unlink_task(app, p);
			nr++;
		}
	}
	raw_spin_unlock_irq(&app->lock);

	return nr;
}

/* Release the result of kermon_app_create() or kermon_app_open(). */
void kermon_app_close(struct kermon_app *app)
{
	unsigned int nr = unlink_all(app);

	if (nr)
		notify_end(app);
	while (nr--)
		kref_put(&app->ref, destroy_now);
	kref_put(&app->ref, destroy_now);
}

/* The caller has validated @set and holds change_lock and a reference. */
int kermon_app_change(struct kermon_app *app,
		      const struct kermon_event_set *set,
		      const struct kermon_group *groups)
{
	u32 log_bytes = app->set.log_bytes;
	u32 watermark = app->set.watermark;
	int ret;

	lockdep_assert_held(&app->change_lock);
	if (set->flags != app->set.flags)
		return -EINVAL;
	ret = kermon_ops->app_change(app, set, groups);
	if (ret)
		return ret;
	app->set = *set;
	app->set.log_bytes = log_bytes;
	app->set.watermark = watermark;
	memcpy(app->groups, groups, kermon_nr_groups(app) * sizeof(*groups));

	return 0;
}

/* No task remains or will join: the log will not grow any more. */
bool kermon_app_ended(struct kermon_app *app)
{
	/* Pair with mark_made(), in this order, and unlink_task(). */
	return smp_load_acquire(&app->made) && !smp_load_acquire(&app->nr_tasks);
}

bool kermon_app_ready(struct kermon_app *app)
{
	return kermon_ops->log_ready(app);
}

/*
 * Returns bytes, 0 if the log is empty now. Another reader may hold the lock
 * for long: it may sleep in page faults on its own buffer.
 */
ssize_t kermon_app_read(struct kermon_app *app, char __user *buf, size_t len,
			bool nonblock)
{
	ssize_t ret;

	if (nonblock && !mutex_trylock(&app->read_lock))
		return -EAGAIN;
	if (!nonblock && mutex_lock_interruptible(&app->read_lock))
		return -ERESTARTSYS;
	ret = kermon_ops->log_read(app, buf, len);
	mutex_unlock(&app->read_lock);

	return ret;
}

/* @p, which has not run yet, joins the application of its creator. */
void __kermon_post_fork(struct task_struct *p)
{
	struct kermon_app *app;

	rcu_read_lock();
	app = rcu_dereference(current->kermon.app);
	if (app && !kref_get_unless_zero(&app->ref))
		app = NULL;
	rcu_read_unlock();

	if (!app)
		return;
	/* Ignore errors: closed meanwhile, or already joined by join_process(). */
	join(app, p);
	kref_put(&app->ref, destroy_later);
}

/*
 * In begin_new_exec(), after the old program is gone: what follows counts for
 * the new one. The thread may have become group leader and changed its id.
 */
void kermon_exec(struct task_struct *curr)
{
	struct kermon_app *app;

	if (!static_branch_unlikely(&kermon_active.key))
		return;

	migrate_disable();
	settle(curr);
	local_irq_disable();
	app = rcu_dereference_sched(curr->kermon.app);
	if (app) {
		kermon_close_interval(curr, KERMON_REASON_EXEC);
		set_ids(app, curr);
		kermon_open_interval(curr);
	}
	local_irq_enable();
	migrate_enable();
}

/*
 * In do_exit(), before the parent can be woken, so that it finds the last
 * sample in the log; and in begin_new_exec() of a program with more privileges
 * than readers of the log may observe.
 */
void kermon_exit(struct task_struct *curr)
{
	struct kermon_app *app;
	bool last;

	if (!static_branch_unlikely(&kermon_active.key))
		return;

	migrate_disable();
	settle(curr);
	task_lock(curr);
	app = leave(curr, &last);
	task_unlock(curr);
	migrate_enable();

	if (!app)
		return;
	if (last)
		notify_end(app);
	kref_put(&app->ref, destroy_later);
}
