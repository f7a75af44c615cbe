// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "log.h"
#include "quantities.h"
#include "registers.h"

#define USER(code)	{ .config = (code) | 1 << 16 }

/* Event select and unit mask as in the SDM's tables of events. */
static const struct quantity_set core2_sets[NR_SETS] = {
	{
		.name = "set0",
		.quantities = { SCALAR_SINGLE, PACKED_SINGLE },
		.events = { USER(0x02ca), USER(0x01ca) },
	},
	{
		.name = "set1",
		.quantities = { SCALAR_DOUBLE, PACKED_DOUBLE },
		.events = { USER(0x08ca), USER(0x04ca) },
	},
};

static const struct quantity_set ivy_bridge_sets[NR_SETS] = {
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

static const struct quantity_set sky_lake_sets[NR_SETS] = {
	{
		.name = "set0",
		.quantities = { SCALAR_SINGLE, PACKED_SINGLE, AVX_SINGLE,
				AVX_DOUBLE },
		.events = { USER(0x02c7), USER(0x08c7), USER(0x20c7),
			    USER(0x10c7) },
	},
	{
		.name = "set1",
		.quantities = { SCALAR_DOUBLE, PACKED_DOUBLE, LOADS, STORES },
		.events = { USER(0x01c7), USER(0x04c7), USER(0x81d0),
			    USER(0x82d0) },
	},
};

/* As in AMD's PPR of family 19h. FLOP events take two counters each. */
static const struct quantity_set zen_sets[NR_SETS] = {
	{
		.name = "set0",
		.quantities = { INSTRUCTIONS, ADD_FLOPS, MULTIPLY_FLOPS,
				BRANCHES },
		.events = { USER(0x00c0), USER(0x0103), USER(0x0203),
			    USER(0x00c2) },
	},
	{
		.name = "set1",
		.quantities = { INSTRUCTIONS, LOADS, STORES, BRANCHES },
		.events = { USER(0x00c0), USER(0x0129), USER(0x0229),
			    USER(0x00c2) },
	},
};

/* Four counters cannot hold two FLOP events and two others; see counters.c. */
static const struct quantity_set legacy_sets[NR_SETS] = {
	{
		.name = "set0",
		.quantities = { INSTRUCTIONS, STORES, BRANCHES, LOADS },
		.events = { USER(0x00c0), USER(0x0229), USER(0x00c2),
			    USER(0x0129) },
	},
	{
		.name = "set1",
		.quantities = { INSTRUCTIONS, LOADS, STORES, BRANCHES },
		.events = { USER(0x00c0), USER(0x0129), USER(0x0229),
			    USER(0x00c2) },
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
	[BRANCHES] = 1,
	[ADD_FLOPS] = 1 + 4 + 2 * 8 + 2 * 4 + 3 + 3 * 2,
	[MULTIPLY_FLOPS] = 4 + 8 + 2 * 4 + 2 + 3 * 2,
};

const uint64_t sse_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 16,
	[SCALAR_SINGLE] = 1,
	[PACKED_SINGLE] = 2,
	[SCALAR_DOUBLE] = 5,
	[PACKED_DOUBLE] = 6,
	[BRANCHES] = 1,
};

const uint64_t memory_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 11,
	[LOADS] = 5,
	[STORES] = 4,
	[BRANCHES] = 1,
};

const uint64_t faults_round[NR_QUANTITIES] = {
	[INSTRUCTIONS] = 6,
	[LOADS] = 2,
	[STORES] = 2,
	[BRANCHES] = 1,
};

unsigned int set_size(const struct quantity_set *set)
{
	unsigned int nr = 0;

	while (nr < SET_SIZE && set->events[nr].config)
		nr++;
	return nr;
}

struct kermon_event_set event_set_of(const struct quantity_set *quantity_set)
{
	struct kermon_event_set set = plain_set();

	set.nr_events = set_size(quantity_set);
	set.events = (uintptr_t)quantity_set->events;
	return set;
}

static const struct quantity_set *intel_sets(unsigned int family,
					     unsigned int model)
{
	if (family != 6)
		return NULL;
	switch (model) {
	case 0x17:	/* Core 2, Penryn */
		return core2_sets;
	case 0x3a:	/* Ivy Bridge */
	case 0x3e:	/* Ivy Bridge-EP */
		return ivy_bridge_sets;
	case 0x4e:	/* Sky Lake */
	case 0x5e:
	case 0x55:	/* Sky Lake-SP */
	case 0x6a:	/* Ice Lake-SP */
		return sky_lake_sets;
	default:
		return NULL;
	}
}

const struct quantity_set *quantity_set(unsigned int number)
{
	const struct quantity_set *sets = NULL;

	if (number >= NR_SETS)
		return NULL;
	if (!cpu_is_amd())
		sets = intel_sets(cpu_family(), cpu_model());
	else if (cpu_family() == 0x19)
		sets = cpu_is_legacy() ? legacy_sets : zen_sets;
	return sets ? &sets[number] : NULL;
}
