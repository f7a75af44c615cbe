// SPDX-License-Identifier: GPL-2.0
/*
 * When readers are woken: immediately at the watermark, otherwise after a
 * delay.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "switches.h"
#include "tally.h"
#include "worker.h"

#define LOG_BYTES	(1 << 16)
#define SAMPLE_BYTES	(sizeof(struct kermon_sample) + 3 * sizeof(__u64))

FIXTURE(watermark) {
	struct machine_info info;
	struct records records;
	struct tally tally;
	unsigned int switches;
};

FIXTURE_SETUP(watermark)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	ASSERT_EQ(self->info.fixed, 3);
	ASSERT_EQ(pin(0, 1), 0);
	self->switches = NR_SWITCHES;
}

FIXTURE_TEARDOWN(watermark)
{
	free(self->records.data);
}

/*
 * Milliseconds from the first sample until the reader is woken; tallies what it
 * reads.
 */
static unsigned int wait_for_log(struct __test_metadata *_metadata,
				 FIXTURE_DATA(watermark) *self,
				 void (*work)(void *data), uint32_t watermark)
{
	struct kermon_event_set set = plain_set();
	struct pollfd poller = { .events = POLLIN };
	pid_t pid = worker_start(work, &self->switches);
	uint64_t now;

	set.log_bytes = LOG_BYTES;
	set.watermark = watermark;
	ASSERT_EQ(pin(pid, 0), 0);
	poller.fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(poller.fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(pid);
	EXPECT_EQ(poll(&poller, 1, 5000), 1);
	now = __rdtsc();
	EXPECT_GT(records_read(&self->records, poller.fd, 2 * LOG_BYTES, 0), 0);
	records_tally(&self->records, 0, &self->tally);
	EXPECT_EQ(self->tally.broken, 0);
	close(poller.fd);
	worker_wait(pid);
	return (now - self->tally.first_tsc) / self->info.tsc_khz;
}

static void sleep_now_and_then(void *data)
{
	int i;

	(void)data;
	for (i = 0; i < 40; i++)
		sleep_us(10000);
}

/* A sample every 10 ms: far below half of the log. */
TEST_F(watermark, slow_stream_by_default)
{
	unsigned int ms = wait_for_log(_metadata, self, sleep_now_and_then, 0);

	EXPECT_GE(ms, 90);
	EXPECT_LE(ms, 130);
}

TEST_F(watermark, each_sample)
{
	unsigned int ms = wait_for_log(_metadata, self, sleep_now_and_then, 1);

	EXPECT_LE(ms, 5);
	EXPECT_EQ(self->tally.samples, 1);
}

TEST_F(watermark, fourth_sample)
{
	wait_for_log(_metadata, self, sleep_now_and_then, 4 * SAMPLE_BYTES);
	EXPECT_EQ(self->tally.samples, 4);
}

/* Half of the log, long before 100 ms have passed: nothing is lost. */
TEST_F(watermark, fast_stream_by_default)
{
	unsigned int ms = wait_for_log(_metadata, self, make_switches, 0);

	EXPECT_LT(ms, 50);
	EXPECT_GE(self->tally.samples, LOG_BYTES / 2 / SAMPLE_BYTES);
	EXPECT_EQ(self->tally.reported_lost, 0);
}

TEST_HARNESS_MAIN
