// SPDX-License-Identifier: GPL-2.0
/*
 * perf moves counters, which hides the page; counts stay exact, and the next read by a
 * system call shows it again. Where a counter wraps soon, there is no page either.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "subject.h"
#include "worker.h"

#define ROUNDS		2000
#define PAIRS		3000

/* For a pinned event, perf takes those that the CPU has out and in again. */
static int sample_cpu(int cpu, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = period,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

struct order {
	unsigned int hidden;	/* reads that found the page hidden */
	unsigned int shown;	/* and shown again directly after that */
};

static void read_pairs(struct kermon_self *self, struct readings *readings, void *data)
{
	struct order *order = data;
	unsigned int i;

	for (i = 0; i < PAIRS && !readings->error; i++) {
		readings->nr = 0;
		subject_read(self, readings, BY_PAGE);
		subject_work(ROUNDS);
		if (!kermon_self_is_fast(self)) {
			order->hidden++;
			subject_read(self, readings, BY_CALL);
			order->shown += kermon_self_is_fast(self);
		} else {
			subject_read(self, readings, BY_PAGE);
		}
		if (!subject_is_exact(readings, 0, 1, 0, ROUNDS))
			readings->error = -EDOM;
	}
	readings->counts[0].values[0] = order->hidden;
	readings->counts[0].values[1] = order->shown;
}

FIXTURE(moves) {
	struct subject subject;
	struct order order;
};

FIXTURE_SETUP(moves)
{
	self->subject.readings = NULL;
	memset(&self->order, 0, sizeof(self->order));
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	if (!counters_are_shared())
		SKIP(return, "KerMon has all counters");
}

FIXTURE_TEARDOWN(moves)
{
	if (self->subject.readings)
		subject_end(&self->subject);
}

/* Events come and go on the same CPU. */
static void come_and_go(const struct subject *subject)
{
	int fd;

	while (!worker_ended(subject->pid)) {
		fd = sample_cpu(0, 1000003);
		sleep_us(300);
		if (fd >= 0)
			close(fd);
		sleep_us(100);
	}
}

TEST_F(moves, exact)
{
	struct kermon_event_set set = subject_set(0);
	const struct readings *readings;

	set.flags = KERMON_SET_OVERWRITE;
	set.nr_events = set.nr_events > 2 ? 2 : 1;
	ASSERT_EQ(subject_start(&self->subject, &set, read_pairs, &self->order), 0)
		TH_LOG("%s", strerror(errno));
	subject_go(&self->subject);
	come_and_go(&self->subject);
	ASSERT_EQ(subject_wait(&self->subject), 0);
	readings = self->subject.readings;
	EXPECT_EQ(readings->error, 0);
	TH_LOG("%llu times hidden", (unsigned long long)readings->counts[0].values[0]);
	EXPECT_GT(readings->counts[0].values[0], 0);
	EXPECT_EQ(readings->counts[0].values[1] > 0, pages_are_shown());
}

TEST_HARNESS_MAIN
