// SPDX-License-Identifier: GPL-2.0
/*
 * The applications that exist: their ids, the list of them, and the references that
 * keep each one, and the module that counts for it, until nobody uses it.
 */
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/* Protects the list and the last id. */
static DEFINE_MUTEX(kermon_apps_mutex);

static LIST_HEAD(kermon_apps);
static u32 kermon_last_id;

static u32 kermon_next_id(void)
{
	u32 id;

	mutex_lock(&kermon_apps_mutex);
	id = ++kermon_last_id;
	mutex_unlock(&kermon_apps_mutex);

	return id;
}

/* Built in, so that numbers do not recur when the module is loaded again. */
u32 kermon_next_plan(void)
{
	static atomic_t last = ATOMIC_INIT(0);
	u32 plan;

	do {
		plan = (u32)atomic_inc_return(&last) & GENMASK(23, 0);
	} while (!plan);
	return plan;
}
EXPORT_SYMBOL_GPL(kermon_next_plan);

/**
 * kermon_app_alloc() - allocate an application without tasks
 * @p: the task that set_events() was called for
 * @request: what to count
 * @sets: its sets
 *
 * It has one descriptor and one reference: call kermon_app_free() if it is not
 * published, kermon_app_put() otherwise.
 *
 * Context: Process context of the caller of set_events(), may sleep.
 * Return: the application, -ENODEV without a module, or -ENOMEM.
 */
struct kermon_app *kermon_app_alloc(struct task_struct *p,
				    const struct kermon_event_set *request,
				    const struct kermon_set *sets)
{
	const struct kermon_ops *ops = kermon_get_module();
	struct kermon_app *app;

	if (!ops)
		return ERR_PTR(-ENODEV);
	app = kzalloc(sizeof(*app), GFP_KERNEL_ACCOUNT);
	if (!app) {
		kermon_put_module(ops);
		return ERR_PTR(-ENOMEM);
	}

	kref_init(&app->ref);
	app->ops = ops;
	app->id = kermon_next_id();
	app->pid = get_task_pid(p, PIDTYPE_PID);
	app->euid = current_euid();
	app->opener = get_task_pid(current, PIDTYPE_TGID);
	get_task_comm(app->comm, current);
	app->user = get_uid(current_user());
	app->ns = get_pid_ns(task_active_pid_ns(current));
	app->request = *request;
	memcpy(app->sets, sets, kermon_nr_sets(app) * sizeof(*sets));
	raw_spin_lock_init(&app->lock);
	INIT_LIST_HEAD(&app->tasks);
	app->nr_files = 1;
	init_waitqueue_head(&app->wait);
	mutex_init(&app->read_lock);
	mutex_init(&app->change_lock);

	return app;
}

/**
 * kermon_app_free() - free an application that was never published
 * @app: the application, which the module does not know
 *
 * Context: Process context, may sleep.
 */
void kermon_app_free(struct kermon_app *app)
{
	const struct kermon_ops *ops = app->ops;

	kermon_uncharge_log(app);
	free_uid(app->user);
	put_pid_ns(app->ns);
	put_pid(app->opener);
	put_pid(app->pid);
	kfree(app);
	kermon_put_module(ops);
}

/**
 * kermon_app_publish() - add to the list of all applications
 * @app: the application
 *
 * The hooks are enabled while the list has any.
 *
 * Context: Process context, may sleep.
 */
void kermon_app_publish(struct kermon_app *app)
{
	struct kermon_app *older;

	mutex_lock(&kermon_apps_mutex);
	/* Keep it sorted by id: an earlier application may take longer to open. */
	list_for_each_entry_reverse(older, &kermon_apps, node)
		if (older->id < app->id)
			break;
	list_add(&app->node, &older->node);
	mutex_unlock(&kermon_apps_mutex);
	kermon_key_get(&kermon_active);
}

static void kermon_app_withdraw(struct kermon_app *app)
{
	mutex_lock(&kermon_apps_mutex);
	list_del(&app->node);
	mutex_unlock(&kermon_apps_mutex);
	kermon_key_put(&kermon_active);
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

static void kermon_app_destroy(struct kermon_app *app)
{
	kermon_app_withdraw(app);
	/* Hooks may still use the pointer that they found in a task. */
	synchronize_rcu();
	app->ops->app_close(app);
	kermon_app_free(app);
}

static void kermon_app_destroy_now(struct kref *ref)
{
	kermon_app_destroy(container_of(ref, struct kermon_app, ref));
}

static void kermon_app_destroy_work(struct work_struct *work)
{
	kermon_app_destroy(container_of(work, struct kermon_app, work));
}

static void kermon_app_destroy_later(struct kref *ref)
{
	struct kermon_app *app = container_of(ref, struct kermon_app, ref);

	INIT_WORK(&app->work, kermon_app_destroy_work);
	/* The CPU of the last task may be isolated. */
	queue_work(system_unbound_wq, &app->work);
}

/**
 * kermon_app_put() - drop a reference, and destroy the application with the last one
 * @app: a published application
 *
 * Context: Process context, may sleep.
 */
void kermon_app_put(struct kermon_app *app)
{
	kref_put(&app->ref, kermon_app_destroy_now);
}

/**
 * kermon_app_put_later() - the same, but leave the destruction to a workqueue
 * @app: a published application
 *
 * Context: Any: for callers that hold locks, or must not wait for the grace period.
 */
void kermon_app_put_later(struct kermon_app *app)
{
	kref_put(&app->ref, kermon_app_destroy_later);
}
