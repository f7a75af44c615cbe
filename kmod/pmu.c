// SPDX-License-Identifier: GPL-2.0
/*
 * The PMUs of all CPUs: ownership, sets in use, and what each CPU is programmed
 * with.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/kermon.h>

#include "pmu.h"
#include "pmu_raw.h"
#include "pmu_read.h"

/* Operand of RDPMC of fixed counter 0: SDM vol. 2B. */
#define FIXED_RDPMC	BIT(30)

struct pmu_model pmu_model __ro_after_init;
DEFINE_PER_CPU(struct pmu_cpu, pmu_cpu);

/* Whether the next to take the PMU shares it with perf. */
static bool share = true;
module_param(share, bool, 0644);
MODULE_PARM_DESC(share, "count beside perf, with events of perf (default), instead of taking the PMU as a whole");

DEFINE_STATIC_KEY_FALSE(pmu_is_shared);

static DEFINE_MUTEX(pmu_mutex);		/* protects the variables below */
static LIST_HEAD(pmu_sets);		/* in use; if not empty, KerMon holds the PMU */
static u64 pmu_last_id;
static int pmu_hotplug_state;
static enum kermon_pmu_owner pmu_tried;	/* last result of pmu_try() */
static unsigned long pmu_next_try = INITIAL_JIFFIES;

/* Counts nothing, so it needs no PMU and no permission; never in pmu_sets. */
static struct pmu_set pmu_nothing = { .id = U64_MAX };

static void pmu_recover(struct work_struct *work);
static DECLARE_DELAYED_WORK(pmu_recovery, pmu_recover);

bool pmu_program(const struct pmu_set *set)
{
	bool done;

	lockdep_assert_irqs_disabled();
	if (set == &pmu_nothing)
		return true;
	if (static_branch_unlikely(&pmu_is_shared))
		done = pmu_share_program(set);
	else
		done = pmu_raw_program(&set->image);
	if (done)
		__this_cpu_write(pmu_cpu.held, set->id);
	return done;
}

void pmu_forget(void)
{
	lockdep_assert_irqs_disabled();
	__this_cpu_write(pmu_cpu.held, 0);
}

void pmu_resume(void)
{
	pmu_forget();
	if (static_branch_unlikely(&pmu_is_shared))
		pmu_share_resume();
}

/* Soon, if a task has come to a CPU where nothing counts yet. */
static void pmu_start_recovery(struct irq_work *kick)
{
	if (pmu_share_is_missed())
		mod_delayed_work(system_unbound_wq, &pmu_recovery, 0);
	else
		queue_delayed_work(system_unbound_wq, &pmu_recovery, HZ);
}

/* Hooks hold the lock of a runqueue, so they cannot wake a worker. */
static DEFINE_IRQ_WORK(pmu_kick, pmu_start_recovery);

void pmu_lost(void)
{
	irq_work_queue(&pmu_kick);
}

/* Whoever holds the mutex may be waiting for this to end. */
static void pmu_recover(struct work_struct *work)
{
	unsigned long again = 1;

	if (mutex_trylock(&pmu_mutex)) {
		cpus_read_lock();
		again = pmu_share_recover() ? 0 : HZ;
		cpus_read_unlock();
		mutex_unlock(&pmu_mutex);
	}
	if (again)
		queue_delayed_work(system_unbound_wq, &pmu_recovery, again);
}

static void pmu_give_shared(void)
{
	irq_work_sync(&pmu_kick);
	cancel_delayed_work_sync(&pmu_recovery);
	cpus_read_lock();
	pmu_share_end();
	cpus_read_unlock();
}

/*
 * The static key stays as the last owner has left it: patching text interrupts all CPUs,
 * also isolated ones.
 */
static int pmu_take(void)
{
	if (share) {
		static_branch_enable(&pmu_is_shared);
		return 0;
	}
	static_branch_disable(&pmu_is_shared);
	return pmu_raw_take();
}

static void pmu_give(void)
{
	if (static_key_enabled(&pmu_is_shared))
		pmu_give_shared();
	else
		pmu_raw_give();
}

/* In a thread bound to this CPU, which is not monitored: no interval is open here. */
static int pmu_online(unsigned int nr)
{
	pmu_raw_online();
	return pmu_share_online(nr);
}

static int pmu_offline(unsigned int nr)
{
	pmu_raw_offline();
	pmu_share_offline(nr);
	return 0;
}

static struct pmu_set *pmu_find(const struct pmu_image *image)
{
	struct pmu_set *set;

	list_for_each_entry(set, &pmu_sets, node)
		if (!memcmp(&set->image, image, sizeof(*image)))
			return set;
	return NULL;
}

/* What the sets in use need. */
static void pmu_describe_places(struct pmu_places *places)
{
	const struct pmu_set *set;

	pmu_places_init(places, GENMASK(pmu_model.nr_general - 1, 0));
	pmu_share_describe_places(places);
	list_for_each_entry(set, &pmu_sets, node)
		pmu_places_add(places, &set->image, set->order);
}

static int pmu_admit_shared(struct pmu_set *fresh, const struct cpumask *cpus)
{
	struct pmu_places places;
	int ret;

	pmu_describe_places(&places);
	ret = pmu_places_find(&places, &fresh->image, pmu_model.nr_general,
			      &fresh->order);
	if (ret)
		return ret;
	pmu_places_add(&places, &fresh->image, fresh->order);
	cpus_read_lock();
	ret = pmu_share_admit(fresh, &places, cpus);
	cpus_read_unlock();
	return ret;
}

/* Take the PMU for the first set in use, and check that it can count @fresh on @cpus. */
static int pmu_admit(struct pmu_set *fresh, const struct cpumask *cpus)
{
	bool first = list_empty(&pmu_sets);
	int ret = first ? pmu_take() : 0;

	lockdep_assert_held(&pmu_mutex);
	if (ret)
		return ret;
	if (static_key_enabled(&pmu_is_shared))
		ret = pmu_admit_shared(fresh, cpus);
	else
		ret = pmu_raw_keeps(&fresh->image) ? 0 : -EINVAL;
	if (ret && first)
		pmu_give();
	return ret;
}

/* Be ready to count the sets in use on @cpus, too, as @cover does. */
static int pmu_extend(const struct cpumask *cpus,
		      int (*cover)(const struct cpumask *cpus))
{
	int ret;

	lockdep_assert_held(&pmu_mutex);
	if (list_empty(&pmu_sets) || !static_key_enabled(&pmu_is_shared))
		return 0;
	cpus_read_lock();
	ret = cover(cpus);
	cpus_read_unlock();
	return ret;
}

void pmu_cover(const struct cpumask *cpus)
{
	mutex_lock(&pmu_mutex);
	if (!pmu_share_covers(cpus) && pmu_extend(cpus, pmu_share_cover))
		pmu_lost();
	mutex_unlock(&pmu_mutex);
}

/* Takes ownership of @fresh. */
static struct pmu_set *pmu_set_share(struct pmu_set *fresh,
				     const struct cpumask *cpus)
{
	struct pmu_set *set;
	int ret;

	lockdep_assert_held(&pmu_mutex);
	set = pmu_find(&fresh->image);
	ret = set ? pmu_extend(cpus, pmu_share_join) : pmu_admit(fresh, cpus);
	if (set && !ret) {
		kfree(fresh);
		set->users++;
		return set;
	}
	if (ret) {
		kfree(fresh);
		return ERR_PTR(ret);
	}
	fresh->id = ++pmu_last_id;
	fresh->users = 1;
	list_add_tail_rcu(&fresh->node, &pmu_sets);
	return fresh;
}

static int pmu_assign_one(const struct pmu_need *need, u32 *taken)
{
	u32 i, bits;

	for (i = 0; i < KERMON_MAX_EVENTS; i++) {
		bits = GENMASK(i + need->width - 1, i);
		if (need->counters & BIT(i) && !(*taken & bits)) {
			*taken |= bits;
			return i;
		}
	}
	return -ENOSPC;
}

int pmu_assign(const struct pmu_need *needs, u32 nr, u8 *counters)
{
	u32 choice, i, taken = 0;
	int ret;

	for (choice = 0; choice <= KERMON_MAX_EVENTS; choice++) {
		for (i = 0; i < nr; i++) {
			if (hweight32(needs[i].counters) != choice)
				continue;
			ret = pmu_assign_one(&needs[i], &taken);
			if (ret < 0)
				return ret;
			counters[i] = ret;
		}
	}
	return 0;
}

static void pmu_add_value(struct pmu_image *image, u32 rdpmc, u32 width,
			  u64 selector)
{
	image->selectors[image->nr_values] = selector;
	image->rdpmc[image->nr_values] = rdpmc;
	image->nr_values++;
	image->mask &= GENMASK_ULL(width - 1, 0);
}

static void pmu_encode_fixed(u32 count, struct pmu_image *image)
{
	u32 i;

	for (i = 0; i < pmu_model.nr_fixed; i++) {
		pmu_model.encode_fixed(count, i, image);
		pmu_add_value(image, FIXED_RDPMC | i, pmu_model.fixed_width,
			      (count & KERMON_COUNT_USER ? EVENT_USR : 0) |
			      (count & KERMON_COUNT_KERNEL ? EVENT_OS : 0));
	}
	image->nr_fixed = i;
}

static int pmu_encode_events(const struct kermon_event *events, u32 nr,
			     struct pmu_image *image)
{
	struct pmu_need needs[KERMON_MAX_EVENTS];
	u8 counters[KERMON_MAX_EVENTS];
	int ret;
	u32 i;

	for (i = 0; i < nr; i++) {
		ret = events[i].config & (EVENT_USR | EVENT_OS) ?
		      pmu_model.need(&events[i], &needs[i]) : -EINVAL;
		if (ret)
			return ret;
	}
	ret = pmu_assign(needs, nr, counters);
	for (i = 0; i < nr && !ret; i++) {
		ret = pmu_model.encode_event(&events[i], &needs[i], counters[i],
					     image);
		image->extra[image->nr_values] = events[i].extra;
		image->needs[image->nr_values] = needs[i];
		pmu_add_value(image, counters[i], pmu_model.general_width,
			      events[i].config | ARCH_PERFMON_EVENTSEL_INT);
	}
	return ret;
}

struct pmu_set *pmu_set_get(u32 count, const struct kermon_set *asked,
			    const struct cpumask *cpus)
{
	struct pmu_set *set;
	int ret;

	if (!count && !asked->nr_events)
		return &pmu_nothing;
	if (!pmu_model.name[0])
		return ERR_PTR(-ENODEV);
	set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
	if (!set)
		return ERR_PTR(-ENOMEM);
	set->image.mask = U64_MAX;
	pmu_encode_fixed(count, &set->image);
	ret = pmu_encode_events(asked->events, asked->nr_events,
				&set->image);
	if (ret) {
		kfree(set);
		return ERR_PTR(ret);
	}
	mutex_lock(&pmu_mutex);
	ret = kermon_allow_counters();
	if (ret) {
		kfree(set);
		set = ERR_PTR(ret);
	} else {
		set = pmu_set_share(set, cpus);
	}
	mutex_unlock(&pmu_mutex);
	return set;
}

bool pmu_set_counts(const struct pmu_set *set)
{
	return set != &pmu_nothing;
}

const struct pmu_set *pmu_set_in_use(u64 id)
{
	const struct pmu_set *set;

	lockdep_assert_irqs_disabled();
	list_for_each_entry_rcu(set, &pmu_sets, node)
		if (set->id == id)
			return set;
	return NULL;
}

void pmu_set_put(struct pmu_set *set)
{
	if (set == &pmu_nothing)
		return;
	mutex_lock(&pmu_mutex);
	if (!--set->users) {
		list_del_rcu(&set->node);
		kfree_rcu(set, rcu);
		if (list_empty(&pmu_sets))
			pmu_give();
	}
	mutex_unlock(&pmu_mutex);
}

void pmu_shrink(void)
{
	struct pmu_places places;
	struct pmu_set *set;
	u32 used = 0;

	mutex_lock(&pmu_mutex);
	if (!list_empty(&pmu_sets) && static_key_enabled(&pmu_is_shared)) {
		list_for_each_entry(set, &pmu_sets, node) {
			used |= pmu_places_used(&set->image, set->order);
			pmu_share_describe_set(set);
		}
		pmu_describe_places(&places);
		cpus_read_lock();
		pmu_share_shrink(&places, used);
		cpus_read_unlock();
	}
	mutex_unlock(&pmu_mutex);
}

int pmu_borrow(void)
{
	int ret = 0;

	if (!pmu_model.name[0])
		return -ENODEV;
	mutex_lock(&pmu_mutex);
	if (list_empty(&pmu_sets))
		ret = pmu_raw_reserve();
	if (ret)
		mutex_unlock(&pmu_mutex);
	return ret;
}

void pmu_return(void)
{
	if (list_empty(&pmu_sets))
		pmu_raw_release();
	mutex_unlock(&pmu_mutex);
}

bool pmu_counts_beside_perf(void)
{
	lockdep_assert_held(&pmu_mutex);
	return !list_empty(&pmu_sets) && static_key_enabled(&pmu_is_shared);
}

/*
 * Only trying shows whether others have the PMU. If perf tries at that very
 * moment it gets EBUSY, as if an application had started.
 */
static enum kermon_pmu_owner pmu_try(void)
{
	lockdep_assert_held(&pmu_mutex);
	if (pmu_raw_reserve())
		return KERMON_PMU_OTHER;
	pmu_raw_release();
	return KERMON_PMU_FREE;
}

/* Rate-limited without @now: polling disturbs perf at most once a second. */
enum kermon_pmu_owner pmu_owner(bool now)
{
	enum kermon_pmu_owner owner = KERMON_PMU_KERMON;

	if (!pmu_model.name[0])
		return KERMON_PMU_NONE;
	mutex_lock(&pmu_mutex);
	if (list_empty(&pmu_sets)) {
		if (now || time_after_eq(jiffies, pmu_next_try)) {
			pmu_tried = pmu_try();
			pmu_next_try = jiffies + HZ;
		}
		owner = pmu_tried;
	} else if (static_key_enabled(&pmu_is_shared)) {
		owner = KERMON_PMU_SHARED;
	}
	mutex_unlock(&pmu_mutex);
	return owner;
}

unsigned int __init pmu_add_reg(struct pmu_model *model, u32 msr)
{
	model->regs[model->nr_regs] = msr;
	return model->nr_regs++;
}

unsigned int __init pmu_add_selectors(struct pmu_model *model)
{
	u32 i;

	model->first_selector = model->nr_regs;
	for (i = 0; i < model->nr_general; i++)
		pmu_add_reg(model, model->selector + i * model->stride);
	return model->first_selector;
}

/*
 * Hotplug is watched as long as the module is loaded: to begin and to end that wakes a
 * thread of every CPU.
 */
static int __init pmu_watch_hotplug(void)
{
	int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kermon/pmu:online",
				    pmu_online, pmu_offline);

	if (ret < 0)
		return ret;
	pmu_hotplug_state = ret;
	return 0;
}

void pmu_exit(void)
{
	if (pmu_model.name[0])
		cpuhp_remove_state(pmu_hotplug_state);
	irq_work_sync(&pmu_kick);
	cancel_delayed_work_sync(&pmu_recovery);
}

/* Without a PMU, load anyway and report that there is none. */
int __init pmu_init(void)
{
	int ret = pmu_intel_init(&pmu_model);

	if (ret == -ENODEV)
		ret = pmu_amd_init(&pmu_model);
	if (ret) {
		pr_warn("no usable PMU on this CPU\n");
		return ret == -ENODEV ? 0 : ret;
	}
	pr_info("%s: %u general and %u fixed counters\n", pmu_model.name,
		pmu_model.nr_general, pmu_model.nr_fixed);
	return pmu_watch_hotplug();
}
