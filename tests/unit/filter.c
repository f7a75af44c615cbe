// SPDX-License-Identifier: GPL-2.0
/* Which samples a filter passes, and which lists it accepts. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <kermon/filter.h>
#include <kermon/report.h>

#include "collected.h"
#include "synthetic.h"

#include "kselftest_harness.h"

FIXTURE(filter)
{
	struct synthetic file;
	struct kermon_filter *filter;
	struct kermon_report_options options;
	struct kermon_report *report;
};

static const char *const events[] = { "instructions:u", NULL };

static void put(struct synthetic *file, uint32_t pid, uint32_t tid,
		uint32_t cpu, uint64_t time, uint64_t ip, uint64_t period)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.pid = pid, .tid = tid, .cpu = cpu, .time = time,
		.period = period, .ip = ip,
	});
}

/* The weight of each sample is a power of two: a sum tells which ones passed. */
static void make_file(struct synthetic *file)
{
	synthetic_begin(file, events);
	synthetic_comm(file, 10, 10, "f(int, int)", 0, false);
	synthetic_mmap(file, 10, 0x1000, 0x1000, 0, "/no/where/libm.so", 0);
	synthetic_comm(file, 20, 20, "sh", 0, false);
	put(file, 10, 10, 0, 1000000000, 0x1800, 1);
	put(file, 10, 11, 1, 2000000000, 0x1900, 2);
	put(file, 20, 20, 2, 3000000000, 0x1800, 4);
	synthetic_comm(file, 20, 20, "make", 3500000000, true);
	put(file, 20, 20, 3, 4000000001, 0x1900, 8);
	synthetic_finish(file);
}

FIXTURE_SETUP(filter)
{
	self->filter = kermon_filter_new();
	ASSERT_NE(NULL, self->filter);
	self->options = collected();
	make_file(&self->file);
}

FIXTURE_TEARDOWN(filter)
{
	kermon_report_free(self->report);
	kermon_filter_free(self->filter);
	kermon_damages_free(self->options.damages);
	synthetic_end(&self->file);
}

/* The sum of what passes; ~0: the file cannot be read. */
static uint64_t sum(FIXTURE_DATA(filter) *self,
		    const struct kermon_filter *filter)
{
	self->options.filter = filter;
	self->report = kermon_report_new(&self->options);
	if (kermon_report_read(self->report, self->file.path))
		return ~0ULL;
	return kermon_report_column(self->report, 0)->total;
}

struct passing {
	enum kermon_filter_by by;
	const char *list;
	uint64_t sum;
};

static const struct passing passing[] = {
	{ KERMON_FILTER_COMM, "sh", 4 },
	{ KERMON_FILTER_COMM, "sh,make", 4 + 8 },
	{ KERMON_FILTER_COMM, "f(int, int),make", 1 + 8 },
	{ KERMON_FILTER_COMM, ":11", 2 },
	{ KERMON_FILTER_COMM, "mak", 0 },
	{ KERMON_FILTER_PID, "10", 1 + 2 },
	{ KERMON_FILTER_TID, "10,20", 1 + 4 + 8 },
	{ KERMON_FILTER_TID, "11-20", 2 + 4 + 8 },
	{ KERMON_FILTER_CPU, "0,2-3", 1 + 4 + 8 },
	{ KERMON_FILTER_DSO, "libm.so", 1 + 2 },
	{ KERMON_FILTER_DSO, "/no/where/libm.so", 1 + 2 },
	{ KERMON_FILTER_DSO, "[unknown]", 4 + 8 },
	{ KERMON_FILTER_SYMBOL, "[unknown]", 15 },
	{ KERMON_FILTER_SYMBOL, "main", 0 },
	{ KERMON_FILTER_TIME, "2,3", 2 + 4 },
	{ KERMON_FILTER_TIME, "2.000000001,", 4 + 8 },
	{ KERMON_FILTER_TIME, "4.000000001", 8 },
	{ KERMON_FILTER_TIME, ",1.9999999999", 1 },
};

TEST_F(filter, passes)
{
	uint64_t found;

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++) {
		kermon_filter_free(self->filter);
		self->filter = kermon_filter_new();
		ASSERT_EQ(0, kermon_filter_add(self->filter, passing[i].by,
					       passing[i].list));
		found = sum(self, self->filter);
		EXPECT_EQ(passing[i].sum, found) {
			TH_LOG("'%s'", passing[i].list);
		}
		kermon_report_free(self->report);
		self->report = NULL;
	}
}

TEST_F(filter, without_one_all_pass)
{
	EXPECT_EQ(15, sum(self, NULL));
}

/* Each kind must match; lists of one kind are combined. */
TEST_F(filter, kinds_and_lists)
{
	kermon_filter_add(self->filter, KERMON_FILTER_CPU, "0");
	kermon_filter_add(self->filter, KERMON_FILTER_CPU, "2");
	kermon_filter_add(self->filter, KERMON_FILTER_CPU, "3");
	kermon_filter_add(self->filter, KERMON_FILTER_PID, "20");
	kermon_filter_add(self->filter, KERMON_FILTER_TIME, "0,1");
	kermon_filter_add(self->filter, KERMON_FILTER_TIME, "4,5");
	EXPECT_EQ(8, sum(self, self->filter));
}

TEST_F(filter, refuses)
{
	static const struct passing bad[] = {
		{ KERMON_FILTER_COMM, "", 0 },
		{ KERMON_FILTER_COMM, "a,,b", 0 },
		{ KERMON_FILTER_PID, "x", 0 },
		{ KERMON_FILTER_PID, "1,", 0 },
		{ KERMON_FILTER_TID, "-1", 0 },
		{ KERMON_FILTER_CPU, "3-2", 0 },
		{ KERMON_FILTER_CPU, "1-", 0 },
		{ KERMON_FILTER_CPU, " 1", 0 },
		{ KERMON_FILTER_PID, "99999999999999999999", 0 },
		{ KERMON_FILTER_TIME, "", 0 },
		{ KERMON_FILTER_TIME, ",", 0 },
		{ KERMON_FILTER_TIME, "2,1", 0 },
		{ KERMON_FILTER_TIME, "1,2,3", 0 },
		{ KERMON_FILTER_TIME, "99999999999,1", 0 },
		{ KERMON_FILTER_TIME, "1s", 0 },
		{ KERMON_FILTER_TIME, "20%", 0 },
		{ KERMON_FILTER_TIME, "20%-10%", 0 },
		{ KERMON_FILTER_TIME, "10%/0", 0 },
		{ KERMON_FILTER_TIME, "10%/11", 0 },
		{ KERMON_FILTER_TIME, "0%-101%", 0 },
		{ KERMON_FILTER_TIME, "10:30x", 0 },
		{ KERMON_FILTER_TIME, "10:30,5", 0 },
		{ KERMON_FILTER_COUNT, "1", 0 },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(-EINVAL, kermon_filter_add(self->filter, bad[i].by,
						     bad[i].list)) {
			TH_LOG("'%s'", bad[i].list);
		}
	}
}

/*
 * Percentages are of the time in the file's header, times of day by its CLOCK_DATA: this
 * file has neither.
 */
TEST_F(filter, needs_what_the_file_has)
{
	static const struct { const char *list, *message; } lists[] = {
		{ "0%-50%", "give times in seconds" },
		{ "10:30,", "time of day: it has no CLOCK_DATA, which perf record writes with -k; give times in seconds" },
	};

	for (size_t i = 0; i < 2; i++) {
		kermon_filter_free(self->filter);
		self->filter = kermon_filter_new();
		kermon_filter_add(self->filter, KERMON_FILTER_TIME,
				  lists[i].list);
		EXPECT_EQ(~0ULL, sum(self, self->filter));
		EXPECT_NE(NULL, strstr(kermon_damages_get(self->options.damages,
							  i)->text,
				       lists[i].message));
		kermon_report_free(self->report);
		self->report = NULL;
	}
}

TEST_HARNESS_MAIN
