/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of Intel CPUs that CPUID does not report. */
#ifndef KERMON_PMU_INTEL_H
#define KERMON_PMU_INTEL_H

#include <linux/types.h>

#include "pmu.h"

#define EVENT_CODE	(EVENT_SELECT | EVENT_UMASK)

#define NR_OFFCORE	2

/**
 * struct intel_offcore - the offcore response events of a group of models
 * @code: event and unit mask that use MSR_OFFCORE_RSP_0 and _1
 * @valid: implemented bits of these registers
 *
 * Models before Sandy Bridge are left out: their hyperthreads share the registers, so
 * the counts of one would depend on the other.
 */
struct intel_offcore {
	u16 code[NR_OFFCORE];
	u64 valid;
};

/**
 * struct intel_constraint - events that only some general counters can count
 * @first: first event select of the range
 * @last: last event select of the range; 0 terminates a list
 * @umask: unit mask, ANY_UMASK for all
 * @counters: bit mask of the counters that can count them
 *
 * If several match an event, the first one applies.
 */
struct intel_constraint {
	u8 first;
	u8 last;
	u16 umask;
	u32 counters;
};

/**
 * struct intel_machine - a model of family 6
 * @model: of CPUID
 * @leaks: errata BJ122, BV98, HSD29: with hyperthreading, the events 0xd0 to
 *	0xd3 also count what the other thread of the core does
 * @offcore: its offcore response events, NULL if it has none
 * @constraints: list, NULL if every counter can count every event
 */
struct intel_machine {
	u8 model;
	bool leaks;
	const struct intel_offcore *offcore;
	const struct intel_constraint *constraints;
};

/*
 * The entry of this CPU. If it is not known, a default: every event can be counted by the
 * first four counters, and by no others.
 */
const struct intel_machine *intel_machine_find(void);

/* Bit mask of the counters that can count the event of selector value @config. */
u32 intel_machine_counters(const struct intel_machine *machine, u64 config);

#endif /* KERMON_PMU_INTEL_H */
