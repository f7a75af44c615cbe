// SPDX-License-Identifier: GPL-2.0
/*
 * A million reads of a thread that is preempted and migrated all the time, on CPUs where
 * others count the same event and perf moves counters: none is wrong.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
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

/* A thousandth may be system calls where there is a page. */
#define READS		1000000
#define PAIRS		(READS / 2 + READS / 1000)
#define RIVAL_ROUNDS	100000

static void read_often(struct kermon_self *self, struct readings *readings, void *data)
{
	subject_check_pairs(self, readings, PAIRS);
	(void)data;
}

static void rival(void *data)
{
	(void)data;
	for (;;)
		subject_work(RIVAL_ROUNDS);
}

/* A process on @cpu that is monitored by another application with the same set. */
static pid_t rival_start(int cpu, const struct kermon_event_set *set, int *log)
{
	pid_t pid = worker_start(rival, NULL);

	pin(pid, cpu);
	*log = set_events(pid, set, sizeof(*set), 0);
	worker_go(pid);
	return pid;
}

static int perf_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = 1000003,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Until the subject has ended: send it to and fro, and let perf rearrange its counters. */
static void disturb(const struct subject *subject)
{
	int fd, cpu = 0;

	while (!worker_ended(subject->pid)) {
		cpu = !cpu;
		pin(subject->pid, cpu);
		fd = perf_event(cpu);
		sleep_us(20);
		if (fd >= 0)
			close(fd);
		sleep_us(20);
	}
}

TEST(none_is_wrong)
{
	struct kermon_event_set set, other;
	struct subject subject;
	const struct pairs *pairs;
	pid_t rivals[2];
	int logs[2], i;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	set = subject_set(0);
	set.flags = KERMON_SET_OVERWRITE;
	/* Leave counters to perf. */
	set.nr_events = subject_lone_event() + 1;
	other = set;
	other.set_id++;
	ASSERT_EQ(subject_start(&subject, &set, read_often, NULL), 0)
		TH_LOG("%s", strerror(errno));
	for (i = 0; i < 2; i++) {
		rivals[i] = rival_start(i, &other, &logs[i]);
		ASSERT_GE(logs[i], 0) TH_LOG("%s", strerror(errno));
	}
	subject_go(&subject);
	disturb(&subject);
	EXPECT_EQ(subject_wait(&subject), 0);
	EXPECT_EQ(subject.readings->error, 0);
	pairs = &subject.readings->pairs;
	TH_LOG("%llu reads, %llu wrong differences, %llu without a page", 2 * pairs->nr,
	       pairs->wrong, pairs->slow);
	EXPECT_EQ(pairs->nr, PAIRS);
	EXPECT_EQ(pairs->wrong, 0);
	EXPECT_EQ(2 * pairs->nr - pairs->slow >= READS, pages_are_shown());
	for (i = 0; i < 2; i++) {
		kill(rivals[i], SIGKILL);
		close(logs[i]);
	}
	subject_end(&subject);
}

TEST_HARNESS_MAIN
