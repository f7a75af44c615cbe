// SPDX-License-Identifier: GPL-2.0
/* What was written to a pipe is read from a pipe, and from a file. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfdata/read/read.h"

#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES	40

/* Descriptions of tracepoints: more bytes than arrive in one piece. */
#define DESCRIBED	(400 << 10)

static const char *const events[] = { "first", "second", NULL };

FIXTURE(pipe)
{
	struct synthetic file;
	size_t described;	/* bytes before what was recorded */
	int ends[2];
};

static void put_attr(struct synthetic *file, unsigned int event)
{
	struct {
		struct perf_event_header header;
		char attr[PERFDATA_ATTR_SIZE];
		uint64_t id;
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_ATTR,
		.header.size = sizeof(record),
		.id = SYNTHETIC_ID(event),
	};
	struct perf_event_attr attr = synthetic_attr(file, event);

	memcpy(record.attr, &attr, sizeof(record.attr));
	synthetic_put(file, &record, sizeof(record));
}

static void put_name(struct synthetic *file, unsigned int event)
{
	struct {
		struct perf_event_header header;
		uint64_t what, id;
		char name[16];
	} record = {
		.header.type = PERFDATA_RECORD_EVENT_UPDATE,
		.header.size = sizeof(record),
		.what = PERFDATA_UPDATE_NAME,
		.id = SYNTHETIC_ID(event),
	};

	strcpy(record.name, file->names[event]);
	synthetic_put(file, &record, sizeof(record));
}

static void put_hostname(struct synthetic *file)
{
	struct {
		struct perf_event_header header;
		uint64_t feature;
		uint32_t length;
		char name[12];
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_FEATURE,
		.header.size = sizeof(record),
		.feature = PERFDATA_HOSTNAME,
		.length = sizeof(record.name),
		.name = "somewhere",
	};

	synthetic_put(file, &record, sizeof(record));
}

/*
 * @size bytes that its header does not count, padded to a multiple of 8; fewer if many.
 */
static void put_tracing_data(struct synthetic *file, uint32_t size)
{
	struct {
		struct perf_event_header header;
		uint32_t size;
	} record = {
		.header.type = PERFDATA_RECORD_HEADER_TRACING_DATA,
		.header.size = sizeof(record),
		.size = size,
	};

	synthetic_put(file, &record, sizeof(record));
	synthetic_put(file, NULL, size > DESCRIBED ? 0 : (size + 7) / 8 * 8);
}

FIXTURE_SETUP(pipe)
{
	static const uint64_t header[2] = { PERFDATA_MAGIC,
					    PERFDATA_PIPE_HEADER_SIZE };
	struct synthetic *file = &self->file;

	*file = (struct synthetic){ .names = events, .nr_events = 2,
				    .interval_event = ~0U };
	synthetic_put(file, header, sizeof(header));
	put_attr(file, 0);
	put_attr(file, 1);
	put_name(file, 0);
	put_name(file, 1);
	put_hostname(file);
	put_tracing_data(file, 20);
	self->described = file->size;
	for (unsigned int i = 0; i < SAMPLES; i++)
		synthetic_sample(file, &(struct synthetic_sample){
			.event = i % 2, .pid = 1, .tid = 1, .time = 10 + i,
			.period = 1 + i,
		});
	ASSERT_EQ(0, pipe(self->ends));
}

FIXTURE_TEARDOWN(pipe)
{
	synthetic_end(&self->file);
	close(self->ends[0]);
	close(self->ends[1]);
}

struct seen {
	struct reader *reader;
	struct damages damages;
	uint64_t samples;
	uint64_t others;
	/* what is written once a sample was delivered, and to where */
	const unsigned char *rest;
	size_t left;
	int fd;
};

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (record->type == PERF_RECORD_SAMPLE)
		seen->samples++;
	else
		seen->others++;
	if (record->type == PERF_RECORD_SAMPLE && seen->left) {
		if (write(seen->fd, seen->rest, seen->left) !=
		    (ssize_t)seen->left)
			abort();
		seen->left = 0;
		close(seen->fd);
	}
	reader_release(seen->reader, record);
	return 0;
}

static const char *pipe_path(const FIXTURE_DATA(pipe) *self)
{
	static char path[32];

	snprintf(path, sizeof(path), "/dev/fd/%d", self->ends[0]);
	return path;
}

static int walk(const char *path, struct seen *seen)
{
	int err = reader_open(path, &seen->reader, &seen->damages);

	if (!err)
		err = reader_walk(seen->reader, see, seen);
	return err;
}

static void expect_all(struct __test_metadata *_metadata,
		       const struct seen *seen)
{
	size_t size;
	const unsigned char *host;

	EXPECT_EQ(0, seen->damages.nr);
	EXPECT_EQ(SAMPLES, seen->samples);
	EXPECT_EQ(6, seen->others);
	ASSERT_EQ(2, reader_nr_events(seen->reader));
	EXPECT_STREQ("first", reader_event(seen->reader, 0)->name);
	EXPECT_STREQ("second", reader_event(seen->reader, 1)->name);
	host = reader_feature(seen->reader, PERFDATA_HOSTNAME, &size);
	ASSERT_NE(NULL, host);
	EXPECT_STREQ("somewhere", (const char *)host + 4);
}

TEST_F(pipe, from_a_pipe)
{
	struct seen seen = { 0 };

	ASSERT_EQ(self->file.size,
		  write(self->ends[1], self->file.bytes, self->file.size));
	close(self->ends[1]);
	ASSERT_EQ(0, walk(pipe_path(self), &seen));
	expect_all(_metadata, &seen);
	reader_close(seen.reader);
}

TEST_F(pipe, from_a_file)
{
	struct seen seen = { 0 };

	synthetic_write(&self->file, self->file.size);
	ASSERT_EQ(0, walk(self->file.path, &seen));
	expect_all(_metadata, &seen);
	reader_close(seen.reader);
}

/* The first sample is delivered before the second one has been written. */
TEST_F(pipe, while_it_is_written)
{
	size_t first = self->described + sizeof(struct perfdata_sample);
	struct seen seen = {
		.rest = self->file.bytes + first,
		.left = self->file.size - first,
		.fd = self->ends[1],
	};

	ASSERT_EQ(first, write(self->ends[1], self->file.bytes, first));
	ASSERT_EQ(0, walk(pipe_path(self), &seen));
	expect_all(_metadata, &seen);
	reader_close(seen.reader);
}

/* A stream of records, whose first event is described where the test puts it. */
static void begin_stream(struct synthetic *file)
{
	static const uint64_t header[2] = { PERFDATA_MAGIC,
					    PERFDATA_PIPE_HEADER_SIZE };

	file->size = 0;
	synthetic_put(file, header, sizeof(header));
}

static void put_sample(struct synthetic *file, unsigned int event)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.event = event, .pid = 1, .tid = 1, .time = 10, .period = 1,
	});
}

/* After the first event; returns their offset in the file. */
static size_t put_descriptions(struct synthetic *file)
{
	size_t begin;

	begin_stream(file);
	put_attr(file, 0);
	put_tracing_data(file, DESCRIBED - 4);
	begin = file->size - DESCRIBED;
	for (size_t i = 0; i < DESCRIBED; i++)
		file->bytes[begin + i] = i / 1000;
	put_sample(file, 0);
	return begin;
}

/* They become the same feature that a file has. */
static bool has_descriptions(const struct synthetic *file, size_t begin,
			     const struct seen *seen)
{
	const unsigned char *bytes;
	size_t size = 0;

	bytes = reader_feature(seen->reader, PERFDATA_TRACING_DATA, &size);
	return size == DESCRIBED && seen->samples == 1 && !seen->damages.nr &&
	       !memcmp(bytes, file->bytes + begin, size) &&
	       reader_feature_offset(seen->reader, PERFDATA_TRACING_DATA) ==
	       begin;
}

/* A child that writes all of the file, which is more than a pipe holds. */
static pid_t start_writer(const FIXTURE_DATA(pipe) *self)
{
	size_t done = 0;
	ssize_t nr = 1;
	pid_t child = fork();

	if (child)
		return child;
	close(self->ends[0]);
	for (; done < self->file.size && nr > 0; done += nr)
		nr = write(self->ends[1], self->file.bytes + done,
			   self->file.size - done);
	_exit(nr <= 0);
}

TEST_F(pipe, tracepoints_from_a_pipe)
{
	size_t begin = put_descriptions(&self->file);
	pid_t writer = start_writer(self);
	struct seen seen = { 0 };
	int status;

	ASSERT_LT(0, writer);
	close(self->ends[1]);
	ASSERT_EQ(0, walk(pipe_path(self), &seen));
	EXPECT_TRUE(has_descriptions(&self->file, begin, &seen));
	reader_close(seen.reader);
	ASSERT_EQ(writer, waitpid(writer, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(pipe, tracepoints_from_a_file)
{
	size_t begin = put_descriptions(&self->file);
	struct seen seen = { 0 };

	synthetic_write(&self->file, self->file.size);
	ASSERT_EQ(0, walk(self->file.path, &seen));
	EXPECT_TRUE(has_descriptions(&self->file, begin, &seen));
	reader_close(seen.reader);
}

/* A pipe that ends within them, and one whose size exceeds any memory. */
TEST_F(pipe, tracepoints_cut_off)
{
	struct seen seen = { 0 };

	begin_stream(&self->file);
	put_attr(&self->file, 0);
	put_tracing_data(&self->file, UINT32_MAX);
	ASSERT_EQ(self->file.size,
		  write(self->ends[1], self->file.bytes, self->file.size));
	close(self->ends[1]);
	ASSERT_EQ(0, walk(pipe_path(self), &seen));
	EXPECT_EQ(1, seen.damages.nr);
	reader_close(seen.reader);

	seen = (struct seen){ 0 };
	put_descriptions(&self->file);
	synthetic_write(&self->file, self->file.size / 2);
	ASSERT_EQ(0, walk(self->file.path, &seen));
	EXPECT_EQ(1, seen.damages.nr);
	EXPECT_EQ(NULL, reader_feature(seen.reader, PERFDATA_TRACING_DATA,
				       &(size_t){ 0 }));
	reader_close(seen.reader);
}

/* A regular file is read through a pipe nevertheless. */
TEST_F(pipe, whole_file_through_a_pipe)
{
	struct seen seen = { 0 };

	synthetic_begin(&self->file, events);
	synthetic_comm(&self->file, 1, 1, "task", 1, false);
	synthetic_finish(&self->file);
	ASSERT_EQ(self->file.size,
		  write(self->ends[1], self->file.bytes, self->file.size));
	close(self->ends[1]);
	ASSERT_EQ(0, walk(pipe_path(self), &seen));
	EXPECT_EQ(0, seen.damages.nr);
	EXPECT_EQ(1, seen.others);
	EXPECT_STREQ("second", reader_event(seen.reader, 1)->name);
	reader_close(seen.reader);
}

/* Each truncation is reported, except between two records, where none is detectable. */
TEST_F(pipe, truncated_at_every_byte)
{
	const size_t sample = sizeof(struct perfdata_sample);
	size_t behind;

	for (size_t size = 1; size < self->file.size; size++) {
		struct seen seen = { 0 };
		int err;

		synthetic_write(&self->file, size);
		err = walk(self->file.path, &seen);
		behind = size > self->described ? size - self->described : 0;
		EXPECT_EQ(behind / sample, seen.samples);
		if (size > self->described)
			EXPECT_EQ(!!(behind % sample), seen.damages.nr);
		if (err) {
			EXPECT_LT(0, seen.damages.nr);
		} else {
			reader_close(seen.reader);
		}
	}
}

TEST_F(pipe, every_byte_flipped)
{
	for (size_t at = 0; at < self->file.size; at++) {
		struct seen seen = { 0 };

		self->file.bytes[at] ^= 0x81;
		synthetic_write(&self->file, self->file.size);
		self->file.bytes[at] ^= 0x81;
		if (!walk(self->file.path, &seen))
			reader_close(seen.reader);
		EXPECT_LE(seen.samples, SAMPLES + 1);
	}
}

TEST_F(pipe, nothing_comes)
{
	struct seen seen = { 0 };

	close(self->ends[1]);
	EXPECT_EQ(-EINVAL, walk(pipe_path(self), &seen));
	EXPECT_EQ(1, seen.damages.nr);
}

/* Descriptions of events may follow records of the kernel, and even samples. */
TEST_F(pipe, descriptions_after_other_records)
{
	struct synthetic *file = &self->file;
	struct seen seen = { 0 };
	struct cursor host;

	begin_stream(file);
	put_sample(file, 0);
	put_attr(file, 0);
	synthetic_comm(file, 1, 1, "task", 1, false);
	put_attr(file, 1);
	put_name(file, 0);
	put_name(file, 1);
	put_sample(file, 1);
	put_hostname(file);
	synthetic_write(file, file->size);
	ASSERT_EQ(0, walk(file->path, &seen));
	EXPECT_EQ(2, seen.samples);
	EXPECT_EQ(0, seen.damages.nr);
	ASSERT_EQ(2, reader_nr_events(seen.reader));
	EXPECT_STREQ("first", reader_event(seen.reader, 0)->name);
	EXPECT_STREQ("second", reader_event(seen.reader, 1)->name);
	host = reader_feature_cursor(seen.reader, PERFDATA_HOSTNAME);
	EXPECT_STREQ("somewhere", cursor_string(&host));
	reader_close(seen.reader);
}

/* A repeated event is ignored; a new one is too late, which is reported. */
TEST_F(pipe, event_behind_samples)
{
	struct synthetic *file = &self->file;
	struct seen seen = { 0 };
	size_t late;

	begin_stream(file);
	put_attr(file, 0);
	put_sample(file, 0);
	put_attr(file, 0);
	late = file->size;
	put_attr(file, 1);
	put_sample(file, 0);
	synthetic_write(file, file->size);
	ASSERT_EQ(0, walk(file->path, &seen));
	EXPECT_EQ(2, seen.samples);
	EXPECT_EQ(1, seen.damages.nr);
	EXPECT_EQ(late, seen.damages.kept[0].offset);
	EXPECT_NE(NULL, strstr(seen.damages.kept[0].text,
			       "described after the first samples"));
	reader_close(seen.reader);
}

TEST_F(pipe, no_events)
{
	struct seen seen = { 0 };

	synthetic_write(&self->file, PERFDATA_PIPE_HEADER_SIZE);
	EXPECT_EQ(-EINVAL, walk(self->file.path, &seen));
	EXPECT_NE(NULL, strstr(seen.damages.kept[0].text, "no event"));
}

TEST_HARNESS_MAIN
