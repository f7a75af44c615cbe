// SPDX-License-Identifier: GPL-2.0
/*
 * The class on loan: an application moves its tasks into the class, and the kernel moves
 * them back when they are no longer tasks of the application, however that ends.
 *
 * A loan is part of the task, and inherited with the policy. Every lent task is a member of
 * its application, or about to be returned: by the close of the last descriptor, which
 * takes all members out one by one; by a child itself, if it was being created meanwhile
 * and could no longer join; or when a program with more privileges is executed.
 *
 * Whoever may put a task into the class and sets its policy ends its loan. So both
 * directions are decided in __sched_setscheduler(), under the lock that protects the
 * policy, where kermon_attr.c rejects what has been overtaken.
 */
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <uapi/linux/sched/types.h>

#include "kermon_compat.h"

/* Whether @app has lent @p; then @attr gets the policy that it had before. */
static bool kermon_read_loan(struct task_struct *p, u32 app, struct sched_attr *attr)
{
	const struct sched_kermon_entity *se = &p->kermon_se;
	unsigned long flags;
	bool lent;

	raw_spin_lock_irqsave(&p->pi_lock, flags);
	lent = kermon_is_lent(p) && se->lent_by == app;
	attr->sched_policy = se->lent_policy;
	attr->sched_priority = se->lent_priority;
	raw_spin_unlock_irqrestore(&p->pi_lock, flags);

	return lent;
}

/* Preserve everything but policy and priority. -EAGAIN if another one changes it meanwhile. */
static int kermon_try_to_move(struct task_struct *p, struct sched_attr attr)
{
	might_sleep();
	attr.sched_nice = task_nice(p);
	if (p->sched_reset_on_fork)
		attr.sched_flags |= SCHED_FLAG_RESET_ON_FORK;

	return sched_setattr_nocheck(p, &attr);
}

static int kermon_move(struct task_struct *p, struct sched_attr attr)
{
	int ret;

	do {
		ret = kermon_try_to_move(p, attr);
	} while (ret == -EAGAIN);

	return ret;
}

/**
 * kermon_lend_nocheck() - like kermon_lend(), without asking whether the caller may
 * @p: the task
 * @app: id of the application
 *
 * Context: Process context, may sleep; no spinlock held.
 * Return: 0, or -EINVAL for a deadline task.
 */
int kermon_lend_nocheck(struct task_struct *p, u32 app)
{
	const struct sched_attr attr = {
		.sched_policy = SCHED_KERMON,
		.sched_runtime = READ_ONCE(p->kermon_se.slice),
		.sched_period = app,
		.sched_flags = SCHED_FLAG_KERMON_LEND,
	};
	int ret = kermon_move(p, attr);

	return ret == -EALREADY ? 0 : ret;
}

/**
 * kermon_lend() - move a task into the class on behalf of an application
 * @p: the task, a member of the application; the caller holds a reference
 * @app: id of the application
 *
 * A task that is in the class already stays there, and is not lent.
 *
 * Context: Process context of the one who asks for it, may sleep; no spinlock held.
 * Return: 0, -EPERM without CAP_SYS_NICE, -EINVAL for a deadline task, or what the
 * security module says.
 */
int kermon_lend(struct task_struct *p, u32 app)
{
	int ret;

	if (kermon_policy(p->policy) && !kermon_is_lent(p))
		return 0;
	if (!capable(CAP_SYS_NICE))
		return -EPERM;
	ret = security_task_setscheduler(p);
	if (ret)
		return ret;
	return kermon_lend_nocheck(p, app);
}

/**
 * kermon_return() - move a task back to the policy that it had before
 * @p: the task; the caller holds a reference
 * @app: id of the application
 *
 * Does nothing unless that application has lent it.
 *
 * Context: Process context, may sleep; no spinlock held.
 */
void kermon_return(struct task_struct *p, u32 app)
{
	struct sched_attr attr = {
		.sched_runtime = kermon_fair_slice(p),
		.sched_period = app,
		.sched_flags = SCHED_FLAG_KERMON_RETURN,
	};
	int ret;

	/*
	 * The caller has found that @p is no member, or has taken it out; who lends looks
	 * the other way round.
	 */
	smp_mb();
	do {
		if (!kermon_read_loan(p, app, &attr))
			return;
		ret = kermon_try_to_move(p, attr);
	} while (ret == -EAGAIN);
	if (!ret || ret == -EALREADY)
		return;
	/* The policy may be denied today, such as that of an unloaded scheduler. */
	attr.sched_policy = SCHED_NORMAL;
	attr.sched_priority = 0;
	kermon_move(p, attr);
}
