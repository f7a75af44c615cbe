// SPDX-License-Identifier: GPL-2.0
/*
 * The limit on memory pinned by the logs of a user. The smallest log takes two
 * pages per CPU, since a ring is slightly larger than requested.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"
#include "worker.h"

#define PAGE		4096
#define RING_PAGES	2
#define PENDING_PAGES	4	/* of a log that coalesces */

/**
 * struct attempt - an attempt by a user
 * @pages: of locked memory allowed by RLIMIT_MEMLOCK
 * @capabilities: of the user
 * @run: makes the attempt; returns 0 or errno
 */
struct attempt {
	unsigned int pages;
	__u64 capabilities;
	int (*run)(void);
};

static struct kermon_event_set small_set(void)
{
	struct kermon_event_set set = time_set();

	set.log_bytes = KERMON_LOG_MIN_BYTES;
	return set;
}

static int open_small(pid_t pid)
{
	struct kermon_event_set set = small_set();

	return set_events(pid, &set, sizeof(set), 0);
}

static int monitor_self(void)
{
	return open_small(0) < 0 ? errno : 0;
}

static int make(const struct attempt *attempt)
{
	const struct rlimit limit = {
		attempt->pages * PAGE, attempt->pages * PAGE,
	};
	int status;
	pid_t pid = fork();

	if (!pid) {
		setrlimit(RLIMIT_MEMLOCK, &limit);
		become(SOMEBODY, attempt->capabilities);
		_exit(attempt->run());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

FIXTURE(limit)
{
	struct attempt attempt;
	int paranoid;
	int mlock_kb;
	int cpus;
};

FIXTURE_SETUP(limit)
{
	self->cpus = cpus_online();
	ASSERT_EQ(sysconf(_SC_NPROCESSORS_CONF), self->cpus);
	self->paranoid = get_sysctl(PARANOID);
	self->mlock_kb = get_sysctl(MLOCK_KB);
	ASSERT_NE(-100, self->paranoid);
	ASSERT_NE(-100, self->mlock_kb);
	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	ASSERT_TRUE(set_sysctl(MLOCK_KB, 0));
	self->attempt.run = monitor_self;
}

FIXTURE_TEARDOWN(limit)
{
	set_sysctl(PARANOID, self->paranoid);
	set_sysctl(MLOCK_KB, self->mlock_kb);
}

TEST_F(limit, what_perf_gives_each_cpu)
{
	set_sysctl(MLOCK_KB, RING_PAGES * PAGE / 1024);
	EXPECT_EQ(0, make(&self->attempt));
	set_sysctl(MLOCK_KB, RING_PAGES * PAGE / 1024 - 1);
	EXPECT_EQ(EPERM, make(&self->attempt));
}

TEST_F(limit, memlock)
{
	self->attempt.pages = RING_PAGES * self->cpus;
	EXPECT_EQ(0, make(&self->attempt));
	self->attempt.pages--;
	EXPECT_EQ(EPERM, make(&self->attempt));
}

static int coalesce(void)
{
	struct kermon_event_set set = small_set();

	set.flags = KERMON_SET_COALESCE;
	return set_events(0, &set, sizeof(set), 0) < 0 ? errno : 0;
}

/* Whoever asks for it pays for pending samples, too. */
TEST_F(limit, pending_samples)
{
	self->attempt.run = coalesce;
	self->attempt.pages = (RING_PAGES + PENDING_PAGES) * self->cpus;
	EXPECT_EQ(0, make(&self->attempt));
	self->attempt.pages--;
	EXPECT_EQ(EPERM, make(&self->attempt));
}

TEST_F(limit, both_together)
{
	set_sysctl(MLOCK_KB, PAGE / 1024);
	self->attempt.pages = (RING_PAGES - 1) * self->cpus;
	EXPECT_EQ(0, make(&self->attempt));
	self->attempt.pages--;
	EXPECT_EQ(EPERM, make(&self->attempt));
}

TEST_F(limit, privilege)
{
	EXPECT_EQ(EPERM, make(&self->attempt));
	self->attempt.capabilities = CAPABILITY(CAP_PERFMON);
	EXPECT_EQ(EPERM, make(&self->attempt));
	self->attempt.capabilities = CAPABILITY(CAP_IPC_LOCK);
	EXPECT_EQ(0, make(&self->attempt));
}

TEST_F(limit, paranoia)
{
	set_sysctl(PARANOID, 0);
	EXPECT_EQ(EPERM, make(&self->attempt));
	set_sysctl(PARANOID, -1);
	EXPECT_EQ(0, make(&self->attempt));
}

static int monitor_by_default(void)
{
	struct kermon_event_set set = time_set();

	return set_events(0, &set, sizeof(set), 0) < 0 ? errno : 0;
}

/* There is room for only one log at a time; create them one after another. */
static int take_turns(void)
{
	struct child children[2];
	int fds[2], i, status = 0;

	for (i = 0; i < 2; i++)
		child_start(&children[i], NULL, NULL);
	for (i = 0; i < 6 && !status; i++) {
		fds[i % 2] = open_small(children[i % 2].pid);
		if (fds[i % 2] < 0)
			return errno;
		if (open_small(children[!(i % 2)].pid) >= 0 || errno != EPERM)
			status = 1;
		close(fds[i % 2]);
	}
	for (i = 0; i < 2; i++)
		child_kill(&children[i]);
	return status;
}

TEST_F(limit, closing_gives_back)
{
	self->attempt.pages = RING_PAGES * self->cpus;
	self->attempt.run = take_turns;
	EXPECT_EQ(0, make(&self->attempt));
}

/* A rejected call leaves no memory charged, whatever the reason. */
static int be_refused(void)
{
	struct kermon_event event = { .config = 0x1ffff | 1 << 20 };
	struct kermon_event_set set = small_set();
	int i;

	for (i = 0; i < 20; i++) {
		set.log_bytes = KERMON_LOG_MAX_BYTES;
		if (set_events(0, &set, sizeof(set), 0) >= 0 || errno != EPERM)
			return 1;
		set = small_set();
		set.events = (uintptr_t)&event;
		set.nr_events = 1;
		set.count = KERMON_COUNT_USER;
		if (set_events(0, &set, sizeof(set), 0) >= 0 || errno != EINVAL)
			return 2;
		set.nr_events = 0;
	}
	return monitor_self();
}

TEST_F(limit, refusal_gives_back)
{
	self->attempt.pages = RING_PAGES * self->cpus;
	self->attempt.run = be_refused;
	EXPECT_EQ(0, make(&self->attempt));
}

/* Map a perf buffer of two pages; returns 0 or errno. */
static int map_perf(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	void *map;

	if (fd < 0)
		return 200;
	map = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return map == MAP_FAILED ? errno : 0;
}

static int monitor_then_map(void)
{
	return monitor_self() ?: map_perf();
}

static int map_then_monitor(void)
{
	return map_perf() ?: monitor_self();
}

static int monitor_by_default_then_map(void)
{
	return monitor_by_default() ?: map_perf();
}

/* 512 KiB and a page is perf's limit by default. */
TEST_F(limit, default_log)
{
	self->attempt.run = monitor_by_default_then_map;
	set_sysctl(MLOCK_KB, 512 + 2 * PAGE / 1024);
	EXPECT_EQ(0, make(&self->attempt));
	set_sysctl(MLOCK_KB, 512 + PAGE / 1024);
	EXPECT_EQ(EPERM, make(&self->attempt));
}

/* The largest power of two that fits. */
TEST_F(limit, smaller_default_log)
{
	self->attempt.run = monitor_by_default_then_map;
	set_sysctl(MLOCK_KB, 512);
	EXPECT_EQ(0, make(&self->attempt));
	set_sysctl(MLOCK_KB, 256 + PAGE / 1024);
	EXPECT_EQ(EPERM, make(&self->attempt));
	self->attempt.run = monitor_by_default;
	EXPECT_EQ(0, make(&self->attempt));
	set_sysctl(MLOCK_KB, RING_PAGES * PAGE / 1024);
	EXPECT_EQ(0, make(&self->attempt));
	set_sysctl(MLOCK_KB, RING_PAGES * PAGE / 1024 - 1);
	EXPECT_EQ(EPERM, make(&self->attempt));
}

/* KerMon and perf share one limit. */
TEST_F(limit, is_that_of_perf)
{
	set_sysctl(MLOCK_KB, RING_PAGES * PAGE / 1024);
	self->attempt.run = map_perf;
	EXPECT_EQ(0, make(&self->attempt));
	self->attempt.run = monitor_then_map;
	EXPECT_EQ(EPERM, make(&self->attempt));
	self->attempt.run = map_then_monitor;
	EXPECT_EQ(EPERM, make(&self->attempt));
	self->attempt.pages = 2;
	EXPECT_EQ(0, make(&self->attempt));
	self->attempt.run = monitor_then_map;
	EXPECT_EQ(0, make(&self->attempt));
}

TEST_HARNESS_MAIN
