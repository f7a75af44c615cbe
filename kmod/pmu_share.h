/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting beside perf: instead of the registers of the PMU, KerMon takes pinned
 * perf events of each CPU, one for each value of a sample. perf chooses their
 * counters; hooks read them with RDPMC.
 *
 * A set is programmed by giving the events other selectors in place. perf keeps
 * them on counters that are right for all sets in use: see pmu_places.h.
 *
 * Only CPUs on which monitored tasks may run have events, since to create and to remove
 * them interrupts the CPU. A hook cannot create them. So that nothing is missed, they
 * are there before a task may come: at the start of an application and before
 * sched_setaffinity() for the CPUs in its affinity, when a CPU comes online, and before one
 * goes offline for those to which its tasks may fall back. A task that comes to another
 * CPU nevertheless, as control groups can send it there, has *blind* intervals
 * until a worker has created the events: their samples are invalid.
 */
#ifndef KERMON_PMU_SHARE_H
#define KERMON_PMU_SHARE_H

#include <linux/cpumask.h>
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
 * @nr: length of @events; 0: none that hooks know, intervals are blind
 * @known: places of the events that hooks know, with those of the fixed counters, one bit
 *	for each
 * @created: there are events, whether they count or not; not used by hooks
 * @tried: there has been an attempt to create them, so hooks need not hurry the worker
 * @lost: one of them did not count at the last reading
 * @reset: events that hooks know may count something else than what they were last
 *	programmed for, until all are placed again
 * @counted: id of the set that the CPU was last to count: that of the open interval, if
 *	there is one that reads counters
 * @events: the events; NULL for what no set in use counts
 * @placed: the same in the order of their places, those of the fixed counters first, and those
 *	that hooks do not know yet
 */
struct pmu_share_cpu {
	u32 moves;
	u32 rdpmc[PMU_MAX_VALUES];
	u64 offset[PMU_MAX_VALUES];
	u64 modes;
	u64 order;
	u32 nr;
	u32 known;
	bool created;
	bool tried;
	bool lost;
	bool reset;
	u64 counted;
	struct perf_event *events[PMU_MAX_VALUES];
	struct perf_event *placed[PMU_MAX_VALUES];
};

DECLARE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/* Which event counts the value @i of a set with @order, none of its @nr_fixed first ones. */
static inline u32 pmu_share_value(u64 order, u32 nr_fixed, u32 i)
{
	return nr_fixed + pmu_places_of(order, i - nr_fixed);
}

/* CPUs without events to which tasks have come nevertheless; hooks add them. */
extern struct cpumask pmu_share_missed;

/* Whether the events of this CPU can be read. Irqs off. */
void pmu_share_own(bool ours);

/*
 * Counters have moved: find them, make @begin, if not NULL, comparable, and read
 * the values @from to @to again. Returns whether all that is to be counted has been since
 * the last reading. Irqs off.
 */
bool pmu_share_settle(u32 from, u32 to, u64 *begin, u64 *values);

/* The same within an interval, for its first @nr values. Irqs off. */
bool pmu_share_peek(u32 nr, u64 *begin, u64 *values);

/* Whether all events that hooks know count. Irqs off. */
bool pmu_share_has_all(const struct pmu_share_cpu *cpu);

/* On this CPU, hooks know the events of @values, which have all been placed, from now on. */
void pmu_share_learn(struct pmu_share_cpu *cpu, u32 values, const struct pmu_image *image);

/* Which places there are, and which are vacant; not what is needed there. */
void pmu_share_describe_places(struct pmu_places *places);

/*
 * Let @set be counted, too, in the places of its order, all of which together need
 * @places, by tasks that may run on @cpus: create events that are missing, and let
 * perf move those that there are. Undone on error: -EBUSY if other users leave too few
 * counters, -EINVAL if perf does not support such an event. CPUs cannot go on- or offline.
 * May sleep.
 */
int pmu_share_admit(const struct pmu_set *set, const struct pmu_places *places,
		    const struct cpumask *cpus);

/*
 * Create events on those of @cpus that have none, now if they are online, else when they
 * come; an error if that failed on one of them, as -EBUSY if others have its counters. CPUs
 * cannot go on- or offline. May sleep.
 */
int pmu_share_cover(const struct cpumask *cpus);

/* The same, undone on error. */
int pmu_share_join(const struct cpumask *cpus);

/* The event of each place of @set, which is in use, is one of this set from now on. */
void pmu_share_describe_set(const struct pmu_set *set);

/*
 * Release the events of all places but @used, one bit for each: those of the sets in use,
 * which together need @places. CPUs cannot go on- or offline. May sleep.
 */
void pmu_share_shrink(const struct pmu_places *places, u32 used);

/* Whether that has been asked for all of @cpus. */
bool pmu_share_covers(const struct cpumask *cpus);

/* Whether a task has come to a CPU without events, and none have been tried. Any context. */
bool pmu_share_is_missed(void);

/*
 * A CPU has come online, or is about to go offline: create or release its events if
 * monitored tasks may run there. In a thread bound to it.
 */
int pmu_share_online(unsigned int nr);
void pmu_share_offline(unsigned int nr);

/*
 * Try to get the counters of CPUs where others took them, or to which tasks have come
 * without; false if some are still missing. CPUs cannot go on- or offline. May sleep.
 */
bool pmu_share_recover(void);

/* The registers of this CPU have lost their values. Irqs off. */
void pmu_share_resume(void);

/* Release all events. No set is in use; CPUs cannot go on- or offline. May sleep. */
void pmu_share_end(void);

/*
 * Let this CPU count @set; false if it has lost counters. True also if intervals are
 * blind. Irqs off.
 */
bool pmu_share_program(const struct pmu_set *set);

#endif /* KERMON_PMU_SHARE_H */
