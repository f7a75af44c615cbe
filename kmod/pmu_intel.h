/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What CPUID does not tell of an Intel CPU.
 */
#ifndef KERMON_PMU_INTEL_H
#define KERMON_PMU_INTEL_H

#include <linux/types.h>

#include "pmu.h"

#define EVENT_CODE	(EVENT_SELECT | EVENT_UMASK)

#define NR_OFFCORE	2

/**
 * struct intel_offcore - the offcore response events of some models
 * @code: event and unit mask that look at MSR_OFFCORE_RSP_0 and _1
 * @valid: bits of these registers that exist
 *
 * Models before Sandy Bridge share the registers between hyperthreads and
 * are left out: what one counts would depend on the other.
 */
struct intel_offcore {
	u16 code[NR_OFFCORE];
	u64 valid;
};

/**
 * struct intel_constraint - events that not every general counter can count
 * @first: the first event select,
 * @last: and the last one, of those meant; 0: end of a list
 * @umask: unit mask, ANY_UMASK for all
 * @counters: the counters that can, as bits
 *
 * Of several that fit an event, the first one holds.
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

/* This CPU; one without any of all this if it is not known. */
const struct intel_machine *intel_machine_find(void);

/* The counters that can count the event of selector value @config, as bits. */
u32 intel_machine_counters(const struct intel_machine *machine, u64 config);

#endif /* KERMON_PMU_INTEL_H */
