// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without order among samples: each is delivered once, between the older and the
 * younger other records, whatever the file looks like.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#define SYNTHETIC_MAX	(1 << 21)	/* for too many runs */
#include "synthetic.h"

#include "kselftest_harness.h"

#define MOST	34000

/* What was seen, in the order of delivery. */
struct seen {
	struct record records[MOST];
	size_t nr;
	size_t in_order;	/* records before the first one of the rest */
	size_t stop_at;		/* order matters from this one on; 0: never */
	int error;		/* of the last one */
	struct reader *reader;
	const char *path;
};

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (record->type == PERFDATA_RECORD_FINISHED_ROUND)
		return 0;
	if (seen->nr == MOST)
		return -E2BIG;
	seen->records[seen->nr++] = *record;
	seen->in_order = seen->nr;
	if (seen->error)
		return seen->error;
	return seen->nr == seen->stop_at ? READER_IN_ORDER : 0;
}

static int see_rest(void *context, const struct record *record)
{
	struct seen *seen = context;
	size_t in_order = seen->in_order;
	int err = see(context, record);

	seen->in_order = in_order;
	reader_release(seen->reader, record);
	return err < 0 ? err : 0;
}

FIXTURE(rounds)
{
	struct synthetic file;
	struct damages damages;
	struct seen seen;
	struct reader_rounds walk;
};

static const char *const events[] = { "cycles:u", "instructions:u", NULL };

FIXTURE_SETUP(rounds)
{
	synthetic_begin(&self->file, events);
	self->damages = (struct damages){};
	self->seen.nr = 0;
	self->seen.stop_at = 0;
	self->seen.in_order = 0;
	self->seen.error = 0;
	self->walk = (struct reader_rounds){
		.fn = see, .rest = see_rest, .context = &self->seen,
		.rest_context = &self->seen,
	};
}

FIXTURE_TEARDOWN(rounds)
{
	reader_close(self->seen.reader);
	synthetic_end(&self->file);
}

static int walk(struct synthetic *file, struct damages *damages,
		struct seen *seen, struct reader_rounds *how)
{
	int err;

	synthetic_finish(file);
	seen->path = file->path;
	err = reader_open(file->path, &seen->reader, damages);
	return err ? err : reader_walk_rounds(seen->reader, how);
}

static void put(struct synthetic *file, uint64_t time, unsigned int event)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.event = event, .pid = 1, .tid = 1, .time = time, .ip = 0x1000,
		.period = 1,
	});
}

static bool goes_before(const struct record *a, const struct record *b)
{
	return a->time != b->time ? a->time < b->time : a->offset < b->offset;
}

/*
 * Number of pairs of records in the wrong order, at least one of which is not a sample.
 */
static size_t misplaced(const struct seen *seen, size_t nr)
{
	const struct record *a, *b;
	size_t wrong = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t j = i + 1; j < nr; j++) {
			a = &seen->records[i];
			b = &seen->records[j];
			wrong += (a->type != PERF_RECORD_SAMPLE ||
				  b->type != PERF_RECORD_SAMPLE) &&
				 a->time && b->time && goes_before(b, a);
		}
	}
	return wrong;
}

static int compare_offsets(const void *a, const void *b)
{
	const struct record *left = a, *right = b;

	return left->offset < right->offset ? -1 :
	       left->offset > right->offset;
}

/* How often a record was delivered twice. */
static size_t doubled(struct seen *seen)
{
	size_t twice = 0;

	qsort(seen->records, seen->nr, sizeof(*seen->records),
	      compare_offsets);
	for (size_t i = 1; i < seen->nr; i++)
		twice += seen->records[i].offset == seen->records[i - 1].offset;
	return twice;
}

/*
 * Rounds of four CPUs that were read one after the other, up to different times. Returns
 * the number of records written.
 */
static size_t put_rounds(struct synthetic *file, unsigned int seed)
{
	uint64_t time[4] = { 1, 1, 1, 1 };
	size_t nr = 0;

	srand(seed);
	for (uint64_t round = 1; round <= 20; round++) {
		for (int cpu = 0; cpu < 4; cpu++) {
			while (time[cpu] < round * 100 + rand() % 90) {
				if (rand() % 10)
					put(file, time[cpu], rand() % 2);
				else
					synthetic_comm(file, 1, 1, "c",
						       time[cpu], false);
				time[cpu] += rand() % 12;
				nr++;
			}
		}
		synthetic_round(file);
	}
	return nr;
}

TEST_F(rounds, of_cpus)
{
	size_t nr = put_rounds(&self->file, 1);

	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	ASSERT_EQ(nr, self->seen.nr);
	EXPECT_EQ(nr, self->seen.in_order);
	EXPECT_EQ(0, self->walk.late);
	EXPECT_EQ(0, misplaced(&self->seen, nr));
	EXPECT_EQ(0, doubled(&self->seen));
}

/* Wherever order begins to matter, the rest is delivered as it is in the file. */
TEST_F(rounds, order_matters_suddenly)
{
	size_t nr = put_rounds(&self->file, 2);

	self->seen.stop_at = nr / 2;
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	ASSERT_EQ(nr, self->seen.nr);
	EXPECT_EQ(nr / 2, self->seen.in_order);
	EXPECT_EQ(0, misplaced(&self->seen, nr / 2));
	for (size_t i = nr / 2 + 1; i < nr; i++)
		ASSERT_GT(self->seen.records[i].offset,
			  self->seen.records[i - 1].offset);
	EXPECT_EQ(0, doubled(&self->seen));
}

/* Too many runs to be tracked: all records must be sorted elsewhere. */
TEST_F(rounds, backwards)
{
	const size_t nr = 33000;

	for (size_t i = 0; i < nr; i++)
		put(&self->file, 1 + nr - i, 0);
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	ASSERT_EQ(nr, self->seen.nr);
	EXPECT_EQ(0, self->seen.in_order);
	EXPECT_EQ(1 + nr, self->seen.records[0].time);
	EXPECT_EQ(0, doubled(&self->seen));
}

/* The second round has ended at this record: older ones have been delivered. */
TEST_F(rounds, late)
{
	put(&self->file, 100, 0);
	synthetic_round(&self->file);
	put(&self->file, 200, 0);
	synthetic_round(&self->file);
	put(&self->file, 50, 0);
	synthetic_comm(&self->file, 1, 1, "c", 60, false);
	put(&self->file, 300, 0);
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	EXPECT_EQ(5, self->seen.nr);
	EXPECT_EQ(2, self->walk.late);
	EXPECT_EQ(300, self->walk.newest);
}

TEST_F(rounds, without_time_at_once)
{
	put(&self->file, 10, 0);
	put(&self->file, 0, 0);
	synthetic_comm(&self->file, 1, 1, "c", 0, false);
	put(&self->file, 20, 0);
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	ASSERT_EQ(4, self->seen.nr);
	EXPECT_EQ(0, self->seen.records[0].time);
	EXPECT_EQ(PERF_RECORD_COMM, self->seen.records[1].type);
	EXPECT_EQ(20, self->seen.records[3].time);
}

/* Records without an event, or of a wrong size, are reported, and the rest delivered. */
TEST_F(rounds, damage)
{
	struct perf_event_header *header;

	put(&self->file, 10, 0);
	put(&self->file, 20, 7);
	put(&self->file, 30, 1);
	header = (void *)(self->file.bytes + self->file.size);
	put(&self->file, 40, 1);
	header->size += 8192;
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	ASSERT_EQ(2, self->seen.nr);
	EXPECT_EQ(0, self->seen.records[0].event);
	EXPECT_EQ(1, self->seen.records[1].event);
	EXPECT_EQ(2, self->damages.nr);
}

/* A file that is truncated after its run was walked, before samples are delivered. */
#define KEPT	(1 << 16)

static int cut_off(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (!seen->nr && truncate(seen->path, KEPT))
		return -EIO;
	return see(context, record);
}

TEST_F(rounds, cut_off_between)
{
	while (self->file.size < 4 * KEPT)
		put(&self->file, self->file.size, 0);
	synthetic_comm(&self->file, 1, 1, "c", 0, false);
	self->walk.fn = cut_off;
	ASSERT_EQ(0, walk(&self->file, &self->damages, &self->seen,
			  &self->walk));
	EXPECT_GT(self->seen.nr, KEPT / 100);
	EXPECT_LE(self->seen.nr, 1 + KEPT / 56);
	EXPECT_NE(0, self->damages.nr);
}

TEST_F(rounds, errors_come_through)
{
	put_rounds(&self->file, 3);
	self->seen.error = -EIO;
	EXPECT_EQ(-EIO, walk(&self->file, &self->damages, &self->seen,
			     &self->walk));
	EXPECT_EQ(1, self->seen.nr);
}

TEST_HARNESS_MAIN
