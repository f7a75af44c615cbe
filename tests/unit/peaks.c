// SPDX-License-Identifier: GPL-2.0
/*
 * Peaks of power: which intervals make a window, and which do not, whether samples are parsed
 * one by one or added by the fast path.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/report.h>

#include "written.h"

#include "kselftest_harness.h"

#define MS		2000000ULL	/* cycles */
#define PACKAGE		8		/* index of its column */

FIXTURE(peaks)
{
	struct written file;
	struct kermon_report *report;
	uint64_t tsc;
};

/* Keys that are no members of rows make the report parse each sample. */
FIXTURE_VARIANT(peaks) { const char *keys; };
FIXTURE_VARIANT_ADD(peaks, known) { .keys = "tid" };
FIXTURE_VARIANT_ADD(peaks, parsed) { .keys = "tid,weight" };

FIXTURE_SETUP(peaks)
{
	const struct kermon_report_options options = {
		.size = sizeof(options),
		.keys = variant->keys,
	};

	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	self->tsc = 1ULL << 40;
}

FIXTURE_TEARDOWN(peaks)
{
	kermon_report_free(self->report);
	written_end(&self->file);
}

/* An interval of @ms at @watts, on a CPU, after @gap ms in which the thread was elsewhere. */
static int put(FIXTURE_DATA(peaks) *self, int thread, int cpu, unsigned int gap,
	       unsigned int ms, double watts)
{
	struct logged logged = logged_sample(thread, self->tsc + gap * MS, ms * MS);

	logged.sample.record.cpu = cpu;
	logged.values[7] = watts * ms / 1000 * 65536;
	self->tsc = logged.sample.tsc_end;
	return kermon_writer_log(self->file.writer, &logged, sizeof(logged));
}

static int read_it(FIXTURE_DATA(peaks) *self)
{
	return kermon_writer_round(self->file.writer) ||
	       kermon_writer_finish(self->file.writer) ||
	       kermon_report_read(self->report, self->file.path);
}

/* Peak of a thread; NaN if it has none, -1 if it has no row. */
static double peak_of(FIXTURE_DATA(peaks) *self, int thread, size_t column)
{
	const struct kermon_table *table;

	if (kermon_report_table(self->report, "tid", 0, &table))
		return -1;
	for (size_t i = 0; i < table->nr_rows; i++)
		if (table->rows[i].tid == (uint32_t)getpid() + thread)
			return kermon_peak_watts(self->report, table, i, column);
	return -1;
}

#define EXPECT_NEAR(expected, seen)	EXPECT_GT(0.01, fabs((seen) - (expected)))

TEST_F(peaks, highest_of_several_windows)
{
	for (int i = 0; i < 6; i++)
		ASSERT_EQ(0, put(self, 0, 0, 0, 50, 10));
	ASSERT_EQ(0, put(self, 0, 0, 0, 50, 40));
	ASSERT_EQ(0, put(self, 0, 0, 0, 50, 20));
	ASSERT_EQ(0, put(self, 1, 0, 0, 200, 25));
	ASSERT_EQ(0, read_it(self));
	EXPECT_NEAR(30, peak_of(self, 0, PACKAGE));
	EXPECT_NEAR(25, peak_of(self, 1, PACKAGE));
	EXPECT_NEAR(30, kermon_peak_watts(self->report, NULL, 0, PACKAGE));
	/* The part "alone", another kind of column, and none. */
	EXPECT_TRUE(isnan(peak_of(self, 0, PACKAGE + 1)));
	EXPECT_TRUE(isnan(peak_of(self, 0, 0)));
	EXPECT_TRUE(isnan(kermon_peak_watts(self->report, NULL, 0, 99)));
}

/* What is shorter than a window says nothing, however high it is. */
TEST_F(peaks, short_intervals)
{
	ASSERT_EQ(0, put(self, 0, 0, 0, 99, 1000));
	ASSERT_EQ(0, put(self, 1, 0, 0, 60, 10));
	ASSERT_EQ(0, put(self, 1, 1, 0, 60, 10));
	for (int i = 0; i < 100; i++)
		ASSERT_EQ(0, put(self, 2, 0, 5, 4, i % 2 ? 100 : 10));
	ASSERT_EQ(0, read_it(self));
	for (int thread = 0; thread < 3; thread++) {
		EXPECT_TRUE(isnan(peak_of(self, thread, PACKAGE))) {
			TH_LOG("thread %d", thread);
		}
	}
	EXPECT_TRUE(isnan(kermon_peak_watts(self->report, NULL, 0, PACKAGE)));
}

/* A thread that is there more than half of the time; then one that returns from a long sleep. */
TEST_F(peaks, gaps)
{
	for (int i = 0; i < 40; i++)
		ASSERT_EQ(0, put(self, 0, 0, 2, 5, i < 20 ? 30 : 10));
	ASSERT_EQ(0, put(self, 1, 0, 0, 90, 90));
	ASSERT_EQ(0, put(self, 1, 0, 5000, 50, 10));
	ASSERT_EQ(0, put(self, 1, 0, 0, 50, 10));
	ASSERT_EQ(0, read_it(self));
	EXPECT_NEAR(30, peak_of(self, 0, PACKAGE));
	EXPECT_NEAR(10, peak_of(self, 1, PACKAGE));
}

TEST_F(peaks, invalid_intervals_do_not_count)
{
	struct logged logged;

	ASSERT_EQ(0, put(self, 0, 0, 0, 60, 20));
	logged = logged_sample(0, self->tsc, 60 * MS);
	logged.sample.record.type = KERMON_RECORD_INVALID;
	logged.values[7] = 1 << 30;
	self->tsc = logged.sample.tsc_end;
	ASSERT_EQ(0, kermon_writer_log(self->file.writer, &logged, sizeof(logged)));
	ASSERT_EQ(0, put(self, 0, 0, 0, 60, 20));
	ASSERT_EQ(0, read_it(self));
	EXPECT_NEAR(20, peak_of(self, 0, PACKAGE));
}

TEST_F(peaks, no_table_by_event)
{
	const struct kermon_report_options options = {
		.size = sizeof(options), .keys = "tid,event",
	};
	const struct kermon_table *table;
	struct kermon_report *report = kermon_report_new(&options);

	ASSERT_EQ(0, put(self, 0, 0, 0, 150, 20));
	ASSERT_EQ(0, kermon_writer_round(self->file.writer));
	ASSERT_EQ(0, kermon_writer_finish(self->file.writer));
	ASSERT_EQ(0, kermon_report_read(report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(report, "tid,event", 0, &table));
	for (size_t i = 0; i < table->nr_rows; i++) {
		EXPECT_TRUE(isnan(kermon_peak_watts(report, table, i, PACKAGE)));
	}
	EXPECT_NEAR(20, kermon_peak_watts(report, NULL, 0, PACKAGE));
	kermon_report_free(report);
}

TEST_HARNESS_MAIN
