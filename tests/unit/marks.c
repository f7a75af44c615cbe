// SPDX-License-Identifier: GPL-2.0
/*
 * Rings of marks: what is written arrives, in order; what lies is given up or left out, and
 * counted, and the receiver survives it.
 */
#include <string.h>

#include "received.h"

TEST_F(marks, names_arrive_before_marks_that_refer_to_them)
{
	uint64_t before = __builtin_ia32_rdtsc();

	produced_mark(&self->ring, MARK_BEGIN, 1);
	produced_mark(&self->ring, MARK_END, 1);
	produced_name(&self->names, 1, "Fit\n\033[2J\177");
	ASSERT_EQ(3, drain(self));
	EXPECT_TRUE(self->arrived[0].is_name);
	EXPECT_STREQ("Fit??[2J?", self->arrived[0].text);
	EXPECT_EQ(getpid(), self->arrived[0].pid);
	EXPECT_LT(self->arrived[0].tsc, before);
	EXPECT_EQ(MARK_BEGIN, self->arrived[1].kind);
	EXPECT_EQ(MARK_END, self->arrived[2].kind);
	EXPECT_EQ(gettid(), self->arrived[2].tid);
	EXPECT_LE(self->arrived[1].tsc, self->arrived[2].tsc);
	EXPECT_EQ(1, self->threads);
	EXPECT_EQ(2, self->totals.marks);
	EXPECT_EQ(1, self->totals.names);
	EXPECT_EQ(1, self->totals.processes);
	EXPECT_EQ(1, self->totals.threads);
	EXPECT_EQ(0, self->totals.invalid);

	/* One that was not there at the last look was made after it. */
	before = self->arrived[2].tsc;
	produced_name(&self->names, 2, "Track");
	ASSERT_EQ(1, drain(self));
	EXPECT_LT(before, self->arrived[0].tsc);
	EXPECT_EQ(0, drain(self));
}

TEST_F(marks, ring_wraps_around)
{
	const uint64_t values[2] = { 5, 6 };
	size_t marked = 0, got = 0;

	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < round % 50; i++, marked++)
			produced_mark_at(&self->ring, MARK_OPEN, marked, marked, values, 2);
		ASSERT_EQ(round % 50, (int)drain(self));
		for (size_t i = 0; i < self->nr; i++, got++) {
			ASSERT_EQ((uint32_t)got, self->arrived[i].id);
			ASSERT_EQ(got, self->arrived[i].tsc);
			ASSERT_EQ(5, self->arrived[i].value);
		}
		ASSERT_EQ(self->ring.head->head, self->ring.head->tail);
	}
	ASSERT_LT(10 * RING, (int)self->ring.head->tail);
	EXPECT_EQ(marked, self->totals.marks);
}

TEST_F(marks, full_ring_is_read)
{
	while (produced_has_room(&self->ring, 16))
		produced_mark(&self->ring, MARK_EVENT, 1);
	EXPECT_EQ(RING / 16, drain(self));
	EXPECT_EQ(1, marks_fill(self->marks));
	EXPECT_TRUE(produced_has_room(&self->ring, RING));
	drain(self);
	EXPECT_EQ(0, marks_fill(self->marks));
}

/* After that, the receiver reads the other rings on. */
static void expect_broken(struct __test_metadata *_metadata, FIXTURE_DATA(marks) *self)
{
	struct produced other;

	ASSERT_EQ(0, drain(self));
	EXPECT_EQ(1, self->totals.broken);
	ASSERT_LT(0, give(self, &other, RING_MARKS));
	produced_mark(&other, MARK_BEGIN, 1);
	EXPECT_EQ(1, drain(self));
	EXPECT_EQ(1, self->totals.broken);
	produced_free(&other);
}

TEST_F(marks, head_beyond_the_ring)
{
	self->ring.head->head = RING + 8;
	expect_broken(_metadata, self);
}

TEST_F(marks, head_of_no_record)
{
	self->ring.head->head = 17;
	expect_broken(_metadata, self);
}

TEST_F(marks, head_that_goes_back)
{
	produced_mark(&self->ring, MARK_BEGIN, 1);
	produced_mark(&self->ring, MARK_END, 1);
	ASSERT_EQ(2, drain(self));
	self->ring.head->head = 16;
	expect_broken(_metadata, self);
}

TEST_F(marks, largest_head)
{
	self->ring.head->head = UINT64_MAX - 7;
	expect_broken(_metadata, self);
}

TEST_F(marks, record_without_a_size)
{
	memset(self->ring.records, 0, RING);
	self->ring.head->head = RING;
	expect_broken(_metadata, self);
}

TEST_F(marks, record_longer_than_what_was_written)
{
	const struct mark_record mark = { MARK_BEGIN, 3, 0, 1, 1 };

	produced_put(&self->ring, &mark, sizeof(mark));
	expect_broken(_metadata, self);
}

TEST_F(marks, record_of_half_a_head)
{
	produced_put(&self->ring, "\1\2\0\0\0\0\0", 8);
	expect_broken(_metadata, self);
}

TEST_F(marks, sizes_of_names)
{
	static const uint16_t sizes[] = { 0, 8, 16, 20, 1032, 65528 };
	struct produced names;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct name_record name = { .size = sizes[i], .id = 1 };

		ASSERT_LT(0, give(self, &names, RING_NAMES));
		drain(self);
		produced_put(&names, &name, sizeof(name));
		produced_put(&names, "abcdefg", 8);
		EXPECT_EQ(0, drain(self));
		EXPECT_EQ(i + 1, self->totals.broken) TH_LOG("size %u", sizes[i]);
		produced_free(&names);
	}
}

TEST_F(marks, names_without_sense_are_left_out)
{
	const struct name_record endless = { .size = 24, .id = 1 };
	char longest[RING_NAME_MAX + 1];

	memset(longest, 'x', RING_NAME_MAX);
	longest[RING_NAME_MAX] = '\0';
	produced_put(&self->names, &endless, sizeof(endless));
	produced_put(&self->names, "abcdefgh", 8);
	produced_name_of(&self->names, MARK_NAME_THREAD + 1, 1, 0, "unknown kind");
	produced_name(&self->names, 0, "no number");
	produced_name_of(&self->names, MARK_NAME_THREAD, 0, -1, "no thread");
	produced_name(&self->names, 1, longest);
	produced_name_of(&self->names, MARK_NAME_THREAD, 0, gettid(), "me");
	ASSERT_EQ(2, drain(self));
	EXPECT_EQ(4, self->totals.invalid);
	EXPECT_EQ(1, self->arrived[0].id);
	EXPECT_STREQ("me", self->arrived[1].text);
	EXPECT_EQ(gettid(), self->arrived[1].tid);
	EXPECT_EQ(0, self->totals.broken);
}

TEST_F(marks, kinds_without_sense_are_left_out)
{
	const uint64_t value = 3;

	produced_mark(&self->ring, MARK_NONE, 1);
	produced_mark(&self->ring, MARK_MAX, 1);
	produced_mark(&self->ring, MARK_VALUE, 1);
	produced_mark_at(&self->ring, MARK_OPEN, 1, 1, &value, 1);
	produced_mark(&self->ring, MARK_COUNTED, 0);
	produced_mark(&self->ring, MARK_PAUSE, 0);
	ASSERT_EQ(1, drain(self));
	EXPECT_EQ(MARK_PAUSE, self->arrived[0].kind);
	EXPECT_EQ(5, self->totals.invalid);
}

TEST_F(marks, counts_that_do_not_fit_are_left_out)
{
	const struct mark_counted counted = { .plan = 1, .nr_fixed = 3, .nr_values = 4 };
	const struct mark_counted wrong = { .plan = 1, .nr_fixed = 5, .nr_values = 4 };
	const uint64_t counts[6] = { 100, 1, 2, 3, 4, 5 };

	produced_mark_at(&self->ring, MARK_BEGIN, 1, 1, counts, 5);
	produced_mark_at(&self->ring, MARK_COUNTED, 0, 2, (const void *)&counted, 1);
	produced_mark_at(&self->ring, MARK_BEGIN, 1, 3, counts, 5);
	produced_mark_at(&self->ring, MARK_END, 1, 4, counts, 6);
	produced_mark_at(&self->ring, MARK_END, 1, 5, counts, 4);
	produced_mark(&self->ring, MARK_END, 1);
	produced_mark_at(&self->ring, MARK_COUNTED, 0, 7, (const void *)&wrong, 1);
	produced_mark_at(&self->ring, MARK_BEGIN, 1, 8, counts, 5);
	ASSERT_EQ(6, drain(self));
	EXPECT_EQ(MARK_WORDS, self->arrived[0].words);
	EXPECT_EQ(MARK_WORDS + 5, self->arrived[1].words);
	EXPECT_EQ(100, self->arrived[1].value);
	EXPECT_EQ(MARK_WORDS, self->arrived[2].words);
	EXPECT_EQ(MARK_WORDS, self->arrived[3].words);
	EXPECT_EQ(MARK_WORDS, self->arrived[5].words);
	EXPECT_EQ(4, self->totals.invalid);
}

TEST_F(marks, times_ascend_and_are_past)
{
	const uint64_t now = __builtin_ia32_rdtsc(), begin = UINT64_MAX;

	produced_mark_at(&self->ring, MARK_BEGIN, 1, now, NULL, 0);
	produced_mark_at(&self->ring, MARK_BEGIN, 2, now - 1000, NULL, 0);
	produced_mark_at(&self->ring, MARK_FRAME, 2, now - 2000, &begin, 1);
	produced_mark_at(&self->ring, MARK_END, 2, UINT64_MAX, NULL, 0);
	ASSERT_EQ(4, drain(self));
	EXPECT_EQ(now, self->arrived[0].tsc);
	EXPECT_EQ(now, self->arrived[1].tsc);
	EXPECT_EQ(now - 2000, self->arrived[2].tsc);
	EXPECT_EQ(now - 2000, self->arrived[2].value);
	EXPECT_LE(self->arrived[3].tsc, __builtin_ia32_rdtsc());
	EXPECT_EQ(1, self->totals.invalid);
}

TEST_F(marks, losses_are_told_once)
{
	const uint64_t three = 3;

	produced_mark(&self->ring, MARK_BEGIN, 1);
	self->ring.head->lost = 3;
	EXPECT_EQ(1, drain(self));
	produced_mark_at(&self->ring, MARK_LOST, 0, __builtin_ia32_rdtsc(), &three, 1);
	self->ring.head->lost = 5;
	EXPECT_EQ(1, drain(self));
	EXPECT_EQ(3, self->totals.lost);
	self->ring.head->closed = 1;
	ASSERT_EQ(1, drain(self));
	EXPECT_EQ(MARK_LOST, self->arrived[0].kind);
	EXPECT_EQ(2, self->arrived[0].value);
	EXPECT_EQ(5, self->totals.lost);
	EXPECT_EQ(1, marks_rings(self->marks));
	EXPECT_EQ(0, drain(self));
}

TEST_F(marks, losses_of_a_thread_that_runs_on)
{
	self->ring.head->lost = 3;
	self->nr = 0;
	ASSERT_EQ(0, marks_drain(self->marks, &consumer, self, true));
	ASSERT_EQ(1, self->nr);
	EXPECT_EQ(3, self->arrived[0].value);
}

TEST_HARNESS_MAIN
