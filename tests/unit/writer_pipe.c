// SPDX-License-Identifier: GPL-2.0
/*
 * The form of perf.data for pipes has the same contents as a file, and is written without
 * going back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/merge.h>
#include <kermon/report.h>

#include "perfdata/format/format.h"

#include "written.h"

#include "kselftest_harness.h"

#define NR_SAMPLES	500

/* The same log in both forms. */
FIXTURE(forms)
{
	struct written file;
	struct written pipe;
};

FIXTURE_VARIANT(forms)
{
	int compression;
};

FIXTURE_VARIANT_ADD(forms, plain) { .compression = 0 };
FIXTURE_VARIANT_ADD(forms, compressed) { .compression = 1 };

FIXTURE_SETUP(forms)
{
	self->pipe.pipe = true;
	self->pipe.compression = variant->compression;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	ASSERT_EQ(0, written_begin(&self->pipe, KERMON_CLOCK_PERF));
	/* Whatever is written to an earlier offset would be appended as well. */
	ASSERT_EQ(0, fcntl(self->pipe.fd, F_SETFL, O_APPEND));
}

FIXTURE_TEARDOWN(forms)
{
	written_end(&self->file);
	written_end(&self->pipe);
}

static int put_log(struct written *written)
{
	struct logged record;
	uint64_t tsc = 1ULL << 40;
	int err = kermon_writer_note(written->writer, "version", "1");

	if (!err)
		err = kermon_writer_start(written->writer, getpid());
	for (int i = 0; i < NR_SAMPLES && !err; i++) {
		record = logged_sample(i % 3, tsc, 1000000);
		record.sample.record.cpu = i % NR_CPUS;
		for (int j = 0; j < NR_EVENTS - 1; j++)
			record.values[j] = i % (j + 2) ? 1000 * i + j : 0;
		tsc = record.sample.tsc_end;
		err = kermon_writer_log(written->writer, &record, sizeof(record));
		if (!err && i % 100 == 99)
			err = kermon_writer_round(written->writer);
	}
	return err;
}

/* Add the last notes and end the file. */
static int put_end(struct written *written)
{
	int err = kermon_writer_note(written->writer, "ended", "exit");

	if (!err)
		err = kermon_writer_note(written->writer, "complete", "1");
	return err ? err : kermon_writer_finish(written->writer);
}

/* What perf prints, without its hint, which depends on the second; to be freed. */
static char *perf_output(const struct written *written, const char *how)
{
	FILE *perf = written_perf(written, how);
	char *text = NULL, *line = NULL;
	size_t size = 0, room = 0;
	FILE *out = open_memstream(&text, &size);

	while (perf && getline(&line, &room, perf) >= 0)
		if (!strstr(line, "(Tip: "))
			fputs(line, out);
	if (perf)
		pclose(perf);
	free(line);
	fclose(out);
	return text;
}

TEST_F(forms, perf_finds_the_same)
{
	static const char *const commands[] = {
		"script -F comm,pid,tid,cpu,time,event,period --ns",
		"report --stdio -s pid,sym,dso",
	};
	char *of_file, *of_pipe;

	ASSERT_EQ(0, put_log(&self->file));
	ASSERT_EQ(0, put_log(&self->pipe));
	ASSERT_EQ(0, put_end(&self->file));
	ASSERT_EQ(0, put_end(&self->pipe));
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		of_file = perf_output(&self->file, commands[i]);
		of_pipe = perf_output(&self->pipe, commands[i]);
		EXPECT_STREQ(of_file, of_pipe) TH_LOG("%s", commands[i]);
		EXPECT_TRUE(strstr(of_pipe, "instructions:u"));
		free(of_file);
		free(of_pipe);
	}
}

static enum kermon_completeness completeness_of(const struct written *written)
{
	const struct kermon_report_options options = { .size = sizeof(options) };
	struct kermon_report *report = kermon_report_new(&options);
	enum kermon_completeness found = KERMON_COMPLETENESS_UNKNOWN;

	if (report && !kermon_report_read(report, written->path))
		found = kermon_report_statements(report)->completeness;
	kermon_report_free(report);
	return found;
}

static int merge_of(const struct written *written)
{
	const struct kermon_merge_options options = { .size = sizeof(options) };
	struct kermon_merge *merge = kermon_merge_new(&options);
	const int err = merge ? kermon_merge_add(merge, written->path) : -ENOMEM;

	kermon_merge_free(merge);
	return err;
}

/* The notes at the end say whether it is one: a pipe has no size that could. */
TEST_F(forms, end_is_told)
{
	ASSERT_EQ(0, put_log(&self->pipe));
	ASSERT_EQ(0, kermon_writer_save(self->pipe.writer));
	EXPECT_EQ(KERMON_INCOMPLETE, completeness_of(&self->pipe));
	EXPECT_EQ(-EINVAL, merge_of(&self->pipe));
	ASSERT_EQ(0, put_end(&self->pipe));
	EXPECT_EQ(KERMON_COMPLETE, completeness_of(&self->pipe));
	EXPECT_EQ(0, merge_of(&self->pipe));
}

/* perf inject rewrites a file; notes are a record, which it copies. */
TEST_F(forms, perf_copies_the_file)
{
	struct written copy = self->file;
	char command[256], *of_file, *of_copy;

	ASSERT_EQ(0, put_log(&self->file));
	ASSERT_EQ(0, put_end(&self->file));
	snprintf(copy.path, sizeof(copy.path), "%.50s.copy", self->file.path);
	snprintf(command, sizeof(command),
		 "HOME=/nonexistent perf inject -i %s -o %s", self->file.path,
		 copy.path);
	EXPECT_EQ(0, system(command));
	of_file = perf_output(&self->file, "script -F pid,tid,cpu,time,event,period");
	of_copy = perf_output(&copy, "script -F pid,tid,cpu,time,event,period");
	EXPECT_TRUE(strstr(of_file, "instructions:u"));
	EXPECT_STREQ(of_file, of_copy);
	EXPECT_EQ(KERMON_COMPLETE, completeness_of(&self->file));
	EXPECT_EQ(KERMON_COMPLETE, completeness_of(&copy));
	free(of_file);
	free(of_copy);
	unlink(copy.path);
}

/* The ids of an event are in one record, which has at most 64 KiB. */
TEST(too_many_cpus)
{
	struct written written = { .pipe = true, .nr_cpus = 9000 };

	EXPECT_EQ(-E2BIG, written_begin(&written, KERMON_CLOCK_PERF));
	written_end(&written);
	written = (struct written){ .pipe = true, .nr_cpus = 8000 };
	EXPECT_EQ(0, written_begin(&written, KERMON_CLOCK_PERF));
	EXPECT_EQ(0, kermon_writer_save(written.writer));
	EXPECT_EQ(0, kermon_writer_finish(written.writer));
	written_end(&written);
}

TEST_HARNESS_MAIN
