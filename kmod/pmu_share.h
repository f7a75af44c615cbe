/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting beside perf: instead of the registers of the PMU, KerMon takes pinned
 * perf events of each CPU, one for each value of a sample. perf chooses their
 * counters; hooks read them with RDPMC.
 *
 * A set is programmed by giving the events other selectors in place, so perf
 * still sees the same events on the same counters.
 */
#ifndef KERMON_PMU_SHARE_H
#define KERMON_PMU_SHARE_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <asm/msr.h>

#include "pmu.h"

/**
 * struct pmu_share_cpu - the events of a CPU, in the order of the values of a sample
 * @events: counting while the CPU is ours
 */
struct pmu_share_cpu {
	struct perf_event *events[PMU_MAX_VALUES];
};

DECLARE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/*
 * The value of a counter, modulo its width. perf may move the counter to another
 * start value in an NMI, and then changes prev_count.
 */
static __always_inline u64 pmu_share_value(const struct perf_event *event)
{
	const struct hw_perf_event *hw = &event->hw;
	u64 prev, count, value;

	do {
		prev = local64_read(&hw->prev_count);
		count = local64_read(&event->count);
		rdpmcl(hw->event_base_rdpmc, value);
	} while (unlikely(prev != local64_read(&hw->prev_count)));
	return value - prev + count;
}

/* Read the values @from to @to of a set that this CPU counts. Irqs off. */
static __always_inline void pmu_share_read(u32 from, u32 to, u64 *values)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	u32 i;

	for (i = from; i < to; i++)
		values[i] = pmu_share_value(cpu->events[i]);
}

/*
 * Add events on all CPUs until there is one for each value of @image; undone on
 * error: -EBUSY if other users leave too few counters, -EINVAL if perf does not
 * support such an event. CPUs cannot go on- or offline. May sleep.
 */
int pmu_share_grow(const struct pmu_image *image);

/* Create the events of a CPU that comes online; release those of one that goes. */
int pmu_share_online(unsigned int nr);
void pmu_share_offline(unsigned int nr);

/* Forget which events there are, once no CPU has any. */
void pmu_share_end(void);

/* Let this CPU count @image. Irqs off; the CPU is ours. */
void pmu_share_program(const struct pmu_image *image);

/* Whether @image can be counted by giving other selectors to the present events. */
bool pmu_share_fits(const struct pmu_image *image);

#endif /* KERMON_PMU_SHARE_H */
