// SPDX-License-Identifier: GPL-2.0
/*
 * A user opens and closes logs of a process in a loop. The process executes programs, and
 * does not wait for that: what takes long in set_events() is done without the lock that
 * keeps it from doing so.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"
#include "worker.h"

#define NR_EXECS	1000
#define AGAIN		"again"

/* Execute this program @nr times, each of which is another one, and exit. */
static void execute(int nr)
{
	char number[16];

	if (!nr)
		_exit(0);
	snprintf(number, sizeof(number), "%d", nr - 1);
	execl("/proc/self/exe", AGAIN, number, NULL);
	_exit(127);
}

/* Before main(), which runs the tests. */
__attribute__((constructor)) static void continue_executing(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], AGAIN))
		execute(atoi(argv[1]));
}

/* Open and close logs of @pid until it has ended, and count that. Returns 0 or errno. */
static int open_and_close(pid_t pid, const struct kermon_event_set *set, int *opened)
{
	int fd;

	while (!worker_ended(pid)) {
		fd = set_events(pid, set, sizeof(*set), 0);
		if (fd < 0 && errno != ESRCH && errno != EACCES && errno != EPERM)
			return errno;
		if (fd >= 0)
			++*opened;
		close(fd);
	}
	return 0;
}

/**
 * struct waits - of a process that executes programs
 * @nr: how often it has given up its CPU
 * @opened: how often its log was opened meanwhile
 */
struct waits {
	long nr;
	int opened;
};

/* In a child: as an ordinary user, who may count. Returns 0 or errno. */
static int run_as_user(const struct kermon_event_set *set, struct waits *waits)
{
	struct rusage usage;
	int status, ret = 0;
	pid_t pid;

	become(SOMEBODY, 0);
	pid = fork();
	if (!pid)
		execute(NR_EXECS);
	if (set)
		ret = open_and_close(pid, set, &waits->opened);
	if (wait4(pid, &status, 0, &usage) != pid || status)
		return ret ? ret : ECHILD;
	waits->nr = usage.ru_nvcsw;
	return ret;
}

static void measure(struct __test_metadata *_metadata,
		    const struct kermon_event_set *set, struct waits *waits)
{
	int fds[2], status;
	pid_t pid;

	*waits = (struct waits){};
	ASSERT_EQ(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		status = run_as_user(set, waits);
		if (write(fds[1], waits, sizeof(*waits)) != sizeof(*waits))
			_exit(EPIPE);
		_exit(status);
	}
	close(fds[1]);
	EXPECT_EQ(read(fds[0], waits, sizeof(*waits)), (ssize_t)sizeof(*waits));
	close(fds[0]);
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	ASSERT_EQ(status, 0) TH_LOG("status %#x", status);
}

FIXTURE(exec)
{
	bool shared;
};

FIXTURE_VARIANT(exec)
{
	bool shared;
	uint32_t count;
};

FIXTURE_VARIANT_ADD(exec, shared) { .shared = true, .count = KERMON_COUNT_USER };
FIXTURE_VARIANT_ADD(exec, raw) { .count = KERMON_COUNT_USER };
FIXTURE_VARIANT_ADD(exec, time) { .shared = true };

FIXTURE_SETUP(exec)
{
	self->shared = counters_are_shared();
	share_counters(variant->shared);
	ASSERT_TRUE(set_counters_group(GROUP_OF_SOMEBODY));
}

FIXTURE_TEARDOWN(exec)
{
	set_counters_group("1 0");
	share_counters(self->shared);
}

/* Both have CPU 0: a wait is that for a lock whose holder has been preempted. */
TEST_F(exec, does_not_wait)
{
	struct kermon_event_set set = plain_set();
	struct waits without, with;

	set.count = variant->count;
	ASSERT_EQ(pin(0, 0), 0);
	measure(_metadata, NULL, &without);
	measure(_metadata, &set, &with);
	TH_LOG("%d programs: %ld waits, and %ld while the log was opened %d times",
	       NR_EXECS, without.nr, with.nr, with.opened);
	EXPECT_GT(with.opened, 10);
	EXPECT_LE(with.nr, without.nr + with.opened / 4);
}

TEST_HARNESS_MAIN
