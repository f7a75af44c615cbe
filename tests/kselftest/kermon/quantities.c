// SPDX-License-Identifier: GPL-2.0
#include <cpuid.h>

#include "log.h"
#include "quantities.h"

#define USER(code)	{ .config = (code) | 1 << 16 }

/* Event and unit mask as in the SDM's tables for Ivy Bridge. */
const struct quantity_set quantity_sets[2] = {
	{
		.name = "set0",
		.quantities = { SCALAR_SINGLE, PACKED_SINGLE, AVX_SINGLE,
				AVX_DOUBLE },
		.events = { USER(0x2010), USER(0x4010), USER(0x0111),
			    USER(0x0211) },
	},
	{
		.name = "set1",
		.quantities = { SCALAR_DOUBLE, PACKED_DOUBLE, LOADS, STORES },
		.events = { USER(0x8010), USER(0x1010), USER(0x81d0),
			    USER(0x82d0) },
	},
};

const uint64_t arithmetic_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 23,
	[SCALAR_SINGLE] = 1,
	[PACKED_SINGLE] = 2,
	[AVX_SINGLE] = 3,
	[AVX_DOUBLE] = 4,
	[SCALAR_DOUBLE] = 5,
	[PACKED_DOUBLE] = 6,
};

const uint64_t memory_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 11,
	[LOADS] = 5,
	[STORES] = 4,
};

const uint64_t faults_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 6,
	[LOADS] = 2,
	[STORES] = 2,
};

struct kermon_event_set event_set_of(const struct quantity_set *quantity_set)
{
	struct kermon_event_set set = plain_set();

	set.nr_events = SET_SIZE;
	set.events = (uintptr_t)quantity_set->events;
	return set;
}

bool quantities_known(void)
{
	unsigned int eax, ebx, ecx, edx, family, model;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return false;
	family = eax >> 8 & 0xf;
	model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	__get_cpuid(0, &eax, &ebx, &ecx, &edx);
	return ebx == signature_INTEL_ebx && family == 6 &&
	       (model == 0x3a || model == 0x3e);
}
