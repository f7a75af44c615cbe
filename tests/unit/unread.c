// SPDX-License-Identifier: GPL-2.0
/*
 * Public functions of objects that have read no file: reading was not requested, failed,
 * or was stopped by a callback. No function crashes or returns invalid data.
 */
#include <errno.h>
#include <unistd.h>

#include "collected.h"
#include "public_calls.h"
#include "synthetic.h"

#include "kselftest_harness.h"

static const char *const two_events[] = { "instructions:u", "oncpu", NULL };

FIXTURE(unread)
{
	struct synthetic file;
	struct synthetic text;
	struct kermon_report_options options;
};

FIXTURE_SETUP(unread)
{
	synthetic_begin(&self->file, two_events);
	synthetic_comm(&self->file, 1, 1, "task", 1, false);
	for (unsigned int i = 0; i < 9; i++)
		synthetic_sample(&self->file, &(struct synthetic_sample){
			.event = i % 2, .pid = 1, .tid = 1, .time = 10 + i,
			.period = 1, .ip = 0x1000 + i,
		});
	synthetic_finish(&self->file);
	synthetic_begin(&self->text, two_events);
	memcpy(self->text.bytes, "This is a text", 14);
	synthetic_finish(&self->text);
	self->options = collected();
	self->options.calls = true;
}

FIXTURE_TEARDOWN(unread)
{
	public_damages(self->options.damages);
	kermon_damages_free(self->options.damages);
	synthetic_end(&self->file);
	synthetic_end(&self->text);
}

/* How reading fails; NULL: it is not requested. */
struct attempt {
	const char *path;
	int err;
};

#define for_each_attempt(attempt, self)					\
	for (const struct attempt *attempt = (const struct attempt[]){	\
		{ NULL, 0 }, { "/nonexistent", -ENOENT },		\
		{ "/", -EINVAL },						\
		{ (self)->text.path, -EINVAL }, { "", 1 },		\
	     }; attempt->err <= 0; attempt++)

static void expect_nothing(struct __test_metadata *_metadata,
			   struct kermon_report *report)
{
	const struct kermon_table *table;

	EXPECT_EQ(0, kermon_report_nr_columns(report));
	EXPECT_EQ(NULL, kermon_report_column(report, 0));
	EXPECT_EQ(NULL, kermon_report_note(report, "version"));
	EXPECT_EQ(-EINVAL, kermon_report_table(report, "comm", 0, &table));
	EXPECT_EQ(-EINVAL, kermon_report_callers(report, "sym", 0, &table));
}

TEST_F(unread, report)
{
	struct kermon_report *report;

	for_each_attempt(attempt, self) {
		report = kermon_report_new(&self->options);
		ASSERT_NE(NULL, report);
		if (attempt->path)
			EXPECT_EQ(attempt->err,
				  kermon_report_read(report, attempt->path));
		expect_nothing(_metadata, report);
		public_report(report);
		if (attempt->path)
			EXPECT_EQ(-EALREADY,
				  kermon_report_read(report, self->file.path));
		kermon_report_free(report);
	}
}

TEST_F(unread, report_that_was_read)
{
	struct kermon_report *report = kermon_report_new(&self->options);
	const struct kermon_table *table;

	ASSERT_EQ(0, kermon_report_read(report, self->file.path));
	EXPECT_EQ(-EALREADY, kermon_report_read(report, self->file.path));
	EXPECT_EQ(0, kermon_report_table(report, "comm", 1, &table));
	EXPECT_EQ(-EINVAL, kermon_report_table(report, "comm", 2, &table));
	public_report(report);
	kermon_report_free(report);
}

static const struct kermon_profile_callbacks callbacks = {
	.size = sizeof(callbacks),
	.sample = public_sample,
	.record = public_record,
	.count = public_count,
};

TEST_F(unread, profile)
{
	struct kermon_profile *profile;
	uint64_t wall;
	FILE *null = fopen("/dev/null", "we");

	ASSERT_NE(NULL, null);
	for_each_attempt(attempt, self) {
		profile = kermon_profile_new(&self->options, &callbacks, null);
		ASSERT_NE(NULL, profile);
		if (attempt->path)
			EXPECT_EQ(attempt->err,
				  kermon_profile_read(profile, attempt->path));
		EXPECT_EQ(NULL, kermon_profile_event(profile, 0));
		EXPECT_EQ(NULL, kermon_profile_arch(profile));
		EXPECT_NE(NULL, kermon_profile_wall(profile, 1, &wall));
		public_profile(profile);
		kermon_profile_free(profile);
	}
	fclose(null);
}

static int stop(void *context, const struct kermon_profile_sample *sample)
{
	(void)context;
	(void)sample;
	return 1234;
}

/* What was seen until then can still be queried. */
TEST_F(unread, profile_that_was_stopped)
{
	const struct kermon_profile_callbacks stopping = {
		.size = sizeof(stopping), .sample = stop,
	};
	struct kermon_profile *profile =
		kermon_profile_new(&self->options, &stopping, NULL);

	EXPECT_EQ(1234, kermon_profile_read(profile, self->file.path));
	EXPECT_STREQ("instructions:u", kermon_profile_event(profile, 0)->name);
	public_profile(profile);
	EXPECT_EQ(-EALREADY, kermon_profile_read(profile, self->file.path));
	kermon_profile_free(profile);
}

TEST_F(unread, readperf)
{
	struct kermon_readperf *readperf;
	struct kermon_metric metric;

	for_each_attempt(attempt, self) {
		readperf = kermon_readperf_new(&self->options,
					       public_readperf_record, NULL);
		ASSERT_NE(NULL, readperf);
		if (attempt->path)
			EXPECT_EQ(attempt->err,
				  kermon_readperf_read(readperf, attempt->path));
		EXPECT_EQ(NULL, kermon_readperf_event(readperf, 0, &metric));
		public_readperf(readperf);
		kermon_readperf_free(readperf);
	}
}

TEST_F(unread, file)
{
	const struct kermon_file_order *order;
	struct kermon_file *file;
	uint64_t late = 7;

	for_each_attempt(attempt, self) {
		file = kermon_file_new(NULL);
		ASSERT_NE(NULL, file);
		if (attempt->path)
			EXPECT_EQ(attempt->err,
				  kermon_file_open(file, attempt->path));
		EXPECT_EQ(-EINVAL, kermon_file_records(file, public_file_record,
						       NULL));
		EXPECT_EQ(-EINVAL, kermon_file_check(file, public_file_count,
						     NULL, &late));
		EXPECT_EQ(0, late);
		EXPECT_EQ(-EINVAL, kermon_file_order(file, public_file_moment,
						     NULL, &order));
		EXPECT_EQ(0, order->records);
		public_file(file);
		if (attempt->path)
			EXPECT_EQ(-EALREADY,
				  kermon_file_open(file, self->file.path));
		kermon_file_free(file);
	}
}

/* Nothing to merge, or something that cannot be merged. */
TEST_F(unread, merge)
{
	struct kermon_merge *merge;

	for_each_attempt(attempt, self) {
		merge = kermon_merge_new(NULL);
		ASSERT_NE(NULL, merge);
		if (attempt->path)
			EXPECT_EQ(attempt->err,
				  kermon_merge_add(merge, attempt->path));
		EXPECT_EQ(-EINVAL, kermon_merge_write(merge, 1));
		public_merge(merge, self->file.path);
		if (attempt->path)
			EXPECT_EQ(-EINVAL,
				  kermon_merge_add(merge, self->file.path));
		kermon_merge_free(merge);
	}
}

/* Functions that take the pointer of an object that was not created. */
TEST(no_object)
{
	kermon_damages_free(NULL);
	kermon_file_free(NULL);
	kermon_filter_free(NULL);
	kermon_graph_free(NULL);
	kermon_merge_free(NULL);
	kermon_profile_free(NULL);
	kermon_readperf_free(NULL);
	kermon_report_free(NULL);
}

TEST_HARNESS_MAIN
