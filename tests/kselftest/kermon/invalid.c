// SPDX-License-Identifier: GPL-2.0
/*
 * A counter is written to while an interval is open, so that the difference is
 * no count; a record reports this if no CPU can have counted that much. The
 * limit is 2^9 per TSC cycle (sampler_exceeds()), and an interval below 2^16
 * cycles is taken for that long.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

/* In TSC cycles: an interval with the lowest limit, and one of about 10 ms. */
#define SHORT		(1U << 16)
#define LONG		10000000U

/**
 * struct write - a write to a counter of the worker's CPU
 * @registers: descriptor of the registers
 * @counter: number of the counter
 * @rounds: of code_arithmetic() to run before, in the same interval
 * @step: amount by which the counter advances
 */
struct write {
	int registers;
	uint32_t counter;
	uint64_t rounds;
	uint64_t step;
};

static long switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		_exit(1);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Run for a time in which no switch ends the interval. */
static void run_undisturbed(uint64_t rounds)
{
	long before;

	do {
		before = switches();
		code_arithmetic(rounds, NULL);
	} while (switches() != before);
}

static void work(void *data)
{
	const struct write *write = data;
	uint64_t value;

	run_undisturbed(write->rounds);
	if (pread(write->registers, &value, sizeof(value), write->counter) < 0)
		_exit(1);
	value += write->step;
	if (pwrite(write->registers, &value, sizeof(value), write->counter) < 0)
		_exit(1);
	sleep_us(1000);
	code_arithmetic(ROUNDS, NULL);
}

FIXTURE(invalid)
{
	struct write write;
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
	char path[32];

	ASSERT_NE(quantity_set(0), NULL);
	self->write.counter = counter_register(0);
	/* The first write permits further ones. */
	ASSERT_EQ(register_write(CPU, self->write.counter, 0), 0);
	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", CPU);
	self->write.registers = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_GE(self->write.registers, 0);
}

FIXTURE_TEARDOWN(invalid)
{
	close(self->write.registers);
	free(self->records.data);
}

/* Log a worker that advances a counter by @step in @cycles. */
static void disturb(struct __test_metadata *_metadata,
		    FIXTURE_DATA(invalid) *self, uint32_t flags,
		    uint64_t cycles, uint64_t step)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	struct app_info app;
	pid_t pid;
	int fd;

	self->write.step = step;
	if (cycles > SHORT)
		self->write.rounds = cycles / arithmetic_round[INSTRUCTIONS];
	set.flags = flags;
	set.interval_ns = 1000000000;
	pid = worker_start(work, &self->write);
	ASSERT_EQ(pin(pid, CPU), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	worker_go(pid);
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

static uint64_t most(const uint64_t *counts, unsigned int nr)
{
	uint64_t found = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (counts[i] > found)
			found = counts[i];
	return found;
}

/*
 * The largest count of a sample: the module chooses which counter has which
 * event.
 */
static uint64_t most_of_sample(const struct kermon_sample *sample)
{
	return most((const uint64_t *)sample->values,
		    sample->nr_fixed + sample->nr_events);
}

/* The record of the interval in which the counter was written to. */
static const struct kermon_sample *find(const struct records *records,
					uint64_t step)
{
	const struct kermon_record *record = NULL;
	const struct kermon_sample *sample;

	while ((record = records_next(records, record))) {
		sample = (const struct kermon_sample *)record;
		if (most_of_sample(sample) >= step)
			break;
	}
	return (const struct kermon_sample *)record;
}

/* Whether the intervals do not overlap. */
static bool are_apart(const struct kermon_sample *one,
		      const struct kermon_sample *other)
{
	return one->tsc_end <= other->tsc_begin ||
	       other->tsc_end <= one->tsc_begin;
}

static void expect_told(struct __test_metadata *_metadata,
			const FIXTURE_DATA(invalid) *self)
{
	const uint64_t step = self->write.step;
	const struct kermon_sample *sample = find(&self->records, step);
	const struct kermon_record *record = NULL;

	EXPECT_EQ(self->tally.invalid, 1);
	EXPECT_GT(self->tally.samples, 0);
	EXPECT_LT(most(self->tally.fixed, 4), step);
	EXPECT_LT(most(self->tally.events, SET_SIZE), step);
	ASSERT_NE(sample, NULL);
	EXPECT_EQ(sample->record.type, KERMON_RECORD_INVALID);
	EXPECT_EQ(sample->intervals, 1);
	EXPECT_GT(sample->oncpu, 0);
	EXPECT_EQ(sample->oncpu, sample->tsc_end - sample->tsc_begin);
	while ((record = records_next(&self->records, record)))
		if (record != &sample->record)
			EXPECT_TRUE(are_apart((const void *)record, sample));
}

static void expect_counted(struct __test_metadata *_metadata,
			   const FIXTURE_DATA(invalid) *self)
{
	EXPECT_EQ(self->tally.invalid, 0);
	EXPECT_GE(most(self->tally.events, SET_SIZE), self->write.step);
}

/* Just above the limit of a short interval, and just below. */
TEST_F(invalid, is_told)
{
	disturb(_metadata, self, variant->flags, SHORT, SHORT << 10);
	expect_told(_metadata, self);
	EXPECT_LT(find(&self->records, self->write.step)->oncpu, SHORT);
}

TEST_F(invalid, is_not_what_may_be)
{
	disturb(_metadata, self, variant->flags, SHORT, SHORT << 8);
	expect_counted(_metadata, self);
}

/* In a long interval about 1700 per cycle, and 430; both exceed 2^31 in all. */
TEST_F(invalid, is_told_of_long_intervals)
{
	disturb(_metadata, self, variant->flags, LONG, 1ULL << 34);
	expect_told(_metadata, self);
	EXPECT_GT(find(&self->records, self->write.step)->oncpu, LONG);
}

TEST_F(invalid, is_not_what_may_be_in_time)
{
	disturb(_metadata, self, variant->flags, LONG, 1ULL << 32);
	expect_counted(_metadata, self);
}

/*
 * A fixed counter if there are any; AMD's second counter may be merged with the
 * first.
 */
TEST_F(invalid, is_told_of_any_counter)
{
	self->write.counter = cpu_is_amd() ? counter_register(2) : MSR_FIXED_CTR0;
	disturb(_metadata, self, variant->flags, SHORT, SHORT << 10);
	expect_told(_metadata, self);
}

TEST_HARNESS_MAIN
