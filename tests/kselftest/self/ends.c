// SPDX-License-Identifier: GPL-2.0
/*
 * Whose counts a page has, and for how long: threads, children, exec, the end of the
 * monitoring and of the descriptors. RDPMC is permitted for exactly as long.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "../pmu/msr.h"
#include "log.h"
#include "subject.h"
#include "worker.h"

/* Argument of this program: exit with whether RDPMC works. */
#define TRY_RDPMC	"--rdpmc"

static bool can_rdpmc(void)
{
	uint64_t value;

	return rdpmc(0, &value);
}

FIXTURE(ends) {
	int log;
	struct kermon_self own;
	uint64_t count;
};

FIXTURE_SETUP(ends)
{
	ASSERT_EQ(pin(0, 0), 0);
	EXPECT_FALSE(can_rdpmc());
	self->log = monitor(0);
	ASSERT_GE(self->log, 0) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(kermon_self_open(&self->own), 0);
	EXPECT_EQ(kermon_self_is_fast(&self->own), pages_are_shown());
	EXPECT_TRUE(can_rdpmc());
}

FIXTURE_TEARDOWN(ends)
{
	kermon_self_close(&self->own);
	close(self->log);
}

static int read_own(FIXTURE_DATA(ends) *self)
{
	struct kermon_counts counts;

	return kermon_read_all(&self->own, &counts);
}

static int exit_status(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

/* A child gets its own, and finds none in the place of that of its parent. */
TEST_F(ends, child)
{
	struct kermon_counts counts;
	struct kermon_self fresh;
	pid_t pid = fork();

	if (!pid) {
		if (can_rdpmc() || self->own.page->sequence || self->own.page->nr_values)
			_exit(1);
		if (kermon_read_all(&self->own, &counts) != -EPERM)
			_exit(2);
		if (mmap(NULL, KERMON_PAGE_SIZE, PROT_READ, MAP_SHARED, self->own.fd,
			 0) != MAP_FAILED || errno != EPERM)
			_exit(3);
		if (kermon_self_open(&fresh) ||
		    kermon_self_is_fast(&fresh) != pages_are_shown() ||
		    kermon_read_all(&fresh, &counts))
			_exit(4);
		kermon_self_close(&self->own);
		_exit(kermon_read_all(&fresh, &counts) ? 5 : 0);
	}
	EXPECT_EQ(exit_status(pid), 0);
	EXPECT_TRUE(can_rdpmc());
	EXPECT_EQ(kermon_self_is_fast(&self->own), pages_are_shown());
	EXPECT_EQ(read_own(self), 0);
}

struct sibling {
	FIXTURE_DATA(ends) *self;
	bool can_rdpmc;
	int error;
	int opened;
};

static void *sibling(void *data)
{
	struct sibling *sibling = data;
	struct kermon_counts counts;
	struct kermon_self fresh;

	pin(0, 1);
	sibling->can_rdpmc = can_rdpmc();
	sibling->error = kermon_read_call(&sibling->self->own, &counts);
	sibling->opened = kermon_self_open(&fresh);
	if (!sibling->opened)
		sibling->opened = kermon_read_all(&fresh, &counts);
	kermon_self_close(&fresh);
	if (can_rdpmc())
		sibling->can_rdpmc = true;
	return NULL;
}

/* The permission is that of a thread, not of a process. */
TEST_F(ends, sibling)
{
	struct sibling other = { .self = self };
	pthread_t thread;

	ASSERT_EQ(pthread_create(&thread, NULL, sibling, &other), 0);
	ASSERT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_FALSE(other.can_rdpmc);
	EXPECT_EQ(other.error, -EPERM);
	EXPECT_EQ(other.opened, 0);
	EXPECT_TRUE(can_rdpmc());
	EXPECT_EQ(read_own(self), 0);
}

/* The same on one CPU: switches between threads of a process change no mm. */
static void *on_the_same_cpu(void *data)
{
	bool *read = data;
	int i;

	pin(0, 0);
	for (i = 0; i < 100; i++) {
		if (can_rdpmc())
			*read = true;
		sched_yield();
	}
	return NULL;
}

TEST_F(ends, sibling_on_the_same_cpu)
{
	bool read = false, lost = false;
	pthread_t thread;
	int i;

	ASSERT_EQ(pthread_create(&thread, NULL, on_the_same_cpu, &read), 0);
	for (i = 0; i < 100; i++) {
		if (!can_rdpmc())
			lost = true;
		sched_yield();
	}
	ASSERT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_FALSE(read);
	EXPECT_FALSE(lost);
}

TEST_F(ends, exec)
{
	pid_t pid = fork();
	struct kermon_self fresh;

	if (!pid) {
		if (kermon_self_open(&fresh) || !can_rdpmc())
			_exit(10);
		/* Survives exec, but serves nobody then. */
		if (dup(fresh.fd) < 0)
			_exit(11);
		execl("/proc/self/exe", "ends", TRY_RDPMC, NULL);
		_exit(12);
	}
	EXPECT_EQ(exit_status(pid), 0);
}

TEST_F(ends, last_descriptor)
{
	struct kermon_self second;

	ASSERT_EQ(kermon_self_open(&second), 0);
	kermon_self_close(&self->own);
	EXPECT_TRUE(can_rdpmc());
	EXPECT_EQ(kermon_self_is_fast(&second), pages_are_shown());
	kermon_self_close(&second);
	EXPECT_FALSE(can_rdpmc());
	/* And from the beginning. */
	ASSERT_EQ(kermon_self_open(&self->own), 0);
	EXPECT_TRUE(can_rdpmc());
}

static void *close_all(void *data)
{
	kermon_self_close(data);
	return NULL;
}

/* By another thread: the owner gives up its permission on its way to user mode. */
TEST_F(ends, last_descriptor_closed_by_another)
{
	pthread_t thread;

	ASSERT_EQ(pthread_create(&thread, NULL, close_all, &self->own), 0);
	ASSERT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_FALSE(can_rdpmc());
}

/* Nothing kills a thread that is just about to read. */
TEST_F(ends, monitoring)
{
	struct kermon_self second;

	close(self->log);
	self->log = -1;
	EXPECT_FALSE(kermon_self_is_fast(&self->own));
	EXPECT_EQ(read_own(self), -ENOENT);
	EXPECT_TRUE(can_rdpmc());
	EXPECT_EQ(kermon_self_open(&second), -ENOENT);
	kermon_self_close(&self->own);
	EXPECT_FALSE(can_rdpmc());
}

/* Counts of another application are others. */
TEST_F(ends, another_application)
{
	struct kermon_self second;
	uint64_t oncpu;

	close(self->log);
	self->log = monitor(0);
	ASSERT_GE(self->log, 0);
	EXPECT_EQ(read_own(self), -ENOENT);
	ASSERT_EQ(kermon_self_open(&second), 0);
	EXPECT_EQ(kermon_read_time(&second, &oncpu), 0);
	/* The first one is of the same thread, so it goes on, too, but not by number. */
	EXPECT_EQ(read_own(self), 0);
	EXPECT_EQ(kermon_read(&self->own, 0, &self->count), -ESTALE);
	EXPECT_EQ(kermon_read_time(&self->own, &oncpu), -ESTALE);
	EXPECT_EQ(kermon_read(&second, 0, &self->count), second.page->nr_values ? 0 : -EINVAL);
	kermon_self_close(&second);
}

/* The parent ends the monitoring while the child reads. */
static int read_until_the_end(struct kermon_self *own, enum way way)
{
	struct kermon_counts counts = {};
	uint64_t last = 0, oncpu = 0;
	int ret;

	do {
		if (way == BY_CALL) {
			ret = kermon_read_call(own, &counts);
			oncpu = ret ? last : counts.oncpu;
		} else {
			ret = kermon_read_time(own, &oncpu);
		}
		if (oncpu < last)
			return 1;
		last = oncpu;
	} while (!ret);
	return ret == -ENOENT ? 0 : 2;
}

/* In a child; says when it reads. */
static int open_and_read(int fd, enum way way)
{
	struct kermon_self own;

	raise(SIGSTOP);
	if (kermon_self_open(&own) || write(fd, "", 1) != 1)
		return 3;
	return read_until_the_end(&own, way);
}

TEST(ends_while_reading)
{
	int i, log, fds[2];
	pid_t pid;
	char byte;

	for (i = 0; i < 40; i++) {
		ASSERT_EQ(pipe(fds), 0);
		pid = fork();
		if (!pid)
			_exit(open_and_read(fds[1], i & 1 ? BY_CALL : BY_PAGE));
		close(fds[1]);
		ASSERT_EQ(waitpid(pid, NULL, WUNTRACED), pid);
		log = monitor(pid);
		ASSERT_GE(log, 0);
		worker_go(pid);
		EXPECT_EQ(read(fds[0], &byte, 1), 1);
		sleep_us(311 * i);
		close(log);
		EXPECT_EQ(exit_status(pid), 0);
		close(fds[0]);
	}
}

/* What is not open is not read, and nothing crashes. */
static void expect_no_counts(struct __test_metadata *_metadata, struct kermon_self *own)
{
	struct kermon_counts counts;
	uint64_t values[2];

	EXPECT_EQ(kermon_self_event(own, 0), -EINVAL);
	EXPECT_EQ(kermon_self_fixed(own, 0), -EINVAL);
	EXPECT_EQ(kermon_self_select(own, 0), -EINVAL);
	EXPECT_FALSE(kermon_self_is_fast(own));
	EXPECT_EQ(kermon_read(own, 0, values), -EBADF);
	EXPECT_EQ(kermon_read_range(own, 0, 2, values), -EBADF);
	EXPECT_EQ(kermon_read_time(own, values), -EBADF);
	EXPECT_EQ(kermon_read_all(own, &counts), -EBADF);
	EXPECT_EQ(kermon_read_call(own, &counts), -EBADF);
}

TEST(not_monitored)
{
	struct kermon_self own;

	EXPECT_EQ(kermon_self_open(&own), -ENOENT);
	expect_no_counts(_metadata, &own);
	kermon_self_close(&own);
	expect_no_counts(_metadata, &own);
	EXPECT_FALSE(can_rdpmc());
}

static void __attribute__((constructor)) try_rdpmc(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], TRY_RDPMC))
		_exit(can_rdpmc());
}

TEST_HARNESS_MAIN
