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
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/static_call.h>
#include <linux/workqueue.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/*
 * Patching text interrupts all CPUs, also isolated ones. So the hooks stay enabled for
 * some time after they were last needed: a loop of short runs patches nothing. A static
 * key with deferred decrement would be patched in each such period.
 */
#define KERMON_KEY_LINGER	(10 * HZ)

static DEFINE_MUTEX(kermon_key_mutex);

static void kermon_key_disable(struct work_struct *work)
{
	struct kermon_key *key = container_of(to_delayed_work(work),
					      struct kermon_key, disable);

	mutex_lock(&kermon_key_mutex);
	if (!key->users)
		static_branch_disable(&key->key);
	mutex_unlock(&kermon_key_mutex);
}

struct kermon_key kermon_active = {
	.key		= STATIC_KEY_FALSE_INIT,
	.disable	= __DELAYED_WORK_INITIALIZER(kermon_active.disable,
						     kermon_key_disable, 0),
};

/* Reports switches to and from idle even where no task is monitored. */
struct kermon_key kermon_watching = {
	.key		= STATIC_KEY_FALSE_INIT,
	.disable	= __DELAYED_WORK_INITIALIZER(kermon_watching.disable,
						     kermon_key_disable, 0),
};

/**
 * kermon_key_get() - enable hooks
 * @key: which ones; enabled on all CPUs when this returns
 *
 * Context: Process context, may sleep. May wait for all CPUs.
 */
void kermon_key_get(struct kermon_key *key)
{
	mutex_lock(&kermon_key_mutex);
	if (!key->users++)
		static_branch_enable(&key->key);
	mutex_unlock(&kermon_key_mutex);
}

/**
 * kermon_key_put() - undo kermon_key_get(), after KERMON_KEY_LINGER
 * @key: which ones
 *
 * Context: Process context, may sleep.
 */
void kermon_key_put(struct kermon_key *key)
{
	mutex_lock(&kermon_key_mutex);
	if (!--key->users)
		mod_delayed_work(system_unbound_wq, &key->disable,
				 KERMON_KEY_LINGER);
	mutex_unlock(&kermon_key_mutex);
}

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
	kermon_key_get(&kermon_active);
	kermon_key_get(&kermon_watching);
}
EXPORT_SYMBOL_GPL(kermon_watch_idle);

void kermon_unwatch_idle(void)
{
	kermon_key_put(&kermon_watching);
	kermon_key_put(&kermon_active);
}
EXPORT_SYMBOL_GPL(kermon_unwatch_idle);

void kermon_scan_idle(void (*fn)(unsigned int cpu, bool idle))
{
	unsigned long flags;
	unsigned int cpu;
	struct rq *rq;

	lockdep_assert_cpus_held();
	for_each_online_cpu(cpu) {
		rq = cpu_rq(cpu);
		raw_spin_rq_lock_irqsave(rq, flags);
		fn(cpu, !kermon_curr(rq)->pid);
		raw_spin_rq_unlock_irqrestore(rq, flags);
	}
}
EXPORT_SYMBOL_GPL(kermon_scan_idle);

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
