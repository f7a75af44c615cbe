// SPDX-License-Identifier: GPL-2.0
/*
 * Beside perf: counters of sets that are not in use any more are perf's again, although
 * other applications go on.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "worker.h"

#define COUNTERS	16

/* Ivy Bridge: what only counter 1 can count, and what any can; user mode. */
#define ONLY_COUNTER_1	0x101c0ULL
#define ANY_COUNTER	0x100c4ULL

struct result {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* In user mode, on CPU 0. */
static int open_event(uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config & 0xffff,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool counts(int fd)
{
	struct result result;

	return read(fd, &result, sizeof(result)) == sizeof(result) &&
	       result.running && result.running == result.enabled;
}

/* How many general counters of CPU 0 perf can have now. */
static unsigned int free_counters(void)
{
	int fds[COUNTERS];
	unsigned int i, nr = 0;

	for (i = 0; i < COUNTERS; i++)
		fds[i] = open_event(quantity_set(0)->events[0].config);
	sleep_us(1000);
	for (i = 0; i < COUNTERS; i++) {
		nr += fds[i] >= 0 && counts(fds[i]);
		close(fds[i]);
	}
	return nr;
}

FIXTURE(vacant) {
	bool shared;
};

FIXTURE_SETUP(vacant)
{
	self->shared = counters_are_shared();
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	share_counters(true);
	ASSERT_EQ(pin(0, 0), 0);
}

FIXTURE_TEARDOWN(vacant)
{
	share_counters(self->shared);
}

/* Count the first @nr events of set 0 for this process. */
static int count_own(unsigned int nr, unsigned int flags)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));

	set.nr_events = nr;
	return set_events(0, &set, sizeof(set), flags);
}

/* Count the fixed counters for another process, which does nothing. */
static int count_other(struct child *child)
{
	child_start(child, NULL, NULL);
	return monitor(child->pid);
}

TEST_F(vacant, perf_has_what_was_closed)
{
	const unsigned int all = free_counters();
	struct child child;
	int other, own;

	other = count_other(&child);
	ASSERT_GE(other, 0) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(free_counters(), all);
	own = count_own(3, 0);
	ASSERT_GE(own, 0) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(free_counters(), all - 3);
	close(own);
	EXPECT_EQ(free_counters(), all);
	close(other);
	child_kill(&child);
}

TEST_F(vacant, perf_has_what_was_changed)
{
	const unsigned int all = free_counters();
	int own = count_own(3, 0);

	ASSERT_GE(own, 0) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(free_counters(), all - 3);
	close(count_own(1, KERMON_FLAG_CHANGE));
	EXPECT_EQ(free_counters(), all - 1);
	close(count_own(2, KERMON_FLAG_CHANGE));
	EXPECT_EQ(free_counters(), all - 2);
	close(own);
	EXPECT_EQ(free_counters(), all);
}

/* An event that stays may have any counter again. */
TEST_F(vacant, perf_has_the_only_counter)
{
	struct kermon_event event = { .config = ANY_COUNTER };
	const struct kermon_event narrow = { .config = ONLY_COUNTER_1 };
	struct kermon_event_set set = plain_set();
	struct child child;
	int other, own, perf;

	set.nr_events = 1;
	set.events = (uintptr_t)&event;
	child_start(&child, NULL, NULL);
	own = set_events(0, &set, sizeof(set), 0);
	ASSERT_GE(own, 0) TH_LOG("%s", strerror(errno));
	set.events = (uintptr_t)&narrow;
	other = set_events(child.pid, &set, sizeof(set), 0);
	ASSERT_GE(other, 0) TH_LOG("%s", strerror(errno));
	perf = open_event(ONLY_COUNTER_1);
	sleep_us(1000);
	EXPECT_FALSE(perf >= 0 && counts(perf));
	close(perf);
	close(other);
	perf = open_event(ONLY_COUNTER_1);
	ASSERT_GE(perf, 0);
	sleep_us(1000);
	EXPECT_TRUE(counts(perf));
	close(perf);
	close(own);
	child_kill(&child);
}

TEST_F(vacant, perf_has_what_was_revoked)
{
	const unsigned int all = free_counters();
	struct child child;
	struct app_info app;
	int other, own;

	/* Before this process is monitored, which its children inherit. */
	other = count_other(&child);
	own = count_own(2, 0);
	ASSERT_GE(other, 0);
	ASSERT_GE(own, 0);
	EXPECT_EQ(free_counters(), all - 2);
	ASSERT_EQ(control_get_app(getpid(), &app), 0);
	ASSERT_EQ(control_revoke(app.id), 0);
	EXPECT_EQ(free_counters(), all);
	close(own);
	close(other);
	child_kill(&child);
}

TEST_HARNESS_MAIN
