// SPDX-License-Identifier: GPL-2.0
/*
 * Beside perf, an event keeps the offcore register that it was created with. Those of sets
 * that are not in use any more leave a gap, which the next set fills.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "quantities.h"
#include "tally.h"

#define ROUNDS		100000

/* OFFCORE_RESPONSE_0 of requests of one kind, with any response. */
#define OFFCORE		0x101b7ULL
#define RESPONSE	0x10000ULL

/* Count @event for another process, which does nothing. */
static int count_other(struct child *child, const struct kermon_event *event)
{
	struct kermon_event_set set = plain_set();

	set.nr_events = 1;
	set.events = (uintptr_t)event;
	child_start(child, NULL, NULL);
	return set_events(child->pid, &set, sizeof(set), 0);
}

/* perf has two registers for what these events count. */
TEST(registers_of_former_sets)
{
	struct kermon_event event = { .config = OFFCORE };
	struct kermon_event_set set = plain_set();
	unsigned int i;
	int fd, own = -1;

	set.nr_events = 1;
	set.events = (uintptr_t)&event;
	for (i = 0; i < 8; i++) {
		event.extra = RESPONSE | 1U << i;
		fd = set_events(0, &set, sizeof(set), i ? KERMON_FLAG_CHANGE : 0);
		EXPECT_GE(fd, 0) TH_LOG("value %u: %s", i, strerror(errno));
		if (i)
			close(fd);
		else
			own = fd;
	}
	close(own);
}

static void arithmetic(void *data)
{
	const uint64_t *rounds = data;

	code_arithmetic(*rounds, NULL);
}

static void tally_rounds(struct __test_metadata *_metadata, uint64_t rounds,
			 struct tally *tally)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));

	set.nr_events = 2;
	ASSERT_EQ(tally_worker(arithmetic, &rounds, &set, tally), 0)
		TH_LOG("%s", strerror(errno));
	EXPECT_EQ(tally->broken, 0);
}

/* Others have the second place, and then the first and the third are counted in. */
TEST(exact_around_others)
{
	const struct kermon_event first = { .config = OFFCORE, .extra = RESPONSE | 1 };
	const struct kermon_event second = { .config = OFFCORE, .extra = RESPONSE | 2 };
	const struct quantity_set *from = quantity_set(0);
	struct tally none, tally;
	struct child children[2];
	int one, two;
	unsigned int i;

	one = count_other(&children[0], &first);
	two = count_other(&children[1], &second);
	ASSERT_GE(one, 0) TH_LOG("%s", strerror(errno));
	ASSERT_GE(two, 0) TH_LOG("%s", strerror(errno));
	close(one);
	tally_rounds(_metadata, 0, &none);
	tally_rounds(_metadata, ROUNDS, &tally);
	EXPECT_EQ(tally.fixed[0] - none.fixed[0],
		  arithmetic_round[INSTRUCTIONS] * ROUNDS);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(tally.events[i] - none.events[i],
			  arithmetic_round[from->quantities[i]] * ROUNDS);
	close(two);
	child_kill(&children[0]);
	child_kill(&children[1]);
}

TEST_HARNESS_MAIN
