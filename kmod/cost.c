// SPDX-License-Identifier: GPL-2.0
/*
 * Timing of register accesses. No register changes: a selector is written with
 * its current value. The caller keeps other owners of the PMU away; perf, if KerMon counts
 * beside it, stops all counters for the time of a run, so that no NMI writes them.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <asm/barrier.h>
#include <asm/kermon.h>
#include <asm/msr.h>

#include "cost.h"
#include "energy.h"
#include "pmu.h"
#include "pmu_read.h"

/**
 * struct cost_target - the access to measure
 * @kind: kind of access
 * @msr: the register
 * @value: its current value
 */
struct cost_target {
	enum kermon_access kind;
	u32 msr;
	u64 value;
};

/* Returns the value read, 0 if the access reads nothing. */
static __always_inline u64 cost_access(const struct cost_target *target)
{
	u64 value = 0;

	switch (target->kind) {
	case KERMON_ACCESS_RDTSC:
		value = rdtsc();
		break;
	case KERMON_ACCESS_RDPMC:
		rdpmcl(0, value);
		break;
	case KERMON_ACCESS_RDMSR:
	case KERMON_ACCESS_ENERGY:
		rdmsrl(target->msr, value);
		break;
	case KERMON_ACCESS_WRMSR:
		wrmsrl(target->msr, target->value);
		break;
	default:
		barrier();
	}
	return value;
}

static u32 cost_run(struct cost_target *target)
{
	const bool shared = pmu_counts_beside_perf();
	unsigned long flags;
	u64 begin, end;
	u32 i;

	local_irq_save(flags);
	if (shared)
		kermon_pause_perf();
	if (target->msr)
		rdmsrl(target->msr, target->value);
	begin = rdtsc_ordered();
	for (i = 0; i < COST_ACCESSES; i++)
		cost_access(target);
	end = rdtsc_ordered();
	if (shared)
		kermon_resume_perf();
	local_irq_restore(flags);
	return min_t(u64, end - begin, U32_MAX);
}

static int cost_aim(struct cost_target *target)
{
	switch (target->kind) {
	case KERMON_ACCESS_RDMSR:
	case KERMON_ACCESS_WRMSR:
		target->msr = pmu_model.selector;
		return 0;
	case KERMON_ACCESS_ENERGY:
		if (!energy_model.nr_domains)
			return -EOPNOTSUPP;
		target->msr = energy_model.domains[0].msr;
		return 0;
	default:
		return 0;
	}
}

int cost_measure(enum kermon_access kind, u32 *cycles)
{
	struct cost_target target = { .kind = kind };
	int ret = cost_aim(&target);
	u32 i;

	for (i = 0; i < COST_RUNS && !ret; i++) {
		cycles[i] = cost_run(&target);
		cond_resched();
	}
	return ret;
}
