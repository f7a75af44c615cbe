// SPDX-License-Identifier: GPL-2.0
/*
 * End the monitoring of an application for its holders, who keep a log that ends.
 *
 * No task joins any more. Each leaves as at the release of the last descriptor, except that
 * one that runs first closes its interval, on its CPU. After a grace period no hook uses
 * what the application counts, and the module releases it. The log ends only then, so
 * that no reader finds its end before its last record.
 */
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "kermon_app.h"
#include "kermon_compat.h"

struct kermon_search {
	u32 id;
	struct kermon_app *app;
};

static int kermon_match_id(struct kermon_app *app, void *data)
{
	struct kermon_search *search = data;

	if (app->id != search->id)
		return 0;
	/* Without a reference left, it is about to be freed. */
	if (kref_get_unless_zero(&app->ref))
		search->app = app;
	return 1;
}

/**
 * struct kermon_leaver - a member that is to leave
 * @app: its application
 * @p: the task, a reference
 * @left: this, rather than its own exit, has removed it
 */
struct kermon_leaver {
	struct kermon_app *app;
	struct task_struct *p;
	bool left;
};

static void kermon_remove(struct kermon_leaver *leaver)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&leaver->app->lock, flags);
	if (rcu_access_pointer(leaver->p->kermon.app) == leaver->app) {
		kermon_unlink(leaver->app, leaver->p);
		leaver->left = true;
	}
	raw_spin_unlock_irqrestore(&leaver->app->lock, flags);
}

/* In an IPI: the hooks see closing and leaving as a single step. */
static void kermon_leave_here(void *data)
{
	struct kermon_leaver *leaver = data;

	if (leaver->p != current ||
	    rcu_access_pointer(current->kermon.app) != leaver->app)
		return;
	kermon_close_interval(current, KERMON_REASON_EXIT);
	kermon_remove(leaver);
}

static struct task_struct *kermon_first_member(struct kermon_app *app)
{
	struct task_struct *p;

	raw_spin_lock_irq(&app->lock);
	p = list_first_entry_or_null(&app->tasks, struct task_struct, kermon.node);
	if (p)
		get_task_struct(p);
	raw_spin_unlock_irq(&app->lock);

	return p;
}

/* A task that is being switched in meanwhile discards its open interval. */
static void kermon_revoke_members(struct kermon_app *app)
{
	struct kermon_leaver leaver = { .app = app };

	while ((leaver.p = kermon_first_member(app))) {
		leaver.left = false;
		if (task_curr(leaver.p))
			smp_call_function_single(task_cpu(leaver.p),
						 kermon_leave_here, &leaver, true);
		if (!leaver.left)
			kermon_remove(&leaver);
		kermon_return(leaver.p, app->id);
		put_task_struct(leaver.p);
		if (leaver.left)
			kermon_app_put(app);
	}
}

/* From now on no task joins. @cut: whether the log has not ended by itself. */
static int kermon_begin_revoking(struct kermon_app *app, bool *cut)
{
	int ret = 0;

	raw_spin_lock_irq(&app->lock);
	if (app->revoked) {
		ret = -EALREADY;
	} else if (!app->made) {
		ret = -EAGAIN;
	} else {
		app->revoked = true;
		app->revoking = true;
	}
	*cut = app->nr_tasks;
	raw_spin_unlock_irq(&app->lock);

	return ret;
}

static void kermon_end_log(struct kermon_app *app, bool cut)
{
	app->ops->app_revoke(app, cut);
	raw_spin_lock_irq(&app->lock);
	/* Pairs with kermon_app_ended(): the last record is in the log. */
	smp_store_release(&app->revoking, false);
	raw_spin_unlock_irq(&app->lock);
	/* Readers may have begun to wait for this, even if no task was left to revoke. */
	wake_up_interruptible(&app->wait);
	if (cut)
		app->ops->app_notice(app, KERMON_NOTICE_EXITED);
}

static int kermon_revoke_app(struct kermon_app *app)
{
	bool cut;
	int ret;

	mutex_lock(&app->change_lock);
	ret = kermon_begin_revoking(app, &cut);
	if (!ret) {
		kermon_revoke_members(app);
		/* Hooks may still use what it counts. */
		synchronize_rcu();
		kermon_end_log(app, cut);
	}
	mutex_unlock(&app->change_lock);

	return ret;
}

int kermon_revoke(u32 id)
{
	struct kermon_search search = { .id = id };
	int ret;

	kermon_visit_apps(kermon_match_id, &search);
	if (!search.app)
		return -ENOENT;
	ret = kermon_revoke_app(search.app);
	kermon_app_put(search.app);

	return ret;
}
EXPORT_SYMBOL_GPL(kermon_revoke);
