// SPDX-License-Identifier: GPL-2.0
/*
 * Events by name. Lanes of the floating-point events: Intel SDM vol. 3B, ch. 20
 * (performance-monitoring events); a fused multiply-add counts twice there, so
 * that lanes times count is the number of operations.
 */
#include <stdbool.h>
#include <string.h>

#include "metrics.h"

#define EXECUTED	true

/* A name is matched from the start of a word, up to its end or to a ':'. */
static const struct {
	const char *name;
	struct kermon_metric metric;
} known[] = {
	{ "oncpu", { KERMON_METRIC_TIME, .heading = "on CPU" } },
	{ "task-clock", { KERMON_METRIC_TIME, .heading = "task clock" } },
	{ "cpu-clock", { KERMON_METRIC_TIME, .heading = "CPU clock" } },
	{ "instructions", { KERMON_METRIC_INSTRUCTIONS,
			    .heading = "instructions" } },
	{ "cycles", { KERMON_METRIC_CYCLES, .heading = "cycles" } },
	{ "cpu-cycles", { KERMON_METRIC_CYCLES, .heading = "cycles" } },
	{ "ref-cycles", { KERMON_METRIC_COUNT, .heading = "ref. cycles" } },
	{ "MEM_UOPS_RETIRED:ALL_LOADS",
	  { KERMON_METRIC_COUNT, .heading = "loads" } },
	{ "MEM_UOPS_RETIRED:ALL_STORES",
	  { KERMON_METRIC_COUNT, .heading = "stores" } },
	{ "MEM_INST_RETIRED:ALL_LOADS",
	  { KERMON_METRIC_COUNT, .heading = "loads" } },
	{ "MEM_INST_RETIRED:ALL_STORES",
	  { KERMON_METRIC_COUNT, .heading = "stores" } },
	{ "RETIRED_INSTRUCTIONS", { KERMON_METRIC_INSTRUCTIONS,
				    .heading = "instructions" } },
	{ "CYCLES_NOT_IN_HALT", { KERMON_METRIC_CYCLES,
				  .heading = "cycles" } },
	{ "LS_DISPATCH:LD_DISPATCH",
	  { KERMON_METRIC_COUNT, .heading = "loads" } },
	{ "LS_DISPATCH:STORE_DISPATCH",
	  { KERMON_METRIC_COUNT, .heading = "stores" } },
	/* AMD counts operations of either precision together. */
	{ "RETIRED_SSE_AVX_FLOPS:ANY",
	  { KERMON_METRIC_COUNT, .heading = "FLOP" } },
	{ "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS",
	  { KERMON_METRIC_COUNT, .heading = "add, subtract" } },
	{ "RETIRED_SSE_AVX_FLOPS:MULT_FLOPS",
	  { KERMON_METRIC_COUNT, .heading = "multiply" } },
	{ "RETIRED_SSE_AVX_FLOPS:DIV_FLOPS",
	  { KERMON_METRIC_COUNT, .heading = "divide" } },
	{ "RETIRED_SSE_AVX_FLOPS:MAC_FLOPS",
	  { KERMON_METRIC_COUNT, .heading = "fused" } },
	{ "dummy", { KERMON_METRIC_SIDEBAND, .heading = "dummy" } },

	{ "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 1, EXECUTED,
	    "SSE scalar single" } },
	{ "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 4, EXECUTED,
	    "SSE packed single" } },
	{ "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1, EXECUTED,
	    "SSE scalar double" } },
	{ "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 2, EXECUTED,
	    "SSE packed double" } },
	{ "SIMD_FP_256:PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 8, EXECUTED,
	    "AVX packed single" } },
	{ "SIMD_FP_256:PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 4, EXECUTED,
	    "AVX packed double" } },

	{ "FP_ARITH_INST_RETIRED:SCALAR_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 1, false, "scalar single" } },
	{ "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1, false, "scalar double" } },
	{ "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 4, false, "128 bit single" } },
	{ "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 2, false, "128 bit double" } },
	{ "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 8, false, "256 bit single" } },
	{ "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 4, false, "256 bit double" } },
	{ "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 16, false, "512 bit single" } },
	{ "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 8, false, "512 bit double" } },

	{ "power/energy-pkg/", { KERMON_METRIC_ENERGY, .heading = "package" } },
	{ "power/energy-cores/", { KERMON_METRIC_ENERGY, .heading = "cores" } },
	{ "power/energy-gpu/", { KERMON_METRIC_ENERGY, .heading = "GPU" } },
	{ "power/energy-ram/", { KERMON_METRIC_ENERGY, .heading = "DRAM" } },
	{ "power/energy-psys/", { KERMON_METRIC_ENERGY, .heading = "platform" } },
};

/* "ivb::FP_COMP_OPS_EXE:...": what stands before "::" is the PMU. */
static const char *without_pmu(const char *name)
{
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

static bool is_named(const char *name, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncasecmp(name, wanted, len) &&
	       (!name[len] || name[len] == ':' || wanted[len - 1] == '/');
}

void metric_of(const char *name, struct kermon_metric *metric)
{
	name = without_pmu(name);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!is_named(name, known[i].name))
			continue;
		*metric = known[i].metric;
		return;
	}
	*metric = (struct kermon_metric){ .kind = KERMON_METRIC_COUNT };
}
