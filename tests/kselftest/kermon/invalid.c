// SPDX-License-Identifier: GPL-2.0
/*
 * Somebody writes to a counter while an interval is open: what is subtracted then
 * is no count, and a record says so.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define CPU		1
#define ROUNDS		1000

/* Goes on until it is told to stop, then sleeps, and goes on for a while. */
static void work(void *data)
{
	volatile bool *stop = data;

	while (!*stop)
		;
	sleep_us(1000);
	code_arithmetic(ROUNDS, NULL);
}

FIXTURE(invalid)
{
	struct machine_info info;
	volatile bool *stop;
	struct records records;
	struct tally tally;
};

FIXTURE_VARIANT(invalid)
{
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(invalid, each_interval) { .flags = 0 };
FIXTURE_VARIANT_ADD(invalid, coalesced) { .flags = KERMON_SET_COALESCE };

FIXTURE_SETUP(invalid)
{
	self->stop = mmap(NULL, sizeof(*self->stop), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(self->stop, MAP_FAILED);
	ASSERT_NE(quantity_set(0), NULL);
	ASSERT_EQ(control_get_info(&self->info), 0);
}

FIXTURE_TEARDOWN(invalid)
{
	free(self->records.data);
}

/* The worker's log, with its first counter moved on by @step while it runs. */
static void disturb(struct __test_metadata *_metadata,
		    FIXTURE_DATA(invalid) *self, uint32_t flags, uint64_t step)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	pid_t pid = worker_start(work, (void *)self->stop);
	const uint32_t counter = counter_register(0);
	struct app_info app;
	uint64_t value;
	int fd;

	set.flags = flags;
	set.interval_ns = 1000000000;
	ASSERT_EQ(pin(pid, CPU), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(register_write(CPU, counter, 0), 0);
	worker_go(pid);
	sleep_us(5000);
	ASSERT_EQ(register_read(CPU, counter, &value), 0);
	ASSERT_EQ(register_write(CPU, counter, value + step), 0);
	*self->stop = true;
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	ASSERT_EQ(control_get_app(pid, &app), 0);
	close(fd);
	records_tally(&self->records, 0, &self->tally);
	EXPECT_EQ(self->tally.broken, self->tally.invalid);
	EXPECT_EQ(self->tally.reported_lost, 0);
	EXPECT_EQ(self->tally.samples + self->tally.invalid, app.emitted);
	EXPECT_EQ(app.read, app.emitted);
}

static const struct kermon_sample *find_invalid(const struct records *records)
{
	const struct kermon_record *record = NULL;

	while ((record = records_next(records, record)))
		if (record->type == KERMON_RECORD_INVALID)
			break;
	return (const struct kermon_sample *)record;
}

/* Which event the first counter counts is the module's choice. */
static uint64_t most(const uint64_t *counts)
{
	uint64_t found = 0;
	unsigned int i;

	for (i = 0; i < SET_SIZE; i++)
		if (counts[i] > found)
			found = counts[i];
	return found;
}

/* Neither ends while the other lasts. */
static bool are_apart(const struct kermon_sample *one,
		      const struct kermon_sample *other)
{
	return one->tsc_end <= other->tsc_begin ||
	       other->tsc_end <= one->tsc_begin;
}

/* Some 2^36 in 5 ms would be ten thousand in a nanosecond. */
TEST_F(invalid, is_told)
{
	const struct kermon_record *record = NULL;
	const struct kermon_sample *sample;

	disturb(_metadata, self, variant->flags, 1ULL << 36);
	EXPECT_EQ(self->tally.invalid, 1);
	EXPECT_GT(self->tally.samples, 0);
	EXPECT_LT(most(self->tally.events), 1ULL << 30);
	sample = find_invalid(&self->records);
	ASSERT_NE(sample, NULL);
	EXPECT_EQ(sample->intervals, 1);
	EXPECT_GT(sample->oncpu, 0);
	EXPECT_EQ(sample->oncpu, sample->tsc_end - sample->tsc_begin);
	EXPECT_GE(most((const uint64_t *)sample->values + sample->nr_fixed),
		  1ULL << 36);
	while ((record = records_next(&self->records, record)))
		if (record != &sample->record)
			EXPECT_TRUE(are_apart((const void *)record, sample));
}

/* Two hundred in a nanosecond: no CPU does that, but it is not out of the question. */
TEST_F(invalid, is_not_what_may_be)
{
	disturb(_metadata, self, variant->flags, 1ULL << 30);
	EXPECT_EQ(self->tally.invalid, 0);
	EXPECT_GE(most(self->tally.events), 1ULL << 30);
}

TEST_HARNESS_MAIN
