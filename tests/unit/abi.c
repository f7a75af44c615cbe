// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes of public structures that must not change within a soname, see <kermon/abi.h>:
 * elements of arrays, and structures that the caller provides to be filled in.
 */
#include <stddef.h>

#include <kermon/ceilings.h>
#include <kermon/file.h>
#include <kermon/msr.h>
#include <kermon/profile.h>
#include <kermon/readperf.h>
#include <kermon/recorder.h>
#include <kermon/roofline.h>
#include <kermon/spy.h>

#include "kselftest_harness.h"

#define SIZE(name, size)	{ #name, sizeof(struct kermon_##name), size }

/* On 64-bit machines. To change one, change ABI in tools/Makefile, or add a function. */
static const struct {
	const char *name;
	size_t size;
	size_t expected;
} sizes[] = {
	SIZE(access_cost, 24),
	SIZE(access_costs, 776),
	SIZE(app_info, 48),
	SIZE(call, 48),
	SIZE(ceilings_error, 512),
	SIZE(clock, 72),
	SIZE(clock_pair, 16),
	SIZE(derived, 344),
	SIZE(detail, 24),
	SIZE(domain_info, 40),
	SIZE(estimate, 16),
	SIZE(event_error, 580),
	SIZE(frame, 64),
	SIZE(info, 704),
	SIZE(machine, 388),
	SIZE(metric, 16),
	SIZE(msr_entry, 152),
	SIZE(msr_error, 784),
	SIZE(msr_info, 24),
	SIZE(msr_op, 24),
	SIZE(place, 48),
	SIZE(operation, 32),
	SIZE(operations, 224),
	SIZE(pmu_model, 24),
	SIZE(readperf_sum, 16),
	SIZE(roofline_power, 16),
	SIZE(row, 112),
	SIZE(run, 48),
	SIZE(sampled_event, 32),
	SIZE(sampled_totals, 24),
	SIZE(sampling, 160),
	SIZE(selected_event, 128),
	SIZE(selection, 8208),
	SIZE(source_line, 24),
	SIZE(spy_cpu, 56),
	SIZE(spy_event, 120),
	SIZE(spy_trouble, 688),
	SIZE(statement, 400),
	SIZE(writer_totals, 48),
};

TEST(frozen_sizes)
{
	if (sizeof(void *) != 8)
		SKIP(return, "sizes are those of 64-bit machines");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		EXPECT_EQ(sizes[i].expected, sizes[i].size) {
			TH_LOG("struct kermon_%s", sizes[i].name);
		}
	}
}

/* What begins with its size, so that it may grow, does begin with it. */
TEST(size_comes_first)
{
	EXPECT_EQ(0, offsetof(struct kermon_report_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_graph_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_profile_callbacks, size));
	EXPECT_EQ(0, offsetof(struct kermon_file_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_merge_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_msr_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_writer_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_recorder_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_sampled_options, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_basis, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_function, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_interval, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_origin, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_sample, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_sums, size));
	EXPECT_EQ(0, offsetof(struct kermon_roofline_thread, size));
	EXPECT_EQ(0, offsetof(struct kermon_ceiling, size));
	EXPECT_EQ(0, offsetof(struct kermon_ceilings_about, size));
	EXPECT_EQ(0, offsetof(struct kermon_spy_set, size));
	EXPECT_EQ(0, offsetof(struct kermon_spy_sample, size));
	EXPECT_EQ(0, offsetof(struct kermon_watch, size));
	EXPECT_EQ(0, offsetof(struct kermon_spy_options, size));
}

TEST_HARNESS_MAIN
