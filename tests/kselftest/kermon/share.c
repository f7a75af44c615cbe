// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon beside perf, with the parameter share: both count the same task at the
 * same time, and both are exact.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define SHARE		"/sys/module/kermon/parameters/share"
#define ROUNDS		500000
#define PERIOD		20011
#define LOG_BYTES	(1 << 22)	/* for a slow host */
#define MODE_BITS	0x30000ULL

/* Ivy Bridge: events that only counter 2, or only counter 1, can count. */
#define ONLY_COUNTER_2	0x0148
#define ONLY_COUNTER_1	0x01c0

static char share_before;

static void set_share(char value)
{
	int fd = open(SHARE, O_RDWR | O_CLOEXEC);
	ssize_t n;

	if (!share_before)
		n = pread(fd, &share_before, 1, 0);
	n = pwrite(fd, &value, 1, 0);
	(void)n;
	close(fd);
}

struct work {
	uint64_t rounds;
};

static void arithmetic(void *data)
{
	const struct work *work = data;

	code_arithmetic(work->rounds, NULL);
}

struct count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

static int count(uint32_t type, uint64_t config, pid_t pid, int cpu,
		 uint64_t period)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config & ~MODE_BITS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.sample_period = period,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/* Whether perf has counted without interruption. */
static bool counted(int fd, uint64_t *value)
{
	struct count count;

	if (read(fd, &count, sizeof(count)) != sizeof(count) ||
	    count.enabled != count.running)
		return false;
	*value = count.value;
	return true;
}

FIXTURE(share) {
	struct records records;
	struct work work;
	struct tally without;
	pid_t pid;
	int fd;
};

FIXTURE_SETUP(share)
{
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	set_share('1');
}

FIXTURE_TEARDOWN(share)
{
	free(self->records.data);
	set_share(share_before);
}

/* The first @nr events of set 0. */
static void start(struct __test_metadata *_metadata, FIXTURE_DATA(share) *self,
		  uint64_t rounds, unsigned int nr)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));

	set.nr_events = nr;
	set.log_bytes = LOG_BYTES;
	self->records.len = 0;
	self->work.rounds = rounds;
	self->pid = worker_start(arithmetic, &self->work);
	ASSERT_GT(self->pid, 0);
	self->fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(self->fd, 0) TH_LOG("set_events: %s", strerror(errno));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(share) *self,
		   struct tally *tally)
{
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, self->fd), 0);
	close(self->fd);
	records_tally(&self->records, 0, tally);
	ASSERT_EQ(tally->broken, 0);
	ASSERT_EQ(tally->reported_lost, 0);
}

/* Without fixed counters, instructions are the first event of a set. */
static uint64_t instructions_of(const struct tally *tally)
{
	return quantity_set(0)->quantities[0] == INSTRUCTIONS ?
	       tally->events[0] : tally->fixed[0];
}

static void check(struct __test_metadata *_metadata, FIXTURE_DATA(share) *self,
		  const struct tally *tally, unsigned int nr)
{
	struct tally none;
	unsigned int i;

	start(_metadata, self, 0, nr);
	worker_go(self->pid);
	finish(_metadata, self, &none);
	EXPECT_EQ(instructions_of(tally) - instructions_of(&none),
		  arithmetic_round[INSTRUCTIONS] * ROUNDS);
	for (i = 0; i < nr; i++)
		EXPECT_EQ(tally->events[i] - none.events[i],
			  arithmetic_round[quantity_set(0)->quantities[i]] *
			  ROUNDS);
}

/* The same instructions and the same event, counted by both at the same time. */
static void beside(struct __test_metadata *_metadata, FIXTURE_DATA(share) *self,
		   uint64_t period, bool migrate)
{
	const struct kermon_event *events = quantity_set(0)->events;
	uint64_t instructions, flops;
	struct tally tally;
	pid_t disturber = 0;
	int fds[2], cpu = 0;

	start(_metadata, self, ROUNDS, 2);
	fds[0] = count(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		       self->pid, -1, period);
	fds[1] = count(PERF_TYPE_RAW, events[0].config, self->pid, -1, 0);
	ASSERT_GE(fds[0], 0) TH_LOG("perf: %s", strerror(errno));
	ASSERT_GE(fds[1], 0) TH_LOG("perf: %s", strerror(errno));
	pin(self->pid, 0);
	disturber = disturber_start(0);
	worker_go(self->pid);
	while (migrate && !worker_ended(self->pid)) {
		pin(self->pid, cpu = !cpu);
		sleep_us(1000);
	}
	finish(_metadata, self, &tally);
	disturber_stop(disturber);
	ASSERT_TRUE(counted(fds[0], &instructions));
	ASSERT_TRUE(counted(fds[1], &flops));
	close(fds[0]);
	close(fds[1]);
	TH_LOG("%llu samples; instructions %llu and %llu, scalar single %llu and %llu",
	       (unsigned long long)tally.samples,
	       (unsigned long long)instructions_of(&tally),
	       (unsigned long long)instructions,
	       (unsigned long long)tally.events[0], (unsigned long long)flops);
	EXPECT_EQ(instructions_of(&tally), instructions);
	EXPECT_EQ(tally.events[0], flops);
	EXPECT_GT(tally.samples, 10);
	check(_metadata, self, &tally, 2);
}

TEST_F(share, with_perf_stat)
{
	beside(_metadata, self, 0, false);
}

TEST_F(share, with_perf_stat_migrating)
{
	beside(_metadata, self, 0, true);
}

TEST_F(share, with_perf_record)
{
	beside(_metadata, self, PERIOD, false);
}

TEST_F(share, with_perf_record_migrating)
{
	beside(_metadata, self, PERIOD, true);
}

/* perf needs a counter that KerMon has, and gives KerMon another one. */
static void moved(struct __test_metadata *_metadata, FIXTURE_DATA(share) *self,
		  bool of_cpu)
{
	struct tally tally;
	int i, fd, moves = 0;

	start(_metadata, self, ROUNDS, 3);
	pin(self->pid, 1);
	worker_go(self->pid);
	for (i = 0; !worker_ended(self->pid); i++) {
		fd = count(PERF_TYPE_RAW, i & 1 ? ONLY_COUNTER_1 :
			   ONLY_COUNTER_2, of_cpu ? -1 : self->pid,
			   of_cpu ? 1 : -1, 0);
		if (fd >= 0)
			moves++;
		sleep_us(500);
		close(fd);
	}
	finish(_metadata, self, &tally);
	TH_LOG("perf took a counter %d times", moves);
	EXPECT_GT(moves, 1);
	check(_metadata, self, &tally, 3);
}

TEST_F(share, moved_for_a_task)
{
	moved(_metadata, self, false);
}

TEST_F(share, moved_for_a_cpu)
{
	moved(_metadata, self, true);
}

/* With all counters in use, perf gets none, and KerMon keeps its own. */
TEST_F(share, nothing_left)
{
	struct tally tally;
	struct machine_info info;
	uint64_t value;
	int fd;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4)
		SKIP(return, "this CPU has more than four general counters");
	start(_metadata, self, ROUNDS, 4);
	fd = count(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, self->pid,
		   -1, 0);
	ASSERT_GE(fd, 0);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	EXPECT_TRUE(!counted(fd, &value) || !value);
	close(fd);
	check(_metadata, self, &tally, 4);
}

/* Two applications on a CPU that count in different modes. */
TEST_F(share, other_modes)
{
	struct kermon_event_set other = event_set_of(quantity_set(1));
	struct tally tally;
	pid_t pid;
	int fd;

	other.count = KERMON_COUNT_USER | KERMON_COUNT_KERNEL;
	start(_metadata, self, ROUNDS, 4);
	pid = worker_start(arithmetic, &self->work);
	fd = set_events(pid, &other, sizeof(other), 0);
	ASSERT_GE(fd, 0);
	pin(pid, 0);
	pin(self->pid, 0);
	worker_go(pid);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	check(_metadata, self, &tally, 4);
	self->records.len = 0;
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
	records_tally(&self->records, 0, &tally);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_GT(instructions_of(&tally), arithmetic_round[INSTRUCTIONS] * ROUNDS);
}

TEST_HARNESS_MAIN
