// SPDX-License-Identifier: GPL-2.0
/*
 * KERMON_SAMPLE_ALONE is set exactly when the other CPU was idle throughout,
 * according to the tracepoint of context switches.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "history.h"
#include "log.h"
#include "mixture.h"
#include "tally.h"
#include "worker.h"

/*
 * The tracepoint, the hook and reading the TSC happen at different times, and
 * each of the two emulated CPUs stops for 100 us while the other one runs.
 */
#define SLACK		150000
#define NR_NAPS		20
#define NAP_US		2000
#define SPIN_MS		5

/* Ordered so that the maximum combines the results of two times. */
enum sharing { ALONE, UNKNOWN, SHARED };

static enum sharing worse(enum sharing one, enum sharing other)
{
	return one > other ? one : other;
}

FIXTURE(alone) {
	struct records records;
	struct history switches;
	unsigned int samples[2];	/* by flag: shared, alone */
	unsigned int wrong;
	pid_t other;			/* if not 0, starts together with the worker */
};

FIXTURE_SETUP(alone)
{
	struct machine_info info;

	ASSERT_EQ(control_get_info(&info), 0);
	ASSERT_NE(info.domains, 0);
	ASSERT_EQ(cpus_online(), 2);
	ASSERT_EQ(pin(0, 1), 0);
}

FIXTURE_TEARDOWN(alone)
{
	free(self->switches.all);
	free(self->records.data);
}

static void work(void *data)
{
	int i;

	(void)data;
	for (i = 0; i < NR_NAPS; i++) {
		spin_ms(SPIN_MS);
		sleep_us(NAP_US);
	}
}

/* Whether a task ran from @from to @to, only near the edges, or not at all. */
static enum sharing overlap(const struct kermon_sample *sample, uint64_t from,
			    uint64_t to)
{
	if (from < sample->tsc_end - SLACK && to > sample->tsc_begin + SLACK)
		return SHARED;
	if (from < sample->tsc_end + SLACK && to > sample->tsc_begin - SLACK)
		return UNKNOWN;
	return ALONE;
}

/*
 * Whether CPU 1 was busy meanwhile; the history has at least one switch there.
 */
static enum sharing sharing_of(const struct kermon_sample *sample,
			       const struct history *switches)
{
	enum sharing sharing = ALONE;
	uint64_t pid = 0, since = 0;
	size_t i;

	for (i = 0; i < switches->nr; i++) {
		const struct happening *next = &switches->all[i];

		if (next->cpu != 1)
			continue;
		if (next->from)
			sharing = worse(sharing,
					overlap(sample, since, next->tsc));
		pid = next->to;
		since = next->tsc;
	}
	return pid ? worse(sharing, overlap(sample, since, UINT64_MAX)) :
		     sharing;
}

static void check(FIXTURE_DATA(alone) *self)
{
	const struct kermon_record *record = NULL;

	while ((record = records_next(&self->records, record))) {
		const struct kermon_sample *sample = (const void *)record;
		bool alone = sample->flags & KERMON_SAMPLE_ALONE;
		enum sharing sharing = sharing_of(sample, &self->switches);

		self->samples[alone]++;
		self->wrong += sharing != UNKNOWN &&
			       alone != (sharing == ALONE);
	}
}

static int begin(uint32_t flags, pid_t pid)
{
	struct kermon_event_set set = plain_set();

	set.flags = flags;
	set.interval_ns = KERMON_INTERVAL_MIN_NS;
	return set_events(pid, &set, sizeof(set), 0);
}

/* Run the worker on CPU 0, and this task on CPU 1 when it is not sleeping. */
static void run(struct __test_metadata *_metadata, FIXTURE_DATA(alone) *self,
		uint32_t flags)
{
	pid_t pid = worker_start(work, NULL);
	int fd;

	ASSERT_EQ(pin(pid, 0), 0);
	fd = begin(flags, pid);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	ASSERT_EQ(history_begin(&switch_topic), 0);
	if (self->other)
		worker_go(self->other);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(history_end(&switch_topic, &self->switches), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
	check(self);
	TH_LOG("%u alone, %u shared", self->samples[true],
	       self->samples[false]);
}

TEST_F(alone, nobody_beside_it)
{
	run(_metadata, self, KERMON_SET_ENERGY);
	EXPECT_EQ(self->wrong, 0);
	EXPECT_GE(self->samples[true], NR_NAPS);
	EXPECT_GT(self->samples[true], 4 * self->samples[false]);
}

static void spin_for_long(void *data)
{
	(void)data;
	for (;;)
		spin_ms(1000);
}

/* The other task is not monitored, and was there before the monitoring. */
TEST_F(alone, somebody_beside_it)
{
	pid_t hog = worker_start(spin_for_long, NULL);

	ASSERT_EQ(pin(hog, 1), 0);
	worker_go(hog);
	sleep_us(NAP_US);
	run(_metadata, self, KERMON_SET_ENERGY);
	disturber_stop(hog);
	EXPECT_EQ(self->samples[true], 0);
	EXPECT_GE(self->samples[false], NR_NAPS);
}

static void spin_for_a_while(void *data)
{
	(void)data;
	spin_ms(NR_NAPS / 2 * SPIN_MS);
}

TEST_F(alone, somebody_who_goes)
{
	pid_t hog = worker_start(spin_for_a_while, NULL);

	ASSERT_EQ(pin(hog, 1), 0);
	self->other = hog;
	run(_metadata, self, KERMON_SET_ENERGY);
	ASSERT_EQ(worker_wait(hog), 0);
	EXPECT_EQ(self->wrong, 0);
	EXPECT_GE(self->samples[true], NR_NAPS / 4);
	EXPECT_GE(self->samples[false], NR_NAPS / 4);
}

TEST_F(alone, somebody_who_comes_and_goes)
{
	pid_t disturber = disturber_start(1);

	ASSERT_GT(disturber, 0);
	run(_metadata, self, KERMON_SET_ENERGY);
	disturber_stop(disturber);
	EXPECT_EQ(self->wrong, 0);
	EXPECT_GE(self->samples[false], NR_NAPS);
}

TEST_F(alone, nothing_unless_energy_is_asked_for)
{
	run(_metadata, self, 0);
	EXPECT_EQ(self->samples[true], 0);
}

TEST_HARNESS_MAIN
