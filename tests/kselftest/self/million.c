// SPDX-License-Identifier: GPL-2.0
/*
 * A million reads of a thread that is preempted and migrated all the time, on CPUs where
 * others count the same event and perf moves counters: none is wrong. Nor is one while
 * CPUs go offline under the thread and come back.
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

/* While CPUs come and go; most of these reads that are system calls, where there is a page. */
#define PAIRS_HOTPLUG	30000
#define SLOW_HOTPLUG	(PAIRS_HOTPLUG / 10)

static const unsigned int nr_pairs = PAIRS, nr_hotplugged = PAIRS_HOTPLUG;

static void read_often(struct kermon_self *self, struct readings *readings, void *data)
{
	const unsigned int *nr = data;

	subject_check_pairs(self, readings, *nr);
}

/* Wait for the subject, which has read @nr pairs, all of them right. */
static void expect_right(struct __test_metadata *_metadata, const struct subject *subject,
			 unsigned int nr)
{
	const struct pairs *pairs = &subject->readings->pairs;

	EXPECT_EQ(subject_wait(subject), 0);
	EXPECT_EQ(subject->readings->error, 0);
	TH_LOG("%llu reads, %llu wrong differences, %llu without a page", 2 * pairs->nr,
	       pairs->wrong, pairs->slow);
	EXPECT_EQ(pairs->nr, nr);
	EXPECT_EQ(pairs->wrong, 0);
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
	ASSERT_EQ(subject_start(&subject, &set, read_often, (void *)&nr_pairs), 0)
		TH_LOG("%s", strerror(errno));
	for (i = 0; i < 2; i++) {
		rivals[i] = rival_start(i, &other, &logs[i]);
		ASSERT_GE(logs[i], 0) TH_LOG("%s", strerror(errno));
	}
	subject_go(&subject);
	disturb(&subject);
	expect_right(_metadata, &subject, PAIRS);
	pairs = &subject.readings->pairs;
	EXPECT_EQ(2 * pairs->nr - pairs->slow >= READS, pages_are_shown());
	for (i = 0; i < 2; i++) {
		kill(rivals[i], SIGKILL);
		close(logs[i]);
	}
	subject_end(&subject);
}

TEST(none_is_wrong_under_hotplug)
{
	struct kermon_event_set set;
	struct subject subject;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	if (set_online(1, true))
		SKIP(return, "hotplug needs a second CPU that can go offline");
	set = subject_set(0);
	set.flags = KERMON_SET_OVERWRITE;
	ASSERT_EQ(subject_start(&subject, &set, read_often, (void *)&nr_hotplugged), 0)
		TH_LOG("%s", strerror(errno));
	subject_go(&subject);
	hotplug_until_end(subject.pid);
	expect_right(_metadata, &subject, PAIRS_HOTPLUG);
	EXPECT_EQ(subject.readings->pairs.slow < SLOW_HOTPLUG, pages_are_shown());
	subject_end(&subject);
}

TEST_HARNESS_MAIN
