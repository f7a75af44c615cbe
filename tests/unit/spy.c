// SPDX-License-Identifier: GPL-2.0
/* A monitor and its spies, with the backend that every machine has. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <kermon/spy.h>

#include "kselftest_harness.h"

#define CPUS	64
#define MS	1000000ULL

/**
 * struct seen - what was drained
 * @end_ns: end of the last interval of each CPU
 * @samples: number of samples
 * @gaps: intervals that do not begin where the one before ended
 * @merged: sum of those of the samples; @first, @cut: samples with that flag
 * @sets: samples by set
 * @stop_after: stop the drain after so many
 */
struct seen {
	uint64_t end_ns[CPUS];
	unsigned int samples;
	unsigned int gaps;
	unsigned int merged;
	unsigned int first;
	unsigned int cut;
	unsigned int wrong;
	unsigned int sets[4];
	unsigned int stop_after;
};

static int see(const struct kermon_spy_sample *sample, void *data)
{
	struct seen *seen = data;
	uint64_t *end_ns = &seen->end_ns[sample->cpu % CPUS];

	seen->gaps += *end_ns && *end_ns != sample->begin_ns;
	seen->wrong += sample->end_ns <= sample->begin_ns || sample->set >= 4;
	seen->merged += sample->merged;
	seen->first += !!(sample->flags & KERMON_SPY_FIRST);
	seen->cut += !!(sample->flags & KERMON_SPY_CUT);
	seen->sets[sample->set % 4]++;
	*end_ns = sample->end_ns;
	return ++seen->samples == seen->stop_after ? 42 : 0;
}

static void wait_ms(unsigned int ms)
{
	const struct timespec time = { .tv_nsec = ms * MS };

	nanosleep(&time, NULL);
}

FIXTURE(spy)
{
	struct kermon_spy_options options;
	struct kermon_spy_trouble trouble;
	struct kermon_spy_cpu info;
	struct kermon_spy *spy;
	struct seen seen;
};

static const char *const sets[] = { "fixed", "idle-time,user-time", "steal-time" };

FIXTURE_SETUP(spy)
{
	memset(self, 0, sizeof(*self));
	self->options = (struct kermon_spy_options){
		.size = sizeof(self->options),
		.backend = "software",
		.sets = sets,
		.nr_sets = 3,
		.interval_ns = 2 * MS,
	};
}

FIXTURE_TEARDOWN(spy)
{
	kermon_spy_close(self->spy);
}

static int start(FIXTURE_DATA(spy) *self)
{
	int err = kermon_spy_open(&self->spy, &self->options, &self->trouble);

	return err ? err : kermon_spy_start(self->spy, &self->trouble);
}

TEST_F(spy, intervals)
{
	ASSERT_EQ(0, start(self));
	EXPECT_STREQ("software", kermon_spy_backend(self->spy));
	EXPECT_EQ(KERMON_SPY_NONE, kermon_spy_reason(self->spy));
	wait_ms(50);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_LT(0, self->seen.samples);
	kermon_spy_stop(self->spy);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, self->seen.gaps);
	EXPECT_EQ(0, self->seen.wrong);
	EXPECT_EQ(0, self->seen.merged);
	EXPECT_EQ(0, self->seen.first);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, NULL));
	/* The last sample of each CPU was cut. */
	ASSERT_TRUE(kermon_spy_cpu(self->spy, self->seen.cut - 1, &self->info));
	EXPECT_FALSE(kermon_spy_cpu(self->spy, self->seen.cut, &self->info));
	EXPECT_LT(0, self->info.cost_ns);
	EXPECT_GT(50 * MS, self->info.cost_ns);
}

static void count_move(unsigned int cpu, bool online, const struct kermon_spy_trouble *trouble,
		       void *data)
{
	(void)cpu;
	(void)online;
	(void)trouble;
	++*(unsigned int *)data;
}

/* machine/spy.sh has CPUs that move. */
TEST_F(spy, cpus_that_stay)
{
	unsigned int moves = 0;

	ASSERT_EQ(0, kermon_spy_open(&self->spy, &self->options, &self->trouble));
	EXPECT_EQ(0, kermon_spy_follow(self->spy, count_move, &moves));
	ASSERT_EQ(0, kermon_spy_start(self->spy, &self->trouble));
	EXPECT_EQ(0, kermon_spy_follow(self->spy, count_move, &moves));
	wait_ms(10);
	EXPECT_EQ(0, kermon_spy_follow(self->spy, NULL, NULL));
	kermon_spy_stop(self->spy);
	EXPECT_EQ(0, kermon_spy_follow(self->spy, count_move, &moves));
	EXPECT_EQ(0, moves);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_LT(0, self->seen.samples);
	EXPECT_EQ(0, self->seen.gaps);
}

TEST_F(spy, changes)
{
	ASSERT_EQ(0, start(self));
	ASSERT_TRUE(kermon_spy_cpu(self->spy, 0, &self->info));
	for (unsigned int i = 1; i <= 30; i++) {
		wait_ms(i % 3);
		EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
		EXPECT_EQ(0, kermon_spy_change(self->spy, self->info.cpu, i % 3,
					       &self->trouble));
	}
	EXPECT_EQ(-EALREADY, kermon_spy_change(self->spy, self->info.cpu, 0,
					       &self->trouble));
	EXPECT_EQ(-ENOENT, kermon_spy_change(self->spy, 8191, 0, &self->trouble));
	EXPECT_EQ(-ENOENT, kermon_spy_change(self->spy, self->info.cpu, 3, &self->trouble));
	kermon_spy_stop(self->spy);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, self->seen.gaps);
	EXPECT_EQ(0, self->seen.wrong);
	EXPECT_EQ(30, self->seen.first);
	EXPECT_LT(9, self->seen.sets[1]);
	EXPECT_LT(9, self->seen.sets[2]);
	EXPECT_EQ(0, self->seen.sets[3]);
}

/* Intervals for which there is no room are part of the next one: no time is missing. */
TEST_F(spy, full_channel)
{
	self->options.channel = 2;
	ASSERT_EQ(0, start(self));
	wait_ms(40);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	wait_ms(10);
	EXPECT_EQ(-EAGAIN, kermon_spy_change(self->spy, 0, 1, &self->trouble));
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	kermon_spy_stop(self->spy);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, self->seen.gaps);
	EXPECT_LT(0, self->seen.merged);
	ASSERT_TRUE(kermon_spy_cpu(self->spy, 0, &self->info));
	EXPECT_LT(0, self->info.merged);
}

TEST_F(spy, interrupted_drain)
{
	ASSERT_EQ(0, start(self));
	wait_ms(20);
	kermon_spy_stop(self->spy);
	self->seen.stop_after = 1;
	EXPECT_EQ(42, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, self->seen.gaps);
	EXPECT_LT(1, self->seen.samples);
}

TEST_F(spy, never_started)
{
	ASSERT_EQ(0, kermon_spy_open(&self->spy, &self->options, &self->trouble));
	kermon_spy_stop(self->spy);
	EXPECT_EQ(0, kermon_spy_drain(self->spy, see, &self->seen));
	EXPECT_EQ(0, self->seen.samples);
}

TEST_F(spy, sets)
{
	const struct kermon_spy_set *set;

	ASSERT_EQ(0, kermon_spy_open(&self->spy, &self->options, &self->trouble));
	set = kermon_spy_set(self->spy, 1);
	EXPECT_STREQ("idle-time,user-time", set->text);
	ASSERT_EQ(2, set->nr);
	EXPECT_STREQ("user-time", set->events[1].name);
	EXPECT_EQ(KERMON_SPY_NS, set->events[1].unit);
	EXPECT_EQ(NULL, kermon_spy_set(self->spy, 3));
	EXPECT_EQ(1, kermon_spy_add_set(self->spy, "idle-time,user-time", &self->trouble));
	EXPECT_EQ(3, kermon_spy_add_set(self->spy, "user-time", &self->trouble));
	EXPECT_EQ(-EEXIST, kermon_spy_add_set(self->spy, "user-time,user-time",
					      &self->trouble));
	EXPECT_EQ(-ENOENT, kermon_spy_add_set(self->spy, "user-tim", &self->trouble));
	EXPECT_EQ(KERMON_SPY_EVENT, self->trouble.kind);
	EXPECT_STREQ("user-time", self->trouble.event.near[0]);
	EXPECT_EQ(-ENOENT, kermon_spy_add_set(self->spy, "", &self->trouble));
}

TEST_F(spy, invalid_options)
{
	const unsigned int offline = 8191;

	self->options.interval_ns = MS - 1;
	EXPECT_EQ(-EINVAL, start(self));
	self->options.interval_ns = KERMON_SPY_MAX_NS + 1;
	EXPECT_EQ(-EINVAL, start(self));
	self->options.interval_ns = MS;
	self->options.channel = 3;
	EXPECT_EQ(-EINVAL, start(self));
	self->options.channel = 0;
	self->options.backend = "none";
	EXPECT_EQ(-ENOENT, start(self));
	EXPECT_EQ(KERMON_SPY_UNKNOWN, self->trouble.kind);
	self->options.backend = "software";
	self->options.cpus = &offline;
	self->options.nr_cpus = 1;
	EXPECT_NE(0, start(self));
	EXPECT_EQ(KERMON_SPY_CPU, self->trouble.kind);
	EXPECT_EQ(8191, self->trouble.cpu);
	EXPECT_EQ(NULL, self->spy);
}

TEST_HARNESS_MAIN
