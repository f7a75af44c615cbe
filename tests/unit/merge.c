// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of a program become one file: counts of each thread in one run are attributed to
 * where its counterpart did the same in the other, calculated by hand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/merge.h>
#include <kermon/report.h>
#include <kermon/writer.h>

#include "collected.h"
#include "merged.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#include "perfdata/write/write.h"

#include "kselftest_harness.h"

#define NR_FILES	4		/* the last one is the merged one */
#define MERGED		3
#define TSC_KHZ		1000000		/* a cycle is a nanosecond */
#define START		(1ULL << 40)

static char *const ran[] = { "kermon", "run", "--", "true", NULL };
static char *const attached[] = { "kermon", "attach", "-p", "1", NULL };

struct file {
	char path[64];
	int fd;
	struct kermon_info info;
	struct kermon_selection events;
	struct kermon_clock clock;
	struct kermon_writer *writer;
	int compression;
	uint64_t tsc;
};

struct interval {
	struct kermon_sample sample;
	uint64_t values[2];
};

FIXTURE(merge)
{
	struct file files[NR_FILES];
	struct kermon_merge *merge;
	struct kermon_report_options options;
	struct kermon_report *report;
};

/* Levels of compression. */
FIXTURE_VARIANT(merge)
{
	int of_runs;
	int of_merged;
};

FIXTURE_VARIANT_ADD(merge, plain) { .of_runs = 0 };
FIXTURE_VARIANT_ADD(merge, compressed_runs) { .of_runs = 1 };
FIXTURE_VARIANT_ADD(merge, compressed) { .of_runs = 1, .of_merged = 3 };

FIXTURE_SETUP(merge)
{
	const struct kermon_merge_options options = {
		.size = sizeof(options), .compression = variant->of_merged,
	};
	int i;

	for (i = 0; i < NR_FILES; i++) {
		strcpy(self->files[i].path, "/tmp/kermon-merge-XXXXXX");
		self->files[i].fd = mkstemp(self->files[i].path);
		ASSERT_GE(self->files[i].fd, 0);
		self->files[i].compression = variant->of_runs;
	}
	self->merge = kermon_merge_new(&options);
	self->options = collected();
	self->report = kermon_report_new(&self->options);
}

FIXTURE_TEARDOWN(merge)
{
	int i;

	kermon_merge_free(self->merge);
	kermon_report_free(self->report);
	kermon_damages_free(self->options.damages);
	for (i = 0; i < NR_FILES; i++) {
		kermon_writer_close(self->files[i].writer);
		close(self->files[i].fd);
		unlink(self->files[i].path);
	}
}

static void side_band(struct file *file, uint32_t type, const void *body,
		      size_t size)
{
	struct {
		struct perf_event_header header;
		char body[64];
	} record = { .header.type = type };
	struct perfdata_sample_id id = { .time = file->tsc - START + 1 };

	record.header.size = sizeof(record.header) + size + sizeof(id);
	memcpy(record.body, body, size);
	memcpy(record.body + size, &id, sizeof(id));
	kermon_writer_sideband(file->writer, &record.header);
}

static void name(struct file *file, uint32_t tid, const char *text)
{
	struct {
		uint32_t pid, tid;
		char name[16];
	} body = { .pid = 1, .tid = tid };

	strcpy(body.name, text);
	side_band(file, PERF_RECORD_COMM, &body, sizeof(body));
}

static void clone_thread(struct file *file, uint32_t parent, uint32_t tid)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = { 1, 1, tid, parent, file->tsc };

	side_band(file, PERF_RECORD_FORK, &body, sizeof(body));
}

/* A file with one event, whose number is in its name. */
static void begin(struct file *file, unsigned int event, unsigned int modes,
		  char *const *argv, bool marked)
{
	struct kermon_writer_options options = {
		.size = sizeof(options),
		.fd = file->fd,
		.events = &file->events,
		.count = modes,
		.info = &file->info,
		.clock = &file->clock,
		.argv = argv,
		.compression = file->compression,
	};

	file->events.nr = 1;
	file->events.events[0].event.config = 0x1000c + event;
	sprintf(file->events.events[0].name, "event-%u:u", event);
	file->info = (struct kermon_info){ .fixed = 1, .tsc_khz = TSC_KHZ };
	kermon_clock_init(&file->clock, TSC_KHZ);
	kermon_clock_set(&file->clock, -START, 1U << 31, 31);
	file->tsc = START;
	if (kermon_writer_open(&file->writer, &options))
		abort();
	if (marked && marked_add(file->writer))
		abort();
	name(file, 1, "program");
}

/* An intact file. */
static void begin_run(struct file *file, unsigned int event)
{
	begin(file, event, KERMON_COUNT_USER, ran, false);
}

static void put_record(struct file *file, uint16_t type, uint32_t tid,
		       uint64_t instructions, uint64_t count)
{
	struct interval interval = {
		.sample = {
			.record.type = type,
			.record.size = sizeof(interval),
			.pid = 1,
			.tid = tid,
			.reason = KERMON_REASON_TICK,
			.nr_fixed = 1,
			.nr_events = 1,
			.intervals = 1,
			.tsc_begin = file->tsc,
			.oncpu = 1000,
		},
		.values = { instructions, count },
	};

	file->tsc += interval.sample.oncpu;
	interval.sample.tsc_end = file->tsc;
	if (kermon_writer_log(file->writer, &interval, sizeof(interval)))
		abort();
}

static void put(struct file *file, uint32_t tid, uint64_t instructions,
		uint64_t count)
{
	put_record(file, KERMON_RECORD_SAMPLE, tid, instructions, count);
}

static void end(struct file *file)
{
	if (kermon_writer_round(file->writer) ||
	    kermon_writer_finish(file->writer))
		abort();
}

/* One thread with one interval. */
static void whole_run(struct file *file, unsigned int event,
		      uint64_t instructions, uint64_t count)
{
	begin_run(file, event);
	put(file, 1, instructions, count);
	end(file);
}

/* The first @nr files become one, which is read. */
static int merge(FIXTURE_DATA(merge) *self, unsigned int nr)
{
	struct file *merged = &self->files[MERGED];
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = kermon_merge_add(self->merge, self->files[i].path);
	if (!err)
		err = kermon_merge_write(self->merge, merged->fd);
	return err ? err : kermon_report_read(self->report, merged->path);
}

static struct counts counts_of(FIXTURE_DATA(merge) *self, uint32_t tid, const char *event)
{
	return counts_in(self->files[MERGED].path, false, tid, event);
}

/* The time of the run so far; @id says which one it was. */
static void mark(struct file *file, uint32_t id)
{
	const struct mark_record mark = {
		.kind = MARK_BEGIN, .words = MARK_WORDS, .id = id, .tsc = file->tsc,
	};
	struct marks_thread thread = { .pid = 1, .tid = 1 };

	if (marked_put(file->writer, &thread, &mark))
		abort();
}

static int count_regions(void *data, const struct pipeline_sample *sample)
{
	struct perfdata_mark mark;

	if (!perfdata_is_region(&sample->event->attr))
		return 0;
	memcpy(&mark, sample->fields->raw, sizeof(mark));
	*(uint32_t *)data += mark.id;
	return 0;
}

/* Marks are those of the first run. */
TEST_F(merge, regions)
{
	static const struct pipeline_consumer consumer = { .mark = count_regions };
	struct pipeline pipeline;
	uint32_t ids = 0;

	for (int i = 0; i < 2; i++) {
		begin(&self->files[i], i, KERMON_COUNT_USER, ran, true);
		mark(&self->files[i], 10 + i);
		put(&self->files[i], 1, 100, 10);
		mark(&self->files[i], 10 + i);
		end(&self->files[i]);
	}
	ASSERT_EQ(0, merge(self, 2)) TH_LOG("%s", kermon_merge_error(self->merge));
	EXPECT_TRUE(kermon_merge_run(self->merge, 0)->regions);
	EXPECT_TRUE(kermon_merge_run(self->merge, 1)->regions);
	EXPECT_COUNTS(1, "event-1:u", 10);
	ASSERT_EQ(0, pipeline_init(&pipeline, &consumer, &ids, NULL));
	ASSERT_EQ(0, pipeline_read(&pipeline, self->files[MERGED].path));
	EXPECT_EQ(0, pipeline.damages.nr);
	pipeline_end(&pipeline);
	EXPECT_EQ(20, ids);
}

/*
 * 400 instructions in the first run correspond to 800 in the other. Its first interval
 * ends at 400 of them, where the second one of the first run does: half of its 40 belong
 * to each of the first two.
 */
TEST_F(merge, by_instructions)
{
	struct counts counts, intervals;
	size_t i;

	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 10);
	put(&self->files[0], 1, 100, 20);
	put(&self->files[0], 1, 200, 30);
	end(&self->files[0]);
	begin_run(&self->files[1], 1);
	put(&self->files[1], 1, 400, 40);
	put(&self->files[1], 1, 400, 80);
	end(&self->files[1]);
	ASSERT_EQ(0, merge(self, 2)) TH_LOG("%s",
					    kermon_merge_error(self->merge));
	EXPECT_COUNTS(1, "instructions:u", 100, 100, 200);
	EXPECT_COUNTS(1, "event-0:u", 10, 20, 30);
	EXPECT_COUNTS(1, "event-1:u", 20, 20, 80);
	counts = counts_of(self, 1, "event-1:u");
	intervals = counts_of(self, 1, "oncpu");
	for (i = 0; i < 3; i++)
		EXPECT_EQ(intervals.times[i], counts.times[i]);
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
}

/* Remainders are not lost, nor is anything counted twice. */
TEST_F(merge, rounding)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 1, 1);
	put(&self->files[0], 1, 1, 1);
	put(&self->files[0], 1, 1, 1);
	end(&self->files[0]);
	whole_run(&self->files[1], 1, 3, 10);
	whole_run(&self->files[2], 2, 7, 10);
	ASSERT_EQ(0, merge(self, 3));
	EXPECT_COUNTS(1, "event-1:u", 3, 3, 4);
	/* At 1/3 of 7 instructions, rounded down, are 2/7 of 10: 2. */
	EXPECT_COUNTS(1, "event-2:u", 2, 3, 5);
}

/* Where no instruction was executed, as in kernel mode, something may be counted. */
TEST_F(merge, without_instructions)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 50, 1);
	put(&self->files[0], 1, 50, 1);
	put(&self->files[0], 1, 0, 1);
	end(&self->files[0]);
	begin_run(&self->files[1], 1);
	put(&self->files[1], 1, 0, 5);
	put(&self->files[1], 1, 50, 6);
	put(&self->files[1], 1, 0, 7);
	put(&self->files[1], 1, 50, 8);
	end(&self->files[1]);
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_COUNTS(1, "event-1:u", 18, 8);
}

/*
 * Children are identified by their parent, and by their position among its children,
 * whatever their pids and in whatever order two parents create theirs.
 */
TEST_F(merge, threads)
{
	static const uint32_t tids[2][5] = {
		{ 1, 2, 3, 4, 5 }, { 1, 30, 20, 40, 10 },
	};
	int i, j;

	for (i = 0; i < 2; i++) {
		const uint32_t *tid = tids[i];
		struct file *file = &self->files[i];

		begin_run(file, i);
		clone_thread(file, 1, tid[1]);
		if (!i)
			clone_thread(file, tid[1], tid[3]);
		clone_thread(file, 1, tid[2]);
		clone_thread(file, tid[2], tid[4]);
		if (i)
			clone_thread(file, tid[1], tid[3]);
		name(file, tid[4], "grandchild");
		for (j = 0; j < 5; j++)
			put(file, tid[j], 100, 1 + j);
		end(file);
	}
	ASSERT_EQ(0, merge(self, 2)) TH_LOG("%s",
					    kermon_merge_error(self->merge));
	for (j = 0; j < 5; j++)
		EXPECT_COUNTS(tids[0][j], "event-1:u", 1 + j);
}

/* A thread that executed nothing in one run, and something in the other. */
TEST_F(merge, idle_thread)
{
	begin_run(&self->files[0], 0);
	clone_thread(&self->files[0], 1, 2);
	put(&self->files[0], 1, 100, 1);
	put(&self->files[0], 2, 0, 1);
	put(&self->files[0], 2, 0, 1);
	end(&self->files[0]);
	begin_run(&self->files[1], 1);
	clone_thread(&self->files[1], 1, 2);
	put(&self->files[1], 1, 100, 1);
	put(&self->files[1], 2, 50, 5);
	end(&self->files[1]);
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_COUNTS(2, "event-1:u", 5);
}

/* The difference is in the file, by thread and in total. */
TEST_F(merge, differences)
{
	struct kermon_run run;
	int i;

	for (i = 0; i < 2; i++) {
		begin_run(&self->files[i], i);
		clone_thread(&self->files[i], 1, 2);
		put(&self->files[i], 1, i ? 900 : 1000, 1);
		put(&self->files[i], 2, i ? 1150 : 1000, 1);
		end(&self->files[i]);
	}
	ASSERT_EQ(0, merge(self, 2));
	ASSERT_TRUE(kermon_report_run(self->report, 0, &run));
	EXPECT_EQ(0, strcmp(run.file, self->files[0].path));
	EXPECT_EQ(2000, run.instructions);
	EXPECT_EQ(2000, run.oncpu);
	EXPECT_EQ(0, run.apart);
	ASSERT_TRUE(kermon_report_run(self->report, 1, &run));
	EXPECT_EQ(0, strcmp(run.file, self->files[1].path));
	EXPECT_EQ(1, run.events);
	EXPECT_EQ(2050, run.instructions);
	EXPECT_GT(run.apart, 0.1499);
	EXPECT_LT(run.apart, 0.1501);
	EXPECT_FALSE(kermon_report_run(self->report, 2, &run));
}

TEST_F(merge, same_event_twice)
{
	struct kermon_run run;

	whole_run(&self->files[0], 0, 100, 7);
	whole_run(&self->files[1], 0, 100, 8);
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_COUNTS(1, "event-0:u", 7);
	ASSERT_TRUE(kermon_report_run(self->report, 1, &run));
	EXPECT_EQ(0, run.events);
	EXPECT_EQ(1, run.dropped);
}

#define EXPECT_REFUSED(nr, reason) do {					\
	EXPECT_EQ(-EINVAL, merge(self, nr));				\
	EXPECT_NE(NULL, strstr(kermon_merge_error(self->merge), reason))	\
		TH_LOG("%s", kermon_merge_error(self->merge));		\
} while (0)

TEST_F(merge, other_thread)
{
	whole_run(&self->files[0], 0, 100, 1);
	begin_run(&self->files[1], 1);
	clone_thread(&self->files[1], 1, 2);
	put(&self->files[1], 1, 100, 1);
	put(&self->files[1], 2, 100, 1);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "thread 2 ('program')");
}

TEST_F(merge, missing_thread)
{
	begin_run(&self->files[0], 0);
	clone_thread(&self->files[0], 1, 2);
	put(&self->files[0], 1, 100, 1);
	put(&self->files[0], 2, 100, 1);
	end(&self->files[0]);
	whole_run(&self->files[1], 1, 100, 1);
	EXPECT_REFUSED(2, "has 2 threads and");
}

TEST_F(merge, never_there)
{
	int i;

	for (i = 0; i < 2; i++) {
		begin_run(&self->files[i], i);
		clone_thread(&self->files[i], 1, 2);
		put(&self->files[i], 1, 100, 1);
		if (i)
			put(&self->files[i], 2, 50, 5);
		end(&self->files[i]);
	}
	EXPECT_REFUSED(2, "did not run in");
}

TEST_F(merge, other_program)
{
	whole_run(&self->files[0], 0, 100, 1);
	begin_run(&self->files[1], 1);
	name(&self->files[1], 1, "another");
	put(&self->files[1], 1, 100, 1);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "is 'another', but its counterpart 1 of");
}

TEST_F(merge, other_modes)
{
	whole_run(&self->files[0], 0, 100, 1);
	begin(&self->files[1], 1, KERMON_COUNT_USER | KERMON_COUNT_KERNEL, ran, false);
	put(&self->files[1], 1, 100, 1);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "has instructions, but");
}

TEST_F(merge, attached)
{
	begin(&self->files[0], 0, KERMON_COUNT_USER, attached, false);
	put(&self->files[0], 1, 100, 1);
	end(&self->files[0]);
	EXPECT_REFUSED(1, "was recorded by kermon attach");
}

TEST_F(merge, coalesced)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 1);
	kermon_writer_note(self->files[0].writer, "coalesce", "1");
	end(&self->files[0]);
	EXPECT_REFUSED(1, "recorded with --coalesce");
}

TEST_F(merge, turns)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 1);
	kermon_writer_note(self->files[0].writer, "sets", "1,1");
	end(&self->files[0]);
	EXPECT_REFUSED(1, "were rotated");
}

TEST_F(merge, merged_already)
{
	whole_run(&self->files[0], 0, 100, 1);
	whole_run(&self->files[1], 1, 100, 1);
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_EQ(-EINVAL, kermon_merge_add(self->merge,
					    self->files[MERGED].path));
	EXPECT_NE(NULL, strstr(kermon_merge_error(self->merge),
			       "is a merged file"));
}

TEST_F(merge, lost_samples)
{
	const struct kermon_lost lost = {
		.record.type = KERMON_RECORD_LOST,
		.record.size = sizeof(lost),
		.lost = 3,
	};

	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 1);
	kermon_writer_log(self->files[0].writer, &lost, sizeof(lost));
	end(&self->files[0]);
	EXPECT_REFUSED(1, "has lost samples");
}

TEST_F(merge, impossible_counts)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 1);
	put_record(&self->files[0], KERMON_RECORD_INVALID, 1, 100, 1);
	end(&self->files[0]);
	EXPECT_REFUSED(1, "with impossible counts");
}

TEST_F(merge, not_to_its_end)
{
	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 1);
	kermon_writer_note(self->files[0].writer, "ended", "failed: disk full");
	end(&self->files[0]);
	EXPECT_REFUSED(1, "not recorded to its end");
}

TEST_F(merge, damaged)
{
	whole_run(&self->files[0], 0, 100, 1);
	ASSERT_EQ(0, ftruncate(self->files[0].fd, 16));
	EXPECT_EQ(-EINVAL, merge(self, 1));
	EXPECT_NE(0, strlen(kermon_merge_error(self->merge)));
}

TEST(level_out_of_range)
{
	struct kermon_merge_options options = {
		.size = sizeof(options), .compression = KERMON_COMPRESSION_MAX + 1,
	};

	errno = 0;
	EXPECT_EQ(NULL, kermon_merge_new(&options));
	EXPECT_EQ(EINVAL, errno);
}

static int count_compressed(void *context, const struct record *record)
{
	*(size_t *)context += record->type == PERFDATA_RECORD_COMPRESSED ||
			      record->type == PERFDATA_RECORD_HEADER_FEATURE;
	return 0;
}

/* Nothing of the first run's compression is left. */
TEST_F(merge, compression_of_the_merged_file)
{
	struct damages damages = { 0 };
	struct reader *reader;
	size_t nr = 0;

	begin_run(&self->files[0], 0);
	for (int i = 0; i < 20; i++)
		put(&self->files[0], 1, 5, 1);
	end(&self->files[0]);
	whole_run(&self->files[1], 1, 100, 1);
	ASSERT_EQ(0, merge(self, 2));
	ASSERT_EQ(0, reader_open(self->files[MERGED].path, &reader, &damages));
	ASSERT_EQ(0, reader_walk(reader, count_compressed, &nr));
	EXPECT_EQ(!!variant->of_merged, reader_has_feature(reader, PERFDATA_COMPRESSED));
	EXPECT_EQ(!!variant->of_merged, nr);
	reader_close(reader);
}

TEST_F(merge, no_file)
{
	EXPECT_EQ(-ENOENT, kermon_merge_add(self->merge, "/nonexistent"));
}

TEST_F(merge, cancelled)
{
	struct kermon_merge_options options = {
		.size = sizeof(options), .cancel = kermon_cancel_new(),
	};
	struct kermon_cancel *cancel = (struct kermon_cancel *)options.cancel;
	struct kermon_merge *merge = kermon_merge_new(&options);

	begin_run(&self->files[0], 0);
	put(&self->files[0], 1, 100, 10);
	end(&self->files[0]);
	EXPECT_EQ(0, kermon_merge_add(merge, self->files[0].path));
	kermon_cancel(cancel);
	EXPECT_EQ(-ECANCELED,
		  kermon_merge_write(merge, self->files[MERGED].fd));
	EXPECT_EQ(-ECANCELED, kermon_merge_add(merge, self->files[0].path));
	kermon_merge_free(merge);
	kermon_cancel_free(cancel);
}

TEST_HARNESS_MAIN
