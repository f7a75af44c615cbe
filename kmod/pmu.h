/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The performance monitoring unit.
 *
 * A backend describes the hardware as data: which control registers there are
 * and which values they take for a set of events. Everything that happens at a
 * switch is generic and calls no backend: compare the number of the set that
 * the CPU holds, write the registers that differ, read the counters by RDPMC.
 *
 * Counters run freely. They are never written between pmu_online() and pmu_offline(),
 * neither at a switch nor when a set is programmed; whoever wants a count subtracts
 * two readings.
 */
#ifndef KERMON_PMU_H
#define KERMON_PMU_H

#include <linux/bits.h>
#include <linux/kermon.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/msr.h>

#define PMU_MAX_FIXED	3	/* those that the user ABI gives a meaning */
#define PMU_MAX_VALUES	(PMU_MAX_FIXED + KERMON_MAX_EVENTS)
/* Event selectors, two offcore response registers, fixed and global control. */
#define PMU_MAX_REGS	(KERMON_MAX_EVENTS + 4)

/*
 * Event selectors, IA32_PERFEVTSELx of Intel and PERF_CTL of AMD: bits that both
 * have and that the user ABI allows; EN is added by the backends, INT never.
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
 * struct pmu_image - what the hardware does for a set of events
 * @regs: value of each control register, in the order of pmu_model.regs
 * @mask: per value of a sample, the bits that its counter has
 * @rdpmc: per value of a sample, the operand of RDPMC that reads its counter
 * @nr_fixed: fixed counters, the first values
 * @nr_values: fixed and programmed counters
 *
 * Two sets with equal images are one set.
 */
struct pmu_image {
	u64 regs[PMU_MAX_REGS];
	u64 mask[PMU_MAX_VALUES];
	u32 rdpmc[PMU_MAX_VALUES];
	u32 nr_fixed;
	u32 nr_values;
};

/**
 * struct pmu_set - an image in use
 * @id: never used again for another image; never 0
 * @users: applications that count it
 * @node: in the list of sets in use
 * @image: constant while in use
 */
struct pmu_set {
	u64 id;
	unsigned int users;
	struct list_head node;
	struct pmu_image image;
};

/**
 * struct pmu_need - what an event asks of the counters
 * @counters: those that can count it, as bits; of several, the first
 * @width: how many it takes, one after another
 */
struct pmu_need {
	u32 counters;
	u32 width;
};

/**
 * struct pmu_model - the hardware, constant once pmu_init() has returned
 * @name: for people, e.g. "intel-arch-v2"; empty: no usable PMU
 * @nr_general: programmable counters of a CPU
 * @general_width: their bits
 * @selector: MSR that selects the event of the first of them
 * @counter: MSR of the first of them
 * @stride: from one of these MSRs to the next
 * @first_selector: index in @regs of the first selector
 * @nr_fixed: fixed counters that samples carry
 * @fixed_width: their bits
 * @nr_regs: length of @regs
 * @regs: MSR numbers of the control registers, in the order of writing; the one
 *	that stops all counters is the last, if @status is not 0
 * @status: MSR of the overflow status, 0 if there is none
 * @ack: MSR that clears the bits of @status which are written as 1
 * @need: which counters can count @event. With @encode_event the only way from a
 *	user's value to a register, so it lets pass nothing but what the
 *	hardware defines: -EINVAL (bits or event not available).
 * @encode_event: let @counter of @image count @event, which takes as many
 *	counters as @need says; -EINVAL if it cannot beside those before it
 * @encode_fixed: let the fixed counter @counter of @image count the modes
 *	@count, KERMON_COUNT_*
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
 * struct pmu_cpu - the control registers of a CPU, touched by it with irqs off
 * @ours: whether they may be written: not on the CPU's last steps offline, where
 *	what cannot migrate still runs
 * @held: id of the set that they hold; 0: unknown, all must be written
 * @regs: their values if @held is not 0
 * @found: their values before the PMU was ours
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

/* Backends: fill @model, or -ENODEV if the CPU is none of theirs. */
int pmu_intel_init(struct pmu_model *model);
int pmu_amd_init(struct pmu_model *model);

/* For backends: add control registers, return the index of the (first) one. */
unsigned int pmu_add_reg(struct pmu_model *model, u32 msr);
unsigned int pmu_add_selectors(struct pmu_model *model);

/*
 * The set that counts @group, and @count (KERMON_COUNT_*) by the fixed counters,
 * programmed nowhere yet; -EINVAL if
 * the PMU has no such event. The first one takes the PMU of all CPUs (-EBUSY),
 * the last put gives it back as it was.
 * Process context; may sleep.
 */
struct pmu_set *pmu_set_get(u32 count, const struct kermon_group *group);
void pmu_set_put(struct pmu_set *set);

/*
 * Keep others from the PMU for a moment, without a set: no set comes or goes until
 * it is returned. -ENODEV if there is none, -EBUSY if another user has it. Process
 * context; may sleep.
 */
int pmu_borrow(void);
void pmu_return(void);

/*
 * Who has the PMU: as of @now, or else possibly as of a second ago. Process
 * context; may sleep.
 */
enum kermon_pmu_owner pmu_owner(bool now);

/* The registers of this CPU have lost their values. Irqs off. */
void pmu_forget(void);

/* Write what differs from what this CPU holds; false if it is not ours. Irqs off. */
bool pmu_program(const struct pmu_set *set);

/* Whether this CPU counts @set already. Irqs off. */
static __always_inline bool pmu_holds(const struct pmu_set *set)
{
	return likely(__this_cpu_read(pmu_cpu.held) == set->id);
}

/* Read the counters of @set, which this CPU holds. Irqs off. */
static __always_inline void pmu_read(const struct pmu_image *image, u64 *values)
{
	const u32 nr_values = image->nr_values;
	u32 i;

	for (i = 0; i < nr_values; i++)
		rdpmcl(image->rdpmc[i], values[i]);
}

/* The same, but for the fixed counters. */
static __always_inline void pmu_read_programmed(const struct pmu_image *image,
						u64 *values)
{
	u32 i;

	for (i = image->nr_fixed; i < image->nr_values; i++)
		rdpmcl(image->rdpmc[i], values[i]);
}

#endif /* KERMON_PMU_H */
