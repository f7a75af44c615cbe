// SPDX-License-Identifier: GPL-2.0
/*
 * Marks of regions in perf.data: their fields in all forms of the file, what perf prints of
 * them, and their order.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/read/read.h"
#include "perfdata/write/write.h"
#include "written.h"

#include "kselftest_harness.h"

#define MOST	64

/* A mark or a name as a reader finds it. */
struct found {
	struct perfdata_sample sample;
	struct perfdata_mark mark;
	struct perfdata_name name;
	uint64_t counts[20];
	char text[32];
};

FIXTURE(marked)
{
	struct written file;
	struct marks_thread thread;
	struct found found[MOST];
	size_t nr;
};

FIXTURE_VARIANT(marked)
{
	bool pipe;
	int compression;
};

FIXTURE_VARIANT_ADD(marked, file) { };
FIXTURE_VARIANT_ADD(marked, compressed) { .compression = 1 };
FIXTURE_VARIANT_ADD(marked, pipe) { .pipe = true };
FIXTURE_VARIANT_ADD(marked, compressed_pipe) { .pipe = true, .compression = 1 };

FIXTURE_SETUP(marked)
{
	self->file.pipe = variant->pipe;
	self->file.compression = variant->compression;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	ASSERT_EQ(0, marked_add(self->file.writer));
	ASSERT_EQ(0, kermon_writer_start(self->file.writer, getpid()));
	self->thread = (struct marks_thread){
		.pid = getpid(), .tid = getpid(),
		.counted = { .set = 0, .nr_fixed = 3, .nr_values = 7 },
	};
}

FIXTURE_TEARDOWN(marked)
{
	written_end(&self->file);
}

/* A cycle is half a nanosecond, and the clock begins at a second. */
static uint64_t in_ns(uint64_t tsc)
{
	return tsc / 2 + 1000000000;
}

static int put(FIXTURE_DATA(marked) *self, enum mark kind, uint32_t id, uint64_t tsc,
	       const uint64_t *values, unsigned int nr)
{
	uint64_t record[32];
	const struct mark_record mark = {
		.kind = kind, .words = MARK_WORDS + nr, .cpu = MARK_NO_CPU, .id = id, .tsc = tsc,
	};

	memcpy(record, &mark, sizeof(mark));
	if (nr)
		memcpy(record + MARK_WORDS, values, nr * sizeof(*values));
	return marked_put(self->file.writer, &self->thread, (const void *)record);
}

static int put_name(FIXTURE_DATA(marked) *self, pid_t pid, uint32_t id, uint64_t tsc,
		    const char *text)
{
	union {
		struct name_record name;
		char room[64];
	} record = { .name = { .size = 64, .id = id, .kind = MARK_NAME_TASK, .domain = 7 } };

	strcpy(record.name.name, text);
	return marked_name(self->file.writer, pid, tsc, &record.name);
}

static int take(void *context, const struct record *record)
{
	FIXTURE_DATA(marked) *self = context;
	struct found *found = &self->found[self->nr % MOST];
	const unsigned char *raw = record->data + sizeof(found->sample) + sizeof(uint32_t);
	uint16_t type;

	if (record->type != PERF_RECORD_SAMPLE || record->size < sizeof(found->sample) + 8)
		return 0;
	memcpy(&type, raw, sizeof(type));
	memcpy(&found->sample, record->data, sizeof(found->sample));
	if (type == PERFDATA_REGION_ID) {
		memcpy(&found->mark, raw, sizeof(found->mark));
		memcpy(found->counts, raw + sizeof(found->mark),
		       found->mark.nr_counts * sizeof(uint64_t));
		self->nr++;
	} else if (type == PERFDATA_REGION_NAME_ID) {
		memcpy(&found->name, raw, offsetof(struct perfdata_name, text));
		memcpy(found->text, raw + (found->name.name & UINT16_MAX),
		       found->name.name >> 16);
		self->nr++;
	}
	return 0;
}

/* Finish the file and read it. */
static int read_back(FIXTURE_DATA(marked) *self)
{
	struct damages damages = { 0 };
	struct reader *reader;
	int err = kermon_writer_finish(self->file.writer);

	if (!err)
		err = reader_open(self->file.path, &reader, &damages);
	if (err)
		return err;
	err = reader_walk(reader, take, self);
	if (!err && damages.nr)
		err = -EBADMSG;
	reader_close(reader);
	return err;
}

TEST_F(marked, fields)
{
	const uint64_t counts[8] = { 4000, 1, 2, 3, 4, 5, 6, 7 }, frame = 500;
	const uint64_t pair[2] = { 11, 12 };

	ASSERT_EQ(0, put_name(self, 77, 1, 1000, "Fit"));
	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 2000, counts, 8));
	ASSERT_EQ(0, put(self, MARK_OPEN, 2, 3000, pair, 2));
	ASSERT_EQ(0, put(self, MARK_FRAME, 3, 4000, &frame, 1));
	ASSERT_EQ(0, put(self, MARK_END, 1, 5000, NULL, 0));
	ASSERT_EQ(0, read_back(self));
	ASSERT_EQ(5, self->nr);

	EXPECT_EQ(77, self->found[0].sample.pid);
	EXPECT_EQ(in_ns(1000), self->found[0].sample.time);
	EXPECT_EQ(1, self->found[0].name.id);
	EXPECT_EQ(7, self->found[0].name.domain);
	EXPECT_EQ(MARK_NAME_TASK, self->found[0].name.kind);
	EXPECT_STREQ("Fit", self->found[0].text);

	EXPECT_EQ(in_ns(2000), self->found[1].sample.time);
	EXPECT_EQ(getpid(), self->found[1].sample.tid);
	EXPECT_EQ(UINT32_MAX, self->found[1].sample.cpu);
	EXPECT_EQ(1, self->found[1].sample.period);
	EXPECT_EQ(MARK_BEGIN, self->found[1].mark.kind);
	EXPECT_EQ(8, self->found[1].mark.nr_counts);
	EXPECT_EQ(2000, self->found[1].counts[0]);
	for (int i = 1; i < 8; i++)
		EXPECT_EQ(i, self->found[1].counts[i]);

	EXPECT_EQ(11, self->found[2].mark.values[0]);
	EXPECT_EQ(12, self->found[2].mark.values[1]);
	EXPECT_EQ(in_ns(500), self->found[3].mark.values[0]);
	EXPECT_EQ(0, self->found[3].mark.nr_counts);
	EXPECT_EQ(0, self->found[4].mark.nr_counts);
	for (size_t i = 0; i < self->nr; i++)
		EXPECT_EQ(0, self->found[i].sample.header.size % 8);
}

TEST_F(marked, counts_of_other_events_are_left_out)
{
	const uint64_t counts[8] = { 4000, 1, 2, 3, 4, 5, 6, 7 };
	struct marked_totals totals;

	self->thread.counted.nr_fixed = 2;
	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 2000, counts, 8));
	self->thread.counted = (struct mark_counted){ .set = 1, .nr_fixed = 3, .nr_values = 7 };
	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 2000, counts, 8));
	self->thread.counted = (struct mark_counted){ .nr_fixed = 3, .nr_values = 6 };
	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 2000, counts, 7));
	marked_totals(self->file.writer, &totals);
	EXPECT_EQ(3, totals.uncounted);
	EXPECT_EQ(3, totals.marks);
	ASSERT_EQ(0, read_back(self));
	ASSERT_EQ(3, self->nr);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, self->found[i].mark.nr_counts);
}

/* Nothing after two rounds is older than what the first of them had; see marked.c. */
TEST_F(marked, late_marks_keep_the_order)
{
	struct marked_totals totals;

	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 10000, NULL, 0));
	ASSERT_EQ(0, kermon_writer_round(self->file.writer));
	ASSERT_EQ(0, put(self, MARK_END, 1, 20000, NULL, 0));
	ASSERT_EQ(0, kermon_writer_round(self->file.writer));
	self->thread.time = 0;
	ASSERT_EQ(0, put(self, MARK_BEGIN, 2, 5000, NULL, 0));
	ASSERT_EQ(0, put(self, MARK_END, 2, 15000, NULL, 0));
	ASSERT_EQ(0, put_name(self, getpid(), 3, 1, "late"));
	/* Times of a thread ascend. */
	ASSERT_EQ(0, put(self, MARK_EVENT, 3, 14000, NULL, 0));
	marked_totals(self->file.writer, &totals);
	EXPECT_EQ(1, totals.late);
	ASSERT_EQ(0, read_back(self));
	ASSERT_EQ(6, self->nr);
	EXPECT_EQ(in_ns(10000), self->found[2].sample.time);
	EXPECT_EQ(in_ns(15000), self->found[3].sample.time);
	EXPECT_EQ(in_ns(10000), self->found[4].sample.time);
	EXPECT_EQ(in_ns(15000), self->found[5].sample.time);
}

/* Lines of perf script that contain @text. */
static int perf_says(const struct written *file, const char *text)
{
	char command[200], line[400];
	int nr = 0;
	FILE *perf;

	snprintf(command, sizeof(command), "perf script -i %s 2>&1 <%s", file->pipe ? "-" :
		 file->path, file->path);
	perf = popen(command, "r");
	while (perf && fgets(line, sizeof(line), perf))
		nr += !!strstr(line, text);
	return perf && !pclose(perf) ? nr : -1;
}

TEST_F(marked, perf_prints_them)
{
	const uint64_t value = 5;

	ASSERT_EQ(0, put_name(self, 77, 1, 1000, "a\"b\\c, {1} %s"));
	ASSERT_EQ(0, put_name(self, 77, 2, 1000, "one"));
	ASSERT_EQ(0, put_name(self, 78, 2, 1000, "other"));
	ASSERT_EQ(0, put(self, MARK_BEGIN, 1, 2000, NULL, 0));
	ASSERT_EQ(0, put(self, MARK_VALUE, 2, 3000, &value, 1));
	ASSERT_EQ(0, put(self, MARK_END, 0, 5000, NULL, 0));
	ASSERT_EQ(0, kermon_writer_finish(self->file.writer));
	EXPECT_EQ(1, perf_says(&self->file, "kermon:region_name: 1 task 'a\"b\\c, {1} %s' domain=7"));
	EXPECT_EQ(1, perf_says(&self->file, variant->pipe ? "kermon:region: begin 0x1 value=0" :
						"kermon:region: begin a'b/c, {1} %s value=0"));
	/* The name of which process? */
	EXPECT_EQ(1, perf_says(&self->file, "kermon:region: value 0x2 value=5"));
	EXPECT_EQ(1, perf_says(&self->file, "kermon:region: end - value=0"));
}

TEST_F(marked, is_refused_too_late)
{
	EXPECT_EQ(-EINVAL, marked_add(self->file.writer));
}

TEST_HARNESS_MAIN
