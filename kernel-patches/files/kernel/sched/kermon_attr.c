// SPDX-License-Identifier: GPL-2.0
/*
 * The class in sched_setscheduler() and sched_setattr(): the slice of a task, and
 * whether a task is in the class on loan. Calls by kermon_loan.c are told from those of
 * users by flags.
 */
#include <linux/capability.h>
#include <uapi/linux/sched/types.h>

#include "kermon_compat.h"

/* The bounds of the fair class, which clamps; here values beyond are rejected. */
#define KERMON_SLICE_MIN_NS	(NSEC_PER_MSEC / 10)
#define KERMON_SLICE_MAX_NS	(100 * NSEC_PER_MSEC)

/* Not one that is to keep the policy that it has. */
static bool kermon_names_policy(const struct sched_attr *attr)
{
	return kermon_policy(attr->sched_policy);
}

static int kermon_check_slice(u64 slice)
{
	if (slice && (slice < KERMON_SLICE_MIN_NS || slice > KERMON_SLICE_MAX_NS))
		return -EINVAL;
	return 0;
}

/*
 * Whether the loan in @attr can be made, or ended. Its nice value was read before the lock
 * was taken, and is to be preserved.
 */
static int kermon_check_loan(const struct task_struct *p,
			     const struct sched_attr *attr)
{
	const bool reset = attr->sched_flags & SCHED_FLAG_RESET_ON_FORK;

	lockdep_assert_held(&p->pi_lock);
	if (attr->sched_nice != task_nice(p) || reset != p->sched_reset_on_fork)
		return -EAGAIN;
	if (attr->sched_flags & SCHED_FLAG_KERMON_RETURN)
		return kermon_is_lent(p) &&
		       p->kermon_se.lent_by == attr->sched_period ? 0 : -EALREADY;
	/* It has a bandwidth, which it might not get back. */
	if (dl_policy(p->policy))
		return -EINVAL;
	/* Lent by an application that is being closed, it may be lent again. */
	return kermon_policy(p->policy) && !kermon_is_lent(p) ? -EALREADY : 0;
}

/*
 * @p, whose policy is still the old one, enters the class or stays there. Someone who may
 * put tasks into the class and names it, even if nothing changes, decides that a lent task
 * stays. A borrower who restores the attributes that it has does not.
 */
static void kermon_note_loan(struct task_struct *p, const struct sched_attr *attr,
			     bool may_enter)
{
	struct sched_kermon_entity *se = &p->kermon_se;
	const bool inside = kermon_policy(p->policy);

	if (attr->sched_flags & SCHED_FLAG_KERMON_LEND) {
		if (!inside) {
			se->lent_policy = p->policy;
			se->lent_priority = p->rt_priority;
		}
		WRITE_ONCE(se->lent_by, attr->sched_period);
	} else if (!inside || (may_enter && kermon_names_policy(attr))) {
		WRITE_ONCE(se->lent_by, 0);
	}
	/* Before the policy: pairs with init_kermon_task(), which has no lock. */
	smp_wmb();
}

/**
 * kermon_may_enter() - whether the caller may put tasks into the class
 * @policy: the policy that it sets, or a negative number
 *
 * For kermon_setscheduler(), which cannot ask with the runqueue lock held.
 *
 * Context: __sched_setscheduler(), process context without locks.
 */
bool kermon_may_enter(int policy)
{
	return kermon_policy(policy) &&
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_NICE);
}

/**
 * kermon_setscheduler() - the policy of a task is about to be set
 * @p: the task
 * @attr: its new attributes
 * @policy: its new policy, since @attr may not have one
 * @may_enter: of kermon_may_enter(); true for callers in the kernel
 *
 * The caller has been permitted to set @policy when @p may still have been in the class:
 * if a loan has ended meanwhile, only those who may enter the class can let @p stay.
 *
 * If the policy is SCHED_KERMON, nothing else that could fail may follow.
 *
 * Context: __sched_setscheduler(), inside task_rq_lock().
 * Return: 0, -EINVAL if the slice is out of range, -EPERM, or an error for kermon_loan.c.
 */
int kermon_setscheduler(struct task_struct *p, const struct sched_attr *attr,
			int policy, bool may_enter)
{
	int ret;

	lockdep_assert_held(&p->pi_lock);
	if (attr->sched_flags & SCHED_FLAG_KERMON) {
		ret = kermon_check_loan(p, attr);
		if (ret)
			return ret;
	}
	/* Without a policy in @attr, that of @p is checked again after this. */
	if (!kermon_policy(policy) || attr->sched_flags & SCHED_FLAG_KEEP_PARAMS)
		return 0;
	if (!may_enter && kermon_names_policy(attr) && !kermon_policy(p->policy))
		return -EPERM;
	ret = kermon_check_slice(attr->sched_runtime);
	if (!ret)
		kermon_note_loan(p, attr, may_enter);
	return ret;
}

/**
 * kermon_has_no_bandwidth() - whether a new policy concerns no deadline bandwidth
 * @p: the task, perhaps boosted by a deadline task that waits for it
 * @attr: its new attributes
 * @policy: its new policy
 *
 * A loan must end also while the task is boosted, when others cannot change the policy.
 *
 * Context: __sched_setscheduler(), inside task_rq_lock().
 */
bool kermon_has_no_bandwidth(const struct task_struct *p,
			     const struct sched_attr *attr, int policy)
{
	if (!kermon_policy(policy) && !(attr->sched_flags & SCHED_FLAG_KERMON))
		return false;
	return !dl_policy(p->policy);
}

/**
 * kermon_set_params() - take over the attributes of a task of the class
 * @p: the task
 * @attr: checked by kermon_setscheduler()
 *
 * Context: __setscheduler_params(), inside task_rq_lock().
 */
void kermon_set_params(struct task_struct *p, const struct sched_attr *attr)
{
	lockdep_assert_held(&p->pi_lock);
	p->static_prio = NICE_TO_PRIO(attr->sched_nice);
	WRITE_ONCE(p->kermon_se.slice, attr->sched_runtime);
}

/**
 * kermon_params_changed() - whether kermon_set_params() would change anything
 * @p: the task, which keeps its policy
 * @attr: its new attributes
 *
 * Context: __sched_setscheduler(), inside task_rq_lock().
 * Return: true if it is of the class, and nice value or slice differ.
 */
bool kermon_params_changed(const struct task_struct *p,
			   const struct sched_attr *attr)
{
	lockdep_assert_held(&p->pi_lock);
	return kermon_policy(p->policy) &&
	       (attr->sched_nice != task_nice(p) ||
		attr->sched_runtime != p->kermon_se.slice);
}

/**
 * kermon_keep_slice() - the slice for calls that do not mention one
 * @p: the task
 * @policy: its new policy, or a negative number to keep its own
 * @attr: gets the slice if that policy is SCHED_KERMON
 *
 * Context: _sched_setscheduler(), without locks.
 */
void kermon_keep_slice(const struct task_struct *p, int policy,
		       struct sched_attr *attr)
{
	if (policy < 0)
		policy = p->policy;
	if (kermon_policy(policy & ~SCHED_RESET_ON_FORK))
		attr->sched_runtime = READ_ONCE(p->kermon_se.slice);
}
