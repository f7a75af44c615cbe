// SPDX-License-Identifier: GPL-2.0
/*
 * Samples of a task that stays on its CPU: length, gaps, instruction pointer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		3000000
#define INTERVAL_NS	8000000ULL
#define NS_PER_MS	1000000ULL
/* Several default intervals, even where the task is switched out in between. */
#define LONG_MS		400

static void compute(void *data)
{
	(void)data;
	code_arithmetic(ROUNDS, NULL);
}

static void compute_long(void *data)
{
	(void)data;
	spin_ms(LONG_MS);
}

FIXTURE(interval) {
	struct records records;
	struct tally tally;
	struct machine_info info;
};

FIXTURE_SETUP(interval)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
}

FIXTURE_TEARDOWN(interval)
{
	free(self->records.data);
}

static void count(struct __test_metadata *_metadata,
		  FIXTURE_DATA(interval) *self, void (*work)(void *data), uint64_t interval_ns)
{
	struct kermon_event_set set = plain_set();
	pid_t pid = worker_start(work, NULL);
	int fd;

	set.interval_ns = interval_ns;
	ASSERT_EQ(pin(pid, 0), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
	records_tally(&self->records, 0, &self->tally);
	ASSERT_EQ(self->tally.broken, 0);
}

/* The next sample of the log, on any CPU. */
static const struct kermon_sample *next_sample(const struct records *records,
					       const struct kermon_sample *last)
{
	return (const void *)records_next(records, last ? &last->record : NULL);
}

/* No sample comes early; late ticks still produce most of them. */
static void expect_interval(struct __test_metadata *_metadata,
			    FIXTURE_DATA(interval) *self, uint64_t interval_ns)
{
	uint64_t cycles = interval_ns * self->info.tsc_khz / NS_PER_MS;
	const struct kermon_sample *sample = NULL;

	while ((sample = next_sample(&self->records, sample)))
		if (sample->reason == KERMON_REASON_TICK) {
			EXPECT_GE(sample->oncpu, cycles);
		}
	EXPECT_GE(self->tally.by_reason[KERMON_REASON_TICK],
		  self->tally.oncpu / cycles / 3);
	EXPECT_GT(self->tally.by_reason[KERMON_REASON_TICK], 0);
}

TEST_F(interval, as_set)
{
	count(_metadata, self, compute, INTERVAL_NS);
	expect_interval(_metadata, self, INTERVAL_NS);
}

TEST_F(interval, by_default)
{
	count(_metadata, self, compute_long, 0);
	expect_interval(_metadata, self, KERMON_INTERVAL_DEFAULT_NS);
}

/* A tick ends one interval and begins the next with the same reading. */
TEST_F(interval, ticks_leave_no_gap)
{
	const struct kermon_sample *sample, *last = NULL;

	count(_metadata, self, compute, INTERVAL_NS);
	for (sample = next_sample(&self->records, NULL); sample;
	     last = sample, sample = next_sample(&self->records, last)) {
		if (!last)
			continue;
		if (last->reason == KERMON_REASON_TICK) {
			EXPECT_EQ(sample->tsc_begin, last->tsc_end);
		} else {
			EXPECT_GT(sample->tsc_begin, last->tsc_end);
		}
	}
}

/* The address in user mode where a tick interrupted the task. */
TEST_F(interval, instruction_pointer)
{
	uintptr_t begin = (uintptr_t)code_arithmetic;
	uintptr_t end = (uintptr_t)code_arithmetic_end;
	const struct kermon_sample *sample = NULL;
	unsigned int inside = 0;

	count(_metadata, self, compute, INTERVAL_NS);
	while ((sample = next_sample(&self->records, sample)))
		if (sample->reason == KERMON_REASON_TICK)
			inside += sample->ip >= begin && sample->ip < end;
	EXPECT_EQ(inside, self->tally.by_reason[KERMON_REASON_TICK]);
}

TEST_HARNESS_MAIN
