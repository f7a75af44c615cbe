/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting beside perf: instead of the registers of the PMU, KerMon takes pinned
 * perf events of each CPU, one for each value of a sample. perf chooses their
 * counters; hooks read them with RDPMC.
 *
 * A set is programmed by giving the events other selectors in place. perf keeps
 * them on counters that are right for all sets in use: see pmu_places.h.
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
#include "pmu_places.h"

/**
 * struct pmu_share_cpu - the events of a CPU
 * @moves: kermon_event_moves when @rdpmc and @offset were found
 * @rdpmc: operand of RDPMC of each event, in the order of the values of the set that the
 *	CPU holds, as are @offset and @events
 * @offset: its count less the value of its counter
 * @modes: modes of the first event, those of all fixed counters
 * @order: places of the programmed events, see pmu_places.h
 * @nr: number of events
 * @lost: one of them did not count at the last reading
 * @events: the events
 * @placed: the same in the order of their places, those of the fixed counters first
 */
struct pmu_share_cpu {
	u32 moves;
	u32 rdpmc[PMU_MAX_VALUES];
	u64 offset[PMU_MAX_VALUES];
	u64 modes;
	u64 order;
	u32 nr;
	bool lost;
	struct perf_event *events[PMU_MAX_VALUES];
	struct perf_event *placed[PMU_MAX_VALUES];
};

DECLARE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/*
 * Counters have moved: find them, make @begin, if not NULL, comparable, and read
 * the values @from to @to again. Irqs off.
 */
void pmu_share_settle(u32 from, u32 to, u64 *begin, u64 *values);

/* Which places there are; not what is needed there. */
void pmu_share_describe_places(struct pmu_places *places);

/*
 * Let @set be counted, too, in @nr places, those of its order among them, which together
 * need @places: create events that are missing on all CPUs, and let perf move those
 * that there are. Undone on error: -EBUSY if other users leave too few counters,
 * -EINVAL or -ENOENT if perf does not support such an event. CPUs cannot go on- or
 * offline. May sleep.
 */
int pmu_share_admit(const struct pmu_set *set, const struct pmu_places *places,
		    u32 nr);

/*
 * Create the events of a CPU that comes online, and make it ours unless others have
 * its counters; release those of one that goes.
 */
int pmu_share_online(unsigned int nr);
void pmu_share_offline(unsigned int nr);

/*
 * Try to get the counters of CPUs where others took them; false if some are still
 * missing. CPUs cannot go on- or offline. May sleep.
 */
bool pmu_share_recover(void);

/* The registers of this CPU have lost their values. Irqs off. */
void pmu_share_resume(void);

/* Forget which events there are, once no CPU has any. */
void pmu_share_end(void);

/* Let this CPU count @set; false if it has lost counters. Irqs off; the CPU is ours. */
bool pmu_share_program(const struct pmu_set *set);

#endif /* KERMON_PMU_SHARE_H */
