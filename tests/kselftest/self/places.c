// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that are about to wrap: a thread does not see its page then, and what it reads
 * by a system call is exact.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "subject.h"
#include "worker.h"

#define TURNS		20
#define ROUNDS		3000

/* What a counter still counts before it wraps, of that of each read. */
#define DISTANCE	1000

/* Counters have 48 bits, or 40 and ignore the others. */
#define COUNTER_MASK	((1ULL << 48) - 1)

/* Where in the readings the subject says where it is counted, and how often not shown. */
#define OPERAND		(MAX_READS - 1)

static void read_in_turns(struct kermon_self *self, struct readings *readings, void *data)
{
	const unsigned int event = *(const unsigned int *)data;
	const enum quantity quantity = subject_quantities(0)->quantities[event];
	const unsigned int i = self->page->nr_fixed + event;
	uint64_t *said = (uint64_t *)readings->counts[OPERAND].values;
	uint64_t before, after;
	int turn;

	for (turn = 0; turn < TURNS && !readings->error; turn++) {
		said[0] = self->page->rdpmc[i];
		raise(SIGSTOP);
		said[1] += !kermon_self_is_fast(self);
		readings->error = kermon_read(self, i, &before);
		subject_work(ROUNDS);
		readings->error = readings->error ?: kermon_read(self, i, &after);
		if (!readings->error &&
		    after - before != ROUNDS * subject_round(quantity))
			readings->error = -EDOM;
	}
}

FIXTURE(places) {
	struct subject subject;
	unsigned int event;
};

FIXTURE_SETUP(places)
{
	struct kermon_event_set set;

	self->subject.readings = NULL;
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	if (!pages_are_shown())
		SKIP(return, "all reads are system calls");
	self->event = subject_lone_event();
	set = subject_set(0);
	ASSERT_EQ(subject_start(&self->subject, &set, read_in_turns, &self->event), 0)
		TH_LOG("%s", strerror(errno));
	subject_go(&self->subject);
}

FIXTURE_TEARDOWN(places)
{
	if (self->subject.readings)
		subject_end(&self->subject);
}

static bool stopped(pid_t pid)
{
	int status;

	return waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

/* While the subject is stopped, nobody counts by that counter. */
TEST_F(places, about_to_wrap)
{
	const struct readings *readings = self->subject.readings;
	const pid_t pid = self->subject.pid;
	const uint64_t distance = DISTANCE;
	int turn;

	for (turn = 0; turn < TURNS; turn++) {
		if (!stopped(pid))
			break;
		wait_until_off_cpu(pid);
		ASSERT_EQ(register_write(0, counter_register(readings->counts[OPERAND].values[0]),
					 COUNTER_MASK & -distance), 0);
		kill(pid, SIGCONT);
	}
	EXPECT_EQ(turn, TURNS);
	ASSERT_EQ(subject_wait(&self->subject), 0);
	EXPECT_EQ(readings->error, 0);
	EXPECT_EQ(readings->counts[OPERAND].values[1], TURNS);
}

TEST_HARNESS_MAIN
