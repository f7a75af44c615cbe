// SPDX-License-Identifier: GPL-2.0
/* The meaning of events, and sums of operations and bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <kermon/operations.h>
#include <linux/perf_event.h>

#include "kselftest_harness.h"

#define MOST	16

struct counted {
	struct kermon_operation operations[MOST];
	double counts[MOST];
	size_t nr;
};

static void count(struct counted *counted, const char *name, double number)
{
	kermon_operation_of(name, &counted->operations[counted->nr]);
	counted->counts[counted->nr++] = number;
}

static struct kermon_operations sum(const struct counted *counted)
{
	struct kermon_operations result;

	kermon_operations_sum(counted->operations, counted->counts, counted->nr, &result);
	return result;
}

TEST(meanings)
{
	struct kermon_operation operation;

	ASSERT_TRUE(kermon_operation_of("ivb::SIMD_FP_256:PACKED_DOUBLE:u", &operation));
	EXPECT_EQ(4, operation.flop);
	EXPECT_EQ(KERMON_DOUBLE, operation.precision);
	EXPECT_EQ(KERMON_SIMD_256, operation.simd);
	EXPECT_TRUE(operation.executed);
	ASSERT_TRUE(kermon_operation_of("fp_arith_inst_retired:512b_packed_single",
					&operation));
	EXPECT_EQ(16, operation.flop);
	EXPECT_EQ(KERMON_SIMD_512, operation.simd);
	EXPECT_FALSE(operation.executed);
	ASSERT_TRUE(kermon_operation_of("MEM_UOPS_RETIRED:ALL_STORES:k", &operation));
	EXPECT_EQ(KERMON_STORE, operation.access);
	EXPECT_EQ(0, operation.bytes);
	ASSERT_TRUE(kermon_operation_of("OFFCORE_RESPONSE_0:ANY_REQUEST:L3_MISS:u",
					&operation));
	EXPECT_TRUE(operation.memory);
	EXPECT_EQ(64, operation.bytes);
	EXPECT_FALSE(kermon_operation_of("cycles:u", &operation));
	EXPECT_TRUE(kermon_operation_of("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:ukpp",
					&operation));
	/* Another unit mask, and cycles with operations, are something else. */
	EXPECT_FALSE(kermon_operation_of("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:"
					 "512B_PACKED_DOUBLE", &operation));
	EXPECT_FALSE(kermon_operation_of("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:c=1",
					 &operation));
	EXPECT_FALSE(kermon_operation_of("no such event", &operation));
	EXPECT_EQ(0, operation.flop);
}

/* The longest name counts: of two kinds together, and not of the first. */
TEST(longest_name)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_RAW };
	struct kermon_metric metric;

	kermon_metric_of("RETIRED_SSE_AVX_FLOPS:MULT_FLOPS:DIV_FLOPS:u", &attr, &metric);
	EXPECT_STREQ("multiply, divide", metric.heading);
	kermon_metric_of("RETIRED_SSE_AVX_FLOPS:MULT_FLOPS:u", &attr, &metric);
	EXPECT_STREQ("multiply", metric.heading);
	kermon_metric_of("RETIRED_SSE_AVX_OPERATIONS:SP_MULT_FLOPS:u", &attr, &metric);
	EXPECT_EQ(KERMON_SINGLE, metric.precision);
	kermon_metric_of("MEM_UOPS_RETIRED:ALL_LOADS_OF_MINE", &attr, &metric);
	EXPECT_EQ(NULL, metric.heading);
}

TEST(nothing)
{
	const struct counted none = { .nr = 0 };
	const struct kermon_operations result = sum(&none);

	EXPECT_TRUE(isnan(result.all_flop));
	EXPECT_TRUE(isnan(result.loads));
	EXPECT_TRUE(isnan(result.bytes));
	EXPECT_TRUE(isnan(result.memory_bytes));
	EXPECT_EQ(KERMON_BYTES_UNKNOWN, result.basis);
	EXPECT_TRUE(isnan(kermon_intensity(&result, result.bytes)));
}

/* 10 scalar double, 5 of 256 bits double, 2 of 128 bits single; 30 accesses. */
TEST(mix)
{
	struct counted counted = { .nr = 0 };
	struct kermon_operations result;

	count(&counted, "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE:u", 10);
	count(&counted, "SIMD_FP_256:PACKED_DOUBLE:u", 5);
	count(&counted, "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE:u", 2);
	count(&counted, "MEM_UOPS_RETIRED:ALL_LOADS:u", 20);
	count(&counted, "MEM_UOPS_RETIRED:ALL_STORES:u", 10);
	result = sum(&counted);
	EXPECT_EQ(10, result.flop[KERMON_DOUBLE][KERMON_SIMD_SCALAR]);
	EXPECT_EQ(20, result.flop[KERMON_DOUBLE][KERMON_SIMD_256]);
	EXPECT_EQ(8, result.flop[KERMON_SINGLE][KERMON_SIMD_128]);
	EXPECT_EQ(38, result.all_flop);
	EXPECT_EQ(KERMON_SIMD_256, result.simd);
	EXPECT_TRUE(result.executed);
	EXPECT_EQ(20, result.loads);
	EXPECT_EQ(10, result.stores);
	EXPECT_EQ(KERMON_BYTES_BY_MIX, result.basis);
	EXPECT_LT(fabs(result.bytes - 30. * (10 * 8 + 5 * 32 + 2 * 16) / 17), 1e-9);
	EXPECT_EQ(30 * 4, result.bytes_low);
	EXPECT_EQ(30 * 32, result.bytes_high);
	EXPECT_EQ(38. / (30 * 4), kermon_intensity(&result, result.bytes_low));
}

/* One kind of instruction alone: the estimate is the upper bound, whatever it is. */
TEST(one_width)
{
	static const struct {
		const char *name;
		double width, element;
	} cases[] = {
		{ "FP_ARITH_INST_RETIRED:SCALAR_SINGLE", 4, 4 },
		{ "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 8, 8 },
		{ "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", 16, 4 },
		{ "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", 32, 8 },
		{ "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", 64, 8 },
		{ "RETIRED_FP_OPS_BY_WIDTH:PACK256_UOPS_RETIRED", 32, 4 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct counted counted = { .nr = 0 };
		struct kermon_operations result;

		count(&counted, cases[i].name, 7);
		count(&counted, "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", 0);
		count(&counted, "MEM_INST_RETIRED:ALL_LOADS", 100);
		count(&counted, "MEM_INST_RETIRED:ALL_STORES", 0);
		result = sum(&counted);
		EXPECT_EQ(100 * cases[i].width, result.bytes);
		EXPECT_EQ(100 * cases[i].width, result.bytes_high);
		EXPECT_EQ(100 * cases[i].element, result.bytes_low);
	}
}

TEST(without_floating_point)
{
	struct counted counted = { .nr = 0 };
	struct kermon_operations result;

	count(&counted, "SIMD_FP_256:PACKED_DOUBLE", 0);
	count(&counted, "MEM_UOPS_RETIRED:ALL_LOADS", 3);
	count(&counted, "MEM_UOPS_RETIRED:ALL_STORES", 1);
	result = sum(&counted);
	EXPECT_EQ(KERMON_BYTES_ASSUMED, result.basis);
	EXPECT_EQ(32, result.bytes);
	EXPECT_EQ(4, result.bytes_low);
	EXPECT_EQ(4 * 64, result.bytes_high);
	EXPECT_EQ(0, result.all_flop);
	EXPECT_EQ(KERMON_SIMD_UNKNOWN, result.simd);
	EXPECT_EQ(0, kermon_intensity(&result, result.bytes));
}

/* AMD: operations of all kinds, whose width and precision are not distinguished. */
TEST(amd)
{
	struct counted counted = { .nr = 0 };
	struct kermon_operations result;

	count(&counted, "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS", 60);
	count(&counted, "RETIRED_SSE_AVX_FLOPS:ANY", 100);
	count(&counted, "LS_DISPATCH:LD_DISPATCH", 10);
	count(&counted, "LS_DISPATCH:STORE_DISPATCH", 10);
	result = sum(&counted);
	EXPECT_EQ(100, result.all_flop);
	EXPECT_EQ(100, result.flop[KERMON_MIXED][KERMON_SIMD_UNKNOWN]);
	EXPECT_EQ(KERMON_BYTES_ASSUMED, result.basis);
	EXPECT_EQ(160, result.bytes);
	EXPECT_EQ(80, result.bytes_low);
	EXPECT_EQ(20 * 64, result.bytes_high);
	counted.counts[1] = 0;
	result = sum(&counted);
	EXPECT_EQ(60, result.all_flop);
	count(&counted, "RETIRED_FP_OPS_BY_WIDTH:PACK128_UOPS_RETIRED", 3);
	count(&counted, "RETIRED_FP_OPS_BY_WIDTH:SCALAR_UOPS_RETIRED", 1);
	result = sum(&counted);
	EXPECT_EQ(KERMON_BYTES_BY_MIX, result.basis);
	EXPECT_EQ(20 * (3 * 16 + 8) / 4., result.bytes);
}

/* What was not counted is not 0. */
TEST(not_counted)
{
	struct counted counted = { .nr = 0 };
	struct kermon_operations result;

	count(&counted, "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", NAN);
	count(&counted, "MEM_INST_RETIRED:ALL_LOADS", 5);
	count(&counted, "MEM_INST_RETIRED:ALL_STORES", NAN);
	count(&counted, "LONGEST_LAT_CACHE:MISS", 3);
	result = sum(&counted);
	EXPECT_TRUE(isnan(result.all_flop));
	EXPECT_EQ(5, result.loads);
	EXPECT_TRUE(isnan(result.stores));
	EXPECT_TRUE(isnan(result.bytes));
	EXPECT_TRUE(isnan(result.bytes_low));
	EXPECT_EQ(KERMON_BYTES_UNKNOWN, result.basis);
	EXPECT_EQ(192, result.memory_bytes);
}

/* They include one another; those of one event in several modes add up. */
TEST(lines_from_memory)
{
	struct counted counted = { .nr = 0 };

	count(&counted, "MEM_LOAD_RETIRED:L3_MISS:u", 2);
	count(&counted, "LONGEST_LAT_CACHE:MISS:u", 3);
	count(&counted, "LONGEST_LAT_CACHE:MISS:k", 4);
	EXPECT_EQ(7 * 64, sum(&counted).memory_bytes);
	count(&counted, "OFFCORE_RESPONSE_0:ANY_REQUEST:L3_MISS:u", 10);
	EXPECT_EQ(10 * 64, sum(&counted).memory_bytes);
	counted.counts[3] = NAN;
	EXPECT_EQ(7 * 64, sum(&counted).memory_bytes);
	counted.counts[3] = 0;
	EXPECT_EQ(7 * 64, sum(&counted).memory_bytes);
	counted.counts[0] = counted.counts[1] = counted.counts[2] = 0;
	EXPECT_EQ(0, sum(&counted).memory_bytes);
}

/* Events of one width, which no shipped file has yet. */
TEST(exact)
{
	const struct kermon_operation operations[] = {
		{ .access = KERMON_LOAD, .bytes = 32 },
		{ .access = KERMON_STORE, .bytes = 8 },
		{ .access = KERMON_STORE },
	};
	const double counts[] = { 10, 5, 2 };
	struct kermon_operations result;

	kermon_operations_sum(operations, counts, 2, &result);
	EXPECT_EQ(KERMON_BYTES_EXACT, result.basis);
	EXPECT_EQ(360, result.bytes);
	EXPECT_EQ(360, result.bytes_low);
	EXPECT_EQ(360, result.bytes_high);
	kermon_operations_sum(operations, counts, 3, &result);
	EXPECT_EQ(KERMON_BYTES_ASSUMED, result.basis);
	EXPECT_EQ(376, result.bytes);
	EXPECT_EQ(362, result.bytes_low);
}

TEST_HARNESS_MAIN
