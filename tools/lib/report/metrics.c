// SPDX-License-Identifier: GPL-2.0
/*
 * The meaning of events by their names. Lanes of floating-point events: Intel SDM vol.
 * 3B, ch. 20 (performance-monitoring events). A fused multiply-add counts twice there,
 * so lanes times count is the number of operations.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

#include <kermon/report.h>

#define WHOLE		true
#define EXECUTED	true

/*
 * Names match up to their end or a ':', except that names ending in '/' or '_' are
 * prefixes.
 */
static const struct {
	const char *name;
	struct kermon_metric metric;
} known[] = {
	{ "oncpu", { KERMON_METRIC_TIME, .heading = "on CPU" } },
	{ "task-clock", { KERMON_METRIC_TIME, .heading = "task clock" } },
	{ "cpu-clock", { KERMON_METRIC_TIME, .heading = "CPU clock" } },
	/* Of CPUs: those of kermon spy. */
	{ "user-time", { KERMON_METRIC_TIME, .heading = "user time" } },
	{ "system-time", { KERMON_METRIC_TIME, .heading = "system time" } },
	{ "idle-time", { KERMON_METRIC_TIME, .heading = "idle time" } },
	{ "steal-time", { KERMON_METRIC_TIME, .heading = "steal time" } },
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
	/*
	 * AMD counts operations, not instructions, of both precisions together: AMD
	 * PPR, PMCx003. The kinds add up to the total; a fused operation counts as two.
	 */
	{ "RETIRED_SSE_AVX_FLOPS:ANY",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, WHOLE, false, "FLOP" } },
	{ "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "add, subtract" } },
	{ "RETIRED_SSE_AVX_FLOPS:MULT_FLOPS:DIV_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "multiply, divide" } },
	{ "RETIRED_SSE_AVX_FLOPS:MULT_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "multiply" } },
	{ "RETIRED_SSE_AVX_FLOPS:DIV_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "divide" } },
	{ "RETIRED_SSE_AVX_FLOPS:MAC_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "fused" } },
	{ "RETIRED_SSE_AVX_FLOPS:BFLOAT_MAC_FLOPS",
	  { KERMON_METRIC_FLOP, KERMON_MIXED, 1, .heading = "fused bfloat16" } },
	{ "RETIRED_SSE_AVX_OPERATIONS:SP_",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 1, .heading = "single operations" } },
	{ "RETIRED_SSE_AVX_OPERATIONS:DP_",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1, .heading = "double operations" } },
	{ "dummy", { KERMON_METRIC_SIDEBAND, .heading = "dummy" } },

	{ "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 1, false, EXECUTED,
	    "SSE scalar single" } },
	{ "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 4, false, EXECUTED,
	    "SSE packed single" } },
	{ "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1, false, EXECUTED,
	    "SSE scalar double" } },
	{ "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 2, false, EXECUTED,
	    "SSE packed double" } },
	{ "SIMD_FP_256:PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 8, false, EXECUTED,
	    "AVX packed single" } },
	{ "SIMD_FP_256:PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 4, false, EXECUTED,
	    "AVX packed double" } },

	{ "FP_ARITH_INST_RETIRED:SCALAR_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 1, .heading = "scalar single" } },
	{ "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 1, .heading = "scalar double" } },
	{ "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 4, .heading = "128 bit single" } },
	{ "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 2, .heading = "128 bit double" } },
	{ "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 8, .heading = "256 bit single" } },
	{ "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 4, .heading = "256 bit double" } },
	{ "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE",
	  { KERMON_METRIC_FLOP, KERMON_SINGLE, 16, .heading = "512 bit single" } },
	{ "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE",
	  { KERMON_METRIC_FLOP, KERMON_DOUBLE, 8, .heading = "512 bit double" } },

	{ "power/energy-pkg/", { KERMON_METRIC_ENERGY, .heading = "package" } },
	{ "power/energy-cores/", { KERMON_METRIC_ENERGY, .heading = "cores" } },
	{ "power/energy-gpu/", { KERMON_METRIC_ENERGY, .heading = "GPU" } },
	{ "power/energy-ram/", { KERMON_METRIC_ENERGY, .heading = "DRAM" } },
	{ "power/energy-psys/", { KERMON_METRIC_ENERGY, .heading = "platform" } },
};

/* "ivb::FP_COMP_OPS_EXE:...": the part before "::" is the PMU. */
static const char *without_pmu(const char *name)
{
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

static bool is_named(const char *name, const char *wanted)
{
	size_t len = strlen(wanted);

	return !strncasecmp(name, wanted, len) &&
	       (!name[len] || name[len] == ':' || wanted[len - 1] == '/' ||
		wanted[len - 1] == '_');
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

void kermon_metric_of(const char *name, const struct perf_event_attr *attr,
		      struct kermon_metric *metric)
{
	name = without_pmu(name);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!is_named(name, known[i].name))
			continue;
		*metric = known[i].metric;
		return;
	}
	*metric = (struct kermon_metric){
		.kind = is_clock(attr) ? KERMON_METRIC_TIME : KERMON_METRIC_COUNT,
	};
}
