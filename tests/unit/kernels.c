// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels of kermon roofline bench: each executes the FLOP and accesses the bytes that it
 * claims, estimates are those of order statistics, and documentation of cores is consistent.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kermon/ceilings/cores.c"
#include "kermon/ceilings/estimate.c"
#include "kermon/ceilings/kernels.c"

#include "kselftest_harness.h"

static bool is_offered(enum isa isa)
{
	return isa == ISA_AVX512 ? __builtin_cpu_supports("avx512f") :
	       isa == ISA_AVX ? __builtin_cpu_supports("avx") : true;
}

static bool needs_fma(enum operation operation)
{
	return operation == OPERATION_FMA || operation == OPERATION_FMA_ADD;
}

static double element(const char *chain, enum precision precision, unsigned int lane)
{
	float single;
	double value;

	if (precision == PRECISION_SINGLE) {
		memcpy(&single, chain + lane * sizeof(single), sizeof(single));
		return single;
	}
	memcpy(&value, chain + lane * sizeof(value), sizeof(value));
	return value;
}

/*
 * The number of operations, from what they have computed: with operands of 1, each addition
 * and each FMA adds 1 to what was 0; with operands of 2, each multiplication doubles.
 */
static double executed(enum operation operation, enum isa isa, enum precision precision,
		       uint64_t rounds)
{
	const struct peak_kernel *kernel = peak_kernel(operation, isa, precision);
	struct operands operands;
	struct results results;
	double sum = 0, value;
	bool doubles;

	memset(&results, 0xff, sizeof(results));
	fill(operands.start, precision, kernel->muls ? 1 : 0);
	fill(operands.one, precision, kernel->muls ? 2 : 1);
	fill(operands.other, precision, kernel->muls ? 2 : 1);
	kernel->run(rounds, &operands, &results);
	for (unsigned int chain = 0; chain < KERNEL_CHAINS; chain++)
		for (unsigned int lane = 0; lane < kernel->lanes; lane++) {
			value = element(results.chains[chain], precision, lane);
			/* odd chains of add+mul are multiplied */
			doubles = kernel->muls && (!kernel->adds || chain % 2);
			sum += doubles ? log2(value) : kernel->muls ? (value - 1) / 2 : value;
		}
	return sum;
}

TEST(operations_of_peaks)
{
	const uint64_t rounds = 20;
	const struct peak_kernel *kernel;

	for (int operation = 0; operation < NR_OPERATIONS; operation++)
		for (int isa = 0; isa < NR_ISAS; isa++)
			for (int precision = 0; precision < NR_PRECISIONS; precision++) {
				kernel = peak_kernel(operation, isa, precision);
				if (!is_offered(isa) || (needs_fma(operation) &&
							 !__builtin_cpu_supports("fma")))
					continue;
				EXPECT_EQ(rounds * kernel->lanes *
					  (kernel->adds + kernel->muls + kernel->fmas),
					  executed(operation, isa, precision, rounds)) {
					TH_LOG("%s %s %s", operation_names[operation],
					       isa_names[isa], precision_names[precision]);
				}
			}
	EXPECT_EQ(8 * 2 * 28, peak_flops(peak_kernel(OPERATION_FMA, ISA_AVX,
						     PRECISION_SINGLE)));
}

/* Values stay normal over as many rounds as a window has. */
TEST(values_stay_normal)
{
	const struct peak_kernel *kernel;
	struct operands operands;
	struct results results;

	for (int i = 0; i < NR_OPERATIONS * NR_PRECISIONS; i++) {
		const enum operation operation = i / NR_PRECISIONS;
		const enum precision precision = i % NR_PRECISIONS;

		if (needs_fma(operation) && !__builtin_cpu_supports("fma"))
			continue;
		kernel = peak_kernel(operation, ISA_SCALAR, precision);
		operands_for(&operands, operation, precision);
		kernel->run(100000, &operands, &results);
		for (int chain = 0; chain < KERNEL_CHAINS; chain++) {
			const double value = element(results.chains[chain], precision, 0);

			EXPECT_TRUE(fabs(value) > 0.1 && fabs(value) < 10) {
				TH_LOG("%s: %g", operation_names[operation], value);
			}
		}
	}
}

#define BLOCKS	5

/* Which pairs of lines a kernel stores to; what is around them stays. */
static void expect_stores(struct __test_metadata *_metadata,
			  const struct access_kernel *kernel)
{
	const size_t bytes = BLOCKS * kernel->block, all = bytes + 2 * KERNEL_VECTOR;
	const unsigned int lines = kernel->loads + kernel->stores;
	char *data = aligned_alloc(KERNEL_VECTOR, all);
	_Alignas(KERNEL_VECTOR) char vector[KERNEL_VECTOR];
	bool is_stored;

	ASSERT_NE(NULL, data);
	memset(vector, 7, sizeof(vector));
	memset(data, 1, all);
	kernel->run(3, data + KERNEL_VECTOR, bytes, vector);
	for (size_t i = 0; i < all; i++) {
		is_stored = i >= KERNEL_VECTOR && i < bytes + KERNEL_VECTOR &&
			    (i / KERNEL_VECTOR - 1) / 2 % lines >= kernel->loads;
		ASSERT_EQ(is_stored ? 7 : 1, data[i]) {
			TH_LOG("%u loads, %u stores, width %u, block %u: byte %zu",
			       kernel->loads, kernel->stores, kernel->width,
			       kernel->block, i);
		}
	}
	free(data);
}

TEST(stores)
{
	for (int pattern = 0; pattern < NR_PATTERNS; pattern++)
		for (int isa = 0; isa < NR_ISAS; isa++)
			if (is_offered(isa))
				expect_stores(_metadata, access_kernel(pattern, isa));
}

TEST(stores_of_long_rounds)
{
	const struct access_kernel *kernel;

	for (int pattern = 0; pattern < NR_PATTERNS; pattern++)
		for (int isa = 0; isa < NR_ISAS; isa++) {
			kernel = long_access_kernel(pattern, isa);
			if (kernel && is_offered(isa))
				expect_stores(_metadata, kernel);
		}
}

TEST(cores_are_found)
{
	static const struct {
		const char *cpuid;
		const char *name;
	} cpus[] = {
		{ "GenuineIntel,6,58,9", "Ivy Bridge" },
		{ "GenuineIntel,6,126,5", "Ice Lake Client" },
		{ "GenuineIntel,6,167,1", "Rocket Lake" },
		{ "GenuineIntel,6,106,6", "Ice Lake Server" },
		{ "GenuineIntel,6,143,8", "Sapphire Rapids" },
		{ "AuthenticAMD,25,17,1", "Zen 4" },
		{ "AuthenticAMD,26,2,1", "Zen 5" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		const struct core *core = core_find(cpus[i].cpuid);

		ASSERT_NE(NULL, core);
		EXPECT_STREQ(cpus[i].name, core->name);
	}
	EXPECT_EQ(NULL, core_find("GenuineIntel,6,0,0"));
	EXPECT_EQ(NULL, core_find("AuthenticAMD,6,58,9"));
	EXPECT_STREQ("Sapphire Rapids", core_with_amx()->name);
}

/* No model is of two cores, and wider vectors are not slower, nor more per cycle. */
TEST(cores_are_consistent)
{
	const struct core_rates *narrow, *wide;

	for (size_t i = 0; i < NR_CORES; i++) {
		for (const short *model = cores[i].models; *model >= 0; model++)
			for (size_t j = 0; j < i; j++)
				EXPECT_FALSE(!strcmp(cores[j].vendor, cores[i].vendor) &&
					     cores[j].family == cores[i].family &&
					     has_model(&cores[j], *model));
		for (int isa = ISA_AVX; isa <= (int)cores[i].widest; isa++) {
			narrow = core_rates(&cores[i], isa - 1);
			wide = core_rates(&cores[i], isa);
			for (int operation = 0; operation < NR_OPERATIONS; operation++) {
				EXPECT_LE(wide->operations[operation],
					  narrow->operations[operation]);
				EXPECT_GE(2 * wide->operations[operation],
					  narrow->operations[operation]);
			}
			EXPECT_LE(wide->loads, narrow->loads);
			EXPECT_GE(2 * wide->loads, narrow->loads);
			EXPECT_LE(wide->both, wide->loads + wide->stores);
		}
		EXPECT_EQ(0, cores[i].widest < ISA_AVX512 && cores[i].avx512.loads);
	}
}

static int by_random(const void *one, const void *other)
{
	(void)one;
	(void)other;
	return rand() % 3 - 1;
}

TEST(estimates)
{
	struct estimate estimate;
	struct rate rates[100];

	for (int i = 0; i < 100; i++)
		rates[i] = (struct rate){ .rate = 1000 + i, .hertz = 3e9 };
	rates[0].rate = 1;
	srand(1);
	qsort(rates, 100, sizeof(rates[0]), by_random);
	estimate_make(&estimate, rates, 100);
	EXPECT_EQ(1099, estimate.high);
	EXPECT_EQ(1095, estimate.value);
	EXPECT_EQ(1090, estimate.low);
	EXPECT_EQ(1049, estimate.median);
	EXPECT_EQ(100, estimate.windows);
	EXPECT_EQ(1, estimate.outliers);
	EXPECT_TRUE(fabs(estimate.hertz - 3e9) < 1);
	EXPECT_TRUE(fabs(estimate_width(&estimate) - 9 / 1095.) < 1e-9);
}

TEST_HARNESS_MAIN
