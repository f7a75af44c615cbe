// SPDX-License-Identifier: GPL-2.0
/* Counting beside perf; see pmu_share.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/printk.h>
#include <linux/sched/isolation.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "pmu_read.h"
#include "pmu_share.h"

/* Protected by pmu_mutex, except on a CPU that comes online: by the hotplug lock. */
static struct pmu_image pmu_share_image;	/* what the events were created with */
static unsigned long pmu_share_used;		/* values that have an event, one bit each */
static struct cpumask pmu_share_cpus;		/* that have events while online */
static struct cpumask pmu_share_had;		/* the same before an attempt */

/* In use, and to be filled for the next change: perf looks at them at any time. */
static struct kermon_place pmu_share_places[2][PMU_MAX_VALUES];
static u32 pmu_share_turn;

static const u64 pmu_share_fixed[PMU_MAX_FIXED] = {
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

static void pmu_share_describe(struct perf_event_attr *attr, u32 value)
{
	const struct pmu_image *image = &pmu_share_image;
	u64 selector = image->selectors[value];

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->pinned = 1;
	attr->exclude_user = !(selector & EVENT_USR);
	attr->exclude_kernel = !(selector & EVENT_OS);
	if (value < image->nr_fixed) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = pmu_share_fixed[value];
		return;
	}
	attr->type = PERF_TYPE_RAW;
	attr->config = selector & ~(EVENT_USR | EVENT_OS | ARCH_PERFMON_EVENTSEL_INT);
	attr->config1 = image->extra[value];
}

/* No hook knows them. */
static void pmu_share_release(struct perf_event **events, unsigned long values)
{
	u32 i;

	for_each_set_bit(i, &values, PMU_MAX_VALUES) {
		if (events[i])
			perf_event_release_kernel(events[i]);
		events[i] = NULL;
	}
}

/* A hook that still uses them ends before perf has removed them from the CPU. */
static void pmu_share_drop(unsigned int nr)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);

	WRITE_ONCE(cpu->nr, 0);
	cpu->known = 0;
	cpu->created = false;
	pmu_share_release(cpu->placed, GENMASK(PMU_MAX_VALUES - 1, 0));
	memset(cpu->events, 0, sizeof(cpu->events));
}

/**
 * struct share_vacancy - events that a CPU is to have no longer
 * @values: which ones
 * @events: these events, which no hook knows any more
 */
struct share_vacancy {
	unsigned long values;
	struct perf_event *events[PMU_MAX_VALUES];
};

/* No set in use counts them, but hooks look at all events that they know. */
static void pmu_share_vacate_local(void *info)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	struct share_vacancy *vacancy = info;
	u32 i, j;

	for_each_set_bit(i, &vacancy->values, PMU_MAX_VALUES) {
		vacancy->events[i] = cpu->placed[i];
		cpu->placed[i] = NULL;
		for (j = 0; j < PMU_MAX_VALUES; j++)
			if (cpu->events[j] == vacancy->events[i])
				cpu->events[j] = NULL;
	}
	cpu->known &= ~vacancy->values;
}

static void pmu_share_vacate(unsigned long values)
{
	struct share_vacancy vacancy;
	unsigned int nr;

	if (!values)
		return;
	for_each_cpu_and(nr, &pmu_share_cpus, cpu_online_mask) {
		if (!per_cpu_ptr(&pmu_share_cpu, nr)->created)
			continue;
		vacancy = (struct share_vacancy){ .values = values };
		smp_call_function_single(nr, pmu_share_vacate_local, &vacancy, true);
		pmu_share_release(vacancy.events, values);
	}
}

/* What perf says of an event that CPUID marks as missing, or that has no register. */
static int pmu_share_error(int error)
{
	return error == -ENOENT || error == -ENXIO ? -EINVAL : error;
}

/* Those of @values that are missing, or all of a CPU that has none. */
static int pmu_share_create(unsigned int nr, unsigned long values)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	struct perf_event_attr attr;
	struct perf_event *event;
	unsigned long created = 0;
	u32 i;

	WRITE_ONCE(cpu->tried, true);
	if (!cpu->created)
		values = pmu_share_used;
	for_each_set_bit(i, &values, PMU_MAX_VALUES) {
		pmu_share_describe(&attr, i);
		event = perf_event_create_kernel_counter(&attr, nr, NULL, NULL,
							 NULL);
		if (IS_ERR(event)) {
			pmu_share_release(cpu->placed, created);
			return pmu_share_error(PTR_ERR(event));
		}
		cpu->placed[i] = event;
		created |= BIT(i);
	}
	cpu->created = true;
	return 0;
}

/*
 * Events that are new, or were reset, count what the set of the open interval says: a tick
 * may end that interval and begin the next one without programming the set again.
 */
static void pmu_share_program_again(const struct pmu_share_cpu *cpu)
{
	const struct pmu_set *set = pmu_set_in_use(cpu->counted);

	if (set && pmu_share_program(set))
		__this_cpu_write(pmu_cpu.held, set->id);
}

/* The hooks find new events at the next move, which this is. */
static void pmu_share_place_local(void *info)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	const u32 missing = pmu_share_used &
		~kermon_place_events(cpu->placed, pmu_share_places[pmu_share_turn],
				     pmu_share_image.nr_values);
	/* If only new ones do not count, hooks can go on with those that they know. */
	const bool lost = missing & cpu->known;
	const bool blind = !cpu->nr;
	bool *counts = info;

	*counts = !missing;
	if (blind) {
		cpu->order = PMU_ORDER_SAME;
		cpu->modes = pmu_share_image.selectors[0];
	}
	if (*counts) {
		pmu_share_learn(cpu, pmu_share_used, &pmu_share_image);
		/* The open interval may have begun before events were reset. */
		cpu->lost |= cpu->reset;
		cpu->reset = false;
	}
	cpu->lost |= lost;
	if (*counts || lost)
		pmu_share_own(*counts);
	this_cpu_inc(kermon_event_moves);
	if (*counts && (blind || !__this_cpu_read(pmu_cpu.held)))
		pmu_share_program_again(cpu);
}

static bool pmu_share_try(unsigned int nr)
{
	bool counts = false;

	smp_call_function_single(nr, pmu_share_place_local, &counts, true);
	return counts;
}

/* Without effect on events that are not in error. */
static void pmu_share_enable(unsigned int nr)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	u32 i;

	for_each_set_bit(i, &pmu_share_used, PMU_MAX_VALUES)
		perf_event_enable(cpu->placed[i]);
}

/* What they count now may have fitted their places, but not the constraints of perf. */
static void pmu_share_reset_local(void *info)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	const struct pmu_image *image = &pmu_share_image;
	const u32 from = image->nr_fixed;

	cpu->reset |= !pmu_share_has_all(cpu);
	kermon_reset_events(cpu->placed + from, image->selectors + from,
			    image->nr_values - from);
	pmu_forget();
}

/* The first attempt also notes that counts are lost, if an event is in error. */
static bool pmu_share_place(unsigned int nr)
{
	if (pmu_share_try(nr))
		return true;
	smp_call_function_single(nr, pmu_share_reset_local, NULL, true);
	pmu_share_enable(nr);
	return pmu_share_try(nr);
}

/* Others may have taken a counter that no hook has missed yet. */
static bool pmu_share_is_counting(unsigned int nr)
{
	const struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	u32 i;

	if (!READ_ONCE(per_cpu_ptr(&pmu_cpu, nr)->ours))
		return false;
	for_each_set_bit(i, &pmu_share_used, PMU_MAX_VALUES)
		if (READ_ONCE(cpu->placed[i]->state) != PERF_EVENT_STATE_ACTIVE)
			return false;
	return true;
}

/* Create events of a CPU that has none, or get back what others took. */
static int pmu_share_get_cpu(unsigned int nr)
{
	int ret = 0;

	if (!per_cpu_ptr(&pmu_share_cpu, nr)->created)
		ret = pmu_share_create(nr, pmu_share_used);
	else if (pmu_share_is_counting(nr))
		return 0;
	if (!ret && !pmu_share_place(nr))
		ret = -EBUSY;
	return ret;
}

/* The first error; the other CPUs get their events nevertheless. */
static int pmu_share_get_cpus(const struct cpumask *cpus)
{
	unsigned int nr;
	int ret, first = 0;

	for_each_cpu_and(nr, cpus, cpu_online_mask) {
		ret = pmu_share_get_cpu(nr);
		if (!first)
			first = ret;
	}
	return first;
}

/* Whoever may count need not be one whom perf lets have events of a CPU. */
static const struct cred *pmu_share_become_kernel(struct cred **kernel)
{
	*kernel = prepare_kernel_cred(&init_task);
	return *kernel ? override_creds(*kernel) : NULL;
}

static void pmu_share_become_user(const struct cred *user, struct cred *kernel)
{
	revert_creds(user);
	put_cred(kernel);
}

int pmu_share_cover(const struct cpumask *cpus)
{
	const struct cred *user;
	struct cred *kernel;
	int ret;

	user = pmu_share_become_kernel(&kernel);
	if (!user)
		return -ENOMEM;
	cpumask_or(&pmu_share_cpus, &pmu_share_cpus, cpus);
	ret = pmu_share_get_cpus(cpus);
	pmu_share_become_user(user, kernel);
	return ret;
}

bool pmu_share_covers(const struct cpumask *cpus)
{
	return cpumask_subset(cpus, &pmu_share_cpus);
}

static void pmu_share_take_missed(void)
{
	unsigned int nr;

	for_each_cpu(nr, &pmu_share_missed) {
		cpumask_clear_cpu(nr, &pmu_share_missed);
		cpumask_set_cpu(nr, &pmu_share_cpus);
	}
}

bool pmu_share_recover(void)
{
	bool all = true;
	unsigned int nr;

	pmu_share_take_missed();
	for_each_cpu_and(nr, &pmu_share_cpus, cpu_online_mask) {
		if (!pmu_share_get_cpu(nr))
			continue;
		all = false;
		pr_warn_ratelimited("CPU %u: nothing is counted while others have its counters\n",
				    nr);
	}
	return all;
}

/* The set of a blind interval of the last steps to offline may not exist any more. */
static void pmu_share_leave_cpu(void)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(cpu->nr, 0);
	cpu->known = 0;
	cpu->tried = false;
	cpu->reset = false;
	__this_cpu_write(pmu_cpu.ours, false);
	pmu_forget();
	local_irq_restore(flags);
}

static void pmu_share_leave_local(void *info)
{
	pmu_share_leave_cpu();
}

/* Others may have the counters. The CPU comes online nevertheless. */
int pmu_share_online(unsigned int nr)
{
	if (!cpumask_test_cpu(nr, &pmu_share_cpus))
		return 0;
	pmu_share_leave_cpu();
	if (pmu_share_get_cpu(nr))
		pmu_lost();
	return 0;
}

/* Tasks whose affinity is gone move to where the others are. */
void pmu_share_offline(unsigned int nr)
{
	unsigned int other;

	if (!per_cpu_ptr(&pmu_share_cpu, nr)->created)
		return;
	for_each_cpu_and(other, housekeeping_cpumask(HK_TYPE_DOMAIN), cpu_online_mask) {
		if (other == nr || cpumask_test_and_set_cpu(other, &pmu_share_cpus))
			continue;
		if (pmu_share_get_cpu(other))
			pmu_lost();
	}
	pmu_share_leave_cpu();
	pmu_share_drop(nr);
}

static void pmu_share_end_cpu(unsigned int nr)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);

	per_cpu_ptr(&pmu_cpu, nr)->ours = false;
	per_cpu_ptr(&pmu_cpu, nr)->held = 0;
	pmu_share_drop(nr);
	cpu->tried = false;
	cpu->reset = false;
	cpu->lost = false;
}

/* No set is in use, so hooks do not look at any of this. */
void pmu_share_end(void)
{
	unsigned int nr;

	for_each_possible_cpu(nr)
		pmu_share_end_cpu(nr);
	cpumask_clear(&pmu_share_cpus);
	cpumask_clear(&pmu_share_missed);
	memset(&pmu_share_image, 0, sizeof(pmu_share_image));
	pmu_share_used = 0;
	memset(pmu_share_places, 0, sizeof(pmu_share_places));
}

void pmu_share_describe_places(struct pmu_places *places)
{
	const struct pmu_image *image = &pmu_share_image;
	u32 i;

	places->nr = image->nr_values - image->nr_fixed;
	places->vacant = ~(pmu_share_used >> image->nr_fixed);
	for (i = 0; i < places->nr; i++) {
		places->selectors[i] = image->selectors[image->nr_fixed + i];
		places->extra[i] = image->extra[image->nr_fixed + i];
	}
}

/* There are no fixed counters but those of every set. */
static void pmu_share_use(unsigned long values)
{
	pmu_share_used = values;
	pmu_share_image.nr_values = fls_long(values);
}

/* Describe the events of new places, and of vacant ones that @set fills. */
static void pmu_share_extend(const struct pmu_set *set)
{
	struct pmu_image *image = &pmu_share_image;
	const struct pmu_image *from = &set->image;
	unsigned long used = pmu_share_used;
	u32 i, value, nr_fixed = from->nr_fixed;

	if (!used) {
		image->nr_fixed = nr_fixed;
		memcpy(image->selectors, from->selectors,
		       nr_fixed * sizeof(*image->selectors));
		used = BIT(nr_fixed) - 1;
	}
	for (i = nr_fixed; i < from->nr_values; i++) {
		value = pmu_share_value(set->order, nr_fixed, i);
		if (used & BIT(value))
			continue;
		image->selectors[value] = from->selectors[i];
		image->extra[value] = from->extra[i];
		used |= BIT(value);
	}
	pmu_share_use(used);
}

void pmu_share_describe_set(const struct pmu_set *set)
{
	const struct pmu_image *from = &set->image;
	u32 i;

	for (i = from->nr_fixed; i < from->nr_values; i++)
		pmu_share_image.selectors[pmu_share_value(set->order, from->nr_fixed, i)] =
			from->selectors[i];
}

static void pmu_share_fill(struct kermon_place *to, const struct pmu_places *places)
{
	u32 i, nr_fixed = pmu_share_image.nr_fixed;

	for (i = 0; i < PMU_MAX_VALUES; i++) {
		to[i] = (struct kermon_place){ .index = i };
		if (i < nr_fixed || i - nr_fixed >= KERMON_MAX_EVENTS)
			continue;
		to[i].counters = places->needs[i - nr_fixed].counters;
		to[i].pair = places->needs[i - nr_fixed].width > 1;
	}
}

/* Whether @places differ from those in use; then they are in use from now on. */
static bool pmu_share_set_places(const struct pmu_places *places)
{
	const u32 next = !pmu_share_turn;

	pmu_share_fill(pmu_share_places[next], places);
	if (!memcmp(pmu_share_places[0], pmu_share_places[1],
		    sizeof(pmu_share_places[0])))
		return false;
	pmu_share_turn = next;
	return true;
}

/* Create missing events, and let all of them have the counters of their places. */
static int pmu_share_apply(unsigned long missing)
{
	unsigned int nr;
	int ret = 0;

	for_each_cpu_and(nr, &pmu_share_cpus, cpu_online_mask) {
		ret = pmu_share_create(nr, missing);
		if (ret)
			return ret;
		if (!pmu_share_place(nr))
			return -EBUSY;
	}
	return 0;
}

/* CPUs on which no monitored task may run have none again. */
static void pmu_share_uncover(void)
{
	unsigned int nr;

	for_each_cpu_andnot(nr, &pmu_share_cpus, &pmu_share_had) {
		if (!per_cpu_ptr(&pmu_share_cpu, nr)->created)
			continue;
		smp_call_function_single(nr, pmu_share_leave_local, NULL, true);
		pmu_share_drop(nr);
	}
	cpumask_copy(&pmu_share_cpus, &pmu_share_had);
}

static void pmu_share_place_again(void)
{
	unsigned int nr;

	for_each_cpu_and(nr, &pmu_share_cpus, cpu_online_mask) {
		if (per_cpu_ptr(&pmu_share_cpu, nr)->created && !pmu_share_place(nr))
			pmu_lost();
	}
}

/* The events that there were before get back the counters that they had. */
static void pmu_share_undo(unsigned long had)
{
	pmu_share_uncover();
	pmu_share_vacate(pmu_share_used & ~had);
	pmu_share_use(had);
	pmu_share_place_again();
}

/**
 * struct share_trial - whether the PMU supports the events of a set
 * @set: the set
 * @keeps: the answer
 */
struct share_trial {
	const struct pmu_set *set;
	bool keeps;
};

/* On a CPU that has events. */
static void pmu_share_try_set(void *info)
{
	struct share_trial *trial = info;
	const struct pmu_set *set = trial->set;
	const struct pmu_image *image = &set->image;
	const struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	u32 i, value;

	for (i = image->nr_fixed; i < image->nr_values && trial->keeps; i++) {
		value = pmu_share_value(set->order, image->nr_fixed, i);
		trial->keeps = kermon_keeps_selector(cpu->placed[value],
						     image->selectors[i]);
	}
}

/* All CPUs are alike. */
static bool pmu_share_keeps(const struct pmu_set *set)
{
	struct share_trial trial = { .set = set, .keeps = true };
	unsigned int nr;

	for_each_cpu_and(nr, &pmu_share_cpus, cpu_online_mask) {
		if (!per_cpu_ptr(&pmu_share_cpu, nr)->created)
			continue;
		smp_call_function_single(nr, pmu_share_try_set, &trial, true);
		break;
	}
	return trial.keeps;
}

static int pmu_share_change(const struct cpumask *cpus, unsigned long missing)
{
	const struct cred *user;
	struct cred *kernel;
	int ret;

	user = pmu_share_become_kernel(&kernel);
	if (!user)
		return -ENOMEM;
	cpumask_or(&pmu_share_cpus, &pmu_share_cpus, cpus);
	ret = pmu_share_apply(missing);
	pmu_share_become_user(user, kernel);
	return ret;
}

int pmu_share_admit(const struct pmu_set *set, const struct pmu_places *places,
		    const struct cpumask *cpus)
{
	const unsigned long had = pmu_share_used;
	const u32 turn = pmu_share_turn;
	bool moves;
	int ret;

	cpumask_copy(&pmu_share_had, &pmu_share_cpus);
	pmu_share_extend(set);
	moves = pmu_share_set_places(places) || pmu_share_used != had;
	ret = moves ? pmu_share_change(cpus, pmu_share_used & ~had) :
		      pmu_share_cover(cpus);
	if (!ret && !pmu_share_keeps(set))
		ret = -EINVAL;
	if (!ret)
		return 0;
	if (!moves) {
		pmu_share_uncover();
		return ret;
	}
	pmu_share_turn = turn;
	pmu_share_undo(had);
	return ret;
}

int pmu_share_join(const struct cpumask *cpus)
{
	int ret;

	cpumask_copy(&pmu_share_had, &pmu_share_cpus);
	ret = pmu_share_cover(cpus);
	if (ret)
		pmu_share_uncover();
	return ret;
}

void pmu_share_shrink(const struct pmu_places *places, u32 used)
{
	const u32 nr_fixed = pmu_share_image.nr_fixed;
	const unsigned long needed = (unsigned long)used << nr_fixed | (BIT(nr_fixed) - 1);

	pmu_share_vacate(pmu_share_used & ~needed);
	pmu_share_use(pmu_share_used & needed);
	/* Those that stay may now have more counters, or need only one. */
	if (pmu_share_set_places(places))
		pmu_share_place_again();
}
