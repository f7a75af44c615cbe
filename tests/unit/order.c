// SPDX-License-Identifier: GPL-2.0
/*
 * Records are delivered in the order of time, those of the same time in their own order.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "flow/order.h"
#include "perfdata/format/format.h"

#include "kselftest_harness.h"

#define NR	20000

struct seen {
	struct record records[NR];
	size_t nr;
	size_t rounds;
};

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (record->type == PERFDATA_RECORD_FINISHED_ROUND)
		seen->rounds++;
	else
		seen->records[seen->nr++] = *record;
	return 0;
}

FIXTURE(order)
{
	struct seen *seen;
	struct order *order;
};

FIXTURE_SETUP(order)
{
	self->seen = calloc(1, sizeof(*self->seen));
	self->order = order_new(see, self->seen);
	ASSERT_NE(NULL, self->seen);
	ASSERT_NE(NULL, self->order);
}

FIXTURE_TEARDOWN(order)
{
	order_free(self->order);
	free(self->seen);
}

/* @offset identifies records. */
static int put(struct order *order, uint64_t time, uint64_t offset)
{
	return order_record(order, &(struct record){
		.type = PERF_RECORD_SAMPLE, .time = time, .offset = offset,
	});
}

static int end_round(struct order *order)
{
	return order_record(order, &(struct record){
		.type = PERFDATA_RECORD_FINISHED_ROUND,
	});
}

static bool is_stable(const struct seen *seen)
{
	const struct record *a, *b;

	for (size_t i = 1; i < seen->nr; i++) {
		a = &seen->records[i - 1];
		b = &seen->records[i];
		if (a->time > b->time ||
		    (a->time == b->time && a->offset > b->offset))
			return false;
	}
	return true;
}

TEST_F(order, shuffled)
{
	srand(1);
	for (size_t i = 0; i < NR; i++)
		ASSERT_EQ(0, put(self->order, 1 + rand() % 5000, i));
	EXPECT_EQ(0, self->seen->nr);
	ASSERT_EQ(0, order_flush(self->order));
	EXPECT_EQ(NR, self->seen->nr);
	EXPECT_TRUE(is_stable(self->seen));
}

TEST_F(order, backwards)
{
	for (size_t i = 0; i < NR; i++)
		ASSERT_EQ(0, put(self->order, NR - i, i));
	ASSERT_EQ(0, order_flush(self->order));
	EXPECT_EQ(NR, self->seen->nr);
	EXPECT_TRUE(is_stable(self->seen));
}

/* Records of the last two rounds wait, not those of the whole file. */
TEST_F(order, rounds_bound_memory)
{
	size_t nr = 0, most = 0;

	for (uint64_t round = 0; round < 100; round++) {
		for (uint64_t cpu = 0; cpu < 4; cpu++)
			for (uint64_t i = 0; i < 50; i++)
				ASSERT_EQ(0, put(self->order,
						 1 + round * 100 + i * 2, nr++));
		ASSERT_EQ(0, end_round(self->order));
		if (nr - self->seen->nr > most)
			most = nr - self->seen->nr;
	}
	EXPECT_LE(most, 400);
	EXPECT_EQ(100, self->seen->rounds);
	ASSERT_EQ(0, order_flush(self->order));
	EXPECT_EQ(nr, self->seen->nr);
	EXPECT_TRUE(is_stable(self->seen));
}

/* More than fits in memory, in no order at all: it goes through a file. */
#define MANY	(1000000UL)

struct sum {
	uint64_t nr;
	uint64_t time;
	uint64_t offset;
	uint64_t wrong;
};

static int sum_up(void *context, const struct record *record)
{
	struct sum *sum = context;

	if (record->type == PERFDATA_RECORD_FINISHED_ROUND)
		return 0;
	sum->nr++;
	sum->wrong += record->time < sum->time ||
		      (record->time == sum->time &&
		       record->offset < sum->offset);
	sum->time = record->time;
	sum->offset = record->offset;
	return 0;
}

TEST(more_than_memory_holds)
{
	struct sum sum = { 0 };
	struct order *order = order_new(sum_up, &sum);

	ASSERT_NE(NULL, order);
	srand(2);
	for (size_t i = 0; i < MANY; i++)
		ASSERT_EQ(0, put(order, 1 + rand() % (MANY / 3), i));
	EXPECT_EQ(0, sum.nr);
	ASSERT_EQ(0, order_flush(order));
	EXPECT_EQ(MANY, sum.nr);
	EXPECT_EQ(0, sum.wrong);
	order_free(order);
}

/* A round may deliver records from the file, and keep records in it. */
TEST(rounds_larger_than_memory)
{
	struct sum sum = { 0 };
	struct order *order = order_new(sum_up, &sum);
	const size_t nr = MANY / 3;

	ASSERT_NE(NULL, order);
	for (uint64_t round = 0; round < 3; round++) {
		for (size_t i = 0; i < nr; i++)
			ASSERT_EQ(0, put(order, 1 + round * nr + i * 7919 % nr,
					 round * nr + i));
		ASSERT_EQ(0, end_round(order));
		EXPECT_EQ(round * nr, sum.nr);
	}
	ASSERT_EQ(0, order_flush(order));
	EXPECT_EQ(3 * nr, sum.nr);
	EXPECT_EQ(0, sum.wrong);
	order_free(order);
}

/* Everything beyond the memory limit is delivered, in order. */
static bool is_ordered(void)
{
	struct sum sum = { 0 };
	struct order *order = order_new(sum_up, &sum);
	int err = 0;

	for (size_t i = 0; order && i < MANY / 2; i++)
		err |= put(order, MANY - i, i);
	err |= order_flush(order);
	order_free(order);
	return !err && sum.nr == MANY / 2 && !sum.wrong;
}

/* If there is no space for a file, memory is used. */
TEST(no_temporary_file)
{
	setenv("TMPDIR", "/nonexistent", 1);
	EXPECT_TRUE(is_ordered());
}

/* SIGXFSZ does not end the process either, nor is it delivered later. */
TEST(limited_temporary_file)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };
	sigset_t pending;

	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_TRUE(is_ordered());
	sigpending(&pending);
	EXPECT_EQ(0, sigismember(&pending, SIGXFSZ));
}

TEST_F(order, without_time_at_once)
{
	ASSERT_EQ(0, put(self->order, 10, 0));
	ASSERT_EQ(0, put(self->order, 0, 1));
	ASSERT_EQ(0, put(self->order, UINT64_MAX, 2));
	EXPECT_EQ(2, self->seen->nr);
	EXPECT_EQ(1, self->seen->records[0].offset);
}

static int refuse(void *context, const struct record *record)
{
	(void)context;
	(void)record;
	return -EIO;
}

TEST(errors_come_through)
{
	struct order *order = order_new(refuse, NULL);

	ASSERT_NE(NULL, order);
	ASSERT_EQ(0, put(order, 1, 0));
	EXPECT_EQ(-EIO, order_flush(order));
	EXPECT_EQ(-EIO, put(order, 0, 0));
	order_free(order);
}

TEST_HARNESS_MAIN
