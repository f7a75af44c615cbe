// SPDX-License-Identifier: GPL-2.0
/*
 * Two applications on a CPU that count different sets, whose events need other
 * counters, at the same time: both are exact, whoever owns the counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		20000
#define CPU		0

static uint64_t memory[8];

/* Both sets count something of this. */
static void work(void *data)
{
	const uint64_t *rounds = data;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		code_arithmetic(*rounds / 4, NULL);
		sleep_us(1000);
		code_memory(*rounds / 4, memory);
	}
}

/**
 * struct rival - one of the applications
 * @set: what it counts
 * @pid: its only task
 * @fd: its log
 */
struct rival {
	const struct quantity_set *set;
	pid_t pid;
	int fd;
};

FIXTURE(rivals)
{
	bool shared;
};

FIXTURE_VARIANT(rivals)
{
	bool shared;
	unsigned int first;	/* the set of the application that is there first */
};

FIXTURE_VARIANT_ADD(rivals, shared) { .shared = true };
FIXTURE_VARIANT_ADD(rivals, shared_other_way_round) { .shared = true, .first = 1 };
FIXTURE_VARIANT_ADD(rivals, alone) { };

FIXTURE_SETUP(rivals)
{
	ASSERT_NE(quantity_set(0), NULL);
	self->shared = counters_are_shared();
	share_counters(variant->shared);
}

FIXTURE_TEARDOWN(rivals)
{
	share_counters(self->shared);
}

static void begin(struct __test_metadata *_metadata, struct rival *rival,
		  unsigned int number, uint64_t *rounds)
{
	struct kermon_event_set set;

	rival->set = quantity_set(number);
	set = event_set_of(rival->set);
	rival->pid = worker_start(work, rounds);
	ASSERT_EQ(pin(rival->pid, CPU), 0);
	rival->fd = set_events(rival->pid, &set, sizeof(set), 0);
	ASSERT_GE(rival->fd, 0) TH_LOG("set %u: %s", number, strerror(errno));
}

static void end(struct __test_metadata *_metadata, struct rival *rival,
		struct tally *tally)
{
	struct records records = {};

	ASSERT_EQ(worker_wait(rival->pid), 0);
	ASSERT_EQ(records_read_all(&records, rival->fd), 0);
	close(rival->fd);
	records_tally(&records, 0, tally);
	free(records.data);
	EXPECT_EQ(tally->broken, 0);
}

static void compete(struct __test_metadata *_metadata, unsigned int first,
		    uint64_t rounds, struct tally *tallies)
{
	struct rival rivals[2];
	unsigned int i;

	begin(_metadata, &rivals[0], first, &rounds);
	begin(_metadata, &rivals[1], !first, &rounds);
	for (i = 0; i < 2; i++)
		worker_go(rivals[i].pid);
	for (i = 0; i < 2; i++)
		end(_metadata, &rivals[i], &tallies[i]);
}

TEST_F(rivals, are_exact)
{
	struct tally with[2], without[2];
	unsigned int i, j;

	compete(_metadata, variant->first, ROUNDS, with);
	compete(_metadata, variant->first, 0, without);
	for (i = 0; i < 2; i++) {
		const struct quantity_set *set = quantity_set(i ^ variant->first);

		for (j = 0; j < SET_SIZE; j++) {
			enum quantity quantity = set->quantities[j];

			EXPECT_EQ(with[i].events[j] - without[i].events[j],
				  ROUNDS * (arithmetic_round[quantity] +
					    memory_round[quantity]))
				TH_LOG("%s, event %u", set->name, j);
		}
	}
}

TEST_HARNESS_MAIN
