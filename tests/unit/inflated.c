// SPDX-License-Identifier: GPL-2.0
/*
 * Decompressed samples take the fast path of samples in a mapped file: they are delivered in
 * the same order, in batches, and their memory is given back.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "perfdata/read/reader_private.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define MOST		8192
#define NR_CPUS		4
#define NR_ROUNDS	20

/* A record that was delivered; its bytes exist no longer. @ip: CPU and number of a sample */
struct delivered {
	uint64_t type;
	uint64_t time;
	uint64_t ip;
};

/**
 * struct seen - the records of a walk, in the order of delivery
 * @nr_single: samples that were not part of a batch
 * @stop_at: order matters from this one on; 0: never
 */
struct seen {
	struct delivered all[MOST];
	size_t nr;
	size_t nr_single;
	size_t stop_at;
	struct reader *reader;
};

static const char *const events[] = { "cycles:u", "instructions:u", NULL };

FIXTURE(inflated)
{
	struct synthetic plain;
	struct synthetic packed;
	struct damages damages;
	struct seen plain_seen;
	struct seen packed_seen;
};

FIXTURE_SETUP(inflated)
{
	synthetic_begin(&self->plain, events);
	synthetic_begin(&self->packed, events);
	memset(&self->damages, 0, sizeof(self->damages));
	memset(&self->plain_seen, 0, sizeof(self->plain_seen));
	memset(&self->packed_seen, 0, sizeof(self->packed_seen));
	srand(1);
}

FIXTURE_TEARDOWN(inflated)
{
	synthetic_end(&self->plain);
	synthetic_end(&self->packed);
}

static int see_one(struct seen *seen, const unsigned char *data, uint64_t time)
{
	uint32_t type = record_header(data, false).type;

	if (seen->nr == MOST)
		return -E2BIG;
	seen->all[seen->nr++] = (struct delivered){
		.type = type, .time = time, .ip = sample_word(data + 8, 1),
	};
	return 0;
}

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;
	int err;

	if (record->type >= PERFDATA_RECORD_FIRST)
		return 0;
	seen->nr_single += record->type == PERF_RECORD_SAMPLE;
	err = see_one(seen, record->data, record->time);
	return err ? err : seen->nr == seen->stop_at ? READER_IN_ORDER : 0;
}

static int see_rest(void *context, const struct record *record)
{
	struct seen *seen = context;
	int err = see(seen, record);

	reader_release(seen->reader, record);
	return err < 0 ? err : 0;
}

/* Takes samples of both events, and none if the order may come to matter. */
static uint64_t see_batch(void *context, struct reader_batch *batch)
{
	struct seen *seen = context;
	const unsigned char *at = batch->data;
	struct perf_event_header header;
	uint64_t time;

	while (!seen->stop_at && at < batch->data + batch->size) {
		header = record_header(at, false);
		time = sample_word(at + batch->time_at, 0);
		if (time >= batch->before || see_one(seen, at, time))
			break;
		batch->newest = time;
		batch->nr++;
		at += header.size;
	}
	return at - batch->data;
}

static int walk(struct synthetic *file, struct damages *damages, struct seen *seen,
		size_t *in_memory)
{
	struct reader_rounds walk = {
		.fn = see, .batch = see_batch, .context = seen,
		.rest = see_rest, .rest_context = seen,
	};
	int err = reader_open(file->path, &seen->reader, damages);

	if (err)
		return err;
	err = reader_walk_rounds(seen->reader, &walk);
	*in_memory = seen->reader->chunks.in_memory;
	reader_close(seen->reader);
	return err;
}

/* Records @begin to @end of the plain file, as a frame in one record. */
static void put_frame(FIXTURE_DATA(inflated) *self, size_t begin, size_t end)
{
	static unsigned char frame[SYNTHETIC_MAX];
	size_t size = ZSTD_compress(frame, sizeof(frame), self->plain.bytes + begin,
				    end - begin, 1);
	struct perf_event_header header = {
		.type = PERFDATA_RECORD_COMPRESSED, .size = sizeof(header) + size,
	};

	if (header.size != sizeof(header) + size)
		abort();
	synthetic_put(&self->packed, &header, sizeof(header));
	synthetic_put(&self->packed, frame, size);
}

/*
 * Rounds of several CPUs, in frames of which about one in @every ends at a record. With
 * @mixed, some records are not compressed; with @torn, frames do not end with a record.
 */
static void put_rounds(FIXTURE_DATA(inflated) *self, int every, bool mixed, bool torn)
{
	struct synthetic *plain = &self->plain;
	uint64_t time[NR_CPUS] = { 1, 1, 1, 1 }, ip = 0;
	size_t begin = plain->size, end;

	for (uint64_t round = 1; round <= NR_ROUNDS; round++) {
		for (int cpu = 0; cpu < NR_CPUS; cpu++)
			for (; time[cpu] < round * 100; time[cpu] += rand() % 6) {
				if (rand() % 40)
					synthetic_sample(plain, &(struct synthetic_sample){
						.event = rand() % 2, .pid = 1, .tid = 1,
						.time = time[cpu], .period = 1,
						.ip = (uint64_t)cpu << 32 | ++ip,
					});
				else
					synthetic_comm(plain, 1, 1, "c", time[cpu], false);
				if (rand() % every)
					continue;
				end = plain->size - (torn ? 20 : 0);
				if (mixed && rand() % 2)
					synthetic_put(&self->packed, plain->bytes + begin,
						      end - begin);
				else
					put_frame(self, begin, end);
				begin = end;
			}
		synthetic_round(plain);
	}
	put_frame(self, begin, plain->size);
	synthetic_finish(plain);
	synthetic_finish(&self->packed);
}

/* The sums of counters can only be subtracted in the order in which they were read. */
static void expect_order(struct __test_metadata *_metadata, const struct seen *seen)
{
	uint64_t last[NR_CPUS] = { 0 }, ip;

	for (size_t i = 0; i < seen->nr; i++) {
		ip = seen->all[i].ip;
		if (seen->all[i].type != PERF_RECORD_SAMPLE)
			continue;
		EXPECT_LT(last[ip >> 32], ip);
		last[ip >> 32] = ip;
	}
}

static int by_ip(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct delivered));
}

static void sort(struct seen *seen)
{
	qsort(seen->all, seen->nr, sizeof(*seen->all), by_ip);
}

/* @sorted: samples of different CPUs may be in another order */
static void expect_same(struct __test_metadata *_metadata, FIXTURE_DATA(inflated) *self,
			bool sorted)
{
	size_t in_memory;

	ASSERT_EQ(0, walk(&self->plain, &self->damages, &self->plain_seen, &in_memory));
	EXPECT_EQ(0, in_memory);
	ASSERT_EQ(0, walk(&self->packed, &self->damages, &self->packed_seen, &in_memory));
	/* that of the window */
	EXPECT_EQ(1, in_memory);
	EXPECT_EQ(0, self->damages.nr);
	EXPECT_LT(NR_ROUNDS * NR_CPUS * 10, self->plain_seen.nr);
	ASSERT_EQ(self->plain_seen.nr, self->packed_seen.nr);
	expect_order(_metadata, &self->plain_seen);
	expect_order(_metadata, &self->packed_seen);
	if (sorted) {
		sort(&self->plain_seen);
		sort(&self->packed_seen);
	}
	EXPECT_EQ(0, memcmp(self->plain_seen.all, self->packed_seen.all,
			    self->plain_seen.nr * sizeof(struct delivered)));
}

TEST_F(inflated, whole_records)
{
	put_rounds(self, 30, false, false);
	expect_same(_metadata, self, false);
	EXPECT_EQ(self->plain_seen.nr_single, self->packed_seen.nr_single);
}

TEST_F(inflated, some_are_not_compressed)
{
	put_rounds(self, 30, true, false);
	expect_same(_metadata, self, false);
	EXPECT_EQ(self->plain_seen.nr_single, self->packed_seen.nr_single);
}

/* Two samples at most for each frame do not come in a batch. */
TEST_F(inflated, records_across_frames)
{
	put_rounds(self, 30, false, true);
	expect_same(_metadata, self, true);
	EXPECT_GT(self->plain_seen.nr_single + self->packed_seen.nr / 10,
		  self->packed_seen.nr_single);
}

/* Wherever order begins to matter, each record is delivered once, and given back. */
TEST_F(inflated, order_matters_suddenly)
{
	size_t in_memory;

	put_rounds(self, 30, true, false);
	for (size_t stop = 1; stop < 2000; stop += 97) {
		self->plain_seen = (struct seen){ .stop_at = stop };
		self->packed_seen = (struct seen){ .stop_at = stop };
		expect_same(_metadata, self, false);
	}
	self->packed_seen = (struct seen){ .stop_at = 5 };
	ASSERT_EQ(0, walk(&self->packed, &self->damages, &self->packed_seen, &in_memory));
	EXPECT_EQ(1, in_memory);
}

TEST_HARNESS_MAIN
