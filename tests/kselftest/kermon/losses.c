// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing is lost silently: samples read plus samples reported lost equal
 * samples taken, on each CPU and in total, whether the log drops new samples or
 * overwrites old ones.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "tally.h"
#include "worker.h"

#define NR_SLEEPS	500
/* Number of samples, a multiple of those in one read of the slow reader. */
#define SLOW		20

/* One switch-out per sleep, rotating over the CPUs. */
static void sleep_often(void *data)
{
	int cpus = cpus_online();
	int i;

	(void)data;
	for (i = 0; i < NR_SLEEPS; i++) {
		if (!(i % (NR_SLEEPS / 10)))
			pin(0, i / (NR_SLEEPS / 10) % cpus);
		sleep_us(1000);
	}
}

FIXTURE(losses) {
	struct records records;
	struct tally tally;
	struct app_info app;
	pid_t pid;
	int fd;
};

FIXTURE_VARIANT(losses) {
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(losses, drop) { .flags = 0 };
FIXTURE_VARIANT_ADD(losses, overwrite) { .flags = KERMON_SET_OVERWRITE };

FIXTURE_SETUP(losses)
{
	struct kermon_event_set set = plain_set();

	set.flags = variant->flags;
	set.log_bytes = KERMON_LOG_MIN_BYTES;
	self->pid = worker_start(sleep_often, NULL);
	ASSERT_GT(self->pid, 0);
	self->fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(self->fd, 0) TH_LOG("set_events: %s", strerror(errno));
}

FIXTURE_TEARDOWN(losses)
{
	close(self->fd);
	free(self->records.data);
}

/* Read what is available now; 0, or -1 with errno. */
static int read_now(FIXTURE_DATA(losses) *self, size_t len)
{
	ssize_t n = records_read(&self->records, self->fd, len,
				 KERMON_READ_NONBLOCK);

	return n >= 0 || errno == EAGAIN ? 0 : -1;
}

static void expect_balance(struct __test_metadata *_metadata,
			   FIXTURE_DATA(losses) *self)
{
	ASSERT_EQ(records_read_all(&self->records, self->fd), 0);
	records_tally(&self->records, 0, &self->tally);
	EXPECT_EQ(self->tally.broken, 0);
	ASSERT_EQ(control_get_app(self->pid, &self->app), 0);
	EXPECT_EQ(self->app.tasks, 0);
	EXPECT_GT(self->app.emitted, NR_SLEEPS / 2);
	EXPECT_EQ(self->app.read, self->tally.samples);
	EXPECT_EQ(self->app.lost, self->tally.reported_lost);
	EXPECT_EQ(self->app.emitted,
		  self->tally.samples + self->tally.reported_lost);
}

/* Losses at the end of a ring are not followed by a sample. */
TEST_F(losses, nobody_reads)
{
	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	expect_balance(_metadata, self);
	EXPECT_GT(self->tally.reported_lost, NR_SLEEPS / 4);
	EXPECT_GT(self->tally.samples, 0);
}

/* The samples kept are the first or the last ones of each CPU, without gaps. */
TEST_F(losses, what_is_kept)
{
	bool overwrites = variant->flags & KERMON_SET_OVERWRITE;
	const struct kermon_record *record = NULL, *last = NULL;

	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	expect_balance(_metadata, self);
	while ((record = records_next(&self->records, record))) {
		bool first = !last || last->cpu != record->cpu;

		if (record->type == KERMON_RECORD_LOST) {
			EXPECT_EQ(first, overwrites);
		} else if (first) {
			EXPECT_FALSE(overwrites);
		}
		last = record;
	}
	EXPECT_EQ(self->tally.last_reason == KERMON_REASON_EXIT, overwrites);
}

/* A reader slower than the task, however fast the task is. */
TEST_F(losses, slow_reader)
{
	uint64_t next = SLOW;

	worker_go(self->pid);
	while (!worker_ended(self->pid)) {
		sleep_us(1000);
		ASSERT_EQ(control_get_app(self->pid, &self->app), 0);
		if (self->app.emitted < next)
			continue;
		next = self->app.emitted + SLOW;
		ASSERT_EQ(read_now(self, KERMON_RECORD_MAX), 0);
	}
	ASSERT_EQ(worker_wait(self->pid), 0);
	expect_balance(_metadata, self);
	EXPECT_GT(self->tally.reported_lost, 0);
}

/*
 * A reader as fast as possible: losses between two reads must be in order, too.
 */
TEST_F(losses, eager_reader)
{
	worker_go(self->pid);
	while (!worker_ended(self->pid))
		ASSERT_EQ(read_now(self, 1 << 14), 0);
	ASSERT_EQ(worker_wait(self->pid), 0);
	expect_balance(_metadata, self);
}

/* Exactly one notice of exit; losses are announced separately, and later. */
TEST_F(losses, one_notice)
{
	unsigned int expected = variant->flags & KERMON_SET_OVERWRITE ? 0 : 1;
	unsigned int lost = 0, exited = 0;
	int fd = control_listen();
	int notice;

	ASSERT_GE(fd, 0);
	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	do {
		notice = control_next_notice(fd, self->pid, &self->app);
		lost += notice == KERMON_NOTICE_LOST;
		exited += notice == KERMON_NOTICE_EXITED;
	} while (notice > 0 || !exited || lost < expected);
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_EQ(lost, expected);
	EXPECT_EQ(exited, 1);
	EXPECT_GT(self->app.lost, 0);
	close(fd);
}

static void nap_once(void *data)
{
	(void)data;
	sleep_us(1000);
	for (;;)
		pause();
}

/* A blocking reader is woken for a single sample, far below the watermark. */
TEST(blocking_reader_is_woken)
{
	pid_t pid = worker_start(nap_once, NULL);
	struct pollfd poller = { .fd = monitor(pid), .events = POLLIN };
	struct records records = {};

	ASSERT_GE(poller.fd, 0);
	EXPECT_EQ(poll(&poller, 1, 0), 0);
	worker_go(pid);
	EXPECT_EQ(poll(&poller, 1, -1), 1);
	EXPECT_GT(records_read(&records, poller.fd, KERMON_RECORD_MAX, 0), 0);
	kill(pid, SIGKILL);
	EXPECT_EQ(worker_wait(pid), -1);
	close(poller.fd);
	free(records.data);
}

TEST_F(losses, fault_consumes_nothing)
{
	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	EXPECT_EQ(read_event_log(self->fd, NULL, 1 << 14, 0), -1);
	EXPECT_EQ(errno, EFAULT);
	EXPECT_EQ(read_event_log(self->fd, &self->records,
				 KERMON_RECORD_MAX - 1, 0), -1);
	EXPECT_EQ(errno, EINVAL);
	expect_balance(_metadata, self);
	EXPECT_EQ(read_event_log(self->fd, NULL, 1 << 14, 0), 0);
}

/* Reads everything available, however large the given length is. */
TEST_F(losses, huge_length)
{
	/* The rings, and a lost record for each. */
	size_t room = cpus_online() *
		      (KERMON_LOG_MIN_BYTES + KERMON_RECORD_MAX);
	char *data;
	ssize_t n;
	int i;

	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	/*
	 * Each read begins at another CPU: afterwards no ring is at position 0.
	 */
	for (i = 0; i < cpus_online(); i++)
		ASSERT_EQ(read_now(self, KERMON_RECORD_MAX), 0);
	ASSERT_GT(self->records.len, 0);
	data = realloc(self->records.data, self->records.len + room);
	ASSERT_NE(data, NULL);
	self->records.data = data;
	n = read_event_log(self->fd, data + self->records.len, SIZE_MAX,
			   KERMON_READ_NONBLOCK);
	ASSERT_GT(n, 0) TH_LOG("%zd: %s", n, strerror(errno));
	ASSERT_LE(n, room);
	self->records.len += n;
	EXPECT_EQ(read_event_log(self->fd, NULL, SIZE_MAX,
				 KERMON_READ_NONBLOCK), 0);
	expect_balance(_metadata, self);
}

TEST_HARNESS_MAIN
