// SPDX-License-Identifier: GPL-2.0
/*
 * perf takes a counter of KerMon from a task that does not leave its CPU, and gives it back:
 * samples are invalid meanwhile, and count the right events afterwards, whether or not the
 * task looks at its own counts. Another set has filled the places first, whose events are the
 * first ones again.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>	/* PERF_EVENT_IOC_ENABLE */

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "control.h"
#include "credentials.h"
#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define LOG_BYTES	(1 << 22)
#define ROUNDS		10000

/*
 * Nothing preempts the task, so that its interval stays open: neither RT throttling, nor the
 * deadline server for fair tasks, which 6.1 does not have.
 */
#define RT_RUNTIME	"kernel/sched_rt_runtime_us"
#define FAIR_SERVER	"/sys/kernel/debug/sched/fair_server/cpu1/runtime"

/* The recovery takes up to a second. */
#define TRIES		5
#define TRY_MS		3000

FIXTURE(recovery) {
	struct machine_info info;
	struct records records;
	pid_t pid;
	int other;	/* log of the first set */
	int log;
	int perf;
	int rt_runtime;
};

/* By a task on its CPU, see tests/torture/scenes. */
static void set_fair_server(const char *ns)
{
	int fd;

	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	fd = open(FAIR_SERVER, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	pin(0, 1);
	if (write(fd, ns, strlen(ns)) < 0)
		perror(FAIR_SERVER);
	pin(0, 0);
	close(fd);
}

static void compute(void *data)
{
	(void)data;
	for (;;)
		code_arithmetic(ROUNDS, NULL);
}

/* Errors are those of lost counts. */
static void compute_and_read(void *data)
{
	struct kermon_counts counts;
	struct kermon_self own;

	(void)data;
	for (;;) {
		code_arithmetic(ROUNDS, NULL);
		if (!kermon_self_open(&own))
			kermon_read_call(&own, &counts);
		kermon_self_close(&own);
	}
}

static int count_set(pid_t pid, unsigned int number)
{
	struct kermon_event_set set = event_set_of(quantity_set(number));

	set.interval_ns = 1000000;
	set.log_bytes = LOG_BYTES;
	return set_events(pid, &set, sizeof(set), 0);
}

FIXTURE_VARIANT(recovery) {
	void (*work)(void *data);
};

FIXTURE_VARIANT_ADD(recovery, of_a_task) { .work = compute };
FIXTURE_VARIANT_ADD(recovery, of_a_task_that_reads_its_counts) { .work = compute_and_read };

FIXTURE_SETUP(recovery)
{
	self->pid = -1;
	if (!quantity_set(1))
		SKIP(return, "the counts of this CPU are not known");
	ASSERT_EQ(control_get_info(&self->info), 0);
	if (self->info.counters != 4 || cpu_is_amd() || !counters_are_shared())
		SKIP(return, "KerMon does not share four counters with perf");
	ASSERT_EQ(pin(0, 0), 0);
	self->perf = oracle_open_taker(1);
	ASSERT_GE(self->perf, 0);
	self->pid = worker_start(variant->work, NULL);
	ASSERT_EQ(pin(self->pid, 1), 0);
	self->rt_runtime = get_sysctl(RT_RUNTIME);
	ASSERT_TRUE(set_sysctl(RT_RUNTIME, -1));
	set_fair_server("0");
	self->other = count_set(0, 1);
	ASSERT_GE(self->other, 0) TH_LOG("set_events: %s", strerror(errno));
	self->log = count_set(self->pid, 0);
	ASSERT_GE(self->log, 0) TH_LOG("set_events: %s", strerror(errno));
}

FIXTURE_TEARDOWN(recovery)
{
	if (self->pid < 0)
		return;
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	set_fair_server("50000000");
	set_sysctl(RT_RUNTIME, self->rt_runtime);
	close(self->log);
	close(self->other);
	close(self->perf);
	free(self->records.data);
}

/* Whether the events are those of set 0, as instructions say; samples end within a round. */
static bool is_right(const struct kermon_sample *sample)
{
	const struct quantity_set *set = quantity_set(0);
	const uint64_t rounds = sample->values[0] / arithmetic_round[INSTRUCTIONS];
	uint64_t expected, slack;
	unsigned int i;
	bool right = true;

	for (i = 0; i < sample->nr_events; i++) {
		expected = rounds * arithmetic_round[set->quantities[i]];
		slack = 4 * arithmetic_round[set->quantities[i]] + 100 + expected / 50;
		if (sample->values[sample->nr_fixed + i] + slack < expected ||
		    sample->values[sample->nr_fixed + i] > expected + slack)
			right = false;
	}
	return right;
}

/**
 * struct found - what a log has
 * @invalid: samples that were lost
 * @wrong: valid ones that have counted something else
 * @recovered: valid ones of an interval that began, at a tick, where an invalid one ended
 */
struct found {
	unsigned int invalid;
	unsigned int wrong;
	unsigned int recovered;
};

static struct found look(const struct records *records)
{
	const struct kermon_record *record = NULL;
	const struct kermon_sample *sample;
	struct found found = {};
	bool lost = false;

	while ((record = records_next(records, record))) {
		sample = (const void *)record;
		if (record->type == KERMON_RECORD_INVALID) {
			found.invalid++;
			lost = sample->reason == KERMON_REASON_TICK;
		} else if (record->type == KERMON_RECORD_SAMPLE) {
			found.wrong += !is_right(sample);
			found.recovered += lost;
			lost = false;
		}
	}
	return found;
}

static struct found read_log(FIXTURE_DATA(recovery) *self)
{
	while (records_read(&self->records, self->log, 1 << 16, KERMON_READ_NONBLOCK) > 0)
		;
	return look(&self->records);
}

/*
 * perf has the counter for some ticks. The worker that gets it back may wait for a
 * softirq, which may starve as long as the task has a real-time policy.
 */
static struct found lose_a_counter(struct __test_metadata *_metadata,
				   FIXTURE_DATA(recovery) *self)
{
	const struct sched_param realtime = { .sched_priority = 1 }, none = {};
	struct found found = {};
	int ms;

	ASSERT_EQ(sched_setscheduler(self->pid, SCHED_FIFO, &realtime), 0);
	sleep_us(20000);
	ASSERT_EQ(ioctl(self->perf, PERF_EVENT_IOC_ENABLE, 0), 0);
	sleep_us(20000);
	ASSERT_EQ(ioctl(self->perf, PERF_EVENT_IOC_DISABLE, 0), 0);
	for (ms = 0; ms < TRY_MS && !found.recovered; ms += 100) {
		sleep_us(100000);
		found = read_log(self);
	}
	sleep_us(100000);
	found = read_log(self);
	ASSERT_EQ(sched_setscheduler(self->pid, SCHED_OTHER, &none), 0);
	/* Until it counts again in any case. */
	sleep_us(2000000);
	return found;
}

TEST_F(recovery, counts_the_same_events_again)
{
	struct found found = {};
	int i;

	worker_go(self->pid);
	for (i = 0; i < TRIES && !found.recovered; i++)
		found = lose_a_counter(_metadata, self);
	TH_LOG("%d tries, %u invalid, %u wrong", i, found.invalid, found.wrong);
	EXPECT_GT(found.invalid, 0);
	EXPECT_GT(found.recovered, 0);
	EXPECT_EQ(found.wrong, 0);
}

TEST_HARNESS_MAIN
