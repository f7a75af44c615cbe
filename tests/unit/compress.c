// SPDX-License-Identifier: GPL-2.0
/*
 * Compressed records contain what was put: whole records, as many in each as its size and
 * perf's buffers allow, in frames that zstd(1) decompresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "perfdata/write/compress.h"
#include "perfdata/format/format.h"

#include "shell.h"

#include "kselftest_harness.h"

#define MOST	(4 << 20)

/**
 * struct result - what became of the records
 * @plain: @nr_plain bytes of records that were put
 * @bytes: @size bytes that came out
 * @full: there is no room for more bytes than that
 */
struct result {
	unsigned char plain[MOST];
	size_t nr_plain;
	unsigned char bytes[MOST];
	size_t size;
	size_t full;
};

FIXTURE(compress)
{
	char home[64];
	struct result *result;
	struct compressor *compressor;
};

static int take(void *to, const void *data, size_t size)
{
	struct result *result = to;

	if (result->size + size > result->full)
		return -ENOSPC;
	memcpy(result->bytes + result->size, data, size);
	result->size += size;
	return 0;
}

FIXTURE_SETUP(compress)
{
	srandom(1);
	self->result = calloc(1, sizeof(*self->result));
	ASSERT_NE(NULL, self->result);
	self->result->full = MOST;
	ASSERT_TRUE(make_home(self->home));
	ASSERT_EQ(0, compress_open(&self->compressor, 1, take, self->result));
}

FIXTURE_TEARDOWN(compress)
{
	compress_close(self->compressor);
	free(self->result);
	run_in(self->home, "rm -r \"$PWD\"");
}

/* A record of random bytes, of which those up to @noise differ from those of others. */
static int put(FIXTURE_DATA(compress) *self, size_t size, size_t noise)
{
	unsigned char *at = self->result->plain + self->result->nr_plain;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };

	for (size_t i = 0; i < size; i++)
		at[i] = i < noise ? (size_t)random() : i;
	memcpy(at, &header, sizeof(header));
	self->result->nr_plain += size;
	return compress_put(self->compressor, at, size);
}

static bool is_packed(const unsigned char *record)
{
	return record_header(record, false).type == PERFDATA_RECORD_COMPRESSED;
}

/* Let zstd(1) decompress the frame of a record. Return: bytes of @to. */
static size_t unpack(FIXTURE_DATA(compress) *self, const unsigned char *record,
		     unsigned char *to)
{
	const size_t head = sizeof(struct perf_event_header);
	char path[96];
	ssize_t size;
	FILE *file;
	int fd;

	snprintf(path, sizeof(path), "%s/frame", self->home);
	file = fopen(path, "w");
	if (!file)
		return 0;
	fwrite(record + head, record_header(record, false).size - head, 1, file);
	fclose(file);
	if (!run_in(self->home, "zstd -dqf <frame >content"))
		return 0;
	snprintf(path, sizeof(path), "%s/content", self->home);
	fd = open(path, O_RDONLY);
	size = read(fd, to, COMPRESS_CONTENT + 1);
	close(fd);
	return size < 0 ? 0 : size;
}

/* Whether they are whole records. */
static bool are_records(const unsigned char *at, size_t size)
{
	struct perf_event_header header;

	for (; size >= sizeof(header); size -= header.size, at += header.size) {
		header = record_header(at, false);
		if (header.size < sizeof(header) || header.size > size)
			return false;
	}
	return !size;
}

/* Compare what comes out with what was put. Returns the number of compressed records. */
static size_t expect_same(struct __test_metadata *_metadata, FIXTURE_DATA(compress) *self)
{
	static unsigned char content[COMPRESS_CONTENT + 1];
	const struct result *result = self->result;
	const unsigned char *record;
	size_t at = 0, nr = 0, size;

	for (size_t i = 0; i < result->size; i += record_header(record, false).size) {
		record = result->bytes + i;
		ASSERT_LE(sizeof(struct perf_event_header), record_header(record, false).size);
		nr += is_packed(record);
		size = is_packed(record) ? unpack(self, record, content) :
					   record_header(record, false).size;
		ASSERT_GE(COMPRESS_CONTENT, size);
		ASSERT_GE(result->nr_plain, at + size);
		EXPECT_EQ(0, memcmp(is_packed(record) ? content : record, result->plain + at,
				    size));
		EXPECT_TRUE(are_records(result->plain + at, size));
		at += size;
	}
	EXPECT_EQ(result->nr_plain, at);
	return nr;
}

TEST_F(compress, all_sizes)
{
	for (int i = 0; i < 3000; i++) {
		ASSERT_EQ(0, put(self, 8 + random() % (i % 50 ? 300 : 65528), random() % 200));
		if (random() % 200 == 0)
			ASSERT_EQ(0, compress_flush(self->compressor));
	}
	ASSERT_EQ(0, compress_flush(self->compressor));
	EXPECT_LT(10, expect_same(_metadata, self));
}

/* As much as perf's buffers hold, although the record could contain more. */
TEST_F(compress, what_shrinks_to_almost_nothing)
{
	for (unsigned int i = 0; i < 2 * COMPRESS_CONTENT / 1024; i++)
		ASSERT_EQ(0, put(self, 1024, 0));
	ASSERT_EQ(0, compress_flush(self->compressor));
	/* the first one was a guess */
	EXPECT_EQ(3, expect_same(_metadata, self));
	EXPECT_GT(10000, self->result->size);
}

/* Noise after what shrinks well: the next record is found to be too full. */
TEST_F(compress, what_does_not_shrink_suddenly)
{
	for (unsigned int i = 0; i < 2 * COMPRESS_CONTENT / 1024; i++)
		ASSERT_EQ(0, put(self, 1024, 0));
	for (int i = 0; i < 500; i++)
		ASSERT_EQ(0, put(self, 1024, 1024));
	ASSERT_EQ(0, compress_flush(self->compressor));
	expect_same(_metadata, self);
	EXPECT_GE(self->result->nr_plain, self->result->size);
}

/* A record that cannot be packed into another one. */
TEST_F(compress, largest_record_of_noise)
{
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, put(self, UINT16_MAX, UINT16_MAX));
	ASSERT_EQ(0, compress_flush(self->compressor));
	EXPECT_EQ(0, expect_same(_metadata, self));
	EXPECT_EQ(self->result->nr_plain, self->result->size);
}

/* One small record would get larger. */
TEST_F(compress, one_record)
{
	ASSERT_EQ(0, put(self, 8, 0));
	EXPECT_EQ(0, self->result->size);
	ASSERT_EQ(0, compress_flush(self->compressor));
	EXPECT_EQ(8, self->result->size);
	EXPECT_EQ(0, expect_same(_metadata, self));
	ASSERT_EQ(0, compress_flush(self->compressor));
	EXPECT_EQ(8, self->result->size);
}

TEST_F(compress, error_of_the_file)
{
	int err = 0;

	self->result->full = 100000;
	for (int i = 0; i < 1000 && !err; i++)
		err = put(self, 1024, 1024);
	EXPECT_EQ(-ENOSPC, err);
}

static uint32_t noted_ratio(const struct compressor *compressor)
{
	struct blob blob = { 0 };
	uint32_t words[5] = { 0 };

	compress_describe(compressor, &blob);
	if (blob.size == sizeof(words))
		memcpy(words, blob.data, sizeof(words));
	free(blob.data);
	return words[1] == 1 && words[4] == COMPRESS_CONTENT ? words[3] : UINT32_MAX;
}

TEST_F(compress, ratio)
{
	size_t ratio;

	EXPECT_EQ(0, noted_ratio(self->compressor));
	for (int i = 0; i < 1000; i++)
		ASSERT_EQ(0, put(self, 1000, 100));
	ASSERT_EQ(0, compress_flush(self->compressor));
	ratio = (self->result->nr_plain + self->result->size / 2) / self->result->size;
	EXPECT_LT(3, ratio);
	EXPECT_EQ(ratio, noted_ratio(self->compressor));
}

TEST(levels)
{
	struct compressor *compressor;

	EXPECT_EQ(-EINVAL, compress_open(&compressor, 0, NULL, NULL));
	EXPECT_EQ(-EINVAL, compress_open(&compressor, -1, NULL, NULL));
	EXPECT_EQ(-EINVAL, compress_open(&compressor, 23, NULL, NULL));
	ASSERT_EQ(0, compress_open(&compressor, KERMON_COMPRESSION_MAX, NULL, NULL));
	compress_close(compressor);
	compress_close(NULL);
}

TEST_HARNESS_MAIN
