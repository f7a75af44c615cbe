// SPDX-License-Identifier: GPL-2.0
/*
 * Register accesses of a switch: none is written while the CPU already holds
 * the set, and each counter is read exactly once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tracing.h"
#include "worker.h"

#define NR_ROUNDS	500
/* To take over a CPU, program it and restore it. */
#define NR_REGISTERS	24
#define LOG_BYTES	(1 << 20)

/**
 * struct side - one of two tasks that wake each other in turn
 * @in: pipe that it waits on
 * @out: pipe that wakes the other one
 */
struct side {
	int in;
	int out;
};

static void play(void *data)
{
	const struct side *side = data;
	char byte;
	int i;

	for (i = 0; i < NR_ROUNDS; i++) {
		if (syscall(SYS_read, side->in, &byte, 1) != 1 ||
		    syscall(SYS_write, side->out, &byte, 1) != 1)
			syscall(SYS_exit_group, 1);
	}
}

FIXTURE(accesses) {
	struct side sides[2];
	struct kermon_event_set sets[2];
	struct accesses accesses;
	struct machine_info info;
	uint64_t samples;
	uint64_t time_ms;
	uint64_t constant;
};

FIXTURE_SETUP(accesses)
{
	int one[2], other[2];

	if (!tracing_available())
		SKIP(return, "this kernel does not trace accesses to registers");
	if (!quantity_set(0))
		SKIP(return, "the events of this CPU are not known");
	ASSERT_EQ(control_get_info(&self->info), 0);
	ASSERT_EQ(pipe(one), 0);
	ASSERT_EQ(pipe(other), 0);
	self->sides[0] = (struct side){ .in = one[0], .out = other[1] };
	self->sides[1] = (struct side){ .in = other[0], .out = one[1] };
	self->sets[0] = event_set_of(quantity_set(0));
	self->sets[1] = self->sets[0];
	self->sets[0].log_bytes = LOG_BYTES;
	self->sets[1].log_bytes = LOG_BYTES;
	self->constant = NR_REGISTERS * cpus_online();
}

FIXTURE_TEARDOWN(accesses)
{
}

static void play_monitored(struct __test_metadata *_metadata,
			   FIXTURE_DATA(accesses) *self)
{
	uint64_t begin;
	pid_t pids[2];
	int fds[2], i;

	for (i = 0; i < 2; i++) {
		pids[i] = worker_start(play, &self->sides[i]);
		ASSERT_EQ(pin(pids[i], 0), 0);
		fds[i] = set_events(pids[i], &self->sets[i],
				    sizeof(self->sets[i]), 0);
		ASSERT_GE(fds[i], 0) TH_LOG("set_events: %s", strerror(errno));
	}
	begin = __rdtsc();
	ASSERT_EQ(tracing_start(), 0);
	worker_go(pids[0]);
	worker_go(pids[1]);
	ASSERT_EQ(write(self->sides[1].out, "", 1), 1);
	ASSERT_EQ(worker_wait(pids[0]), 0);
	ASSERT_EQ(worker_wait(pids[1]), 0);
	ASSERT_EQ(tracing_stop(&self->accesses), 0);
	self->time_ms = (__rdtsc() - begin) / self->info.tsc_khz;
	for (i = 0; i < 2; i++) {
		struct app_info app;

		ASSERT_EQ(control_get_app(pids[i], &app), 0);
		self->samples += app.emitted;
		close(fds[i]);
	}
	ASSERT_GE(self->samples, 2 * NR_ROUNDS);
}

TEST_F(accesses, same_set)
{
	play_monitored(_metadata, self);
	EXPECT_LE(self->accesses.pmu_writes, self->constant);
	EXPECT_LE(self->accesses.pmu_reads, self->constant);
	EXPECT_EQ(self->accesses.energy_reads, 0);
}

/* At a switch between two monitored tasks, one reading serves both. */
TEST_F(accesses, each_counter_is_read_once)
{
	uint64_t counters = self->info.fixed + SET_SIZE;

	play_monitored(_metadata, self);
	EXPECT_GE(self->accesses.rdpmc, self->samples * counters);
	EXPECT_LE(self->accesses.rdpmc, 2 * self->samples * counters);
}

/* Only the selectors differ; the control registers are the same for both. */
TEST_F(accesses, other_set)
{
	struct kermon_event_set other = event_set_of(quantity_set(1));

	self->sets[1].events = other.events;
	play_monitored(_metadata, self);
	EXPECT_GE(self->accesses.pmu_writes, NR_ROUNDS);
	EXPECT_LE(self->accesses.pmu_writes,
		  6 * self->samples + self->constant);
	EXPECT_LE(self->accesses.pmu_reads, self->constant);
}

TEST_F(accesses, energy_once_a_millisecond)
{
	if (!self->info.domains)
		SKIP(return, "this machine has no energy counters");
	self->sets[0].flags = KERMON_SET_ENERGY;
	self->sets[1].flags = KERMON_SET_ENERGY;
	play_monitored(_metadata, self);
	EXPECT_GT(self->accesses.energy_reads, 0);
	EXPECT_LE(self->accesses.energy_reads, self->time_ms + 1);
	EXPECT_LE(self->accesses.pmu_writes, self->constant);
}

TEST_HARNESS_MAIN
