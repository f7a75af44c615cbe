// SPDX-License-Identifier: GPL-2.0
/*
 * Known code is counted exactly, whatever happens to the task meanwhile.
 *
 * Each test runs the same work three times: under KerMon with N rounds and with none,
 * where the difference must be N times the counts of a round, and under perf with N
 * rounds, whose totals must be identical.
 *
 * How often the work is disturbed depends on the scheduling of the host. Where that
 * matters, the work is repeated until it was disturbed; counts must be exact each time.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		50000
#define NR_SLEEPS	50
#define NR_PAGES	2000
#define NR_THREADS	4
#define STACK_SIZE	16384
#define PAGE_SIZE	4096

/**
 * struct work - the work of a worker
 * @code: the code under test
 * @memory: its memory
 * @rounds: of @code; 0 for the run that measures the constant part
 * @sleeps: split the rounds into so many parts, with a sleep after each
 * @tids: if not NULL, do the rounds in NR_THREADS threads, i + 1 times in the
 *	i-th, and store their ids here, in shared memory
 * @vfork: do the rounds in a vforked child
 */
struct work {
	code_t code;
	void *memory;
	uint64_t rounds;
	unsigned int sleeps;
	pid_t *tids;
	bool vfork;
};

/**
 * struct disturbance - disturbances of a worker
 * @disturber: a real-time task repeatedly preempts it
 * @migrate: it is moved from one CPU to another
 * @hotplug: the second of them goes offline while it runs there, and online again
 */
struct disturbance {
	bool disturber;
	bool migrate;
	bool hotplug;
};

static void do_parts(const struct work *work)
{
	struct timespec pause = { 0, 100000 };
	unsigned int i;

	for (i = 0; i < work->sleeps; i++) {
		work->code(work->rounds / work->sleeps, work->memory);
		syscall(SYS_nanosleep, &pause, NULL);
	}
}

/* The last thread to exit ends the process; no thread spins in user mode. */
static void do_threads(const struct work *work)
{
	static char stacks[NR_THREADS][STACK_SIZE]
		__attribute__((aligned(64)));
	unsigned int i;

	for (i = 0; i < NR_THREADS; i++)
		work->tids[i] = spawn(stacks[i] + STACK_SIZE, work->code,
				      work->rounds * (i + 1), work->memory);
	syscall(SYS_exit, 0);
}

/* The worker waits for the child to exit. */
static void do_vforked(const struct work *work)
{
	if (!vfork()) {
		work->code(work->rounds, work->memory);
		_exit(0);
	}
}

static void do_work(void *data)
{
	const struct work *work = data;

	if (work->tids)
		do_threads(work);
	if (work->vfork)
		do_vforked(work);
	else if (work->sleeps)
		do_parts(work);
	else
		work->code(work->rounds, work->memory);
}

static void migrate_until_end(pid_t pid)
{
	int cpu = 0;

	while (!worker_ended(pid)) {
		pin(pid, cpu);
		cpu = !cpu;
		sleep_us(1000);
	}
}

/* Let the stopped worker do its work; 0 if it succeeded. */
static int run(pid_t pid, const struct disturbance *disturbance)
{
	pid_t disturber = 0;
	int status;

	if (!disturbance->migrate && !disturbance->hotplug)
		pin(pid, 0);
	if (disturbance->disturber) {
		disturber = disturber_start(0);
		if (disturber < 0)
			return -1;
	}
	worker_go(pid);
	if (disturbance->migrate)
		migrate_until_end(pid);
	if (disturbance->hotplug)
		hotplug_until_end(pid);
	status = worker_wait(pid);
	if (disturber)
		disturber_stop(disturber);
	return status;
}

FIXTURE(exact) {
	struct records records;
	struct tally tally;
	uint64_t memory[8];
	pid_t pid;
	const struct quantity_set *set;
	uint32_t flags;
};

FIXTURE_VARIANT(exact) {
	unsigned int set;
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(exact, set0) { .set = 0 };
FIXTURE_VARIANT_ADD(exact, set1) { .set = 1 };
FIXTURE_VARIANT_ADD(exact, coalesced) {
	.set = 1, .flags = KERMON_SET_COALESCE
};

FIXTURE_SETUP(exact)
{
	self->set = quantity_set(variant->set);
	self->flags = variant->flags;
	if (!self->set)
		SKIP(return, "the counts of this CPU are not known");
}

FIXTURE_TEARDOWN(exact)
{
	free(self->records.data);
}

/* Stores the log in self->records and its sum in self->tally. */
static void count(struct __test_metadata *_metadata,
		  FIXTURE_DATA(exact) *self, struct work *work,
		  const struct disturbance *disturbance)
{
	struct kermon_event_set set = event_set_of(self->set);
	int fd;

	set.flags = self->flags;
	self->records.len = 0;
	self->pid = worker_start(do_work, work);
	ASSERT_GT(self->pid, 0);
	fd = set_events(self->pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	ASSERT_EQ(run(self->pid, disturbance), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
	records_tally(&self->records, 0, &self->tally);
	ASSERT_EQ(self->tally.broken, 0);
	ASSERT_EQ(self->tally.reported_lost, 0);
}

/* Without fixed counters, instructions are the first event of a set. */
static uint64_t instructions_of(const struct quantity_set *set,
				const struct tally *tally)
{
	return set->quantities[0] == INSTRUCTIONS ? tally->events[0]
						  : tally->fixed[0];
}

static void expect_rounds(struct __test_metadata *_metadata,
			  const struct quantity_set *set,
			  const struct tally *with, const struct tally *without,
			  const uint64_t *round, uint64_t rounds)
{
	unsigned int i;

	EXPECT_EQ(instructions_of(set, with) - instructions_of(set, without),
		  round[INSTRUCTIONS] * rounds);
	for (i = 0; i < SET_SIZE; i++)
		EXPECT_EQ(with->events[i] - without->events[i],
			  round[set->quantities[i]] * rounds)
			TH_LOG("%s, event %u", set->name, i);
}

/* perf always counts instructions too, and has no more counters than KerMon. */
static void expect_as_oracle(struct __test_metadata *_metadata,
			     const struct quantity_set *set,
			     const struct tally *tally, struct work *work,
			     const struct disturbance *disturbance)
{
	unsigned int i, first = set->quantities[0] == INSTRUCTIONS;
	pid_t pid = worker_start(do_work, work);
	struct oracle oracle;

	ASSERT_EQ(oracle_open(&oracle, pid, set->events + first,
			      SET_SIZE - first), 0)
		TH_LOG("perf_event_open: %s", strerror(errno));
	ASSERT_EQ(run(pid, disturbance), 0);
	ASSERT_EQ(oracle_close(&oracle), 0);
	EXPECT_EQ(instructions_of(set, tally), oracle.counts[0]);
	for (i = first; i < SET_SIZE; i++)
		EXPECT_EQ(tally->events[i], oracle.counts[i + 1 - first])
			TH_LOG("%s, event %u", set->name, i);
}

/* Intervals that ended for @reason; all of them if they are coalesced. */
static uint64_t intervals_of(const FIXTURE_DATA(exact) *self,
			     enum kermon_reason reason)
{
	return self->flags & KERMON_SET_COALESCE ?
	       self->tally.intervals : self->tally.by_reason[reason];
}

/* Do all three runs; self->tally is then that of the run with the rounds. */
static void check(struct __test_metadata *_metadata, FIXTURE_DATA(exact) *self,
		  struct work *work, const uint64_t *round,
		  const struct disturbance *disturbance)
{
	uint64_t rounds = work->rounds;
	struct tally without;

	work->rounds = 0;
	count(_metadata, self, work, disturbance);
	without = self->tally;
	work->rounds = rounds;
	count(_metadata, self, work, disturbance);
	expect_rounds(_metadata, self->set, &self->tally, &without, round,
		      rounds);
	expect_as_oracle(_metadata, self->set, &self->tally, work, disturbance);
}

TEST_F(exact, arithmetic)
{
	struct work work = { .code = code_arithmetic, .rounds = ROUNDS };

	check(_metadata, self, &work, arithmetic_round,
	      &(struct disturbance){});
	EXPECT_EQ(self->tally.last_reason, KERMON_REASON_EXIT);
}

TEST_F(exact, memory)
{
	struct work work = { .code = code_memory, .rounds = ROUNDS,
			     .memory = self->memory };

	check(_metadata, self, &work, memory_round,
	      &(struct disturbance){});
}

TEST_F(exact, preempted)
{
	struct work work = { .code = code_arithmetic, .rounds = 10 * ROUNDS };

	do
		check(_metadata, self, &work, arithmetic_round,
		      &(struct disturbance){ .disturber = true });
	while (intervals_of(self, KERMON_REASON_PREEMPT) < 10);
}

TEST_F(exact, sleeping)
{
	struct work work = { .code = code_memory, .rounds = ROUNDS,
			     .memory = self->memory, .sleeps = NR_SLEEPS };

	/* The sleep may return immediately. */
	do
		check(_metadata, self, &work, memory_round,
		      &(struct disturbance){});
	while (intervals_of(self, KERMON_REASON_SLEEP) < NR_SLEEPS / 2);
}

TEST_F(exact, migrating)
{
	struct work work = { .code = code_arithmetic, .rounds = 10 * ROUNDS };

	if (cpus_online() < 2)
		SKIP(return, "migration needs two CPUs");
	do
		check(_metadata, self, &work, arithmetic_round,
		      &(struct disturbance){ .migrate = true });
	while (self->tally.cpus != 3);
}

TEST_F(exact, hotplugged)
{
	struct work work = { .code = code_arithmetic, .rounds = 20 * ROUNDS };

	if (set_online(1, true))
		SKIP(return, "hotplug needs a second CPU that can go offline");
	/* Vary the length: under icount, equal runs may fail alike for ever. */
	do {
		check(_metadata, self, &work, arithmetic_round,
		      &(struct disturbance){ .hotplug = true });
		work.rounds += ROUNDS;
	} while (self->tally.cpus != 3);
}

TEST_F(exact, vforked)
{
	struct work work = { .code = code_arithmetic, .rounds = ROUNDS,
			     .vfork = true };

	check(_metadata, self, &work, arithmetic_round,
	      &(struct disturbance){});
	EXPECT_EQ(self->tally.by_reason[KERMON_REASON_EXIT], 2);
}

/*
 * Fresh memory for each run, so that its pages are touched for the first time.
 */
TEST_F(exact, page_faults)
{
	size_t size = NR_PAGES * PAGE_SIZE;
	struct work work = { .code = code_faults, .rounds = NR_PAGES };

	work.memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(work.memory, MAP_FAILED);
	check(_metadata, self, &work, faults_round,
	      &(struct disturbance){});
	munmap(work.memory, size);
}

/* Each thread separately, and all together, as perf counts them. */
TEST_F(exact, threads)
{
	const struct disturbance disturbance = { .disturber = true };
	struct work work = { .code = code_arithmetic, .rounds = ROUNDS };
	pid_t tids[NR_THREADS];
	struct tally first, tally;
	unsigned int i;

	work.tids = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(work.tids, MAP_FAILED);
	count(_metadata, self, &work, &disturbance);
	memcpy(tids, work.tids, sizeof(tids));
	expect_as_oracle(_metadata, self->set, &self->tally, &work, &disturbance);
	records_tally(&self->records, tids[0], &first);
	for (i = 1; i < NR_THREADS; i++) {
		records_tally(&self->records, tids[i], &tally);
		EXPECT_EQ(tally.last_reason, KERMON_REASON_EXIT);
		expect_rounds(_metadata, self->set, &tally, &first,
			      arithmetic_round, i * ROUNDS);
	}
	munmap(work.tids, PAGE_SIZE);
}

TEST_HARNESS_MAIN
