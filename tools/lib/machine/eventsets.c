// SPDX-License-Identifier: GPL-2.0
/*
 * The predefined event sets of each microarchitecture.
 *
 * Ivy Bridge has those of table 1 in the KerMon paper, the others the nearest
 * equivalent. A new microarchitecture is a row in families[].
 */
#include <string.h>
#include <strings.h>

#include "eventsets.h"

#define EVENTS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SET_COUNT 4

struct family {
	const char *const *pmus;
	struct kermon_event_list sets[SET_COUNT];
};

#define FIXED { "fixed", "no programmed events", (const char *const[]){ NULL } }

#define SINGLE	"floating point: single precision, and AVX double"
#define DOUBLE	"floating point: SSE double precision; loads and stores"
#define MEMORY	"caches: L1D, L2 code, last level"

#define FP_SNB_SINGLE	"FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE", \
			"FP_COMP_OPS_EXE:SSE_PACKED_SINGLE",	 \
			"SIMD_FP_256:PACKED_SINGLE",		 \
			"SIMD_FP_256:PACKED_DOUBLE"
#define FP_SNB_DOUBLE	"FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE",	 \
			"FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE"

#define FP_BDW_SINGLE	"FP_ARITH_INST_RETIRED:SCALAR_SINGLE",	    \
			"FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", \
			"FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", \
			"FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE"
#define FP_BDW_DOUBLE	"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",	    \
			"FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE"

#define UOPS		"MEM_UOPS_RETIRED:ALL_LOADS", \
			"MEM_UOPS_RETIRED:ALL_STORES"
#define INSTS		"MEM_INST_RETIRED:ALL_LOADS", \
			"MEM_INST_RETIRED:ALL_STORES"

#define CACHES(llc, miss) \
	"L1D:REPLACEMENT", llc, "L2_RQSTS:CODE_RD_MISS", miss
#define LLC		"LONGEST_LAT_CACHE:REFERENCE"
#define L3_MISS		"OFFCORE_RESPONSE_0:ANY_REQUEST:L3_MISS"
#define OCR_MISS	"OCR:DEMAND_DATA_RD_L3_MISS"

#define ZEN_FIXED	"RETIRED_INSTRUCTIONS", "CYCLES_NOT_IN_HALT"
#define ZEN_FLOPS(kind)	"RETIRED_SSE_AVX_FLOPS:" kind
/* All kinds in one precision; the first Zen has no event for a kind in both. */
#define ZEN1_FLOPS(precision)						   \
	"RETIRED_SSE_AVX_OPERATIONS:" precision "_MULT_ADD_FLOPS:"	   \
	precision "_DIV_FLOPS:" precision "_MULT_FLOPS:" precision "_ADD_SUB_FLOPS"
#define ZEN_CYCLES	"instructions and cycles; no counter is fixed"
#define ZEN_MEMORY	"LS_DISPATCH:LD_DISPATCH", "LS_DISPATCH:STORE_DISPATCH"
#define ZEN_L2_MISS	"CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:IC_FILL_MISS"
/* Six counters suffice for three kinds, which together are all operations. */
#define ZEN_SETS(fused, fills)						   \
	{								   \
		{ "fixed", ZEN_CYCLES, EVENTS(ZEN_FIXED) },		   \
		{ "set0", "floating point operations; loads and stores",   \
		  EVENTS(ZEN_FIXED, ZEN_FLOPS("ANY"), ZEN_MEMORY) },	   \
		{ "set1", "floating point operations by kind",		   \
		  EVENTS(ZEN_FLOPS("ADD_SUB_FLOPS"),			   \
			 ZEN_FLOPS("MULT_FLOPS:DIV_FLOPS"),		   \
			 ZEN_FLOPS(fused)) },				   \
		{ "set2", "caches: L2 code, fills from memory",		   \
		  EVENTS(ZEN_FIXED, ZEN_L2_MISS, fills) },		   \
	}

static const struct family families[] = {
	{
		/* libpfm4 4.13 encodes LLC references with unit mask 02 instead of 4f. */
		.pmus = EVENTS("snb", "snb_ep"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_SNB_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_SNB_DOUBLE, UOPS) },
			{ "set2", MEMORY, EVENTS(CACHES("r4f2e", L3_MISS)) },
		},
	}, {
		.pmus = EVENTS("ivb", "ivb_ep"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_SNB_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_SNB_DOUBLE, UOPS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC, L3_MISS)) },
		},
	}, {
		/* Haswell has no events for floating-point operations. */
		.pmus = EVENTS("hsw", "hsw_ep"),
		.sets = {
			FIXED,
			{ "set0", "AVX instructions, of any kind",
			  EVENTS("AVX:ALL") },
			{ "set1", "loads and stores", EVENTS(UOPS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC, L3_MISS)) },
		},
	}, {
		.pmus = EVENTS("bdw", "bdw_ep"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_BDW_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_BDW_DOUBLE, UOPS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC, L3_MISS)) },
		},
	}, {
		.pmus = EVENTS("skl", "skx", "clx"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_BDW_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_BDW_DOUBLE, INSTS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC, L3_MISS)) },
		},
	}, {
		.pmus = EVENTS("icl", "icx"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_BDW_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_BDW_DOUBLE, INSTS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC "S", OCR_MISS)) },
		},
	}, {
		.pmus = EVENTS("spr"),
		.sets = {
			FIXED,
			{ "set0", SINGLE, EVENTS(FP_BDW_SINGLE) },
			{ "set1", DOUBLE, EVENTS(FP_BDW_DOUBLE, INSTS) },
			{ "set2", MEMORY, EVENTS(CACHES(LLC, OCR_MISS)) },
		},
	}, {
		/* An event of operations takes two of the six counters. */
		.pmus = EVENTS("amd64_fam17h_zen2"),
		.sets = ZEN_SETS("MAC_FLOPS",
				 "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM"),
	}, {
		.pmus = EVENTS("amd64_fam17h_zen1"),
		.sets = {
			{ "fixed", ZEN_CYCLES, EVENTS(ZEN_FIXED) },
			{ "set0", "single precision; loads and stores",
			  EVENTS(ZEN_FIXED, ZEN1_FLOPS("SP"), ZEN_MEMORY) },
			{ "set1", "double precision; loads and stores",
			  EVENTS(ZEN_FIXED, ZEN1_FLOPS("DP"), ZEN_MEMORY) },
			{ "set2", "caches: L2 code",
			  EVENTS(ZEN_FIXED, ZEN_L2_MISS) },
		},
	}, {
		.pmus = EVENTS("amd64_fam19h_zen3"),
		.sets = ZEN_SETS("MAC_FLOPS",
				 "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL"),
	}, {
		.pmus = EVENTS("amd64_fam19h_zen4"),
		.sets = ZEN_SETS("MAC_FLOPS:BFLOAT_MAC_FLOPS",
				 "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_NEAR"),
	},
};

/* AMD CPUs that libpfm4 does not know: event codes that all AMD CPUs have. */
static const struct family unknown_amd = {
	.sets = { { "fixed", ZEN_CYCLES, EVENTS("r00c0", "r0076") } },
};

/* Any other CPU. */
static const struct family unknown = {
	.sets = { FIXED },
};

static bool has_pmu(const struct family *family, const char *pmu)
{
	const char *const *each;

	for (each = family->pmus; *each; each++)
		if (!strcmp(*each, pmu))
			return true;
	return false;
}

static const struct family *find_family(const char *pmu)
{
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (has_pmu(&families[i], pmu))
			return &families[i];
	return strcmp(pmu, EVENTSETS_AMD) ? &unknown : &unknown_amd;
}

const struct kermon_event_list *eventsets_get(const char *pmu,
					      unsigned int index)
{
	const struct family *family = find_family(pmu);

	if (index >= SET_COUNT || !family->sets[index].name)
		return NULL;
	return &family->sets[index];
}

const struct kermon_event_list *eventsets_find(const char *pmu,
					       const char *name)
{
	const struct kermon_event_list *set;
	unsigned int i;

	for (i = 0; (set = eventsets_get(pmu, i)); i++)
		if (!strcasecmp(set->name, name))
			return set;
	return NULL;
}
