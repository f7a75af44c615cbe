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
#include <asm/kermon.h>
#include <asm/msr.h>

#include "pmu.h"

/**
 * struct pmu_share_cpu - the events of a CPU, in the order of the values of a sample
 * @moves: kermon_event_moves when @rdpmc and @offset were found
 * @rdpmc: operand of RDPMC of each event
 * @offset: its count less the value of its counter
 * @modes: modes of the first event, those of all fixed counters
 * @nr: number of events
 * @events: the events
 */
struct pmu_share_cpu {
	u32 moves;
	u32 rdpmc[PMU_MAX_VALUES];
	u64 offset[PMU_MAX_VALUES];
	u64 modes;
	u32 nr;
	struct perf_event *events[PMU_MAX_VALUES];
};

DECLARE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/*
 * Counters have moved: find them, make @begin, if not NULL, comparable, and read
 * the values @from to @to again. Irqs off.
 */
void pmu_share_settle(u32 from, u32 to, u64 *begin, u64 *values);

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
