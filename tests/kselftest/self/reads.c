// SPDX-License-Identifier: GPL-2.0
/*
 * What a thread reads of itself is exact: known code between two reads, undisturbed,
 * preempted and migrated all the time, with sets that change or are rotated.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "subject.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		50000
#define FEW_ROUNDS	7
/* Pairs of reads while the subject is disturbed. */
#define PAIRS		30000
/* Long enough for several turns of rotated sets. */
#define TURN_ROUNDS	3000000

struct order {
	enum way way;
	unsigned int pairs;
};

FIXTURE(reads) {
	struct subject subject;
	struct order order;
};

FIXTURE_VARIANT(reads) {
	enum way way;
};

FIXTURE_VARIANT_ADD(reads, by_page) { .way = BY_PAGE };
FIXTURE_VARIANT_ADD(reads, by_call) { .way = BY_CALL };

FIXTURE_SETUP(reads)
{
	self->order.way = variant->way;
	self->subject.readings = NULL;
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
}

FIXTURE_TEARDOWN(reads)
{
	if (self->subject.readings)
		subject_end(&self->subject);
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(reads) *self,
		  const struct kermon_event_set *set,
		  void (*run)(struct kermon_self *self, struct readings *readings,
			      void *data))
{
	ASSERT_EQ(subject_start(&self->subject, set, run, &self->order), 0)
		TH_LOG("%s", strerror(errno));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(reads) *self)
{
	ASSERT_EQ(subject_wait(&self->subject), 0);
	EXPECT_EQ(self->subject.readings->error, 0);
}

static void read_around(struct kermon_self *self, struct readings *readings,
			void *data)
{
	const struct order *order = data;

	subject_read(self, readings, order->way);
	subject_work(0);
	subject_read(self, readings, order->way);
	subject_work(ROUNDS);
	subject_read(self, readings, order->way);
	/* A tail call would first restore registers. */
	__asm__ volatile("" : : : "memory");
}

/* Instructions: of an event, or of the first fixed counter. */
static unsigned int instructions_of(const struct readings *readings)
{
	const struct quantity_set *set = subject_quantities(0);
	unsigned int i;

	for (i = 0; i < set_size(set); i++) {
		if (set->quantities[i] == INSTRUCTIONS)
			return readings->counts[0].nr_fixed + i;
	}
	return 0;
}

TEST_F(reads, known_code)
{
	struct kermon_event_set set = subject_set(0);
	const struct readings *readings;
	unsigned int i;

	start(_metadata, self, &set, read_around);
	subject_go(&self->subject);
	finish(_metadata, self);
	readings = self->subject.readings;
	ASSERT_EQ(readings->nr, 3);
	if (variant->way == BY_PAGE)
		EXPECT_EQ(readings->fast, pages_are_shown());
	EXPECT_TRUE(subject_is_exact(readings, 0, 1, 0, 0));
	EXPECT_TRUE(subject_is_exact(readings, 1, 2, 0, ROUNDS));
	i = instructions_of(readings);
	EXPECT_EQ(subject_delta(readings, 1, 2, i) - subject_delta(readings, 0, 1, i),
		  ROUNDS * subject_round(INSTRUCTIONS));
	EXPECT_EQ(readings->counts[2].set_id, set.set_id);
	EXPECT_EQ(readings->counts[2].nr_values,
		  readings->counts[2].nr_fixed + set.nr_events);
	EXPECT_GT(readings->counts[2].oncpu, readings->counts[1].oncpu);
	EXPECT_GT(readings->counts[2].tsc, readings->counts[1].tsc);
}

/* The last counts are those of its log since it opened them. */
static void read_first_and_last(struct kermon_self *self, struct readings *readings,
				void *data)
{
	const struct order *order = data;

	subject_work(ROUNDS);
	subject_read(self, readings, order->way);
	subject_work(ROUNDS);
	sleep_us(1000);
	subject_work(ROUNDS);
	subject_read(self, readings, order->way);
}

TEST_F(reads, agree_with_the_log)
{
	struct kermon_event_set set = subject_set(0);
	struct records records = {};
	struct readings *readings;
	struct tally tally;
	unsigned int i;

	start(_metadata, self, &set, read_first_and_last);
	subject_go(&self->subject);
	finish(_metadata, self);
	readings = self->subject.readings;
	ASSERT_EQ(records_read_all(&records, self->subject.log), 0);
	records_tally(&records, 0, &tally);
	free(records.data);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_TRUE(subject_is_exact(readings, 0, 1, 0, 2 * ROUNDS));
	for (i = 0; i < set.nr_events; i++) {
		EXPECT_LE(readings->counts[1].values[readings->counts[1].nr_fixed + i],
			  tally.events[i]);
	}
	EXPECT_LT(readings->counts[1].oncpu, tally.oncpu);
}

static void read_pairs(struct kermon_self *self, struct readings *readings, void *data)
{
	const struct order *order = data;
	unsigned int i;

	for (i = 0; i < order->pairs && !readings->error; i++) {
		readings->nr = 0;
		subject_read(self, readings, order->way);
		subject_work(FEW_ROUNDS);
		subject_read(self, readings, order->way);
		if (!subject_is_exact(readings, 0, 1, 0, FEW_ROUNDS))
			readings->error = -EDOM;
	}
}

/* Someone else works on the same counters of both CPUs. */
static void disturb(void *data)
{
	(void)data;
	for (;;)
		subject_work(1000);
}

static void move_about(const struct subject *subject)
{
	int cpu = 0;

	while (!worker_ended(subject->pid)) {
		cpu = !cpu;
		pin(subject->pid, cpu);
		sleep_us(50);
	}
}

TEST_F(reads, disturbed)
{
	struct kermon_event_set set = subject_set(0);
	pid_t workers[2], disturbers[2];
	int i;

	set.flags = KERMON_SET_OVERWRITE;
	self->order.pairs = variant->way == BY_CALL ? PAIRS / 3 : PAIRS;
	start(_metadata, self, &set, read_pairs);
	for (i = 0; i < 2; i++) {
		workers[i] = worker_start(disturb, NULL);
		ASSERT_EQ(pin(workers[i], i), 0);
		worker_go(workers[i]);
		disturbers[i] = disturber_start(i);
		ASSERT_GT(disturbers[i], 0);
	}
	subject_go(&self->subject);
	move_about(&self->subject);
	finish(_metadata, self);
	for (i = 0; i < 2; i++) {
		disturber_stop(disturbers[i]);
		disturber_stop(workers[i]);
	}
}

/* Samples that find no room are lost, but not their counts. */
TEST_F(reads, with_a_full_log)
{
	struct kermon_event_set set = subject_set(0);

	set.log_bytes = KERMON_LOG_MIN_BYTES;
	set.interval_ns = KERMON_INTERVAL_MIN_NS;
	self->order.pairs = PAIRS;
	start(_metadata, self, &set, read_pairs);
	subject_go(&self->subject);
	move_about(&self->subject);
	finish(_metadata, self);
}

/* What the set has that is counted now, and what the page has of the other. */
static void read_turns(struct kermon_self *self, struct readings *readings, void *data)
{
	const struct kermon_counts *counts = readings->counts;
	uint64_t other;

	(void)data;
	subject_work(TURN_ROUNDS);
	do {
		readings->nr = 0;
		subject_read(self, readings, BY_CALL);
		other = self->page->turns[!counts->set][0];
	} while (self->page->set != counts->set);
	readings->counts[1].values[0] = counts->values[counts->nr_fixed] + other;
}

/* The same by their index, for each set. */
static void read_each_set(struct kermon_self *self, struct readings *readings, void *data)
{
	const unsigned int first = self->page->nr_fixed;
	uint64_t counts[2][2];
	unsigned int set;

	(void)data;
	subject_work(TURN_ROUNDS);
	for (set = 0; set < 2; set++) {
		readings->error = readings->error ?: kermon_self_select(self, set);
		readings->error = readings->error ?: kermon_read_range(self, first, 1,
								       counts[set]);
		/* The second set has one event. */
		if (kermon_read(self, first + 1, &counts[set][1]) != (set ? -EINVAL : 0))
			readings->error = -EDOM;
	}
	if (kermon_self_select(self, set) != -EINVAL)
		readings->error = -EDOM;
	readings->counts[1].values[0] = counts[0][0] + counts[1][0];
}

/* Two sets with the same first event: each is counted by one of them. */
static void expect_turns(struct __test_metadata *_metadata, FIXTURE_DATA(reads) *self,
			 void (*run)(struct kermon_self *self, struct readings *readings,
				     void *data))
{
	struct quantity_set quantities = *subject_quantities(0);
	struct kermon_event_set set = event_set_of(&quantities);
	struct kermon_more_events more = { .set_id = 7, .nr_events = 1,
					   .events = set.events };
	/* One that code between the reads does not count. */
	const unsigned int event = subject_lone_event();
	uint64_t expected;

	quantities.events[0] = quantities.events[event];
	expected = TURN_ROUNDS * subject_round(quantities.quantities[event]);
	set.set_id = 5;
	set.nr_events = 2;
	set.more = (uintptr_t)&more;
	set.nr_more = 1;
	start(_metadata, self, &set, run);
	subject_go(&self->subject);
	finish(_metadata, self);
	EXPECT_EQ(self->subject.readings->counts[1].values[0], expected);
}

TEST_F(reads, turns_add_up)
{
	expect_turns(_metadata, self, read_turns);
	subject_end(&self->subject);
	expect_turns(_metadata, self, read_each_set);
}

static void read_until_changed(struct kermon_self *self, struct readings *readings,
			       void *data)
{
	const struct order *order = data;

	uint64_t count;

	subject_read(self, readings, order->way);
	do {
		readings->nr = 1;
		subject_work(1);
		subject_read(self, readings, order->way);
	} while (!readings->error &&
		 readings->counts[1].plan == readings->counts[0].plan);
	/* Count 0 is another one now. */
	if (kermon_self_is_fast(self) || kermon_read(self, 0, &count) != -ESTALE)
		readings->error = -EDOM;
	subject_work(ROUNDS);
	subject_read(self, readings, order->way);
}

TEST_F(reads, after_a_change)
{
	struct kermon_event_set set = subject_set(0);
	struct kermon_event_set next = subject_set(1);
	const struct readings *readings;
	int fd;

	next.set_id = 9;
	start(_metadata, self, &set, read_until_changed);
	subject_go(&self->subject);
	sleep_us(20000);
	fd = set_events(self->subject.pid, &next, sizeof(next), KERMON_FLAG_CHANGE);
	ASSERT_GE(fd, 0) TH_LOG("%s", strerror(errno));
	close(fd);
	finish(_metadata, self);
	readings = self->subject.readings;
	EXPECT_EQ(readings->counts[1].set_id, 9);
	EXPECT_TRUE(subject_is_exact(readings, 1, 2, 1, ROUNDS));
	EXPECT_GT(readings->counts[1].oncpu, readings->counts[0].oncpu);
}

/* Times alone need no counter, and so no permission to read one. */
TEST_F(reads, time)
{
	struct kermon_event_set set = time_set();
	const struct readings *readings;

	start(_metadata, self, &set, read_around);
	subject_go(&self->subject);
	finish(_metadata, self);
	readings = self->subject.readings;
	EXPECT_TRUE(readings->fast || variant->way == BY_CALL);
	EXPECT_EQ(readings->counts[2].nr_values, 0);
	EXPECT_GT(readings->counts[2].oncpu, readings->counts[1].oncpu);
	EXPECT_LE(readings->counts[2].oncpu - readings->counts[1].oncpu,
		  readings->counts[2].tsc - readings->counts[1].tsc);
}

TEST_HARNESS_MAIN
