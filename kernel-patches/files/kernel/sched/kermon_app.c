// SPDX-License-Identifier: GPL-2.0
/*
 * What the system calls do with an application: create and open it, change its request,
 * read its log, and close it.
 *
 * set_events() creates it for some tasks, which others join as they are created
 * (kermon_member.c). It ends with its last task or its last descriptor, whichever comes
 * first, and is freed with its last reference (kermon_registry.c).
 */
#include <linux/sched/signal.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/**
 * kermon_app_create() - create an application without tasks, referenced by one log descriptor
 * @p: its first task
 * @request: what to count; like @flags validated, and permitted
 * @sets: its sets
 * @flags: of set_events()
 *
 * Nothing of @p changes yet. Add it by kermon_add_members(), with its exec_update_lock held
 * so that this is still permitted, then call kermon_app_start().
 *
 * Context: Process context, may sleep. Waits for other CPUs, so without locks of @p.
 * Return: the application, or a negative error.
 */
struct kermon_app *kermon_app_create(struct task_struct *p,
				     const struct kermon_event_set *request,
				     const struct kermon_set *sets,
				     unsigned int flags)
{
	struct kermon_app *app;
	cpumask_var_t cpus;
	int ret;

	lockdep_assert_not_held(&p->signal->exec_update_lock);
	app = kermon_app_alloc(p, request, sets);
	if (IS_ERR(app))
		return app;

	ret = -ENOMEM;
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		goto free_app;
	kermon_cpus_of(p, flags, cpus);
	ret = kermon_charge_log(app);
	if (!ret)
		ret = app->ops->app_open(app, cpus);
	free_cpumask_var(cpus);
	if (ret)
		goto free_app;

	kermon_app_publish(app);
	return app;

free_app:
	kermon_app_free(app);
	return ERR_PTR(ret);
}

/**
 * kermon_app_start() - count for an application that has been created
 * @app: the application, which has all tasks that set_events() adds
 * @p: the first of them
 * @flags: of set_events()
 *
 * Context: Process context, may sleep. Waits for other CPUs, so without locks of its tasks.
 */
void kermon_app_start(struct kermon_app *app, struct task_struct *p,
		      unsigned int flags)
{
	cpumask_var_t cpus;

	/*
	 * Their affinity may have changed meanwhile. Without memory: CPUs are found out as
	 * tasks come there.
	 */
	if (alloc_cpumask_var(&cpus, GFP_KERNEL)) {
		kermon_cpus_of(p, flags, cpus);
		app->ops->app_cover(app, cpus);
		free_cpumask_var(cpus);
	}
	kermon_open_members(app);
	app->ops->app_notice(app, KERMON_NOTICE_STARTED);
	kermon_members_complete(app);
}

/**
 * kermon_app_open() - get the application of a task for another log descriptor
 * @p: the task
 *
 * Context: Any.
 * Return: the application, or -ENOENT.
 */
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

/**
 * kermon_app_close() - release the result of kermon_app_create() or kermon_app_open()
 * @app: the application
 *
 * Context: Process context, may sleep.
 */
void kermon_app_close(struct kermon_app *app)
{
	kermon_drop_members(app);
	kermon_app_put(app);
}

/* All but the log, which cannot change. */
static void kermon_take_request(struct kermon_app *app,
				const struct kermon_event_set *request,
				const struct kermon_set *sets)
{
	u32 log_bytes = app->request.log_bytes;
	u32 watermark = app->request.watermark;

	app->request = *request;
	app->request.log_bytes = log_bytes;
	app->request.watermark = watermark;
	memcpy(app->sets, sets, kermon_nr_sets(app) * sizeof(*sets));
}

/**
 * kermon_app_change() - count another set from now on
 * @app: the application; the caller holds a reference
 * @request: validated, and permitted
 * @sets: its sets
 *
 * Context: Process context, may sleep; @app->change_lock is held.
 * Return: 0, or a negative error with nothing changed.
 */
int kermon_app_change(struct kermon_app *app,
		      const struct kermon_event_set *request,
		      const struct kermon_set *sets)
{
	cpumask_var_t cpus;
	int ret;

	lockdep_assert_held(&app->change_lock);
	if (app->revoked)
		return -ENOENT;
	if (request->flags != app->request.flags)
		return -EINVAL;
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	kermon_cpus_of_members(app, cpus);
	ret = app->ops->app_change(app, request, sets, cpus);
	if (!ret) {
		kermon_take_request(app, request, sets);
		/* Their affinity may have changed meanwhile, while nothing was counted. */
		kermon_cpus_of_members(app, cpus);
		app->ops->app_cover(app, cpus);
	}
	free_cpumask_var(cpus);

	return ret;
}

/**
 * kermon_app_ended() - whether the log will not grow any more
 * @app: the application
 *
 * Context: Any.
 * Return: whether no task remains or will join.
 */
bool kermon_app_ended(struct kermon_app *app)
{
	/* Pair with kermon_members_complete(), in this order, and kermon_unlink(). */
	if (!smp_load_acquire(&app->made) || smp_load_acquire(&app->nr_tasks))
		return false;
	/* Pairs with kermon_end_log(): the last record is in the log. */
	return !smp_load_acquire(&app->revoking);
}

/**
 * kermon_app_ready() - whether the log may have something to read
 * @app: the application
 *
 * Context: May be a wait condition: does not sleep.
 * Return: whether kermon_app_read() may find something.
 */
bool kermon_app_ready(struct kermon_app *app)
{
	return app->ops->log_ready(app);
}

/**
 * kermon_app_read() - read whole records from the log
 * @app: the application
 * @buf: where to
 * @len: room for at least one record of any type
 * @nonblock: fail rather than wait for another reader, which may hold the lock for
 *	long: it may sleep in page faults on its own buffer
 *
 * Context: Process context, may sleep.
 * Return: bytes, 0 if the log is empty now, or a negative error.
 */
ssize_t kermon_app_read(struct kermon_app *app, char __user *buf, size_t len,
			bool nonblock)
{
	ssize_t ret;

	if (nonblock && !mutex_trylock(&app->read_lock))
		return -EAGAIN;
	if (!nonblock && mutex_lock_interruptible(&app->read_lock))
		return -ERESTARTSYS;
	ret = app->ops->log_read(app, buf, len);
	mutex_unlock(&app->read_lock);

	return ret;
}
