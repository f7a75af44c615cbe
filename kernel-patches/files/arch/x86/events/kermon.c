// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon: access to the performance counters by perf, user mode and kermon.ko.
 *
 * perf tracks in mm_context_t.perf_rdpmc_allowed how many events a process has
 * mapped, and sets CR4.PCE if that is not 0. fork() copies the count with the
 * rest of the mm, but not the mappings, so the child of a process that has
 * mapped an event can execute RDPMC for its whole lifetime. KerMon therefore
 * does not rely on the count.
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/mmu_context.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <asm/kermon.h>
#include <asm/msr.h>
#include <asm/perf_event.h>

#include "perf_event.h"

bool kermon_counters_taken __read_mostly;

/* CPUs that have denied RDPMC since KerMon took the counters. */
static struct cpumask kermon_denied;

void kermon_take_counters(void)
{
	WRITE_ONCE(kermon_counters_taken, true);
}
EXPORT_SYMBOL_GPL(kermon_take_counters);

void kermon_take_cpu(void)
{
	lockdep_assert_irqs_disabled();
	cr4_update_pce(NULL);
	perf_clear_dirty_counters();
}
EXPORT_SYMBOL_GPL(kermon_take_cpu);

void kermon_note_denial(void)
{
	lockdep_assert_irqs_disabled();
	cpumask_set_cpu(smp_processor_id(), &kermon_denied);
}

void kermon_give_counters(void)
{
	WRITE_ONCE(kermon_counters_taken, false);
	/* Wait for those who have seen the old value: irqs are off there. */
	synchronize_rcu();
	on_each_cpu_mask(&kermon_denied, cr4_update_pce, NULL, 1);
	cpumask_clear(&kermon_denied);
}
EXPORT_SYMBOL_GPL(kermon_give_counters);

bool kermon_counters_public(void)
{
	return static_key_enabled(&rdpmc_always_available_key);
}
EXPORT_SYMBOL_GPL(kermon_counters_public);

bool kermon_counters_denied(void)
{
	return static_key_enabled(&rdpmc_never_available_key);
}
EXPORT_SYMBOL_GPL(kermon_counters_denied);

DEFINE_PER_CPU(u32, kermon_event_moves);
EXPORT_PER_CPU_SYMBOL_GPL(kermon_event_moves);

DEFINE_PER_CPU(u64 *, kermon_page_here);
EXPORT_PER_CPU_SYMBOL_GPL(kermon_page_here);

void kermon_forget_page(u64 *sequence)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (READ_ONCE(per_cpu(kermon_page_here, cpu)) == sequence)
			cmpxchg(per_cpu_ptr(&kermon_page_here, cpu), sequence, NULL);
	}
}

/* Of each place; perf keeps pointers to those of the events that it has scheduled. */
static DEFINE_PER_CPU(struct event_constraint[KERMON_MAX_PLACES], kermon_constraints);

/* perf merges counters only where it knows how. */
static bool kermon_is_pair(const struct kermon_place *place)
{
	return place->pair && x86_pmu.flags & PMU_FL_PAIR;
}

/*
 * What a tracked event counts has changed since it was created, and changes again
 * while it has its counter. So its place decides; the constraint of what it counts
 * just now can only narrow that further: by errata, or by what the sibling does.
 */
struct event_constraint *kermon_constrain_event(struct perf_event *event,
						struct event_constraint *constraint)
{
	const struct kermon_place *place = event->pmu_private;
	struct event_constraint *narrowed;

	if (!place->counters)
		return constraint;
	narrowed = this_cpu_ptr(&kermon_constraints[place->index]);
	*narrowed = *constraint;
	narrowed->idxmsk64 &= place->counters;
	narrowed->weight = hweight64(narrowed->idxmsk64);
	narrowed->flags &= ~PERF_X86_EVENT_PAIR;
	if (kermon_is_pair(place))
		narrowed->flags |= PERF_X86_EVENT_PAIR;
	return narrowed;
}

/* perf counts pairs, so the flag may change only while the event is out. */
void kermon_collect_event(struct perf_event *event)
{
	const struct kermon_place *place = event->pmu_private;

	event->hw.flags &= ~PERF_X86_EVENT_PAIR;
	if (kermon_is_pair(place))
		event->hw.flags |= PERF_X86_EVENT_PAIR;
}

static bool kermon_event_counts(const struct perf_event *event,
				const struct kermon_place *place)
{
	return event->state == PERF_EVENT_STATE_ACTIVE &&
	       place->pair == kermon_is_pair(place);
}

u32 kermon_place_events(struct perf_event *const *events,
			const struct kermon_place *places, u32 nr)
{
	struct perf_event *any = NULL;
	u32 i, counting = 0;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < nr; i++) {
		if (!events[i])
			continue;
		any = events[i];
		any->pmu_private = (void *)&places[i];
		any->hw.flags |= PERF_X86_EVENT_TRACKED;
	}
	if (any)
		perf_pmu_resched(any->pmu);
	for (i = 0; i < nr; i++) {
		if (events[i] && kermon_event_counts(events[i], &places[i]))
			counting |= BIT(i);
	}
	return counting;
}
EXPORT_SYMBOL_GPL(kermon_place_events);

void kermon_restore_events(struct perf_event *event)
{
	lockdep_assert_irqs_disabled();
	/* perf does not write the control of the fixed counters while it seems right. */
	__this_cpu_write(cpu_hw_events.active_fixed_ctrl_val, 0);
	perf_pmu_resched(event->pmu);
}
EXPORT_SYMBOL_GPL(kermon_restore_events);

bool kermon_needs_register(u64 config)
{
	const struct extra_reg *each = hybrid(x86_get_pmu(raw_smp_processor_id()), extra_regs);

	for (; each && each->msr; each++)
		if (each->event == (config & each->config_mask))
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(kermon_needs_register);

bool kermon_find_event(const struct perf_event *event, u32 *rdpmc, u64 *offset)
{
	const struct hw_perf_event *hw = &event->hw;
	u64 before;

	lockdep_assert_irqs_disabled();
	if (event->state != PERF_EVENT_STATE_ACTIVE ||
	    hw->state & PERF_HES_STOPPED)
		return false;
	*rdpmc = hw->event_base_rdpmc;
	/* An NMI adds what has been counted to both, of AMD also without moving the event. */
	do {
		before = local64_read(&hw->prev_count);
		*offset = local64_read(&event->count) - before;
	} while (local64_read(&hw->prev_count) != before);
	return true;
}
EXPORT_SYMBOL_GPL(kermon_find_event);

/* IA32_FIXED_CTR_CTRL: four bits for each counter. */
#define FIXED_STRIDE	4
#define FIXED_OS	BIT_ULL(0)
#define FIXED_USR	BIT_ULL(1)

/* The bits of IA32_FIXED_CTR_CTRL of the modes in @config. */
static u64 kermon_fixed_modes(u64 config, int idx)
{
	u64 bits = 0;

	if (config & ARCH_PERFMON_EVENTSEL_USR)
		bits |= FIXED_USR;
	if (config & ARCH_PERFMON_EVENTSEL_OS)
		bits |= FIXED_OS;
	return bits << ((idx - INTEL_PMC_IDX_FIXED) * FIXED_STRIDE);
}

static void kermon_change_fixed(struct cpu_hw_events *cpuc, u64 config, int idx)
{
	cpuc->fixed_ctrl_val &= ~kermon_fixed_modes(KERMON_EVENT_MODES, idx);
	cpuc->fixed_ctrl_val |= kermon_fixed_modes(config, idx);
}

/*
 * An event with a second register has the code of that one of several that perf has found
 * free for its value, and is given no other event but with the same value.
 */
static u64 kermon_config(const struct hw_perf_event *hw, u64 selector)
{
	if (!hw->extra_reg.config)
		return selector;
	return (selector & ~INTEL_ARCH_EVENT_MASK) | (hw->config & INTEL_ARCH_EVENT_MASK);
}

static void kermon_change_event(struct cpu_hw_events *cpuc,
				struct hw_perf_event *hw, u64 selector)
{
	u64 config;

	if (hw->config == selector)
		return;
	config = kermon_config(hw, selector);
	hw->config = config;
	wrmsrl(hw->config_base, (config | ARCH_PERFMON_EVENTSEL_ENABLE) &
	       ~cpuc->perf_ctr_virt_mask);
}

void kermon_change_events(struct perf_event *const *events, const u64 *selectors,
			  u32 nr)
{
	struct cpu_hw_events *cpuc = this_cpu_ptr(&cpu_hw_events);
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < nr; i++)
		kermon_change_event(cpuc, &events[i]->hw, selectors[i]);
}
EXPORT_SYMBOL_GPL(kermon_change_events);

void kermon_pause_perf(void)
{
	lockdep_assert_irqs_disabled();
	perf_pmu_disable(x86_get_pmu(smp_processor_id()));
}
EXPORT_SYMBOL_GPL(kermon_pause_perf);

void kermon_resume_perf(void)
{
	lockdep_assert_irqs_disabled();
	perf_pmu_enable(x86_get_pmu(smp_processor_id()));
}
EXPORT_SYMBOL_GPL(kermon_resume_perf);

void kermon_reset_events(struct perf_event *const *events, const u64 *selectors,
			 u32 nr)
{
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < nr; i++) {
		if (events[i] && events[i]->state != PERF_EVENT_STATE_ACTIVE)
			events[i]->hw.config = kermon_config(&events[i]->hw, selectors[i]);
	}
}
EXPORT_SYMBOL_GPL(kermon_reset_events);

bool kermon_keeps_selector(const struct perf_event *event, u64 selector)
{
	/* In no mode, since not every PMU can be stopped as a whole. */
	const u64 trial = (selector & ~KERMON_EVENT_MODES) |
			  ARCH_PERFMON_EVENTSEL_ENABLE;
	u64 saved, kept;

	lockdep_assert_irqs_disabled();
	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return true;
	/* Also keeps an NMI from writing the register. */
	perf_pmu_disable(event->pmu);
	rdmsrl(event->hw.config_base, saved);
	wrmsrl(event->hw.config_base, trial);
	rdmsrl(event->hw.config_base, kept);
	wrmsrl(event->hw.config_base, saved);
	perf_pmu_enable(event->pmu);
	return kept == trial;
}
EXPORT_SYMBOL_GPL(kermon_keeps_selector);

void kermon_change_modes(struct perf_event *const *events, u32 nr, u64 modes)
{
	struct cpu_hw_events *cpuc = this_cpu_ptr(&cpu_hw_events);
	struct hw_perf_event *hw;
	u64 config;
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < nr; i++) {
		hw = &events[i]->hw;
		config = (hw->config & ~KERMON_EVENT_MODES) | modes;
		if (hw->idx < INTEL_PMC_IDX_FIXED) {
			kermon_change_event(cpuc, hw, config);
			continue;
		}
		hw->config = config;
		kermon_change_fixed(cpuc, config, hw->idx);
	}
	if (cpuc->fixed_ctrl_val == cpuc->active_fixed_ctrl_val)
		return;
	wrmsrl(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, cpuc->fixed_ctrl_val);
	cpuc->active_fixed_ctrl_val = cpuc->fixed_ctrl_val;
}
EXPORT_SYMBOL_GPL(kermon_change_modes);
