// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks from the scheduler into the module: registration, a static branch that
 * is off while no task is monitored, and static calls behind it.
 *
 * The hooks look only at task_struct.kermon. They are not callbacks of a
 * scheduling class, because those are also called for changes of policy, nice
 * value and affinity, often on another CPU than the task's, and are not called
 * while priority inheritance moves the task to another class.
 */
#include <linux/module.h>
#include <linux/static_call.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/* Deferred: text patching briefly stops all CPUs; avoid it between short runs. */
DEFINE_STATIC_KEY_DEFERRED_FALSE(kermon_active, HZ);

/* Reports switches to and from idle even where no task is monitored. */
DEFINE_STATIC_KEY_DEFERRED_FALSE(kermon_watching, HZ);

typedef void (kermon_idle_fn)(bool idle);
typedef void (kermon_switch_fn)(struct task_struct *prev,
				struct task_struct *next,
				enum kermon_reason reason);
typedef void (kermon_task_fn)(struct task_struct *curr);
typedef void (kermon_close_fn)(struct task_struct *curr,
			       enum kermon_reason reason);

DEFINE_STATIC_CALL_NULL(kermon_idle, kermon_idle_fn);
DEFINE_STATIC_CALL_NULL(kermon_switch, kermon_switch_fn);
DEFINE_STATIC_CALL_NULL(kermon_tick, kermon_task_fn);
DEFINE_STATIC_CALL_NULL(kermon_close, kermon_close_fn);
DEFINE_STATIC_CALL_NULL(kermon_open, kermon_task_fn);

static DEFINE_MUTEX(kermon_module_mutex);
static const struct kermon_ops *kermon_module;

/* The module stays registered while a reference from here is held. */
const struct kermon_ops *kermon_get_module(void)
{
	const struct kermon_ops *ops;

	mutex_lock(&kermon_module_mutex);
	ops = kermon_module;
	if (ops && !try_module_get(ops->owner))
		ops = NULL;
	mutex_unlock(&kermon_module_mutex);

	return ops;
}

void kermon_put_module(const struct kermon_ops *ops)
{
	module_put(ops->owner);
}

static void kermon_set_static_calls(const struct kermon_ops *ops)
{
	static_call_update(kermon_idle, ops ? ops->cpu_idle : NULL);
	static_call_update(kermon_switch, ops ? ops->task_switch : NULL);
	static_call_update(kermon_tick, ops ? ops->task_tick : NULL);
	static_call_update(kermon_close, ops ? ops->task_close : NULL);
	static_call_update(kermon_open, ops ? ops->task_open : NULL);
}

int kermon_register(const struct kermon_ops *ops)
{
	int ret = -EBUSY;

	mutex_lock(&kermon_module_mutex);
	if (!kermon_module) {
		kermon_module = ops;
		kermon_set_static_calls(ops);
		ret = 0;
	}
	mutex_unlock(&kermon_module_mutex);

	return ret;
}
EXPORT_SYMBOL_GPL(kermon_register);

void kermon_unregister(const struct kermon_ops *ops)
{
	mutex_lock(&kermon_module_mutex);
	if (kermon_module == ops) {
		kermon_module = NULL;
		kermon_set_static_calls(NULL);
	}
	mutex_unlock(&kermon_module_mutex);

	/* Wait for running hooks; they run with preemption disabled. */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(kermon_unregister);

void kermon_watch_idle(void)
{
	static_branch_deferred_inc(&kermon_active);
	static_branch_deferred_inc(&kermon_watching);
}
EXPORT_SYMBOL_GPL(kermon_watch_idle);

void kermon_unwatch_idle(void)
{
	static_branch_slow_dec_deferred(&kermon_watching);
	static_branch_slow_dec_deferred(&kermon_active);
}
EXPORT_SYMBOL_GPL(kermon_unwatch_idle);

static enum kermon_reason kermon_switch_reason(struct task_struct *prev)
{
	if (READ_ONCE(prev->__state) & TASK_DEAD)
		return KERMON_REASON_EXIT;
	return kermon_task_queued(prev) ? KERMON_REASON_PREEMPT :
					  KERMON_REASON_SLEEP;
}

void __kermon_cpu_idle(bool idle)
{
	static_call_cond(kermon_idle)(idle);
}

void __kermon_task_switch(struct task_struct *prev, struct task_struct *next)
{
	/*
	 * May be stale if the hooks were off: @next cannot have an open
	 * interval yet.
	 */
	next->kermon.open = false;
	static_call_cond(kermon_switch)(prev, next, kermon_switch_reason(prev));
}

void __kermon_task_tick(struct task_struct *curr)
{
	static_call_cond(kermon_tick)(curr);
}

/* @curr runs on this CPU; irqs off. */
void kermon_close_interval(struct task_struct *curr, enum kermon_reason reason)
{
	lockdep_assert_irqs_disabled();
	static_call_cond(kermon_close)(curr, reason);
}

/* @curr runs on this CPU; irqs off. */
void kermon_open_interval(struct task_struct *curr)
{
	lockdep_assert_irqs_disabled();
	static_call_cond(kermon_open)(curr);
}
