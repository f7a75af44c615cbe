// SPDX-License-Identifier: GPL-2.0
/* Tables of Intel CPUs. To add a model, add a line to intel_machines[]. */
#include <linux/kernel.h>
#include <asm/processor.h>

#include "pmu_intel.h"

#define ANY_UMASK	0x100
#define ANY_COUNTER	0xffffffff

static const struct intel_offcore offcore_snb = {
	{ 0x01b7, 0x01bb }, 0x3f807f8fffULL
};

static const struct intel_offcore offcore_snbep = {
	{ 0x01b7, 0x01bb }, 0x3fffff8fffULL
};

static const struct intel_offcore offcore_icl = {
	{ 0x01b7, 0x01bb }, 0x3fffffbfffULL
};

static const struct intel_offcore offcore_spr = {
	{ 0x012a, 0x012b }, 0x3fffffffffULL
};

static const struct intel_constraint constraints_core2[] = {
	{ 0x10, 0x10, ANY_UMASK, BIT(0) }, /* FP_COMP_OPS_EXE */
	{ 0x11, 0x13, ANY_UMASK, BIT(1) }, /* FP_ASSIST, MUL, DIV */
	{ 0x14, 0x14, ANY_UMASK, BIT(0) }, /* CYCLES_DIV_BUSY */
	{ 0x18, 0x18, ANY_UMASK, BIT(0) }, /* IDLE_DURING_DIV */
	{ 0x19, 0x19, ANY_UMASK, BIT(1) }, /* DELAYED_BYPASS */
	{ 0xa1, 0xa1, ANY_UMASK, BIT(0) }, /* RS_UOPS_DISPATCHED_CYCLES */
	{ 0xc9, 0xc9, ANY_UMASK, BIT(0) }, /* ITLB_MISS_RETIRED */
	{ 0xcb, 0xcb, ANY_UMASK, BIT(0) }, /* MEM_LOAD_RETIRED */
	{ }
};

static const struct intel_constraint constraints_nhm[] = {
	{ 0x40, 0x43, ANY_UMASK, 0x3 },	/* L1D_CACHE_*, L1D_ALL_REF */
	{ 0x48, 0x48, ANY_UMASK, 0x3 },	/* L1D_PEND_MISS */
	{ 0x4e, 0x4e, ANY_UMASK, 0x3 },	/* L1D_PREFETCH */
	{ 0x51, 0x51, ANY_UMASK, 0x3 },	/* L1D */
	{ 0x63, 0x63, ANY_UMASK, 0x3 },	/* CACHE_LOCK_CYCLES */
	{ }
};

static const struct intel_constraint constraints_wsm[] = {
	{ 0x51, 0x51, ANY_UMASK, 0x3 },	/* L1D */
	{ 0x60, 0x60, ANY_UMASK, BIT(0) }, /* OFFCORE_REQUESTS_OUTSTANDING */
	{ 0x63, 0x63, ANY_UMASK, 0x3 },	/* CACHE_LOCK_CYCLES */
	{ 0xb3, 0xb3, ANY_UMASK, BIT(0) }, /* SNOOPQ_REQUESTS_OUTSTANDING */
	{ }
};

/*
 * Constraints to the lower four counters matter where a core without
 * hyperthreading has eight.
 */
static const struct intel_constraint constraints_snb[] = {
	{ 0xa3, 0xa3, 0x02, BIT(2) },	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	{ 0xa3, 0xa3, 0x06, BIT(2) },	/* .STALLS_L1D_PENDING */
	{ 0xa3, 0xa3, ANY_UMASK, 0xf },
	{ 0x48, 0x48, ANY_UMASK, BIT(2) }, /* L1D_PEND_MISS */
	{ 0xc0, 0xc0, 0x01, BIT(1) },	/* INST_RETIRED.PREC_DIST */
	{ 0xcd, 0xcd, ANY_UMASK, BIT(3) }, /* MEM_TRANS_RETIRED */
	{ 0xd0, 0xd3, ANY_UMASK, 0xf },	/* MEM_UOPS_RETIRED, MEM_LOAD_* */
	{ }
};

static const struct intel_constraint constraints_ivb[] = {
	{ 0x48, 0x48, 0x01, BIT(2) },	/* L1D_PEND_MISS.PENDING */
	{ 0x79, 0x79, 0x02, 0xf },	/* IDQ.EMPTY */
	{ 0x9c, 0x9c, 0x01, 0xf },	/* IDQ_UOPS_NOT_DELIVERED.CORE */
	{ 0xa3, 0xa3, 0x08, BIT(2) },	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	{ 0xa3, 0xa3, 0x0c, BIT(2) },	/* .STALLS_L1D_PENDING */
	{ 0xa3, 0xa3, ANY_UMASK, 0xf },
	{ 0xc0, 0xc0, 0x01, BIT(1) },	/* INST_RETIRED.PREC_DIST */
	{ 0xd0, 0xd3, ANY_UMASK, 0xf },	/* MEM_UOPS_RETIRED, MEM_LOAD_* */
	{ }
};

static const struct intel_constraint constraints_hsw[] = {
	{ 0x48, 0x48, 0x01, BIT(2) },	/* L1D_PEND_MISS.PENDING */
	{ 0xa3, 0xa3, 0x08, BIT(2) },	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	{ 0xa3, 0xa3, 0x0c, BIT(2) },	/* .STALLS_L1D_PENDING */
	{ 0xa3, 0xa3, 0x04, 0xf },	/* .CYCLES_NO_EXECUTE */
	{ 0xc0, 0xc0, 0x01, BIT(1) },	/* INST_RETIRED.PREC_DIST */
	{ 0xcd, 0xcd, ANY_UMASK, BIT(3) }, /* MEM_TRANS_RETIRED */
	{ 0xd0, 0xd3, ANY_UMASK, 0xf },	/* MEM_UOPS_RETIRED, MEM_LOAD_* */
	{ }
};

static const struct intel_constraint constraints_bdw[] = {
	{ 0x48, 0x48, 0x01, BIT(2) },	/* L1D_PEND_MISS.PENDING */
	{ 0xa3, 0xa3, 0x08, BIT(2) },	/* CYCLE_ACTIVITY.CYCLES_L1D_MISS */
	{ 0xa3, 0xa3, 0x0c, BIT(2) },	/* .STALLS_L1D_MISS */
	{ 0xcd, 0xcd, ANY_UMASK, 0xf },	/* MEM_TRANS_RETIRED */
	{ 0xd0, 0xd2, ANY_UMASK, 0xf },	/* MEM_UOPS_RETIRED, MEM_LOAD_* */
	{ }
};

static const struct intel_constraint constraints_skl[] = {
	{ 0xc0, 0xc0, 0x01, BIT(1) },	/* INST_RETIRED.PREC_DIST */
	{ 0xc6, 0xc6, ANY_UMASK, 0xf },	/* FRONTEND_RETIRED */
	{ 0xcd, 0xcd, ANY_UMASK, 0xf },	/* MEM_TRANS_RETIRED */
	{ 0xd0, 0xd2, ANY_UMASK, 0xf },	/* MEM_INST_RETIRED, MEM_LOAD_* */
	{ }
};

static const struct intel_constraint constraints_icl[] = {
	{ 0x03, 0x0a, ANY_UMASK, 0xf },
	{ 0x1f, 0x28, ANY_UMASK, 0xf },
	{ 0x32, 0x32, ANY_UMASK, 0xf },	/* SW_PREFETCH_ACCESS */
	{ 0x48, 0x56, ANY_UMASK, 0xf },
	{ 0x60, 0x8b, ANY_UMASK, 0xf },
	{ 0xa3, 0xa3, 0x04, 0xff },	/* CYCLE_ACTIVITY.STALLS_TOTAL */
	{ 0xa3, 0xa3, 0x10, 0xff },	/* .CYCLES_MEM_ANY */
	{ 0xa3, 0xa3, 0x14, 0xff },	/* .STALLS_MEM_ANY */
	{ 0xa3, 0xa3, ANY_UMASK, 0xf },
	{ 0xa8, 0xb0, ANY_UMASK, 0xf },
	{ 0xb7, 0xbd, ANY_UMASK, 0xf },
	{ 0xd0, 0xe6, ANY_UMASK, 0xf },
	{ 0xef, 0xf4, ANY_UMASK, 0xf },
	{ }
};

static const struct intel_constraint constraints_spr[] = {
	{ 0x2e, 0x2e, ANY_UMASK, 0xff }, /* LONGEST_LAT_CACHE */
	{ 0x3c, 0x3c, ANY_UMASK, 0xff }, /* CPU_CLK_UNHALTED */
	{ 0x01, 0x8f, ANY_UMASK, 0xf },
	{ 0xa3, 0xa3, 0x01, 0xf },	/* CYCLE_ACTIVITY.CYCLES_L2_MISS */
	{ 0xa3, 0xa3, 0x02, 0xf },
	{ 0xa3, 0xa3, 0x08, 0xf },	/* .CYCLES_L1D_MISS */
	{ 0xa4, 0xa4, 0x04, BIT(0) },	/* TOPDOWN.BAD_SPEC_SLOTS */
	{ 0xa4, 0xa4, 0x08, BIT(0) },	/* .BR_MISPREDICT_SLOTS */
	{ 0xcd, 0xcd, 0x02, BIT(0) },	/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	{ 0xce, 0xce, ANY_UMASK, BIT(0) },
	{ 0xd0, 0xdf, ANY_UMASK, 0xf },	/* MEM_INST_RETIRED, MEM_LOAD_* */
	{ }
};

/* Bits, errata and counters as in arch/x86/events/intel/core.c. */
static const struct intel_machine intel_machines[] = {
	{ 0x0f, false, NULL, constraints_core2 },	/* Core 2, Merom */
	{ 0x16, false, NULL, constraints_core2 },	/* Core 2, Merom-L */
	{ 0x17, false, NULL, constraints_core2 },	/* Core 2, Penryn */
	{ 0x1d, false, NULL, constraints_core2 },	/* Dunnington */
	{ 0x1a, false, NULL, constraints_nhm },	/* Nehalem-EP */
	{ 0x1e, false, NULL, constraints_nhm },	/* Nehalem */
	{ 0x2e, false, NULL, constraints_nhm },	/* Nehalem-EX */
	{ 0x25, false, NULL, constraints_wsm },	/* Westmere */
	{ 0x2c, false, NULL, constraints_wsm },	/* Westmere-EP */
	{ 0x2f, false, NULL, constraints_wsm },	/* Westmere-EX */
	{ 0x2a, true, &offcore_snb, constraints_snb },	/* Sandy Bridge */
	{ 0x2d, true, &offcore_snbep, constraints_snb },	/* Sandy Bridge-EP */
	{ 0x3a, true, &offcore_snb, constraints_ivb },	/* Ivy Bridge */
	{ 0x3e, true, &offcore_snbep, constraints_ivb },	/* Ivy Bridge-EP */
	{ 0x3c, true, &offcore_snbep, constraints_hsw },	/* Haswell */
	{ 0x3f, true, &offcore_snbep, constraints_hsw },	/* Haswell-EP */
	{ 0x45, true, &offcore_snbep, constraints_hsw },	/* Haswell-ULT */
	{ 0x46, true, &offcore_snbep, constraints_hsw },	/* Haswell, GT3e */
	{ 0x3d, false, &offcore_snbep, constraints_bdw },	/* Broadwell */
	{ 0x47, false, &offcore_snbep, constraints_bdw },	/* Broadwell, GT3e */
	{ 0x4f, false, &offcore_snbep, constraints_bdw },	/* Broadwell-EP */
	{ 0x56, false, &offcore_snbep, constraints_bdw },	/* Broadwell-DE */
	{ 0x4e, false, &offcore_snbep, constraints_skl },	/* Sky Lake, mobile */
	{ 0x5e, false, &offcore_snbep, constraints_skl },	/* Sky Lake */
	{ 0x55, false, &offcore_snbep, constraints_skl },	/* Sky Lake-SP, Cascade Lake */
	{ 0x8e, false, &offcore_snbep, constraints_skl },	/* Kaby Lake, mobile */
	{ 0x9e, false, &offcore_snbep, constraints_skl },	/* Kaby Lake, Coffee Lake */
	{ 0xa5, false, &offcore_snbep, constraints_skl },	/* Comet Lake */
	{ 0xa6, false, &offcore_snbep, constraints_skl },	/* Comet Lake, mobile */
	{ 0x6a, false, &offcore_icl, constraints_icl },	/* Ice Lake-SP */
	{ 0x6c, false, &offcore_icl, constraints_icl },	/* Ice Lake-D */
	{ 0x7d, false, &offcore_icl, constraints_icl },	/* Ice Lake */
	{ 0x7e, false, &offcore_icl, constraints_icl },	/* Ice Lake, mobile */
	{ 0x8c, false, &offcore_icl, constraints_icl },	/* Tiger Lake, mobile */
	{ 0x8d, false, &offcore_icl, constraints_icl },	/* Tiger Lake */
	{ 0xa7, false, &offcore_icl, constraints_icl },	/* Rocket Lake */
	{ 0x8f, false, &offcore_spr, constraints_spr },	/* Sapphire Rapids */
	{ 0xcf, false, &offcore_spr, constraints_spr },	/* Emerald Rapids */
};

/* It is not known which events the fifth and later counters can count. */
static const struct intel_constraint constraints_unknown[] = {
	{ 0x00, 0xff, ANY_UMASK, 0xf },
	{ }
};

static const struct intel_machine unknown_machine = {
	.constraints = constraints_unknown,
};

const struct intel_machine __init *intel_machine_find(void)
{
	u32 i;

	if (boot_cpu_data.x86 != 6)
		return &unknown_machine;
	for (i = 0; i < ARRAY_SIZE(intel_machines); i++)
		if (intel_machines[i].model == boot_cpu_data.x86_model)
			return &intel_machines[i];
	return &unknown_machine;
}

static bool intel_constraint_fits(const struct intel_constraint *constraint,
				  u64 config)
{
	u8 select = config & EVENT_SELECT;
	u8 umask = (config & EVENT_UMASK) >> 8;

	return select >= constraint->first && select <= constraint->last &&
	       (constraint->umask == ANY_UMASK || constraint->umask == umask);
}

u32 intel_machine_counters(const struct intel_machine *machine, u64 config)
{
	const struct intel_constraint *each = machine->constraints;

	for (; each && each->last; each++)
		if (intel_constraint_fits(each, config))
			return each->counters;
	return ANY_COUNTER;
}
