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

/* The worker's log, with the first counter set to @value while it runs. */
static void disturb(struct __test_metadata *_metadata,
		    FIXTURE_DATA(invalid) *self, uint32_t flags,
		    uint64_t before, uint64_t value)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	pid_t pid = worker_start(work, (void *)self->stop);
	struct app_info app;
	int fd;

	set.flags = flags;
	set.interval_ns = 1000000000;
	ASSERT_EQ(pin(pid, CPU), 0);
	ASSERT_EQ(register_write(CPU, counter_register(0), before), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	worker_go(pid);
	sleep_us(5000);
	ASSERT_EQ(register_write(CPU, counter_register(0), value), 0);
	*self->stop = true;
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	ASSERT_EQ(control_get_app(pid, &app), 0);
	close(fd);
	records_tally(&self->records, 0, &self->tally);
	EXPECT_EQ(self->tally.broken, 0);
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

/* From half of what the counter can have to 0: it seems to have counted the rest. */
TEST_F(invalid, is_told)
{
	uint64_t half = 1ULL << (self->info.counter_width - 1);
	const struct kermon_sample *sample;

	disturb(_metadata, self, variant->flags, half, 0);
	EXPECT_EQ(self->tally.invalid, 1);
	EXPECT_GT(self->tally.samples, 0);
	EXPECT_LT(self->tally.events[0], half / 2);
	sample = find_invalid(&self->records);
	ASSERT_NE(sample, NULL);
	EXPECT_EQ(sample->intervals, 1);
	EXPECT_EQ(sample->oncpu, sample->tsc_end - sample->tsc_begin);
	EXPECT_GT(sample->oncpu, 4 * self->info.tsc_khz);
	EXPECT_GT(sample->values[sample->nr_fixed], half / 2);
}

TEST_F(invalid, is_not_what_is_possible)
{
	disturb(_metadata, self, variant->flags, 0, 0);
	EXPECT_EQ(self->tally.invalid, 0);
	EXPECT_GT(self->tally.samples, 0);
}

TEST_HARNESS_MAIN
