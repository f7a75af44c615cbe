// SPDX-License-Identifier: GPL-2.0
/* Rings of perf_event: records arrive whole and in order, also where the ring wraps around. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/rings.h"

#include "kselftest_harness.h"

#define PAGE	4096

FIXTURE(rings)
{
	struct rings *rings;
	int fds[2];
	uint64_t next;
	uint64_t lost;
	uint64_t last_time;
};

/* An event that samples each page fault of task @pid; its sample is 48 bytes. */
static int open_faults(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
}

FIXTURE_SETUP(rings)
{
	self->rings = rings_new(PAGE);
	ASSERT_NE(NULL, self->rings);
	self->fds[0] = open_faults(0, -1);
	self->fds[1] = -1;
	if (self->fds[0] < 0)
		SKIP(return, "perf_event_open: %s", strerror(errno));
}

FIXTURE_TEARDOWN(rings)
{
	rings_free(self->rings);
	for (int i = 0; i < 2; i++)
		if (self->fds[i] >= 0)
			close(self->fds[i]);
}

struct fault {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t period;
};

static int take(void *data, const struct perf_event_header *record)
{
	FIXTURE_DATA(rings) *self = data;
	const struct fault *fault = (const void *)record;
	const uint64_t *lost = (const void *)(record + 1);

	if (record->type == PERF_RECORD_LOST) {
		self->lost += lost[1];
		return 0;
	}
	if (record->type != PERF_RECORD_SAMPLE || record->size != sizeof(*fault) ||
	    fault->period != 1 || fault->tid != (uint32_t)gettid() ||
	    fault->time < self->last_time)
		return -EBADMSG;
	self->last_time = fault->time;
	self->next++;
	return 0;
}

/* Fault in @nr pages. */
static void touch(int nr)
{
	char *pages = mmap(NULL, nr * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(pages, nr * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < nr; i++)
		pages[i * PAGE] = 1;
	munmap(pages, nr * PAGE);
}

/* A record has 48 bytes, of which a page is no multiple: one in each page is in two pieces. */
TEST_F(rings, wraps_around)
{
	ASSERT_EQ(0, rings_join(self->rings, 0, self->fds[0]));
	for (int i = 0; i < 40; i++) {
		touch(50);
		ASSERT_EQ(0, rings_drain(self->rings, take, self));
	}
	EXPECT_EQ(0, self->lost);
	EXPECT_LE(40 * 50, self->next);
	EXPECT_GT(40 * 50 + 400, self->next);
}

TEST_F(rings, full_ring_reports_losses)
{
	const uint64_t room = PAGE / sizeof(struct fault);

	ASSERT_EQ(0, rings_join(self->rings, 0, self->fds[0]));
	touch(1000);
	ASSERT_EQ(0, rings_drain(self->rings, take, self));
	EXPECT_GE(room, self->next);
	touch(10);
	ASSERT_EQ(0, rings_drain(self->rings, take, self));
	EXPECT_LE(1000 + 10, self->next + self->lost);
	EXPECT_LE(1000 - room, self->lost);
}

static int stop(void *data, const struct perf_event_header *record)
{
	(void)record;
	return ++*(int *)data == 3 ? -ENOSPC : 0;
}

TEST_F(rings, stops_at_an_error)
{
	int nr = 0;

	ASSERT_EQ(0, rings_join(self->rings, 0, self->fds[0]));
	touch(10);
	EXPECT_EQ(-ENOSPC, rings_drain(self->rings, stop, &nr));
	EXPECT_EQ(3, nr);
}

/* The second event uses the same ring, and is polled once the task of the first has ended. */
TEST_F(rings, follows_the_next_task)
{
	struct pollfd *fds = calloc(rings_count(self->rings), sizeof(*fds));
	const pid_t first = fork();
	int status;

	if (!first) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	ASSERT_NE(NULL, fds);
	close(self->fds[0]);
	self->fds[0] = open_faults(first, 0);
	self->fds[1] = open_faults(0, 0);
	ASSERT_LE(0, self->fds[0]);
	ASSERT_LE(0, self->fds[1]);
	ASSERT_EQ(0, rings_follow(self->rings, 0, self->fds[0]));
	ASSERT_EQ(0, rings_follow(self->rings, 0, self->fds[1]));
	rings_poll(self->rings, fds);
	EXPECT_EQ(self->fds[0], fds[0].fd);
	kill(first, SIGKILL);
	waitpid(first, &status, 0);
	ASSERT_EQ(1, poll(fds, 1, 1000));
	rings_polled(self->rings, fds);
	EXPECT_EQ(self->fds[1], fds[0].fd);
	EXPECT_FALSE(rings_ended(self->rings));
	fds[0].revents = POLLHUP;
	rings_polled(self->rings, fds);
	EXPECT_TRUE(rings_ended(self->rings));
	free(fds);
}

TEST_HARNESS_MAIN
