/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The performance monitoring unit.
 *
 * A backend describes the hardware as data: which control registers exist, and which
 * values they take for a set of events. Everything that happens at a switch is generic
 * and calls no backend: compare the id of the set that the CPU holds, write the
 * registers that differ, read the counters with RDPMC.
 *
 * Counters run freely. KerMon never writes them while it has the CPU, neither at a
 * switch nor when a set is programmed; counts are differences of two readings. Beside
 * perf, perf may write them, see pmu_share.h.
 */
#ifndef KERMON_PMU_H
#define KERMON_PMU_H

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/kermon.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/msr.h>

#define PMU_MAX_FIXED	3	/* those defined in the user ABI */
#define PMU_MAX_VALUES	(PMU_MAX_FIXED + KERMON_MAX_EVENTS)
/* Event selectors, two offcore response registers, fixed and global control. */
#define PMU_MAX_REGS	(KERMON_MAX_EVENTS + 4)

/*
 * Event selectors, IA32_PERFEVTSELx of Intel and PERF_CTL of AMD: the bits
 * common to both that the user ABI allows; backends add EN, and never INT.
 */
#define EVENT_SELECT		GENMASK_ULL(7, 0)
#define EVENT_UMASK		GENMASK_ULL(15, 8)
#define EVENT_USR		BIT_ULL(16)
#define EVENT_OS		BIT_ULL(17)
#define EVENT_EDGE		BIT_ULL(18)
#define EVENT_EN		BIT_ULL(22)
#define EVENT_INV		BIT_ULL(23)
#define EVENT_CMASK		GENMASK_ULL(31, 24)
#define EVENT_COMMON		(EVENT_SELECT | EVENT_UMASK | EVENT_USR | \
				 EVENT_OS | EVENT_EDGE | EVENT_INV | \
				 EVENT_CMASK)

/**
 * struct pmu_need - counters that an event requires
 * @counters: bit mask of those that can count it; the lowest, if it takes several
 * @width: how many consecutive counters it takes
 */
struct pmu_need {
	u32 counters;
	u32 width;
};

/**
 * struct pmu_image - register values that make the hardware count a set of events
 * @regs: value of each control register, in the order of pmu_model.regs
 * @mask: the bits that all counters implement; none counts that far in an interval
 * @rdpmc: for each value of a sample, the operand of RDPMC that reads its counter
 * @selectors: for each value of a sample, its event selector with INT, without EN; for a fixed
 *	counter only the modes
 * @extra: for each value of a sample, the second register value of its event, or 0
 * @needs: for each programmed event of a sample, the counters that it requires
 * @nr_fixed: number of fixed counters, which are the first values
 * @nr_values: number of fixed and programmed counters
 *
 * Two sets with equal images are the same set.
 */
struct pmu_image {
	u64 regs[PMU_MAX_REGS];
	u64 mask;
	u32 rdpmc[PMU_MAX_VALUES];
	u64 selectors[PMU_MAX_VALUES];
	u64 extra[PMU_MAX_VALUES];
	struct pmu_need needs[PMU_MAX_VALUES];
	u32 nr_fixed;
	u32 nr_values;
};

/**
 * struct pmu_set - an image in use
 * @id: never 0, never reused for another image
 * @users: number of applications that count it
 * @node: in the list of sets in use, which hooks and interrupts read under RCU
 * @rcu: frees it
 * @order: where its events are counted beside perf, see pmu_places.h
 * @image: constant while in use
 */
struct pmu_set {
	u64 id;
	u64 order;
	unsigned int users;
	struct list_head node;
	struct rcu_head rcu;
	struct pmu_image image;
};

/**
 * struct pmu_model - the hardware, constant once pmu_init() has returned
 * @name: for people, e.g. "intel-arch-v2"; empty if there is no usable PMU
 * @nr_general: programmable counters per CPU
 * @general_width: their width in bits
 * @selector: MSR of the event selector of the first of them
 * @counter: MSR of the first of them
 * @stride: distance from one of these MSRs to the next
 * @first_selector: index in @regs of the first selector
 * @nr_fixed: fixed counters included in samples
 * @fixed_width: their width in bits
 * @nr_regs: length of @regs
 * @regs: MSR numbers of the control registers, in the order in which they are written;
 *	if @status is not 0, the last one stops all counters
 * @status: MSR of the overflow status, 0 if there is none
 * @ack: MSR in which writing a 1 clears that bit of @status
 * @need: determine which counters can count @event. User values reach a register only
 *	through this and @encode_event, so it must accept only what the hardware
 *	defines: -EINVAL (bits or event not available).
 * @encode_event: make @counter of @image count @event, which takes as many counters as
 *	@need says; -ENOSPC or -EINVAL if it cannot, given the events before it
 * @encode_fixed: make the fixed counter @counter of @image count the modes @count,
 *	KERMON_COUNT_*
 */
struct pmu_model {
	char name[24];
	unsigned int nr_general;
	unsigned int general_width;
	u32 selector;
	u32 counter;
	u32 stride;
	unsigned int first_selector;
	unsigned int nr_fixed;
	unsigned int fixed_width;
	unsigned int nr_regs;
	u32 regs[PMU_MAX_REGS];
	u32 status;
	u32 ack;
	int (*need)(const struct kermon_event *event, struct pmu_need *need);
	int (*encode_event)(const struct kermon_event *event,
			    const struct pmu_need *need, u32 counter,
			    struct pmu_image *image);
	void (*encode_fixed)(u32 count, u32 counter, struct pmu_image *image);
};

/**
 * struct pmu_cpu - the control registers of a CPU, accessed by it with irqs off
 * @ours: KerMon has taken over the CPU, or has its events: counters can be read
 * @held: id of the set that is programmed; 0: unknown, write all registers
 * @regs: their values if @held is not 0
 * @found: their values before KerMon took over the CPU
 * @found_status: overflow bits that were set then
 */
struct pmu_cpu {
	bool ours;
	u64 held;
	u64 regs[PMU_MAX_REGS];
	u64 found[PMU_MAX_REGS];
	u64 found_status;
};

extern struct pmu_model pmu_model;
DECLARE_PER_CPU(struct pmu_cpu, pmu_cpu);

int pmu_init(void);
void pmu_exit(void);

/* Backends: fill in @model, or return -ENODEV if they do not support the CPU. */
int pmu_intel_init(struct pmu_model *model);
int pmu_amd_init(struct pmu_model *model);

/* For backends: add control registers, return the index of the first one. */
unsigned int pmu_add_reg(struct pmu_model *model, u32 msr);
unsigned int pmu_add_selectors(struct pmu_model *model);

/*
 * Get the set that counts @asked and, with the fixed counters, @count
 * (KERMON_COUNT_*); nothing is programmed yet. Without events and modes it is a set that
 * needs no PMU. -EINVAL if the PMU does not have such an event. The first set takes
 * the PMU (-EBUSY); putting the last one restores it. -EACCES if the caller may not
 * occupy counters. Tasks may run on @cpus, others are not disturbed. Process context of
 * the caller of set_events(); may sleep, waits for other CPUs.
 */
struct pmu_set *pmu_set_get(u32 count, const struct kermon_set *asked,
			    const struct cpumask *cpus);
void pmu_set_put(struct pmu_set *set);

/*
 * Give back to perf what only sets needed that have been put. Process context; may sleep,
 * waits for CPUs that count.
 */
void pmu_shrink(void);

/* Whether @set reads counters. */
bool pmu_set_counts(const struct pmu_set *set);

/* The set in use that has @id, or NULL. Irqs off, which keep it from being freed. */
const struct pmu_set *pmu_set_in_use(u64 id);

/*
 * Tasks that count may run on @cpus, too. Where others have the counters, their samples
 * are invalid. Process context; may sleep, waits for other CPUs.
 */
void pmu_cover(const struct cpumask *cpus);

/*
 * Briefly keep others from the PMU without using a set: no set is added or
 * removed until pmu_return(). -ENODEV if there is no PMU, -EBUSY if another
 * user has it. Process context; may sleep.
 */
int pmu_borrow(void);
void pmu_return(void);

/* Whether events of perf are counting; between these two. */
bool pmu_counts_beside_perf(void);

/*
 * The owner of the PMU: current if @now, else up to a second old. Process
 * context; may sleep.
 */
enum kermon_pmu_owner pmu_owner(bool now);

/* It is not known what this CPU is programmed with. Irqs off. */
void pmu_forget(void);

/* The registers of this CPU have lost their values. Irqs off. */
void pmu_resume(void);

/* This CPU has lost shared counters: try to get them back later. Any context but NMI. */
void pmu_lost(void);

/*
 * Assign a counter to each of @nr events, starting with those that have the fewest
 * alternatives; -ENOSPC if they do not fit.
 */
int pmu_assign(const struct pmu_need *needs, u32 nr, u8 *counters);

/*
 * Program @set, writing only registers that differ; false if this CPU has no counters
 * for KerMon. Irqs off.
 */
bool pmu_program(const struct pmu_set *set);

/* Whether this CPU is already programmed with @set. Irqs off. */
static __always_inline bool pmu_holds(const struct pmu_set *set)
{
	return likely(__this_cpu_read(pmu_cpu.held) == set->id);
}

#endif /* KERMON_PMU_H */
