// SPDX-License-Identifier: GPL-2.0
/*
 * Samples that look alike, byte for byte, belong to different rows after a change of
 * their thread or of its address space.
 */
#include <errno.h>
#include <string.h>

#include <kermon/report.h>

#include "synthetic.h"

#include "kselftest_harness.h"

FIXTURE(memos)
{
	struct synthetic file;
	struct kermon_report *report;
	const struct kermon_table *table;
};

static const char *const events[] = { "instructions:u", "cycles:u", NULL };

FIXTURE_SETUP(memos)
{
	self->report = kermon_report_new(NULL);
	ASSERT_NE(NULL, self->report);
	synthetic_begin(&self->file, events);
	synthetic_comm(&self->file, 1, 1, "first", 1, false);
	synthetic_mmap(&self->file, 1, 0x1000, 0x1000, 0, "/no/where/a", 1);
}

FIXTURE_TEARDOWN(memos)
{
	kermon_report_free(self->report);
	synthetic_end(&self->file);
}

/* The same sample three times: all but the first are like one before. */
static void put(struct synthetic *file, unsigned int event, uint32_t cpu,
		uint64_t time, uint64_t period)
{
	for (int i = 0; i < 3; i++)
		synthetic_sample(file, &(struct synthetic_sample){
			.event = event, .pid = 1, .tid = 1, .cpu = cpu,
			.time = time, .period = period, .ip = 0x1800,
		});
}

static int read_file(struct synthetic *file, struct kermon_report *report,
		     const char *keys, const struct kermon_table **table)
{
	int err;

	synthetic_finish(file);
	err = kermon_report_read(report, file->path);
	return err ? err : kermon_report_table(report, keys, 0, table);
}

/* The sum of an event in a row; 0: there is no such row. */
static uint64_t value(const struct kermon_table *table, const char *comm,
		      const char *dso, uint32_t cpu, unsigned int event)
{
	const struct kermon_row *row = table->rows;

	for (; row < table->rows + table->nr_rows; row++)
		if ((!comm || !strcmp(row->comm, comm)) &&
		    (!dso || (row->dso && !strcmp(row->dso, dso))) &&
		    row->cpu == cpu)
			return row->values[event];
	return 0;
}

TEST_F(memos, name)
{
	put(&self->file, 0, 0, 10, 1);
	synthetic_comm(&self->file, 1, 1, "second", 20, true);
	put(&self->file, 0, 0, 30, 10);
	synthetic_comm(&self->file, 1, 1, "first", 40, false);
	put(&self->file, 0, 0, 50, 100);
	ASSERT_EQ(0, read_file(&self->file, self->report, "comm",
			       &self->table));
	EXPECT_EQ(303, value(self->table, "first", NULL, 0, 0));
	EXPECT_EQ(30, value(self->table, "second", NULL, 0, 0));
}

TEST_F(memos, mapping)
{
	put(&self->file, 0, 0, 10, 1);
	synthetic_mmap(&self->file, 1, 0x1000, 0x1000, 0, "/no/where/b", 20);
	put(&self->file, 0, 0, 30, 10);
	synthetic_mmap(&self->file, 1, 0x5000, 0x1000, 0, "/no/where/c", 40);
	put(&self->file, 0, 0, 50, 100);
	ASSERT_EQ(0, read_file(&self->file, self->report, "dso",
			       &self->table));
	EXPECT_EQ(3, value(self->table, NULL, "a", 0, 0));
	EXPECT_EQ(330, value(self->table, NULL, "b", 0, 0));
}

/* Another process with the same pid, which maps nothing. */
TEST_F(memos, number_used_again)
{
	put(&self->file, 0, 0, 10, 1);
	synthetic_task(&self->file, PERF_RECORD_EXIT, 1, 1, 0, 0, 20);
	synthetic_comm(&self->file, 7, 7, "parent", 21, false);
	synthetic_task(&self->file, PERF_RECORD_FORK, 1, 1, 7, 7, 22);
	put(&self->file, 0, 0, 30, 10);
	ASSERT_EQ(0, read_file(&self->file, self->report, "comm,dso",
			       &self->table));
	EXPECT_EQ(3, value(self->table, "first", "a", 0, 0));
	EXPECT_EQ(30, value(self->table, "parent", NULL, 0, 0));
	EXPECT_EQ(0, value(self->table, "parent", "a", 0, 0));
}

TEST_F(memos, event_and_cpu)
{
	put(&self->file, 0, 0, 10, 1);
	put(&self->file, 1, 0, 10, 10);
	put(&self->file, 0, 3, 10, 100);
	put(&self->file, 1, 0, 10, 1000);
	ASSERT_EQ(0, read_file(&self->file, self->report, "cpu",
			       &self->table));
	EXPECT_EQ(3, value(self->table, NULL, NULL, 0, 0));
	EXPECT_EQ(3030, value(self->table, NULL, NULL, 0, 1));
	EXPECT_EQ(300, value(self->table, NULL, NULL, 3, 0));
	EXPECT_EQ(6, kermon_report_column(self->report, 1)->records);
}

/* Each list has all samples, and a table has the keys of one of them. */
TEST_F(memos, lists)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .keys = "comm;dso,cpu;srcline,cpu",
	};
	const struct kermon_table *table;

	kermon_report_free(self->report);
	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	put(&self->file, 0, 0, 10, 1);
	synthetic_comm(&self->file, 1, 1, "second", 20, true);
	put(&self->file, 0, 3, 30, 10);
	synthetic_mmap(&self->file, 1, 0x1000, 0x1000, 0, "/no/where/b", 40);
	put(&self->file, 1, 3, 50, 100);
	ASSERT_EQ(0, read_file(&self->file, self->report, "comm",
			       &self->table));
	EXPECT_EQ(2, self->table->nr_rows);
	EXPECT_EQ(3, value(self->table, "first", NULL, 0, 0));
	EXPECT_EQ(30, value(self->table, "second", NULL, 0, 0));
	EXPECT_EQ(300, value(self->table, "second", NULL, 0, 1));
	ASSERT_EQ(0, kermon_report_table(self->report, "cpu,dso", 0, &table));
	EXPECT_EQ(3, table->nr_rows);
	EXPECT_EQ(3, value(table, NULL, "a", 0, 0));
	EXPECT_EQ(30, value(table, NULL, "a", 3, 0));
	EXPECT_EQ(300, value(table, NULL, "b", 3, 1));
	ASSERT_EQ(0, kermon_report_table(self->report, "dso", 0, &table));
	EXPECT_EQ(33, value(table, NULL, "a", 0, 0));
	ASSERT_EQ(0, kermon_report_table(self->report, "srcline", 1, &table));
	EXPECT_EQ(1, table->nr_rows);
	EXPECT_EQ(300, table->rows[0].values[1]);
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "comm,dso", 0,
					       &table));
	EXPECT_EQ(6, kermon_report_column(self->report, 0)->records);
}

/* Time slices are found by parsing each sample: then, all keys are one list. */
TEST_F(memos, lists_with_details)
{
	struct kermon_report_options options = {
		.size = sizeof(options), .keys = "comm;dso,time",
	};
	const struct kermon_table *table;

	kermon_report_free(self->report);
	self->report = kermon_report_new(&options);
	ASSERT_NE(NULL, self->report);
	put(&self->file, 0, 0, 10, 1);
	ASSERT_EQ(0, read_file(&self->file, self->report, "comm",
			       &self->table));
	EXPECT_EQ(3, value(self->table, "first", NULL, 0, 0));
	ASSERT_EQ(0, kermon_report_table(self->report, "dso", 0, &table));
	EXPECT_EQ(3, value(table, NULL, "a", 0, 0));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "comm,dso", 0,
					       &table));
}

TEST_F(memos, wrong_lists)
{
	static const char *const wrong[] = {
		"", ";", "comm;", ";comm", "comm,;dso", "comm;nothing",
		"comm;dso;cpu;tid;pid",
	};
	struct kermon_report_options options = { .size = sizeof(options) };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		options.keys = wrong[i];
		errno = 0;
		EXPECT_EQ(NULL, kermon_report_new(&options));
		EXPECT_EQ(EINVAL, errno);
	}
	synthetic_finish(&self->file);
}

TEST_HARNESS_MAIN
