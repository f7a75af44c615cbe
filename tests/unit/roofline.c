// SPDX-License-Identifier: GPL-2.0
/*
 * The table of samples of a roofline: operations, bytes, times and energy, to the last count.
 * tests/cli/roofline.sh has rotated sets, merged runs and kermon spy.
 */
#include <linux/kermon.h>
#include <math.h>

#include <kermon/roofline.h>

#include "kselftest_harness.h"
#include "synthetic.h"

#define MS		1000000ULL
#define SECOND		1000000000ULL

enum { INSTRUCTIONS, SCALAR, AVX, LOADS, STORES, ONCPU, ENERGY };

static const char *const names[] = {
	[INSTRUCTIONS] = "instructions:u",
	[SCALAR] = "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u",
	[AVX] = "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE:u",
	[LOADS] = "MEM_INST_RETIRED:ALL_LOADS:u",
	[STORES] = "MEM_INST_RETIRED:ALL_STORES:u",
	[ONCPU] = "oncpu",
	[ENERGY] = "power/energy-pkg/",
	NULL
};

FIXTURE(roofline)
{
	struct synthetic file;
	struct kermon_roofline *table;
};

FIXTURE_SETUP(roofline)
{
	synthetic_start(&self->file, names, ONCPU);
	self->table = kermon_roofline_new(NULL);
	ASSERT_NE(NULL, self->table);
}

FIXTURE_TEARDOWN(roofline)
{
	kermon_roofline_free(self->table);
	synthetic_end(&self->file);
}

static struct perfdata_rest rest_of(uint8_t reason)
{
	return (struct perfdata_rest){
		.type = KERMON_RECORD_SAMPLE, .reason = reason, .intervals = 1,
	};
}

/* An interval of @ms, with @counts by event. */
static void put(FIXTURE_DATA(roofline) *self, uint32_t tid, uint64_t end, uint64_t ms,
		const struct perfdata_rest *rest, const uint64_t counts[SYNTHETIC_VALUES])
{
	struct synthetic_sample sample = {
		.event = ONCPU, .pid = 1, .tid = tid, .time = end, .period = ms * MS,
		.rest = rest,
	};

	memcpy(sample.values, counts, sizeof(sample.values));
	synthetic_sample(&self->file, &sample);
}

static int read_file(FIXTURE_DATA(roofline) *self)
{
	synthetic_finish(&self->file);
	return kermon_roofline_read(self->table, self->file.path);
}

static const uint64_t scalar_counts[SYNTHETIC_VALUES] = {
	[INSTRUCTIONS] = 1000, [SCALAR] = 100, [LOADS] = 20, [STORES] = 5,
	[ENERGY] = 3ULL << 31,
};
static const uint64_t avx_counts[SYNTHETIC_VALUES] = {
	[INSTRUCTIONS] = 2000, [AVX] = 300, [LOADS] = 7,
};
static const uint64_t no_counts[SYNTHETIC_VALUES];

TEST_F(roofline, operations_bytes_and_times)
{
	const struct perfdata_rest tick = rest_of(KERMON_REASON_TICK);
	const struct perfdata_rest sleep = rest_of(KERMON_REASON_SLEEP);
	const struct kermon_roofline_sample *sample;

	put(self, 1, SECOND + 10 * MS, 10, &tick, scalar_counts);
	put(self, 1, SECOND + 30 * MS, 5, &sleep, avx_counts);
	ASSERT_EQ(0, read_file(self));
	sample = kermon_roofline_sample(self->table, 0);
	ASSERT_NE(NULL, sample);
	EXPECT_EQ(SECOND, sample->begin);
	EXPECT_EQ(SECOND + 10 * MS, sample->end);
	EXPECT_EQ(10 * MS, sample->oncpu);
	EXPECT_EQ(KERMON_WHY_TICK, sample->why);
	EXPECT_EQ(100, sample->operations.all_flop);
	EXPECT_EQ(100, sample->operations.flop[KERMON_DOUBLE][KERMON_SIMD_SCALAR]);
	EXPECT_EQ(25 * 8, sample->operations.bytes);
	EXPECT_EQ(1000, sample->instructions);
	EXPECT_EQ(1.5, sample->joules[0]);
	EXPECT_TRUE(isnan(sample->cycles));
	sample = kermon_roofline_sample(self->table, 1);
	ASSERT_NE(NULL, sample);
	EXPECT_EQ(SECOND + 25 * MS, sample->begin);
	EXPECT_EQ(KERMON_WHY_SLEEP, sample->why);
	EXPECT_EQ(2400, sample->operations.all_flop);
	EXPECT_EQ(KERMON_SIMD_256, sample->operations.simd);
	EXPECT_EQ(7 * 32, sample->operations.bytes);
	EXPECT_EQ(0, sample->joules[0]);
	EXPECT_FALSE(sample->estimated);
	EXPECT_EQ(NULL, kermon_roofline_sample(self->table, 2));
	EXPECT_EQ(0, strcmp("package", kermon_roofline_domain(self->table, 0)));
}

/* The sum of a thread is that of its samples; the time between them is nobody's. */
TEST_F(roofline, sums)
{
	const struct perfdata_rest tick = rest_of(KERMON_REASON_TICK);
	const struct kermon_roofline_thread *thread;
	const struct kermon_roofline_sums *total;

	put(self, 1, SECOND + 10 * MS, 10, &tick, scalar_counts);
	put(self, 1, SECOND + 30 * MS, 10, &tick, avx_counts);
	put(self, 2, SECOND + 30 * MS + 1, 10, &tick, avx_counts);
	ASSERT_EQ(0, read_file(self));
	thread = kermon_roofline_thread(self->table, 0);
	ASSERT_NE(NULL, thread);
	EXPECT_EQ(1, thread->tid);
	EXPECT_EQ(2500, thread->sums->flop);
	EXPECT_EQ(200 + 224, thread->sums->bytes);
	EXPECT_LT(fabs(thread->sums->seconds - 0.02), 1e-12);
	EXPECT_LT(fabs(kermon_roofline_flops(thread->sums) - 125000), 1e-6);
	total = kermon_roofline_total(self->table);
	EXPECT_EQ(4900, total->flop);
	EXPECT_EQ(3, total->samples);
	EXPECT_LT(fabs(total->busy - 0.03), 1e-12);
	/* Threads 1 and 2 overlap, but for a nanosecond. */
	EXPECT_LT(fabs(total->seconds - 0.020000001), 1e-12);
	EXPECT_LT(fabs(kermon_roofline_intensity(total, total->bytes) - 4900.0 / 648), 1e-12);
	EXPECT_EQ(1.5, total->joules[0]);
	EXPECT_EQ(NULL, kermon_roofline_thread(self->table, 2));
	ASSERT_NE(NULL, kermon_roofline_interval_joules(self->table, 0));
	EXPECT_EQ(1.5, kermon_roofline_interval_joules(self->table, 0)[0]);
	EXPECT_EQ(NULL, kermon_roofline_interval_joules(self->table, 3));
	EXPECT_EQ(0, kermon_roofline_package(self->table, 0));
}

/* What an interval with impossible counts did is unknown: rates refer to the rest. */
TEST_F(roofline, invalid_interval)
{
	struct perfdata_rest invalid = rest_of(KERMON_REASON_TICK);
	const struct perfdata_rest tick = rest_of(KERMON_REASON_TICK);
	const struct kermon_roofline_sums *total;

	invalid.type = KERMON_RECORD_INVALID;
	put(self, 1, SECOND + 10 * MS, 10, &tick, scalar_counts);
	put(self, 1, SECOND + 40 * MS, 30, &invalid, no_counts);
	ASSERT_EQ(0, read_file(self));
	EXPECT_TRUE(isnan(kermon_roofline_sample(self->table, 1)->operations.all_flop));
	total = kermon_roofline_total(self->table);
	EXPECT_EQ(100, total->flop);
	EXPECT_LT(fabs(total->seconds - 0.04), 1e-12);
	EXPECT_LT(fabs(total->counted - 0.01), 1e-12);
	EXPECT_LT(fabs(kermon_roofline_flops(total) - 10000), 1e-6);
}

TEST_F(roofline, alone)
{
	struct perfdata_rest alone = rest_of(KERMON_REASON_EXIT);

	alone.flags = KERMON_SAMPLE_ALONE;
	put(self, 1, SECOND, 10, &alone, scalar_counts);
	ASSERT_EQ(0, read_file(self));
	EXPECT_TRUE(kermon_roofline_sample(self->table, 0)->alone);
	EXPECT_EQ(KERMON_WHY_EXIT, kermon_roofline_sample(self->table, 0)->why);
	EXPECT_TRUE(kermon_roofline_basis(self->table)->flop);
	EXPECT_TRUE(kermon_roofline_basis(self->table)->accesses);
	EXPECT_EQ(KERMON_MONITOR_KERMON, kermon_roofline_origin(self->table)->monitor);
}

/* The time on the CPU may be longer than the clock of the file. */
TEST_F(roofline, before_time_began)
{
	const struct perfdata_rest tick = rest_of(KERMON_REASON_TICK);

	put(self, 1, 5, 10, &tick, scalar_counts);
	ASSERT_EQ(0, read_file(self));
	EXPECT_EQ(0, kermon_roofline_sample(self->table, 0)->begin);
}

TEST_F(roofline, nothing)
{
	ASSERT_EQ(0, read_file(self));
	EXPECT_EQ(NULL, kermon_roofline_sample(self->table, 0));
	EXPECT_EQ(0, kermon_roofline_total(self->table)->samples);
	EXPECT_TRUE(isnan(kermon_roofline_flops(kermon_roofline_total(self->table))));
	EXPECT_EQ(-EALREADY, kermon_roofline_read(self->table, self->file.path));
}

/* What the library returns begins with its size, by which a program finds what is in it. */
TEST_F(roofline, results_have_their_size)
{
	const struct perfdata_rest tick = rest_of(KERMON_REASON_TICK);
	const struct kermon_roofline_thread *thread;

	EXPECT_EQ(NULL, kermon_roofline_thread(self->table, 0));
	put(self, 1, SECOND, 10, &tick, scalar_counts);
	ASSERT_EQ(0, read_file(self));
	EXPECT_EQ(sizeof(struct kermon_roofline_origin), kermon_roofline_origin(self->table)->size);
	EXPECT_EQ(sizeof(struct kermon_roofline_basis), kermon_roofline_basis(self->table)->size);
	EXPECT_EQ(sizeof(struct kermon_roofline_sample),
		  kermon_roofline_sample(self->table, 0)->size);
	EXPECT_EQ(sizeof(struct kermon_roofline_interval),
		  kermon_roofline_interval(self->table, 0)->size);
	EXPECT_EQ(sizeof(struct kermon_roofline_sums), kermon_roofline_total(self->table)->size);
	thread = kermon_roofline_thread(self->table, 0);
	ASSERT_NE(NULL, thread);
	EXPECT_EQ(sizeof(*thread), thread->size);
	EXPECT_EQ(sizeof(*thread->sums), thread->sums->size);
}

/* Of a program built with an older header, or with a newer one. */
TEST(options_of_other_versions)
{
	struct {
		struct kermon_report_options known;
		char more[16];
	} later;
	struct kermon_roofline *table;

	memset(&later, 0, sizeof(later));
	later.known.size = sizeof(later.known.size);
	later.known.keys = "invalid, and behind the end";
	table = kermon_roofline_new(&later.known);
	EXPECT_NE(NULL, table);
	kermon_roofline_free(table);
	later.known.keys = NULL;
	later.known.size = sizeof(later);
	table = kermon_roofline_new(&later.known);
	EXPECT_NE(NULL, table);
	kermon_roofline_free(table);
	later.more[15] = 1;
	EXPECT_EQ(NULL, kermon_roofline_new(&later.known));
	EXPECT_EQ(E2BIG, errno);
}

TEST(options_without_size)
{
	const struct kermon_report_options options = { .calls = true };

	EXPECT_EQ(NULL, kermon_roofline_new(&options));
	EXPECT_EQ(EINVAL, errno);
}

TEST_HARNESS_MAIN
