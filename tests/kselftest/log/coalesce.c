// SPDX-License-Identifier: GPL-2.0
/*
 * Coalesced samples: which intervals they contain, and that they are delivered.
 * kermon/exact.c shows that the sums are complete.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "tally.h"
#include "worker.h"

#define NR_SLEEPS	110		/* of 1 ms: some remain pending at the end */
#define NR_SLOTS	16		/* PENDING_SLOTS in kmod/pending.c */
#define INTERVAL_NS	20000000ULL
#define NS_PER_MS	1000000ULL

FIXTURE(coalesce) {
	struct records records;
	struct tally tally;
	struct machine_info info;
	uint64_t interval;
	pid_t pid;
	int fd;
};

FIXTURE_SETUP(coalesce)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	self->interval = INTERVAL_NS * self->info.tsc_khz / NS_PER_MS;
}

FIXTURE_TEARDOWN(coalesce)
{
	close(self->fd);
	free(self->records.data);
}

static void begin(struct __test_metadata *_metadata,
		  FIXTURE_DATA(coalesce) *self, void (*work)(void *data))
{
	struct kermon_event_set set = plain_set();

	set.flags = KERMON_SET_COALESCE;
	set.interval_ns = INTERVAL_NS;
	self->pid = worker_start(work, NULL);
	ASSERT_GT(self->pid, 0);
	ASSERT_EQ(pin(self->pid, 0), 0);
	self->fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(self->fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(self->pid);
}

/* Read all of the log; no read has to wait after the worker has exited. */
static void finish(struct __test_metadata *_metadata,
		   FIXTURE_DATA(coalesce) *self)
{
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, self->fd), 0);
	records_tally(&self->records, 0, &self->tally);
	ASSERT_EQ(self->tally.broken, 0);
	ASSERT_EQ(self->tally.reported_lost, 0);
}

static const struct kermon_sample *next_sample(const struct records *records,
					       const struct kermon_sample *last)
{
	return (const void *)records_next(records, last ? &last->record : NULL);
}

static void sleep_often(void *data)
{
	int i;

	(void)data;
	for (i = 0; i < NR_SLEEPS; i++)
		sleep_us(1000);
}

/*
 * Each sample except the last is as long as the interval. Reading before its
 * thread runs again could make one shorter, but nothing reads meanwhile.
 */
TEST_F(coalesce, samples_are_as_long_as_the_interval)
{
	const struct kermon_sample *sample = NULL, *last = NULL;

	begin(_metadata, self, sleep_often);
	finish(_metadata, self);
	EXPECT_GE(self->tally.intervals, NR_SLEEPS);
	EXPECT_LT(self->tally.samples, NR_SLEEPS / 5);
	while ((sample = next_sample(&self->records, sample))) {
		if (sample->reason != KERMON_REASON_EXIT) {
			EXPECT_GE(sample->tsc_end - sample->tsc_begin,
				  self->interval);
			EXPECT_LT(sample->oncpu,
				  sample->tsc_end - sample->tsc_begin);
		}
		EXPECT_GT(sample->intervals, 1);
		if (last) {
			EXPECT_GT(sample->tsc_begin, last->tsc_end);
		}
		last = sample;
	}
	EXPECT_EQ(last->reason, KERMON_REASON_EXIT);
}

static void run_and_rest(void *data)
{
	(void)data;
	sleep_us(1000);
	sleep_us(3000000);
}

/*
 * A sample whose thread does not run again is written after a timeout, and
 * readers are woken.
 */
TEST_F(coalesce, nothing_pends_for_ever)
{
	struct pollfd poller;
	struct app_info app;

	begin(_metadata, self, run_and_rest);
	poller = (struct pollfd){ .fd = self->fd, .events = POLLIN };
	EXPECT_EQ(poll(&poller, 1, 2500), 1);
	EXPECT_FALSE(worker_ended(self->pid));
	EXPECT_GT(records_read(&self->records, self->fd, 1 << 14, 0), 0);
	ASSERT_EQ(control_get_app(self->pid, &app), 0);
	EXPECT_EQ(app.read, app.emitted);
	finish(_metadata, self);
	EXPECT_GE(self->tally.intervals, 3);
}

static void visit_cpus(void *data)
{
	int cpu;

	(void)data;
	for (cpu = 0; cpu < cpus_online(); cpu++) {
		pin(0, cpu);
		sleep_us(100);
	}
}

/* The thread exits on one CPU, with samples pending on each of the others. */
TEST_F(coalesce, the_end_is_on_every_cpu)
{
	begin(_metadata, self, visit_cpus);
	finish(_metadata, self);
	EXPECT_EQ(self->tally.cpus, (1ULL << cpus_online()) - 1);
	EXPECT_EQ(self->tally.by_reason[KERMON_REASON_EXIT], 1);
}

static void many_sleep(void *data)
{
	int i, nr = 2 * NR_SLOTS;

	for (i = 0; i < nr; i++)
		if (!fork()) {
			sleep_often(data);
			_exit(0);
		}
	while (nr--)
		wait(NULL);
}

/* More threads than slots: some samples are written early. */
TEST_F(coalesce, more_threads_than_slots)
{
	begin(_metadata, self, many_sleep);
	finish(_metadata, self);
	EXPECT_EQ(self->tally.by_reason[KERMON_REASON_EXIT], 2 * NR_SLOTS + 1);
	EXPECT_GE(self->tally.intervals, 2 * NR_SLOTS * NR_SLEEPS);
	EXPECT_LT(self->tally.samples, self->tally.intervals);
}

/*
 * Leaves a pending interval on the last CPU before it executes another program.
 */
static void become_another(void *data)
{
	char *argv[] = { "coalesce", "--visit", NULL };

	(void)data;
	pin(0, cpus_online() - 1);
	sleep_us(100);
	pin(0, 0);
	execve("/proc/self/exe", argv, NULL);
	_exit(127);
}

/* No sample on any CPU mixes both programs. */
TEST_F(coalesce, exec_is_a_boundary)
{
	const struct kermon_sample *sample = NULL;
	uint64_t exec = 0;

	begin(_metadata, self, become_another);
	finish(_metadata, self);
	ASSERT_EQ(self->tally.by_reason[KERMON_REASON_EXEC], 1);
	while ((sample = next_sample(&self->records, sample)))
		if (sample->reason == KERMON_REASON_EXEC)
			exec = sample->tsc_end;
	while ((sample = next_sample(&self->records, sample)))
		EXPECT_TRUE(sample->tsc_end <= exec ||
			    sample->tsc_begin >= exec);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--visit")) {
		visit_cpus(NULL);
		return 0;
	}
	return test_harness_run(argc, argv);
}
