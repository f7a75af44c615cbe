// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the set of an application while it runs, and applications with
 * different sets on one CPU: no count is missed or mixed up.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		500000
#define NR_CHANGES	60
#define NR_RESTS	100
#define LOG_BYTES	(1 << 16)

struct work {
	uint64_t rounds;
};

static void arithmetic(void *data)
{
	const struct work *work = data;

	code_arithmetic(work->rounds, NULL);
}

static struct kermon_event_set set_of(unsigned int which)
{
	struct kermon_event_set set = event_set_of(quantity_set(which));

	set.set_id = which;
	return set;
}

FIXTURE(change)
{
	struct records records;
	struct work work;
	pid_t pid;
	int fd;
};

FIXTURE_SETUP(change)
{
	struct machine_info info;

	ASSERT_EQ(control_get_info(&info), 0);
	if (!quantity_set(0) || !info.fixed)
		SKIP(return, "the counts of this CPU are not known");
}

FIXTURE_TEARDOWN(change)
{
	free(self->records.data);
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(change) *self,
		  uint64_t rounds, unsigned int which)
{
	struct kermon_event_set set = set_of(which);

	set.log_bytes = LOG_BYTES;
	self->records.len = 0;
	self->work.rounds = rounds;
	self->pid = worker_start(arithmetic, &self->work);
	self->fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(self->fd, 0);
}

static void finish(struct __test_metadata *_metadata,
		   FIXTURE_DATA(change) *self)
{
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, self->fd), 0);
	close(self->fd);
}

static int change(pid_t pid, const struct kermon_event_set *set)
{
	int fd = set_events(pid, set, sizeof(*set), KERMON_FLAG_CHANGE);

	return fd < 0 ? errno : close(fd);
}

/* The events of a set match its instructions, except at the cut intervals. */
static void expect_counts(struct __test_metadata *_metadata,
			  const struct tally *tally, unsigned int which)
{
	const struct quantity_set *set = quantity_set(which);
	uint64_t rounds = tally->fixed[0] / arithmetic_round[INSTRUCTIONS];
	unsigned int i;

	for (i = 0; i < SET_SIZE; i++) {
		uint64_t each = arithmetic_round[set->quantities[i]];

		if (!each)
			continue;
		EXPECT_LE(tally->events[i], (rounds + tally->samples) * each);
		EXPECT_GE(tally->events[i] + (tally->samples + 20) * each,
			  rounds * each);
	}
}

/*
 * Returns the number of successful changes during a task of ROUNDS; stores its
 * log in self->records.
 */
static unsigned int change_back_and_forth(struct __test_metadata *_metadata,
					  FIXTURE_DATA(change) *self)
{
	struct kermon_event_set sets[2] = { set_of(0), set_of(1) };
	unsigned int i, changes = 0;

	start(_metadata, self, ROUNDS, 0);
	worker_go(self->pid);
	for (i = 0; i < NR_CHANGES && !worker_ended(self->pid); i++) {
		int error = change(self->pid, &sets[(i + 1) % 2]);

		EXPECT_TRUE(!error || error == ENOENT || error == ESRCH);
		changes += !error;
	}
	finish(_metadata, self);
	return changes;
}

/*
 * As fast as possible, without stopping the task. If the host delays the test,
 * the task may finish early and the change is not tested.
 */
TEST_F(change, while_it_runs)
{
	struct tally none, all, ones[2];
	unsigned int i, changes;

	start(_metadata, self, 0, 0);
	worker_go(self->pid);
	finish(_metadata, self);
	records_tally(&self->records, 0, &none);
	do {
		changes = change_back_and_forth(_metadata, self);
		records_tally(&self->records, 0, &all);
		EXPECT_EQ(all.broken, 0);
		EXPECT_EQ(all.fixed[0] - none.fixed[0],
			  ROUNDS * arithmetic_round[INSTRUCTIONS]);
		for (i = 0; i < 2; i++) {
			records_tally_set(&self->records, 0, i, &ones[i]);
			expect_counts(_metadata, &ones[i], i);
		}
	} while (changes < 4 || !all.by_reason[KERMON_REASON_SET] ||
		 !ones[0].fixed[0] || !ones[1].fixed[0]);
}

/* From one set to several rotated ones, and back to one. */
TEST_F(change, to_sets_that_take_turns)
{
	struct kermon_event_set one = set_of(0), several = set_of(0);
	struct kermon_more_events more = {
		1, SET_SIZE, (uintptr_t)quantity_set(1)->events
	};
	struct tally all, other;

	several.nr_more = 1;
	several.more = (uintptr_t)&more;
	several.rotate_ns = KERMON_ROTATE_MIN_NS;
	start(_metadata, self, ROUNDS, 0);
	EXPECT_EQ(change(self->pid, &several), 0);
	worker_go(self->pid);
	sleep_us(30000);
	change(self->pid, &one);
	finish(_metadata, self);
	records_tally(&self->records, 0, &all);
	EXPECT_EQ(all.broken, 0);
	records_tally_set(&self->records, 0, 1, &other);
	expect_counts(_metadata, &other, 1);
}

TEST_F(change, refused)
{
	struct kermon_event bad = { .config = 0x1003c | 1 << 20 };
	struct kermon_event_set set = set_of(1);
	struct machine_info info;
	struct tally tally;
	pid_t other;

	start(_metadata, self, 1000, 0);
	set.log_bytes = LOG_BYTES;
	EXPECT_EQ(change(self->pid, &set), EINVAL);
	set.log_bytes = 0;
	set.watermark = LOG_BYTES / 4;
	EXPECT_EQ(change(self->pid, &set), EINVAL);
	set.watermark = 0;
	set.flags = KERMON_SET_COALESCE;
	EXPECT_EQ(change(self->pid, &set), EINVAL);
	set.flags = KERMON_SET_OVERWRITE;
	EXPECT_EQ(change(self->pid, &set), EINVAL);
	set.flags = 0;
	set.events = (uintptr_t)&bad;
	set.nr_events = 1;
	EXPECT_EQ(change(self->pid, &set), EINVAL);
	ASSERT_EQ(control_get_info(&info), 0);
	if (info.domains) {
		set = set_of(1);
		set.flags = KERMON_SET_ENERGY;
		EXPECT_EQ(change(self->pid, &set), EINVAL);
	}
	set = set_of(1);
	EXPECT_EQ(set_events(self->pid, &set, sizeof(set), KERMON_FLAG_CHANGE |
			     KERMON_FLAG_OPEN_LOG), -1);
	EXPECT_EQ(errno, EINVAL);
	other = worker_start(arithmetic, &self->work);
	EXPECT_EQ(change(other, &set), ENOENT);
	worker_go(other);
	EXPECT_EQ(worker_wait(other), 0);
	/* A rejected change has no effect. */
	worker_go(self->pid);
	finish(_metadata, self);
	records_tally_set(&self->records, 0, 1, &tally);
	EXPECT_EQ(tally.samples, 0);
}

static void rest_often(void *data)
{
	const struct work *work = data;
	unsigned int i;

	for (i = 0; i < NR_RESTS; i++) {
		code_arithmetic(work->rounds / NR_RESTS, NULL);
		sleep_us(100);
	}
}

/* Run @rounds, alternating between set 0 and @other; return the sums. */
static void change_and_rest(struct __test_metadata *_metadata,
			    FIXTURE_DATA(change) *self, uint64_t rounds,
			    const struct kermon_event_set *other,
			    struct tally *tally)
{
	struct kermon_event_set sets[2] = { set_of(0), *other };
	unsigned int i;
	int error = 0;

	sets[0].flags = other->flags;
	self->records.len = 0;
	self->work.rounds = rounds;
	self->pid = worker_start(rest_often, &self->work);
	self->fd = set_events(self->pid, &sets[0], sizeof(sets[0]), 0);
	ASSERT_GE(self->fd, 0);
	worker_go(self->pid);
	for (i = 1; !error; i++)
		error = change(self->pid, &sets[i % 2]);
	EXPECT_TRUE(error == ENOENT || error == ESRCH) TH_LOG("%d", error);
	finish(_metadata, self);
	records_tally(&self->records, 0, tally);
	EXPECT_EQ(tally->broken, 0);
}

/* A coalesced sample is written at a change, not merged with later counts. */
TEST_F(change, of_what_is_added_up)
{
	struct kermon_event retired = { .config = 0xc0 | 1 << 16 };
	struct kermon_event_set other = set_of(0);
	struct tally none, all;
	int counted;

	other.flags = KERMON_SET_COALESCE;
	other.nr_events = 1;
	other.events = (uintptr_t)&retired;
	change_and_rest(_metadata, self, 0, &other, &none);
	do {
		change_and_rest(_metadata, self, ROUNDS, &other, &all);
		EXPECT_EQ(all.fixed[0] - none.fixed[0],
			  ROUNDS * arithmetic_round[INSTRUCTIONS]);
		counted = records_of_one_event(&self->records);
		ASSERT_GE(counted, 0);
	} while (counted < 4 || (int)all.samples < counted + 4);
}

/* Count two tasks with sets 0 and 1, both on CPU 0. */
static void count_side_by_side(struct __test_metadata *_metadata,
			       FIXTURE_DATA(change) *self, uint64_t rounds,
			       struct tally tallies[2])
{
	struct kermon_event_set set = set_of(1);
	struct work work = { rounds };
	struct records records = {};
	pid_t other;
	int fd;

	start(_metadata, self, rounds, 0);
	other = worker_start(arithmetic, &work);
	fd = set_events(other, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	pin(self->pid, 0);
	pin(other, 0);
	worker_go(self->pid);
	worker_go(other);
	finish(_metadata, self);
	ASSERT_EQ(worker_wait(other), 0);
	ASSERT_EQ(records_read_all(&records, fd), 0);
	close(fd);
	records_tally(&self->records, 0, &tallies[0]);
	records_tally(&records, 0, &tallies[1]);
	free(records.data);
}

static void expect_both(struct __test_metadata *_metadata,
			const struct tally with[2],
			const struct tally without[2])
{
	int i, j;

	for (i = 0; i < 2; i++) {
		const enum quantity *quantities = quantity_set(i)->quantities;

		EXPECT_EQ(with[i].fixed[0] - without[i].fixed[0],
			  ROUNDS * arithmetic_round[INSTRUCTIONS]);
		for (j = 0; j < SET_SIZE; j++)
			EXPECT_EQ(with[i].events[j] - without[i].events[j],
				  ROUNDS * arithmetic_round[quantities[j]]);
	}
}

/*
 * Each switch between the two reprograms the counters of their CPU. There is
 * none if one has finished before the host lets the test start the other.
 */
TEST_F(change, other_set_beside_it)
{
	struct tally tallies[2], none[2];

	count_side_by_side(_metadata, self, 0, none);
	do {
		count_side_by_side(_metadata, self, ROUNDS, tallies);
		expect_both(_metadata, tallies, none);
	} while (!tallies[0].by_reason[KERMON_REASON_PREEMPT] ||
		 !tallies[1].by_reason[KERMON_REASON_PREEMPT]);
}

TEST_HARNESS_MAIN
