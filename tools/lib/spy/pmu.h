/* SPDX-License-Identifier: GPL-2.0 */
/* The counters of this processor and their registers, for the backend msr. */
#ifndef KERMON_SPY_PMU_H
#define KERMON_SPY_PMU_H

#include "backend.h"

#define PMU_MOST_FIXED		3
#define PMU_MOST_COUNTERS	8

/* Two offcore response registers, event selects, fixed and global control. */
#define PMU_MOST_CONTROLS	(2 + PMU_MOST_COUNTERS + 2)

/**
 * struct pmu - the counters of a CPU
 * @amd: AMD's core counters; else Intel's architectural performance monitoring
 * @fixed: number of fixed counters, those beyond reference cycles aside
 * @counters: number of programmable counters
 * @fixed_mask: bits of a fixed counter; @mask: of a programmable one
 * @selector: register that selects the event of the first programmable counter; @counter: it;
 *	@stride: from one to the next
 * @global: register that enables all counters; 0: there is none, so that others may use
 *	counters at the same time, as nobody stops those of all
 */
struct pmu {
	bool amd;
	unsigned int fixed;
	unsigned int counters;
	uint64_t fixed_mask;
	uint64_t mask;
	uint32_t selector;
	uint32_t counter;
	uint32_t stride;
	uint32_t global;
};

/**
 * struct pmu_value - a counter of an event
 * @reg: its register
 * @rdpmc: operand of RDPMC that reads it
 * @mask: its bits
 */
struct pmu_value {
	uint32_t reg;
	uint32_t rdpmc;
	uint64_t mask;
};

/**
 * struct pmu_control - a register that controls counters
 * @reg: the register
 * @value: what it has while a set is counted
 * @owned: the bits of it that belong to the set; others stay as they are
 * @event: index of the event that it selects; -1: it belongs to all
 */
struct pmu_control {
	uint32_t reg;
	uint64_t value;
	uint64_t owned;
	int event;
};

/**
 * struct pmu_image - the registers of a set
 * @controls: @nr_controls of them, in the order in which they are written: the one that
 *	enables counters comes last
 * @values: by event of the set
 */
struct pmu_image {
	unsigned int nr_controls;
	struct pmu_control controls[PMU_MOST_CONTROLS];
	struct pmu_value values[KERMON_SPY_EVENTS];
};

#define PMU_EVENT_ENABLE	(1ULL << 22)

/* Find the counters of this processor. Returns whether they can be used by their registers. */
bool pmu_find(struct pmu *pmu);

/* Bits of the events that are always counted, as in struct spy_machine. */
unsigned int pmu_kept(const struct pmu *pmu);

/*
 * Choose a counter for each event of @set, in @set->index, and what its event select has, in
 * @set->selectors. Returns as select of a backend.
 */
int pmu_assign(const struct pmu *pmu, struct spy_set *set, struct kermon_spy_trouble *trouble);

/* The registers of a set that pmu_assign() has accepted. */
void pmu_make_image(const struct pmu *pmu, const struct spy_set *set, struct pmu_image *image);

/**
 * struct pmu_need - counters that an event requires
 * @counters: bit mask of those that can count it; the lowest, if it takes two
 * @width: how many consecutive counters it takes
 */
struct pmu_need {
	uint32_t counters;
	unsigned int width;
};

/* intel.c: which counters count an event; -EOPNOTSUPP: none does. */
int intel_need(const struct pmu *pmu, const struct kermon_spy_event *event,
	       struct pmu_need *need);

/* The offcore response register of an event, 0 or 1; -1: it uses none. */
int intel_offcore(const struct kermon_spy_event *event);

#endif /* KERMON_SPY_PMU_H */
