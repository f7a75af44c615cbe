// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon beside perf, with the parameter share: both count the same task at the
 * same time, and both are exact.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include "control.h"
#include "credentials.h"
#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		500000
#define PERIOD		20011
#define LOG_BYTES	(1 << 22)	/* for a slow host */
#define MODE_BITS	0x30000ULL

/* Ivy Bridge: an event that only counter 1 can count. */
#define ONLY_COUNTER_1	0x01c0

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
	bool shared;
	int paranoid;
};

FIXTURE_SETUP(share)
{
	self->shared = counters_are_shared();
	self->paranoid = get_sysctl(PARANOID);
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	share_counters(true);
}

FIXTURE_TEARDOWN(share)
{
	free(self->records.data);
	set_sysctl(PARANOID, self->paranoid);
	set_counters_group("1 0");
	share_counters(self->shared);
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

/* With counters that it shares, and with those that it has for itself, of the same machine. */
TEST_F(share, same_counts_as_raw)
{
	struct tally tallies[2];
	struct machine_info info;
	unsigned int i, j;

	for (i = 0; i < 2; i++) {
		share_counters(!i);
		start(_metadata, self, ROUNDS, 4);
		ASSERT_EQ(control_get_info(&info), 0);
		EXPECT_EQ(info.pmu_owner, i ? KERMON_PMU_KERMON : KERMON_PMU_SHARED);
		worker_go(self->pid);
		finish(_metadata, self, &tallies[i]);
		check(_metadata, self, &tallies[i], 4);
	}
	EXPECT_EQ(instructions_of(&tallies[0]), instructions_of(&tallies[1]));
	for (j = 0; j < 4; j++)
		EXPECT_EQ(tallies[0].events[j], tallies[1].events[j]);
}

/**
 * struct rival - an application that counts operations, and with them other events
 * @config: its events
 * @nr: how many
 * @position: of the operations among them
 * @pid: its only task
 * @fd: its log
 */
struct rival {
	uint32_t config[3];
	unsigned int nr;
	unsigned int position;
	pid_t pid;
	int fd;
};

static int rival_start(struct rival *rival, struct work *work)
{
	struct kermon_event events[3] = {};
	struct kermon_event_set set = plain_set();
	unsigned int i;

	for (i = 0; i < rival->nr; i++)
		events[i].config = rival->config[i] ? rival->config[i] | 1 << 16 :
				   quantity_set(0)->events[0].config;
	set.nr_events = rival->nr;
	set.events = (uintptr_t)events;
	set.log_bytes = LOG_BYTES;
	rival->pid = worker_start(arithmetic, work);
	pin(rival->pid, 0);
	rival->fd = set_events(rival->pid, &set, sizeof(set), 0);
	return rival->fd;
}

static void rival_end(struct __test_metadata *_metadata, struct rival *rival)
{
	struct records records = {};
	struct tally tally;

	ASSERT_EQ(worker_wait(rival->pid), 0);
	ASSERT_EQ(records_read_all(&records, rival->fd), 0);
	close(rival->fd);
	records_tally(&records, 0, &tally);
	free(records.data);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_EQ(tally.invalid, 0);
	EXPECT_EQ(tally.reported_lost, 0);
	EXPECT_GT(tally.samples, 1);
	EXPECT_EQ(tally.events[rival->position],
		  arithmetic_round[quantity_set(0)->quantities[0]] * ROUNDS);
}

/*
 * The same place counts an event that can have any counter and, in another set, one
 * that only a single counter can count. They start while others run, so counters
 * move, and the operations of each are exact.
 */
TEST_F(share, sets_with_other_constraints)
{
	struct rival rivals[] = {
		{ .config = { 0, 0xc4 }, .nr = 2, .position = 0 },
		{ .config = { ONLY_COUNTER_1, 0 }, .nr = 2, .position = 1 },
		{ .config = { 0, ONLY_COUNTER_1 }, .nr = 2, .position = 0 },
		{ .config = { 0xc4, ONLY_COUNTER_1, 0 }, .nr = 3, .position = 2 },
	};
	struct machine_info info;
	unsigned int i;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4 || cpu_is_amd())
		SKIP(return, "the constraints of this CPU are others");
	self->work.rounds = ROUNDS;
	for (i = 0; i < ARRAY_SIZE(rivals); i++) {
		ASSERT_GE(rival_start(&rivals[i], &self->work), 0)
			TH_LOG("application %u: %s", i, strerror(errno));
		worker_go(rivals[i].pid);
		sleep_us(2000);
	}
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		rival_end(_metadata, &rivals[i]);
}

/* Places for any counter become narrow for as long as another set needs that. */
TEST_F(share, single_counters_beside_any)
{
	struct kermon_event events[4] = {
		{ .config = ONLY_COUNTER_1 | 1 << 16 },
	};
	struct kermon_event_set set = plain_set();
	struct machine_info info;
	struct tally tally;
	int fd, i;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4 || cpu_is_amd())
		SKIP(return, "the constraints of this CPU are others");
	start(_metadata, self, ROUNDS, 4);
	worker_go(self->pid);
	for (i = 1; i < 4; i++)
		events[i] = quantity_set(0)->events[i];
	set.nr_events = 4;
	set.events = (uintptr_t)events;
	fd = set_events(0, &set, sizeof(set), 0);
	EXPECT_GE(fd, 0);
	close(fd);
	events[2].config = ONLY_COUNTER_1 | 1 << 16;
	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, ENOSPC);
	finish(_metadata, self, &tally);
	check(_metadata, self, &tally, 4);
}

/* A rejected set changes nothing for those who count. */
TEST_F(share, refused_while_others_count)
{
	struct kermon_event_set set = event_set_of(quantity_set(1));
	struct machine_info info;
	struct tally tally;
	int fds[2], i;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4 || cpu_is_amd())
		SKIP(return, "this CPU has more than four general counters");
	/* Pinned events of perf on CPU 1 leave three counters. */
	fds[0] = count(PERF_TYPE_RAW, ONLY_COUNTER_2, -1, 1, 0);
	ASSERT_GE(fds[0], 0);
	start(_metadata, self, ROUNDS, 3);
	pin(self->pid, 1);
	worker_go(self->pid);
	for (i = 0; i < 5; i++) {
		fds[1] = set_events(0, &set, sizeof(set), 0);
		EXPECT_EQ(fds[1], -1);
		EXPECT_EQ(errno, EBUSY);
		sleep_us(1000);
	}
	finish(_metadata, self, &tally);
	EXPECT_EQ(tally.invalid, 0);
	close(fds[0]);
	check(_metadata, self, &tally, 3);
}

/* Samples of a short task on CPU 1, none of which may be wrong. */
static uint64_t samples_on_cpu_1(struct __test_metadata *_metadata,
				 FIXTURE_DATA(share) *self)
{
	struct tally tally;

	start(_metadata, self, 0, 4);
	pin(self->pid, 1);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	return tally.samples;
}

/* A task runs on CPU 1 with all counters, of which @perf takes one. */
static void run_until_a_counter_is_taken(struct __test_metadata *_metadata,
					 FIXTURE_DATA(share) *self, int perf)
{
	start(_metadata, self, 100 * ROUNDS, 4);
	pin(self->pid, 1);
	worker_go(self->pid);
	sleep_us(1000);
	ASSERT_EQ(ioctl(perf, PERF_EVENT_IOC_ENABLE, 0), 0);
}

/* If others take a counter, what is lost is told, and later KerMon gets it back. */
TEST_F(share, counter_is_taken)
{
	struct machine_info info;
	struct tally tally;
	int perf, fd, i;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4 || cpu_is_amd())
		SKIP(return, "this CPU has more than four general counters");
	perf = oracle_open_taker(1);
	ASSERT_GE(perf, 0);
	run_until_a_counter_is_taken(_metadata, self, perf);
	fd = self->fd;
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	records_tally(&self->records, 0, &tally);
	EXPECT_GE(tally.invalid, 1);
	close(perf);
	for (i = 0; i < 100 && !samples_on_cpu_1(_metadata, self); i++)
		sleep_us(100000);
	EXPECT_LT(i, 100);
	close(fd);
	start(_metadata, self, ROUNDS, 4);
	pin(self->pid, 1);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	check(_metadata, self, &tally, 4);
}

/* Nobody has noticed yet that a counter is gone when the plan of the running task changes. */
TEST_F(share, counter_is_taken_before_a_change)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));
	struct machine_info info;
	int perf;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.counters != 4 || cpu_is_amd())
		SKIP(return, "this CPU has more than four general counters");
	perf = oracle_open_taker(1);
	ASSERT_GE(perf, 0);
	run_until_a_counter_is_taken(_metadata, self, perf);
	set.set_id = 7;
	EXPECT_EQ(set_events(self->pid, &set, sizeof(set), KERMON_FLAG_CHANGE), -1);
	EXPECT_EQ(errno, EBUSY);
	close(perf);
	ASSERT_EQ(worker_wait(self->pid), 0);
	close(self->fd);
}

/*
 * perf takes it for the event of a fixed counter: a general one that has been given to it
 * would be lost for good when perf next looks for counters.
 */
TEST_F(share, intel_has_no_event_0)
{
	const struct kermon_event event = { .config = 0x10300 };
	struct kermon_event_set set = {
		.count = KERMON_COUNT_USER,
		.nr_events = 1,
		.events = (uintptr_t)&event,
	};
	int fd;

	start(_metadata, self, 0, 1);
	fd = set_events(0, &set, sizeof(set), 0);
	if (!cpu_is_amd()) {
		EXPECT_EQ(fd, -1);
		EXPECT_EQ(errno, EINVAL);
	}
	close(fd);
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	close(self->fd);
}

/* A user occupies counters only if root lets the group, whoever else counts. */
TEST_F(share, group_may_count)
{
	struct tally tally;

	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	EXPECT_EQ(count_as(SOMEBODY, KERMON_COUNT_USER), EACCES);
	EXPECT_EQ(count_as(SOMEBODY, 0), 0);
	start(_metadata, self, 0, 1);
	EXPECT_EQ(count_as(SOMEBODY, KERMON_COUNT_USER), EACCES);
	EXPECT_EQ(count_as(SOMEBODY, 0), 0);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	ASSERT_TRUE(set_counters_group("1000 1000"));
	EXPECT_EQ(count_as(SOMEBODY, KERMON_COUNT_USER), 0);
	EXPECT_EQ(count_as(SOMEBODY, KERMON_COUNT_USER | KERMON_COUNT_KERNEL), EACCES);
	ASSERT_TRUE(set_counters_group("1001 4294967294"));
	EXPECT_EQ(count_as(SOMEBODY, KERMON_COUNT_USER), EACCES);
	EXPECT_FALSE(set_counters_group("0 4294967295"));
	ASSERT_TRUE(set_sysctl(PARANOID, 3));
	EXPECT_EQ(count_as(SOMEBODY, 0), EACCES);
}

/* Without counters a sample has only its times, and perf keeps all of them. */
TEST_F(share, time_alone)
{
	struct kermon_event_set set = time_set();
	struct machine_info info;
	struct tally tally;

	self->work.rounds = ROUNDS;
	self->pid = worker_start(arithmetic, &self->work);
	self->fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(self->fd, 0);
	ASSERT_EQ(control_get_info(&info), 0);
	EXPECT_EQ(info.pmu_owner, KERMON_PMU_FREE);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	EXPECT_GT(tally.samples, 0);
	EXPECT_EQ(tally.fixed[0], 0);
	EXPECT_EQ(tally.last_reason, KERMON_REASON_EXIT);
}

TEST_HARNESS_MAIN
