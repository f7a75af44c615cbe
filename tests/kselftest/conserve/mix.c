// SPDX-License-Identifier: GPL-2.0
/*
 * Conservation: whatever tasks do, the deltas of the samples of each task add up to what
 * it executed, and those of all tasks to what each CPU executed.
 *
 * Nothing else runs in user mode meanwhile except the observer, for a constant number of
 * instructions. So the counter of a CPU, which KerMon never resets, must advance by the
 * sum over the samples of the CPU plus, on the CPU of the observer, that constant.
 */
#include <errno.h>
#include <string.h>

#include "kselftest_harness.h"

#include "ledger.h"
#include "mixture.h"
#include "registers.h"
#include "worker.h"

FIXTURE(mix) {
	struct mixture warm;
	struct mixture small;
	struct mixture mixture;
	struct ledger ledger;
	uint64_t counted[LEDGER_CPUS];	/* difference of the register from begin to end */
};

FIXTURE_VARIANT(mix) {
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(mix, each_interval) { .flags = 0 };
FIXTURE_VARIANT_ADD(mix, coalesced) { .flags = KERMON_SET_COALESCE };

FIXTURE_SETUP(mix)
{
	ASSERT_EQ(cpus_online(), LEDGER_CPUS);
	ASSERT_EQ(mixture_prepare(), 0);
}

FIXTURE_TEARDOWN(mix)
{
	ledger_free(&self->ledger);
	mixture_free(&self->mixture);
	mixture_free(&self->small);
	mixture_free(&self->warm);
}

static int read_counters(uint64_t *counters)
{
	return register_read(0, MSR_FIXED_CTR0, &counters[0]) |
	       register_read(1, MSR_FIXED_CTR0, &counters[1]);
}

static int watch(struct mixture *mixture, uint64_t *counted)
{
	uint64_t before[LEDGER_CPUS], after[LEDGER_CPUS];
	int error = read_counters(before);

	error |= mixture_go(mixture);
	error |= read_counters(after);
	counted[0] = after[0] - before[0];
	counted[1] = after[1] - before[1];
	return error;
}

static void run(struct __test_metadata *_metadata, FIXTURE_DATA(mix) *self,
		struct mixture *mixture, unsigned int nr, uint64_t seed)
{
	mixture->cpus = LEDGER_CPUS;
	ASSERT_EQ(mixture_start(mixture, nr, seed), 0)
		TH_LOG("%s", strerror(errno));
	ASSERT_EQ(watch(mixture, self->counted), 0);
	ASSERT_EQ(mixture_read(mixture), 0) TH_LOG("%s", strerror(errno));
	ledger_free(&self->ledger);
	ASSERT_EQ(ledger_make(&self->ledger, &mixture->records), 0);
}

/* Number of tasks whose totals differ from the plan. */
static unsigned int count_wrong(struct __test_metadata *_metadata,
				const struct ledger *ledger,
				const struct plan *plan)
{
	unsigned int i, nr = 0;

	for (i = 0; i < plan->nr; i++) {
		const struct planned *task = &plan->tasks[i];
		struct account account = ledger_account(ledger, task->tid);

		if (account.instructions == task->instructions &&
		    account.exits == 1 && account.exited)
			continue;
		if (!nr++)
			TH_LOG("task %u of kind %u: %llu instructions, not %llu; %llu exits",
			       i, task->kind,
			       (unsigned long long)account.instructions,
			       (unsigned long long)task->instructions,
			       (unsigned long long)account.exits);
	}
	return nr;
}

static uint64_t count_moves(const struct ledger *ledger,
			    const struct plan *plan)
{
	uint64_t moves = 0;
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		moves += ledger_account(ledger, plan->tasks[i].tid).moves;
	return moves;
}

/* Everything that the test needs has happened, many times. */
static void expect_mixture(struct __test_metadata *_metadata,
			   FIXTURE_DATA(mix) *self)
{
	const struct tally *tally = &self->mixture.tally;
	uint64_t moves = count_moves(&self->ledger, self->mixture.plan);

	TH_LOG("%u tasks, seed %u: %llu intervals, %llu preemptions, %llu moves, %llu programs",
	       NR_TASKS, SEED, (unsigned long long)tally->intervals,
	       (unsigned long long)tally->by_reason[KERMON_REASON_PREEMPT],
	       (unsigned long long)moves,
	       (unsigned long long)tally->by_reason[KERMON_REASON_EXEC]);
	EXPECT_GE(tally->by_reason[KERMON_REASON_EXEC], NR_TASKS / 4);
	EXPECT_GE(tally->intervals, 4 * NR_TASKS);
	EXPECT_GE(moves, NR_TASKS / 2);
}

/* Coalesced intervals of different tasks overlap. */
static void expect_order(struct __test_metadata *_metadata,
			 FIXTURE_DATA(mix) *self)
{
	EXPECT_GE(self->mixture.tally.by_reason[KERMON_REASON_PREEMPT],
		  NR_TASKS / 4);
	EXPECT_EQ(self->ledger.overlaps, 0);
	EXPECT_EQ(self->ledger.gaps, 0);
}

TEST_F(mix, instructions)
{
	uint64_t constant;

	/* The counters of a CPU start counting when they are first used. */
	run(_metadata, self, &self->warm, 16, 1);
	ASSERT_EQ(self->warm.tally.cpus, 3);
	run(_metadata, self, &self->small, 1, 1);
	constant = self->counted[0] - self->ledger.instructions[0];
	EXPECT_EQ(self->counted[1], self->ledger.instructions[1]);

	self->mixture.flags = variant->flags;
	run(_metadata, self, &self->mixture, NR_TASKS, SEED);
	EXPECT_EQ(count_wrong(_metadata, &self->ledger, self->mixture.plan), 0);
	EXPECT_EQ(self->counted[0], self->ledger.instructions[0] + constant);
	EXPECT_EQ(self->counted[1], self->ledger.instructions[1]);
	expect_mixture(_metadata, self);
	if (!variant->flags)
		expect_order(_metadata, self);
}

TEST_HARNESS_MAIN
