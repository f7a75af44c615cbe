// SPDX-License-Identifier: GPL-2.0
/* From the bytes of a file to the sums of a report. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <kermon/report.h>
#include <linux/kermon.h>

#include "collected.h"
#include "synthetic.h"

#include "kselftest_harness.h"

FIXTURE(report)
{
	struct synthetic file;
	struct kermon_report_options options;
	struct kermon_report *report;
};

FIXTURE_SETUP(report)
{
	self->options = collected();
	self->report = kermon_report_new(&self->options);
	ASSERT_NE(NULL, self->report);
}

FIXTURE_TEARDOWN(report)
{
	kermon_report_free(self->report);
	kermon_damages_free(self->options.damages);
	synthetic_end(&self->file);
}

static const struct kermon_row *find_row(const struct kermon_table *table,
					 const char *comm, uint32_t tid)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (table->rows[i].tid == tid &&
		    !strcmp(table->rows[i].comm, comm))
			return &table->rows[i];
	return NULL;
}

static const char *const two_events[] = { "instructions:u", "cycles:u", NULL };

static void put_sample(struct synthetic *file, unsigned int event,
		       uint32_t pid, uint32_t tid, uint64_t time,
		       uint64_t period)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.event = event, .pid = pid, .tid = tid, .time = time,
		.period = period, .ip = 0x1000,
	});
}

TEST_F(report, sums_by_thread)
{
	const struct kermon_table *table;
	const struct kermon_row *row;

	synthetic_begin(&self->file, two_events);
	synthetic_comm(&self->file, 10, 10, "main", 0, false);
	put_sample(&self->file, 0, 10, 10, 100, 5);
	put_sample(&self->file, 1, 10, 10, 100, 10);
	put_sample(&self->file, 0, 10, 11, 110, 7);
	put_sample(&self->file, 0, 10, 10, 120, 1ULL << 60);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
	ASSERT_EQ(2, kermon_report_nr_columns(self->report));
	EXPECT_EQ((1ULL << 60) + 12,
		  kermon_report_column(self->report, 0)->total);
	EXPECT_EQ(1, kermon_report_column(self->report, 1)->records);

	ASSERT_EQ(0, kermon_report_table(self->report, "comm,tid", 0, &table));
	ASSERT_EQ(2, table->nr_rows);
	row = find_row(table, "main", 10);
	ASSERT_NE(NULL, row);
	EXPECT_EQ((1ULL << 60) + 5, row->values[0]);
	EXPECT_EQ(10, row->values[1]);
	EXPECT_EQ(3, row->samples);
	/* never announced: named after its tid */
	ASSERT_NE(NULL, find_row(table, ":11", 11));
	EXPECT_EQ(row, &table->rows[0]);
}

/* Forks inherit the name, exec and reuse of a pid change it. */
TEST_F(report, life_of_tasks)
{
	const struct kermon_table *table;

	synthetic_begin(&self->file, two_events);
	synthetic_comm(&self->file, 1, 1, "make", 0, false);
	synthetic_task(&self->file, PERF_RECORD_FORK, 2, 2, 1, 1, 10);
	put_sample(&self->file, 0, 2, 2, 11, 1);
	synthetic_comm(&self->file, 2, 2, "cc", 12, true);
	put_sample(&self->file, 0, 2, 2, 13, 2);
	synthetic_task(&self->file, PERF_RECORD_FORK, 2, 3, 2, 2, 14);
	put_sample(&self->file, 0, 2, 3, 15, 4);
	synthetic_task(&self->file, PERF_RECORD_EXIT, 2, 2, 1, 1, 16);
	put_sample(&self->file, 0, 2, 2, 17, 8);
	synthetic_task(&self->file, PERF_RECORD_FORK, 2, 2, 1, 1, 20);
	put_sample(&self->file, 0, 2, 2, 21, 16);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "comm,tid", 0, &table));
	ASSERT_EQ(3, table->nr_rows);
	EXPECT_EQ(1 + 16, find_row(table, "make", 2)->values[0]);
	EXPECT_EQ(2 + 8, find_row(table, "cc", 2)->values[0]);
	EXPECT_EQ(4, find_row(table, "cc", 3)->values[0]);
}

/* Written CPU by CPU: names are those at the time, not at the offset in the file. */
TEST_F(report, order_of_time)
{
	const struct kermon_table *table;

	synthetic_begin(&self->file, two_events);
	put_sample(&self->file, 0, 1, 1, 100, 1);
	put_sample(&self->file, 0, 1, 1, 300, 2);
	synthetic_comm(&self->file, 1, 1, "old", 50, false);
	synthetic_comm(&self->file, 1, 1, "new", 200, true);
	synthetic_round(&self->file);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "comm,tid", 0, &table));
	EXPECT_EQ(1, find_row(table, "old", 1)->values[0]);
	EXPECT_EQ(2, find_row(table, "new", 1)->values[0]);
	EXPECT_EQ(0, kermon_report_losses(self->report)->late);
}

TEST_F(report, mappings)
{
	static const struct {
		uint64_t ip;
		const char *dso;
	} places[] = {
		{ 0x0fff, NULL },
		{ 0x1000, "one" },
		{ 0x2000, "two" },
		{ 0x2fff, "two" },
		{ 0x3000, "one" },
		{ 0x4000, NULL },
	};
	const struct kermon_table *table;
	const struct kermon_row *row;
	size_t nr = sizeof(places) / sizeof(places[0]);

	synthetic_begin(&self->file, two_events);
	synthetic_mmap(&self->file, 5, 0x1000, 0x3000, 0, "/x/one", 1);
	synthetic_mmap(&self->file, 5, 0x2000, 0x1000, 0, "/x/two", 2);
	for (size_t i = 0; i < nr; i++)
		synthetic_sample(&self->file, &(struct synthetic_sample){
			.pid = 5, .tid = 5, .time = 10, .ip = places[i].ip,
			.period = 1, .cpu = i,
		});
	/* another process has none of this */
	synthetic_sample(&self->file, &(struct synthetic_sample){
		.pid = 6, .tid = 6, .time = 10, .ip = 0x1000, .period = 1,
		.cpu = nr,
	});
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "cpu,dso", 0, &table));
	ASSERT_EQ(nr + 1, table->nr_rows);
	for (size_t i = 0; i < table->nr_rows; i++) {
		row = &table->rows[i];
		if (row->cpu < nr && places[row->cpu].dso) {
			EXPECT_STREQ(places[row->cpu].dso, row->dso);
		} else {
			EXPECT_EQ(NULL, row->dso);
		}
	}
}

static const char *const kermon_events[] = {
	"instructions:u", "cycles:u",
	"FP_COMP_OPS_EXE:SSE_PACKED_SINGLE:u", "SIMD_FP_256:PACKED_DOUBLE:u",
	"oncpu", "power/energy-pkg/", NULL,
};

enum { INSTRUCTIONS, CYCLES, SSE_SINGLE, AVX_DOUBLE, ONCPU, PACKAGE };

/* The samples of one interval, as 'kermon run' writes them. */
static void put_interval(struct synthetic *file, uint32_t tid, uint64_t time,
			 bool alone, uint64_t joules)
{
	const struct perfdata_rest rest = {
		.type = KERMON_RECORD_SAMPLE,
		.flags = alone ? KERMON_SAMPLE_ALONE : 0,
	};

	synthetic_sample(file, &(struct synthetic_sample){
		.event = ONCPU, .pid = 1, .tid = tid, .time = time,
		.period = 1000, .rest = &rest,
		.values = {
			[INSTRUCTIONS] = 300, [CYCLES] = 200,
			[SSE_SINGLE] = 10, [AVX_DOUBLE] = 5,
			[PACKAGE] = joules << 32,
		},
	});
}

TEST_F(report, metrics_of_a_recording)
{
	const struct kermon_table *table;
	const struct kermon_row *row;

	synthetic_start(&self->file, kermon_events, ONCPU);
	put_interval(&self->file, 1, 100, true, 3);
	put_interval(&self->file, 1, 200, false, 4);
	synthetic_lost(&self->file, ONCPU, 7, 200);
	synthetic_lost(&self->file, CYCLES, 2, 200);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
	EXPECT_EQ(7, kermon_report_losses(self->report)->samples);
	EXPECT_EQ(2, kermon_report_losses(self->report)->records);
	EXPECT_EQ(ONCPU, kermon_report_weight(self->report));
	ASSERT_EQ(7, kermon_report_nr_columns(self->report));
	EXPECT_TRUE(kermon_report_column(self->report, PACKAGE + 1)->alone);

	ASSERT_EQ(0, kermon_report_table(self->report, "tid", ONCPU, &table));
	ASSERT_EQ(1, table->nr_rows);
	row = &table->rows[0];
	EXPECT_EQ(2000, row->values[ONCPU]);
	EXPECT_EQ(1.5, kermon_ipc(self->report, row->values));
	EXPECT_EQ(2 * 10 * 4, kermon_flop(self->report, row->values,
					  KERMON_SINGLE));
	EXPECT_EQ(2 * 5 * 4, kermon_flop(self->report, row->values,
					 KERMON_DOUBLE));
	EXPECT_EQ(7.0, kermon_joules(row->values[PACKAGE]));
	EXPECT_EQ(3.0, kermon_joules(row->values[PACKAGE + 1]));
	EXPECT_EQ(7.0 / 2e-6, kermon_watts(self->report, row->values, PACKAGE));
	EXPECT_TRUE(isnan(kermon_watts(self->report, row->values, PACKAGE + 1)));
	EXPECT_TRUE(isnan(kermon_watts(self->report, row->values, ONCPU)));
	EXPECT_TRUE(isnan(kermon_watts(self->report, row->values, PACKAGE + 2)));
	EXPECT_TRUE(isnan(kermon_watts(self->report, (uint64_t[7]){ 0 }, PACKAGE)));
}

TEST_F(report, keys)
{
	const struct kermon_table *table;

	synthetic_begin(&self->file, two_events);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "", 0, &table));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "tid,", 0,
					       &table));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "thread", 0,
					       &table));
	EXPECT_EQ(-EINVAL, kermon_report_table(self->report, "tid,tid", 0,
					       &table));
	EXPECT_EQ(0, kermon_report_table(self->report,
					 "sym,dso,cpu,tid,pid,comm", 0,
					 &table));
	EXPECT_EQ(0, table->nr_rows);
	EXPECT_TRUE(isnan(kermon_ipc(self->report,
				     (uint64_t[]){ 0, 0 })));
}

/* Each is passed on once, whatever is queried first. */
TEST_F(report, files_without_names)
{
	const char *paths[] = { "/nonexistent/1", "/nonexistent/2", "/nonexistent/3" };
	const struct kermon_table *table;
	const char *told[4];
	size_t i, j, seen;

	synthetic_begin(&self->file, two_events);
	for (i = 0; i < 3; i++) {
		synthetic_mmap(&self->file, 10 + i, 0x1000, 0x1000, 0, paths[i], 1);
		put_sample(&self->file, 0, 10 + i, 10 + i, 2 + i, 1);
	}
	synthetic_finish(&self->file);
	EXPECT_EQ(NULL, kermon_report_unresolved(self->report, 0));
	ASSERT_EQ(0, kermon_report_read(self->report, self->file.path));
	ASSERT_EQ(0, kermon_report_table(self->report, "sym", 0, &table));
	for (i = 0; i < 4; i++)
		told[i] = kermon_report_unresolved(self->report, i);
	EXPECT_EQ(NULL, told[3]);
	for (i = 0; i < 3; i++) {
		for (seen = 0, j = 0; j < 3; j++)
			seen += !strncmp(told[j], paths[i], strlen(paths[i]));
		EXPECT_EQ(1, seen);
	}
	EXPECT_EQ(told[0], kermon_report_unresolved(self->report, 0));
	EXPECT_EQ(told[2], kermon_report_unresolved(self->report, 2));
	EXPECT_EQ(told[1], kermon_report_unresolved(self->report, 1));
}

TEST_HARNESS_MAIN
