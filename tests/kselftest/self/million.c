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

#define PAIRS		500000
#define ROUNDS		3
#define RIVAL_ROUNDS	100000

/**
 * struct work - what the subject reads
 * @event: the event that only subject_work() has, in the order of the set
 * @expected: its count between two reads
 */
struct work {
	unsigned int event;
	uint64_t expected;
};

/* Leaves in the first reading: wrong differences, and how often no page could be read. */
static void read_often(struct kermon_self *self, struct readings *readings, void *data)
{
	const struct work *work = data;
	const unsigned int i = readings->counts[0].nr_fixed + work->event;
	uint64_t before, after, wrong = 0, slow = 0;
	int pair;

	for (pair = 0; pair < PAIRS && !readings->error; pair++) {
		slow += !kermon_self_is_fast(self);
		readings->error = kermon_read(self, i, &before);
		subject_work(ROUNDS);
		slow += !kermon_self_is_fast(self);
		readings->error = readings->error ?: kermon_read(self, i, &after);
		wrong += after - before != work->expected;
	}
	readings->counts[0].values[0] = wrong;
	readings->counts[0].values[1] = slow;
}

static void find_event(struct kermon_self *self, struct readings *readings, void *data)
{
	subject_read(self, readings, BY_CALL);
	read_often(self, readings, data);
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
	struct work work;
	pid_t rivals[2];
	int logs[2], i;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	work.event = subject_lone_event();
	work.expected = ROUNDS * subject_round(subject_quantities(0)->quantities[work.event]);
	set = subject_set(0);
	set.flags = KERMON_SET_OVERWRITE;
	/* Leave counters to perf. */
	set.nr_events = work.event + 1;
	other = set;
	other.set_id++;
	ASSERT_EQ(subject_start(&subject, &set, find_event, &work), 0)
		TH_LOG("%s", strerror(errno));
	for (i = 0; i < 2; i++) {
		rivals[i] = rival_start(i, &other, &logs[i]);
		ASSERT_GE(logs[i], 0) TH_LOG("%s", strerror(errno));
	}
	subject_go(&subject);
	disturb(&subject);
	EXPECT_EQ(subject_wait(&subject), 0);
	EXPECT_EQ(subject.readings->error, 0);
	TH_LOG("%d reads, %llu wrong differences, %llu without a page", 2 * PAIRS,
	       (unsigned long long)subject.readings->counts[0].values[0],
	       (unsigned long long)subject.readings->counts[0].values[1]);
	EXPECT_EQ(subject.readings->counts[0].values[0], 0);
	EXPECT_EQ(subject.readings->counts[0].values[1] < PAIRS, pages_are_shown());
	for (i = 0; i < 2; i++) {
		kill(rivals[i], SIGKILL);
		close(logs[i]);
	}
	subject_end(&subject);
}

TEST_HARNESS_MAIN
