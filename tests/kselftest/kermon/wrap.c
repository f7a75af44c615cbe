// SPDX-License-Identifier: GPL-2.0
/*
 * Counters run freely from arbitrary values: they may wrap in any interval,
 * which changes no count and leaves no overflow status behind.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		50000
#define CPU		0

/* Distance from the wrap: less than the count of any counter in the sets. */
#define BEFORE_THE_END	1000

static uint64_t memory[8];

static void work(void *data)
{
	(void)data;
	code_arithmetic(ROUNDS, NULL);
	code_memory(ROUNDS, memory);
}

static uint64_t near_end_of(uint32_t width)
{
	return (1ULL << width) - BEFORE_THE_END;
}

/* Set all counters of the CPU; 0 or -1. */
static int set_counters(const struct machine_info *info, bool near_the_end)
{
	uint64_t general = near_the_end ? near_end_of(info->counter_width) : 0;
	uint64_t fixed = near_the_end ? near_end_of(info->fixed_width) : 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < info->counters; i++)
		ret |= register_write(CPU, counter_register(i), general);
	for (i = 0; i < info->fixed; i++)
		ret |= register_write(CPU, MSR_FIXED_CTR0 + i, fixed);
	return ret;
}

/* Number of counters below the value that set_counters() set near the end. */
static unsigned int wrapped(const struct machine_info *info)
{
	unsigned int i, nr = 0;
	uint64_t value;

	for (i = 0; i < info->counters; i++)
		nr += !register_read(CPU, counter_register(i), &value) &&
		      value < near_end_of(info->counter_width);
	for (i = 0; i < info->fixed; i++)
		nr += !register_read(CPU, MSR_FIXED_CTR0 + i, &value) &&
		      value < near_end_of(info->fixed_width);
	return nr;
}

static uint64_t overflows(void)
{
	uint64_t status = 0;

	register_read(CPU, cpu_is_amd() ? MSR_CNTR_GLOBAL_STATUS :
					  MSR_PERF_GLOBAL_STATUS, &status);
	return status;
}

FIXTURE(wrap)
{
	struct machine_info info;
	const struct quantity_set *set;
};

FIXTURE_VARIANT(wrap)
{
	unsigned int set;
};

FIXTURE_VARIANT_ADD(wrap, set0) { .set = 0 };
FIXTURE_VARIANT_ADD(wrap, set1) { .set = 1 };

FIXTURE_SETUP(wrap)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	self->set = quantity_set(variant->set);
	ASSERT_NE(self->set, NULL);
}

FIXTURE_TEARDOWN(wrap)
{
}

static void count(struct __test_metadata *_metadata, FIXTURE_DATA(wrap) *self,
		  bool near_the_end, struct tally *tally)
{
	struct kermon_event_set set = event_set_of(self->set);
	pid_t pid = worker_start(work, NULL);
	struct records records = {};
	int fd;

	pin(pid, CPU);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	/* Not before, since perf sets the counters of its events. */
	ASSERT_EQ(set_counters(&self->info, near_the_end), 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	if (near_the_end)
		EXPECT_GE(wrapped(&self->info), self->info.fixed + SET_SIZE);
	ASSERT_EQ(records_read_all(&records, fd), 0);
	close(fd);
	records_tally(&records, 0, tally);
	free(records.data);
}

TEST_F(wrap, changes_no_count)
{
	uint64_t before = overflows();
	struct tally plain, wrapping;
	unsigned int i;

	count(_metadata, self, false, &plain);
	count(_metadata, self, true, &wrapping);
	if (self->info.fixed)
		EXPECT_EQ(wrapping.fixed[0], plain.fixed[0]);
	for (i = 0; i < SET_SIZE; i++) {
		EXPECT_GT(plain.events[i], BEFORE_THE_END);
		EXPECT_EQ(wrapping.events[i], plain.events[i]);
	}
	EXPECT_EQ(overflows(), before);
}

TEST_HARNESS_MAIN
