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
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/kermon.h>
#include <asm/nmi.h>

#include "pmu.h"
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
	struct pmu_cpu *cpu = this_cpu_ptr(&pmu_cpu);
	const struct pmu_image *image = &set->image;
	u32 i;

	lockdep_assert_irqs_disabled();
	if (set == &pmu_nothing)
		return true;
	if (!cpu->ours)
		return false;
	if (static_branch_unlikely(&pmu_is_shared)) {
		if (!pmu_share_program(set))
			return false;
		cpu->held = set->id;
		return true;
	}
	for (i = 0; i < pmu_model.nr_regs; i++) {
		if (cpu->held && cpu->regs[i] == image->regs[i])
			continue;
		wrmsrl(pmu_model.regs[i], image->regs[i]);
		cpu->regs[i] = image->regs[i];
	}
	cpu->held = set->id;
	return true;
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

static u32 pmu_selector(u32 counter)
{
	return pmu_model.selector + counter * pmu_model.stride;
}

static u32 pmu_counter(u32 counter)
{
	return pmu_model.counter + counter * pmu_model.stride;
}

/* Do not leak the activity of others to whoever may execute RDPMC next. */
static void pmu_clear_counters(void)
{
	u32 i;

	for (i = 0; i < pmu_model.nr_general; i++)
		wrmsrl(pmu_counter(i), 0);
	for (i = 0; i < pmu_model.nr_fixed; i++)
		wrmsrl(MSR_CORE_PERF_FIXED_CTR0 + i, 0);
}

/* Take over a CPU and save its registers. Counting starts at the first switch. */
static int pmu_online(unsigned int nr)
{
	struct pmu_cpu *cpu = per_cpu_ptr(&pmu_cpu, nr);
	unsigned long flags;
	u32 i;

	local_irq_save(flags);
	kermon_take_cpu();
	for (i = 0; i < pmu_model.nr_regs; i++)
		rdmsrl(pmu_model.regs[i], cpu->found[i]);
	if (pmu_model.status)
		rdmsrl(pmu_model.status, cpu->found_status);
	cpu->ours = true;
	pmu_forget();
	local_irq_restore(flags);
	return 0;
}

/*
 * Release a CPU and restore its registers, except for the counters, which have
 * run freely and may have wrapped: perf must not mistake our overflows for its
 * own.
 */
static int pmu_offline(unsigned int nr)
{
	struct pmu_cpu *cpu = per_cpu_ptr(&pmu_cpu, nr);
	unsigned long flags;
	u64 status;
	u32 i;

	local_irq_save(flags);
	for (i = 0; i < pmu_model.nr_regs; i++)
		wrmsrl(pmu_model.regs[i], cpu->found[i]);
	if (pmu_model.status) {
		rdmsrl(pmu_model.status, status);
		if (status & ~cpu->found_status)
			wrmsrl(pmu_model.ack, status & ~cpu->found_status);
	}
	pmu_clear_counters();
	cpu->ours = false;
	pmu_forget();
	local_irq_restore(flags);
	return 0;
}

static void pmu_release_first(u32 nr_selectors, u32 nr_counters)
{
	while (nr_selectors--)
		release_evntsel_nmi(pmu_selector(nr_selectors));
	while (nr_counters--)
		release_perfctr_nmi(pmu_counter(nr_counters));
}

/*
 * Reserve the counters, excluding perf and others, or return -EBUSY. On Intel
 * it is the selectors that exclude perf: perf reserves the counters by their
 * full-width addresses, which the kernel's bitmap does not cover. Fixed
 * counters have no reservation of their own; perf takes all or nothing. Both
 * reserve functions return 1 for success.
 */
static int pmu_reserve(void)
{
	u32 i;

	for (i = 0; i < pmu_model.nr_general; i++) {
		if (!reserve_perfctr_nmi(pmu_counter(i))) {
			pmu_release_first(i, i);
			return -EBUSY;
		}
		if (!reserve_evntsel_nmi(pmu_selector(i))) {
			pmu_release_first(i, i + 1);
			return -EBUSY;
		}
	}
	return 0;
}

static void pmu_release(void)
{
	pmu_release_first(pmu_model.nr_general, pmu_model.nr_general);
}

/* This thread is not monitored, so no interval is open on this CPU now. */
static int pmu_offline_shared(unsigned int nr)
{
	struct pmu_cpu *cpu = per_cpu_ptr(&pmu_cpu, nr);
	unsigned long flags;

	local_irq_save(flags);
	cpu->ours = false;
	pmu_forget();
	local_irq_restore(flags);
	pmu_share_offline(nr);
	return 0;
}

static void pmu_start_recovery(struct irq_work *kick)
{
	schedule_delayed_work(&pmu_recovery, HZ);
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
	bool done = false;

	if (mutex_trylock(&pmu_mutex)) {
		cpus_read_lock();
		done = pmu_share_recover();
		cpus_read_unlock();
		mutex_unlock(&pmu_mutex);
	}
	if (!done)
		schedule_delayed_work(&pmu_recovery, HZ);
}

static int pmu_take_shared(void)
{
	int ret;

	static_branch_enable(&pmu_is_shared);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kermon/pmu:shared",
				pmu_share_online, pmu_offline_shared);
	if (ret < 0) {
		static_branch_disable(&pmu_is_shared);
		return ret;
	}
	pmu_hotplug_state = ret;
	return 0;
}

static void pmu_give_shared(void)
{
	cpuhp_remove_state(pmu_hotplug_state);
	irq_work_sync(&pmu_kick);
	cancel_delayed_work_sync(&pmu_recovery);
	pmu_share_end();
	static_branch_disable(&pmu_is_shared);
}

static int pmu_take(void)
{
	int ret;

	if (share)
		return pmu_take_shared();
	ret = pmu_reserve();
	if (ret)
		return ret;
	kermon_take_counters();
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kermon/pmu:online",
				pmu_online, pmu_offline);
	if (ret < 0) {
		kermon_give_counters();
		pmu_release();
		return ret;
	}
	pmu_hotplug_state = ret;
	return 0;
}

static void pmu_give(void)
{
	if (static_key_enabled(&pmu_is_shared)) {
		pmu_give_shared();
		return;
	}
	cpuhp_remove_state(pmu_hotplug_state);
	kermon_give_counters();
	pmu_release();
}

static struct pmu_set *pmu_find(const struct pmu_image *image)
{
	struct pmu_set *set;

	list_for_each_entry(set, &pmu_sets, node)
		if (!memcmp(&set->image, image, sizeof(*image)))
			return set;
	return NULL;
}

/*
 * Where the counters cannot be stopped all at once, a selector is tried without
 * its modes, so that it counts nothing.
 */
static u64 pmu_trial(const struct pmu_image *image, u32 reg)
{
	if (pmu_model.status || reg < pmu_model.first_selector)
		return image->regs[reg];
	return image->regs[reg] & ~(EVENT_USR | EVENT_OS);
}

/*
 * An emulated PMU may not support every event, and reports that only by not
 * keeping the value of the selector. The counters are stopped meanwhile, so
 * counting on this CPU misses only these few kernel instructions of the caller.
 */
static bool pmu_keeps(const struct pmu_image *image)
{
	u32 i, nr_regs = pmu_model.nr_regs;
	u64 saved[PMU_MAX_REGS], value;
	bool keeps = true;
	unsigned long flags;

	local_irq_save(flags);
	for (i = 0; i < nr_regs; i++)
		rdmsrl(pmu_model.regs[i], saved[i]);
	if (pmu_model.status)
		wrmsrl(pmu_model.regs[--nr_regs], 0);
	for (i = 0; i < nr_regs; i++) {
		wrmsrl(pmu_model.regs[i], pmu_trial(image, i));
		rdmsrl(pmu_model.regs[i], value);
		keeps &= value == pmu_trial(image, i);
	}
	for (i = 0; i < pmu_model.nr_regs; i++)
		wrmsrl(pmu_model.regs[i], saved[i]);
	local_irq_restore(flags);
	return keeps;
}

static int pmu_admit_shared(struct pmu_set *fresh)
{
	struct pmu_places places;
	struct pmu_set *set;
	int ret;
	u32 nr;

	pmu_places_init(&places, GENMASK(pmu_model.nr_general - 1, 0));
	pmu_share_describe_places(&places);
	list_for_each_entry(set, &pmu_sets, node)
		pmu_places_add(&places, &set->image, set->order);
	ret = pmu_places_find(&places, &fresh->image, pmu_model.nr_general, &nr,
			      &fresh->order);
	if (ret)
		return ret;
	pmu_places_add(&places, &fresh->image, fresh->order);
	cpus_read_lock();
	ret = pmu_share_admit(fresh, &places, nr);
	cpus_read_unlock();
	return ret;
}

/* Take the PMU for the first set in use, and check that it can count @fresh. */
static int pmu_admit(struct pmu_set *fresh)
{
	bool first = list_empty(&pmu_sets);
	int ret = first ? pmu_take() : 0;

	lockdep_assert_held(&pmu_mutex);
	if (ret)
		return ret;
	if (static_key_enabled(&pmu_is_shared))
		ret = pmu_admit_shared(fresh);
	else
		ret = pmu_keeps(&fresh->image) ? 0 : -EINVAL;
	if (ret && first)
		pmu_give();
	return ret;
}

/* Takes ownership of @fresh. */
static struct pmu_set *pmu_set_share(struct pmu_set *fresh)
{
	struct pmu_set *set;
	int ret;

	lockdep_assert_held(&pmu_mutex);
	set = pmu_find(&fresh->image);
	if (set) {
		kfree(fresh);
		set->users++;
		return set;
	}
	ret = pmu_admit(fresh);
	if (ret) {
		kfree(fresh);
		return ERR_PTR(ret);
	}
	fresh->id = ++pmu_last_id;
	fresh->users = 1;
	list_add_tail(&fresh->node, &pmu_sets);
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

struct pmu_set *pmu_set_get(u32 count, const struct kermon_group *group)
{
	struct pmu_set *set;
	int ret;

	if (!count && !group->nr_events)
		return &pmu_nothing;
	if (!pmu_model.name[0])
		return ERR_PTR(-ENODEV);
	set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
	if (!set)
		return ERR_PTR(-ENOMEM);
	set->image.mask = U64_MAX;
	pmu_encode_fixed(count, &set->image);
	ret = pmu_encode_events(group->events, group->nr_events,
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
		set = pmu_set_share(set);
	}
	mutex_unlock(&pmu_mutex);
	return set;
}

void pmu_set_put(struct pmu_set *set)
{
	if (set == &pmu_nothing)
		return;
	mutex_lock(&pmu_mutex);
	if (!--set->users) {
		list_del(&set->node);
		kfree(set);
		if (list_empty(&pmu_sets))
			pmu_give();
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
		ret = pmu_reserve();
	if (ret)
		mutex_unlock(&pmu_mutex);
	return ret;
}

void pmu_return(void)
{
	if (list_empty(&pmu_sets))
		pmu_release();
	mutex_unlock(&pmu_mutex);
}

/*
 * Only trying shows whether others have the PMU. If perf tries at that very
 * moment it gets EBUSY, as if an application had started.
 */
static enum kermon_pmu_owner pmu_try(void)
{
	lockdep_assert_held(&pmu_mutex);
	if (pmu_reserve())
		return KERMON_PMU_OTHER;
	pmu_release();
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

/* Without a PMU, load anyway and report that there is none. */
int __init pmu_init(void)
{
	int ret = pmu_intel_init(&pmu_model);

	if (ret == -ENODEV)
		ret = pmu_amd_init(&pmu_model);
	if (ret)
		pr_warn("no usable PMU on this CPU\n");
	else
		pr_info("%s: %u general and %u fixed counters\n",
			pmu_model.name, pmu_model.nr_general,
			pmu_model.nr_fixed);
	return ret == -ENODEV ? 0 : ret;
}
