// SPDX-License-Identifier: GPL-2.0
/* Compressed records are read as they were written. */
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "perfdata/read/read.h"

#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES	500

static const char *const events[] = { "instructions:u", "cycles:u", NULL };

FIXTURE(compressed)
{
	struct synthetic file;
	unsigned char plain[SYNTHETIC_MAX];
	size_t size;
	unsigned char packed[SYNTHETIC_MAX];
	size_t packed_size;
};

/* A frame of the plain bytes from @at to @end, after the existing ones. */
static void pack(FIXTURE_DATA(compressed) *self, size_t at, size_t end)
{
	self->packed_size += ZSTD_compress(self->packed + self->packed_size,
					   SYNTHETIC_MAX - self->packed_size,
					   self->plain + at, end - at, 1);
}

FIXTURE_SETUP(compressed)
{
	struct synthetic *file = &self->file;
	size_t begin;

	synthetic_begin(file, events);
	begin = file->size;
	synthetic_comm(file, 1, 1, "task", 1, false);
	for (unsigned int i = 0; i < SAMPLES; i++)
		synthetic_sample(file, &(struct synthetic_sample){
			.event = i % 2, .pid = 1, .tid = 1, .time = 10 + i,
			.ip = i * i, .period = 1 + i,
		});
	self->size = file->size - begin;
	memcpy(self->plain, file->bytes + begin, self->size);
	file->size = begin;
}

FIXTURE_TEARDOWN(compressed)
{
	synthetic_end(&self->file);
}

/* @size bytes as a record, in the newer form with padding at the end. */
static void put_piece(struct synthetic *file, const void *data, uint64_t size,
		      bool newer)
{
	size_t pad = newer ? -size % 8 : 0;
	struct perf_event_header header = {
		.type = newer ? PERFDATA_RECORD_COMPRESSED2 :
				PERFDATA_RECORD_COMPRESSED,
		.size = sizeof(header) + (newer ? sizeof(size) : 0) + size + pad,
	};

	synthetic_put(file, &header, sizeof(header));
	if (newer)
		synthetic_put(file, &size, sizeof(size));
	synthetic_put(file, data, size);
	synthetic_put(file, NULL, pad);
}

/* Compressed data, in pieces of @piece bytes. */
static void put_packed(FIXTURE_DATA(compressed) *self, size_t piece,
		       bool newer)
{
	for (size_t at = 0; at < self->packed_size; at += piece)
		put_piece(&self->file, self->packed + at,
			  self->packed_size - at < piece ?
			  self->packed_size - at : piece, newer);
}

struct outcome {
	struct damages damages;
	struct reader *reader;
	const unsigned char *plain;
	size_t at;		/* of the decompressed bytes */
	bool same;
	int err;
};

static int compare(void *context, const struct record *record)
{
	struct outcome *outcome = context;

	if (record->type != PERFDATA_RECORD_COMPRESSED &&
	    record->type != PERFDATA_RECORD_COMPRESSED2) {
		outcome->same &= !memcmp(outcome->plain + outcome->at,
					 record->data, record->size);
		outcome->at += record->size;
	}
	reader_release(outcome->reader, record);
	return 0;
}

static struct outcome read_back(FIXTURE_DATA(compressed) *self)
{
	struct outcome outcome = { .plain = self->plain, .same = true };

	synthetic_finish(&self->file);
	outcome.err = reader_open(self->file.path, &outcome.reader,
				  &outcome.damages);
	if (outcome.err)
		return outcome;
	outcome.err = reader_walk(outcome.reader, compare, &outcome);
	reader_close(outcome.reader);
	return outcome;
}

static void expect_all(struct __test_metadata *_metadata,
		       FIXTURE_DATA(compressed) *self)
{
	struct outcome outcome = read_back(self);

	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(0, outcome.damages.nr);
	EXPECT_TRUE(outcome.same);
	EXPECT_EQ(self->size, outcome.at);
}

TEST_F(compressed, one_piece)
{
	pack(self, 0, self->size);
	put_packed(self, 65000, false);
	expect_all(_metadata, self);
}

/* Neither records nor frames end where a piece does. */
TEST_F(compressed, many_pieces)
{
	pack(self, 0, self->size);
	put_packed(self, 7, false);
	expect_all(_metadata, self);
}

TEST_F(compressed, newer_form)
{
	pack(self, 0, self->size);
	put_packed(self, 13, true);
	expect_all(_metadata, self);
}

TEST_F(compressed, several_frames)
{
	pack(self, 0, 1000);
	pack(self, 1000, 1001);
	pack(self, 1001, self->size);
	put_packed(self, 100, false);
	expect_all(_metadata, self);
}

TEST_F(compressed, cut_off)
{
	struct outcome outcome;

	pack(self, 0, self->size - 5);
	put_packed(self, 65000, false);
	outcome = read_back(self);
	EXPECT_TRUE(outcome.same);
	EXPECT_EQ(self->size - sizeof(struct perfdata_sample), outcome.at);
	EXPECT_EQ(1, outcome.damages.nr);
	EXPECT_NE(NULL, strstr(outcome.damages.kept[0].text, "inside a record"));
}

/* The frame after the damaged one is intact. */
TEST_F(compressed, damaged_frame)
{
	size_t second = sizeof(struct perfdata_sample) * 100;
	struct outcome outcome;
	size_t first;

	pack(self, 0, self->size);
	first = self->packed_size;
	memset(self->packed + 20, 0xff, 40);
	pack(self, self->size - second, self->size);
	put_piece(&self->file, self->packed, first, false);
	put_piece(&self->file, self->packed + first, self->packed_size - first,
		  false);
	outcome = read_back(self);
	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(1, outcome.damages.nr);
	EXPECT_NE(NULL, strstr(outcome.damages.kept[0].text, "cannot be read"));
	EXPECT_EQ(second, outcome.at);
}

/* A little data that decompresses to a lot without records: it is not read to its end. */
TEST_F(compressed, zeros_without_end)
{
	struct outcome outcome;

	memset(self->plain, 0, sizeof(self->plain));
	for (int i = 0; i < 200; i++)
		pack(self, 0, SYNTHETIC_MAX);
	put_packed(self, 60000, false);
	outcome = read_back(self);
	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(1, outcome.damages.nr);
	EXPECT_EQ(0, outcome.at);
}

TEST_F(compressed, no_zstd_at_all)
{
	struct outcome outcome;

	put_piece(&self->file, "this is no frame at all", 24, false);
	put_piece(&self->file, "nor is this", 12, true);
	outcome = read_back(self);
	EXPECT_EQ(0, outcome.err);
	EXPECT_EQ(1, outcome.damages.nr);
	EXPECT_EQ(0, outcome.at);
}

/* Whatever byte is wrong: no crash, and no more records than there were. */
TEST_F(compressed, every_byte_flipped)
{
	struct outcome outcome;
	size_t begin, size;

	pack(self, 0, self->size);
	put_packed(self, 1000, true);
	synthetic_finish(&self->file);
	begin = synthetic_header(&self->file)->data.offset;
	size = synthetic_header(&self->file)->data.size;
	for (size_t at = begin; at < begin + size; at += 3) {
		outcome = (struct outcome){ .plain = self->plain };
		self->file.bytes[at] ^= 0x41;
		synthetic_write(&self->file, self->file.size);
		self->file.bytes[at] ^= 0x41;
		ASSERT_EQ(0, reader_open(self->file.path, &outcome.reader,
					 &outcome.damages));
		EXPECT_EQ(0, reader_walk(outcome.reader, compare, &outcome));
		EXPECT_LE(outcome.at, self->size);
		reader_close(outcome.reader);
	}
}

TEST_HARNESS_MAIN
