// SPDX-License-Identifier: GPL-2.0
/*
 * Rotation of several sets of an application: each sample belongs to one set
 * and identifies it, and what all of them count is complete.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define NR_TURNS		3
#define FIRST_ID	70
#define ROTATE_MS	4
#define SPIN_MS		500
#define ROUNDS		500000
#define NR_THREADS	30
#define STACK_SIZE	4096
#define USER(code)	((code) | 1 << 16)

FIXTURE(turns)
{
	struct kermon_event_set set;
	struct kermon_more_events more[KERMON_MAX_SETS];
	struct kermon_event retired;
	struct machine_info info;
	struct records records;
	pid_t pid;
};

/* Sets 0 and 1 of the paper, and one that counts instructions by a selector. */
FIXTURE_SETUP(turns)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	if (!quantity_set(0) || !self->info.fixed)
		SKIP(return, "the counts of this CPU are not known");
	self->retired.config = USER(0x00c0);
	self->set = event_set_of(quantity_set(0));
	self->set.set_id = FIRST_ID;
	self->set.nr_more = NR_TURNS - 1;
	self->set.more = (uintptr_t)self->more;
	self->set.rotate_ns = ROTATE_MS * 1000000;
	self->more[0] = (struct kermon_more_events){
		FIRST_ID + 1, SET_SIZE, (uintptr_t)quantity_set(1)->events
	};
	self->more[1] = (struct kermon_more_events){
		FIRST_ID + 2, 1, (uintptr_t)&self->retired
	};
}

FIXTURE_TEARDOWN(turns)
{
	free(self->records.data);
}

/* 0 or errno. */
static int verdict(FIXTURE_DATA(turns) *self)
{
	int fd = set_events(0, &self->set, sizeof(self->set), 0);

	return fd < 0 ? errno : close(fd);
}

TEST_F(turns, arguments)
{
	EXPECT_EQ(verdict(self), 0);
	self->set.rotate_ns = 0;
	EXPECT_EQ(verdict(self), 0);
	self->set.rotate_ns = KERMON_ROTATE_MIN_NS - 1;
	EXPECT_EQ(verdict(self), EINVAL);
	self->set.rotate_ns = KERMON_ROTATE_MAX_NS + 1;
	EXPECT_EQ(verdict(self), EINVAL);
	self->set.rotate_ns = KERMON_ROTATE_MAX_NS;
	EXPECT_EQ(verdict(self), 0);
	self->set.pad = 1;
	EXPECT_EQ(verdict(self), EINVAL);
	self->set.pad = 0;
	self->set.nr_more = KERMON_MAX_SETS;
	EXPECT_EQ(verdict(self), ENOSPC);
	self->set.nr_more = UINT32_MAX;
	EXPECT_EQ(verdict(self), ENOSPC);
	self->set.nr_more = 0;
	EXPECT_EQ(verdict(self), EINVAL);
	self->set.rotate_ns = 0;
	EXPECT_EQ(verdict(self), 0);
	EXPECT_GE(self->pid = set_events(0, &self->set,
					 KERMON_EVENT_SET_SIZE_VER0, 0), 0);
	close(self->pid);
}

TEST_F(turns, labels_differ)
{
	self->more[1].set_id = FIRST_ID + 1;
	EXPECT_EQ(verdict(self), EINVAL);
	self->more[1].set_id = FIRST_ID;
	EXPECT_EQ(verdict(self), EINVAL);
}

/* If one set is invalid, all are rejected, and none of them remains in use. */
TEST_F(turns, all_or_none)
{
	struct kermon_event events[KERMON_MAX_EVENTS + 1];
	unsigned int i;

	self->retired.config |= 1 << 20;
	EXPECT_EQ(verdict(self), EINVAL);
	self->retired.config = USER(0x00c0);
	self->retired.extra = 1;
	EXPECT_EQ(verdict(self), EINVAL);
	for (i = 0; i <= KERMON_MAX_EVENTS; i++)
		events[i] = (struct kermon_event){ .config = USER(0x00c0) };
	self->more[1].events = (uintptr_t)events;
	self->more[1].nr_events = KERMON_MAX_EVENTS + 1;
	EXPECT_EQ(verdict(self), ENOSPC);
	self->more[1].nr_events = self->info.counters + 1;
	EXPECT_EQ(verdict(self), ENOSPC);
	self->more[1].nr_events = self->info.counters;
	EXPECT_EQ(verdict(self), 0);
	self->more[1].events = 8;
	EXPECT_EQ(verdict(self), EFAULT);
	self->set.more = 8;
	EXPECT_EQ(verdict(self), EFAULT);
	ASSERT_EQ(control_get_info(&self->info), 0);
	EXPECT_EQ(self->info.pmu_owner, KERMON_PMU_FREE);
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(turns) *self,
		  void (*work)(void *data), void *data)
{
	int fd;

	self->records.len = 0;
	self->pid = worker_start(work, data);
	ASSERT_GT(self->pid, 0);
	fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(self->pid);
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
}

static void spin(void *data)
{
	(void)data;
	pin(0, 0);
	spin_ms(SPIN_MS);
}

static void sleep_often(void *data)
{
	int i;

	(void)data;
	pin(0, 0);
	for (i = 0; i < 100; i++) {
		spin_ms(3);
		sleep_us(100);
	}
}

/*
 * Every set is counted, even if ticks come late or are missed on a busy host.
 */
static void expect_turns(struct __test_metadata *_metadata,
			 FIXTURE_DATA(turns) *self)
{
	const struct kermon_record *record = NULL;
	const struct kermon_sample *sample;
	uint32_t set = 0, turns = 0;
	uint64_t rotated = 0;
	struct tally all, one;

	records_tally(&self->records, 0, &all);
	ASSERT_EQ(all.broken, 0);
	while ((record = records_next(&self->records, record))) {
		sample = (const void *)record;
		/* No time is lost at a rotation. */
		if (rotated)
			EXPECT_EQ(sample->tsc_begin, rotated);
		rotated = sample->reason == KERMON_REASON_ROTATE ?
			  sample->tsc_end : 0;
		turns += set && sample->set_id != set;
		set = sample->set_id;
		EXPECT_EQ(sample->nr_events, set == FIRST_ID + 2 ? 1 : SET_SIZE);
	}
	EXPECT_GE(turns, 2 * NR_TURNS);
	for (set = 0; set < NR_TURNS; set++) {
		records_tally_set(&self->records, 0, FIRST_ID + set, &one);
		EXPECT_GE(one.oncpu, all.oncpu / (4 * NR_TURNS));
	}
}

TEST_F(turns, of_who_never_leaves)
{
	struct tally all;

	start(_metadata, self, spin, NULL);
	expect_turns(_metadata, self);
	records_tally(&self->records, 0, &all);
	EXPECT_GE(all.by_reason[KERMON_REASON_ROTATE], 2 * NR_TURNS);
}

TEST_F(turns, of_who_leaves_often)
{
	start(_metadata, self, sleep_often, NULL);
	expect_turns(_metadata, self);
}

/*
 * Samples of different sizes overwrite each other, and the remaining ones are
 * intact.
 */
TEST_F(turns, newest_are_kept)
{
	struct tally tally;
	int counted;

	self->set.flags = KERMON_SET_OVERWRITE;
	self->set.log_bytes = KERMON_LOG_MIN_BYTES;
	start(_metadata, self, sleep_often, NULL);
	records_tally(&self->records, 0, &tally);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_GT(tally.reported_lost, 0);
	EXPECT_EQ(tally.last_reason, KERMON_REASON_EXIT);
	counted = records_of_one_event(&self->records);
	EXPECT_GT(counted, 0);
	EXPECT_GT((int)tally.samples, counted);
}

struct work {
	uint64_t rounds;
};

static void arithmetic(void *data)
{
	const struct work *work = data;

	code_arithmetic(work->rounds, NULL);
}

/*
 * The fixed counters miss nothing at rotations, and each set counts what the
 * code does, except for a round cut at each end of an interval.
 */
TEST_F(turns, exact)
{
	const struct kermon_record *record = NULL;
	const struct kermon_sample *sample;
	struct work work = { 0 };
	struct tally none, all;
	uint64_t round;
	unsigned int i;

	start(_metadata, self, arithmetic, &work);
	records_tally(&self->records, 0, &none);
	work.rounds = ROUNDS;
	start(_metadata, self, arithmetic, &work);
	records_tally(&self->records, 0, &all);
	EXPECT_EQ(all.broken, 0);
	EXPECT_EQ(all.fixed[0] - none.fixed[0],
		  ROUNDS * arithmetic_round[INSTRUCTIONS]);
	while ((record = records_next(&self->records, record))) {
		sample = (const void *)record;
		if (sample->reason != KERMON_REASON_ROTATE)
			continue;
		round = sample->values[0] / arithmetic_round[INSTRUCTIONS];
		if (sample->set_id == FIRST_ID + 2)
			EXPECT_EQ(sample->values[3], sample->values[0]);
		for (i = 0; sample->set_id < FIRST_ID + 2 && i < SET_SIZE; i++) {
			const struct quantity_set *set =
				quantity_set(sample->set_id - FIRST_ID);
			uint64_t each = arithmetic_round[set->quantities[i]];

			if (!each)
				continue;
			EXPECT_LE(sample->values[3 + i], (round + 2) * each);
			EXPECT_GE(sample->values[3 + i] + 20 * each,
				  round * each);
		}
	}
}

/*
 * Intervals of the same set are coalesced, but never with those of another set.
 */
TEST_F(turns, added_up)
{
	struct tally tally;
	int counted;

	self->set.flags = KERMON_SET_COALESCE;
	start(_metadata, self, sleep_often, NULL);
	records_tally(&self->records, 0, &tally);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_GT(tally.intervals, 2 * tally.samples);
	counted = records_of_one_event(&self->records);
	EXPECT_GT(counted, 0);
	EXPECT_GT((int)tally.samples, counted);
}

static void many_threads(void *data)
{
	static char stacks[NR_THREADS][STACK_SIZE]
		__attribute__((aligned(64)));
	pid_t *tids = data;
	unsigned int i;

	for (i = 0; i < NR_THREADS; i++)
		tids[i] = spawn(stacks[i] + STACK_SIZE, code_arithmetic, 100,
				NULL);
	syscall(SYS_exit, 0);
}

/* Threads that live shorter than a turn do not all start with the same set. */
TEST_F(turns, of_short_lives)
{
	unsigned int i, set, seen[NR_TURNS] = {};
	struct tally tally;
	pid_t *tids;

	tids = mmap(NULL, NR_THREADS * sizeof(*tids), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE((void *)tids, MAP_FAILED);
	start(_metadata, self, many_threads, tids);
	for (i = 0; i < NR_THREADS; i++) {
		for (set = 0; set < NR_TURNS; set++) {
			records_tally_set(&self->records, tids[i],
					  FIRST_ID + set, &tally);
			seen[set] += tally.samples > 0;
		}
	}
	for (set = 0; set < NR_TURNS; set++)
		EXPECT_GE(seen[set], NR_THREADS / (2 * NR_TURNS));
	munmap(tids, NR_THREADS * sizeof(*tids));
}

TEST_HARNESS_MAIN
