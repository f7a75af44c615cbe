// SPDX-License-Identifier: GPL-2.0
/*
 * The log descriptor and the contents of the log: which tasks are monitored
 * from when to when, and the last record of each.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"

FIXTURE(descriptor)
{
	struct child child;
	struct log log;
	int fd;
};

FIXTURE_SETUP(descriptor)
{
	self->fd = -1;
}

FIXTURE_TEARDOWN(descriptor)
{
	child_kill(&self->child);
	if (self->fd >= 0)
		close(self->fd);
}

static void start(FIXTURE_DATA(descriptor) *self, int (*run)(void *arg))
{
	child_start(&self->child, run, NULL);
	self->fd = monitor(self->child.pid);
}

static short events_of(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	poll(&poll_fd, 1, 0);
	return poll_fd.revents;
}

static int exit_7(void *arg)
{
	(void)arg;
	return 7;
}

static int sleep_often(void *arg)
{
	(void)arg;
	for (;;)
		usleep(1000);
	return 0;
}

TEST_F(descriptor, is_a_proper_one)
{
	char buf[KERMON_RECORD_MAX];

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->fd, F_GETFD));
	EXPECT_EQ(O_RDONLY, fcntl(self->fd, F_GETFL) & O_ACCMODE);
	EXPECT_EQ(-1, write(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(-1, lseek(self->fd, 0, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
}

/* The child waits on its pipe: nothing is logged, and it does not exit. */
TEST_F(descriptor, empty_log)
{
	char buf[KERMON_RECORD_MAX];

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, events_of(self->fd));
	EXPECT_EQ(-1, read_event_log(self->fd, buf, sizeof(buf),
				     KERMON_READ_NONBLOCK));
	EXPECT_EQ(EAGAIN, errno);

	fcntl(self->fd, F_SETFL, O_NONBLOCK);
	EXPECT_EQ(-1, read_event_log(self->fd, buf, sizeof(buf), 0));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);
}

static void nothing(int signal)
{
	(void)signal;
}

TEST_F(descriptor, signal_interrupts_reader)
{
	struct sigaction action = { .sa_handler = nothing };
	/* Repeated: the first signal may come before the reader waits. */
	struct itimerval soon = {
		.it_value.tv_usec = 100000,
		.it_interval.tv_usec = 100000,
	};
	char buf[KERMON_RECORD_MAX];

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT_EQ(-1, read_event_log(self->fd, buf, sizeof(buf), 0));
	EXPECT_EQ(EINTR, errno);
	setitimer(ITIMER_REAL, &(struct itimerval){}, NULL);
}

TEST_F(descriptor, reader_is_woken)
{
	char buf[KERMON_RECORD_MAX];

	start(self, sleep_often);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_LT(0, read_event_log(self->fd, buf, sizeof(buf), 0));
	while (events_of(self->fd) != POLLIN)
		usleep(1000);
}

TEST_F(descriptor, read_is_the_system_call)
{
	struct kermon_sample *sample;
	_Alignas(8) char buf[KERMON_RECORD_MAX];

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	child_wait(&self->child);
	ASSERT_LT(0, read(self->fd, buf, sizeof(buf)));
	sample = (void *)buf;
	EXPECT_EQ(KERMON_RECORD_SAMPLE, sample->record.type);
	EXPECT_EQ(0, sample->sequence);
}

TEST_F(descriptor, fault_consumes_nothing)
{
	void *hole = mmap(NULL, KERMON_RECORD_MAX, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	child_wait(&self->child);
	EXPECT_EQ(-1, read_event_log(self->fd, hole, KERMON_RECORD_MAX, 0));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(0, self->log.first.sequence);
}

/*
 * The parent is woken after the last sample was written, so it need not wait.
 */
TEST_F(descriptor, last_sample_precedes_wait)
{
	int round, status;

	for (round = 0; round < 50; round++) {
		memset(&self->log, 0, sizeof(self->log));
		start(self, exit_7);
		ASSERT_LE(0, self->fd);
		child_go(&self->child);
		status = child_wait(&self->child);
		EXPECT_EQ(7, WEXITSTATUS(status));
		EXPECT_EQ(POLLIN | POLLHUP, events_of(self->fd));
		EXPECT_TRUE(log_read_now(&self->log, self->fd));
		EXPECT_EQ(1, self->log.reasons[KERMON_REASON_EXIT]);
		EXPECT_EQ(POLLIN | POLLHUP, events_of(self->fd));
		close(self->fd);
	}
	self->fd = -1;
}

TEST_F(descriptor, end_of_log_needs_no_flag)
{
	char buf[KERMON_RECORD_MAX];

	start(self, exit_7);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(0, read_event_log(self->fd, buf, sizeof(buf), 0));
	EXPECT_EQ(0, read_event_log(self->fd, buf, sizeof(buf),
				    KERMON_READ_NONBLOCK));
}

static int make_family(void *arg)
{
	(void)arg;
	if (!fork()) {
		if (!fork())
			_exit(0);
		wait(NULL);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

TEST_F(descriptor, children_are_monitored)
{
	start(self, make_family);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(3, self->log.reasons[KERMON_REASON_EXIT]);
	EXPECT_EQ(self->child.pid, self->log.last.pid);
	EXPECT_EQ(self->child.pid, self->log.last.tid);
}

static void *run_thread(void *arg)
{
	return arg;
}

static int make_threads(void *arg)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run_thread, arg);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

TEST_F(descriptor, threads_are_monitored)
{
	start(self, make_threads);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(5, self->log.reasons[KERMON_REASON_EXIT]);
	EXPECT_EQ(self->child.pid, self->log.last.pid);
}

/* A program that does nothing: this one, with an argument that says so. */
static void execute(const char *path)
{
	char *argv[] = { "descriptor", "--exit", NULL };

	execve(path, argv, NULL);
	_exit(127);
}

static int run_program(void *arg)
{
	(void)arg;
	execute("/proc/self/exe");
	return 1;
}

TEST_F(descriptor, exec_splits_programs)
{
	int status;

	start(self, run_program);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(1, self->log.reasons[KERMON_REASON_EXEC]);
	EXPECT_EQ(1, self->log.reasons[KERMON_REASON_EXIT]);
	status = child_wait(&self->child);
	EXPECT_EQ(0, WEXITSTATUS(status));
}

static void *run_program_in_thread(void *arg)
{
	execute("/proc/self/exe");
	return arg;
}

static int run_program_of_thread(void *arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_program_in_thread, arg);
	for (;;)
		pause();
	return 0;
}

/* The thread takes over the id of its group's leader. */
TEST_F(descriptor, exec_of_a_thread)
{
	start(self, run_program_of_thread);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	EXPECT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(1, self->log.reasons[KERMON_REASON_EXEC]);
	EXPECT_EQ(KERMON_REASON_EXIT, self->log.last.reason);
	EXPECT_EQ(self->child.pid, self->log.last.tid);
}

TEST_F(descriptor, monitoring_ends_with_the_last_copy)
{
	int other, copy;

	start(self, sleep_often);
	ASSERT_LE(0, self->fd);
	other = set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	copy = dup(other);
	child_go(&self->child);

	close(self->fd);
	close(other);
	EXPECT_EQ(-1, monitor(self->child.pid));
	EXPECT_EQ(EALREADY, errno);
	while (events_of(copy) != POLLIN)
		usleep(1000);
	close(copy);

	/* It continues, and may be monitored again immediately. */
	EXPECT_EQ(0, kill(self->child.pid, 0));
	self->fd = monitor(self->child.pid);
	ASSERT_LE(0, self->fd);
	while (events_of(self->fd) != POLLIN)
		usleep(1000);
	EXPECT_TRUE(log_read_now(&self->log, self->fd));
	EXPECT_EQ(0, self->log.lost);
}

/* An interval of the old log must not be reported in the new one. */
TEST_F(descriptor, no_sample_is_older_than_the_log)
{
	unsigned long long before;
	int round;

	start(self, sleep_often);
	child_go(&self->child);
	for (round = 0; round < 100; round++) {
		close(self->fd);
		memset(&self->log, 0, sizeof(self->log));
		before = __builtin_ia32_rdtsc();
		self->fd = monitor(self->child.pid);
		ASSERT_LE(0, self->fd);
		while (!self->log.samples)
			ASSERT_TRUE(log_read_now(&self->log, self->fd));
		EXPECT_LE(before, self->log.first.tsc_begin);
		EXPECT_LE(self->log.first.tsc_begin, self->log.first.tsc_end);
	}
}

TEST_F(descriptor, self)
{
	self->fd = monitor(0);
	ASSERT_LE(0, self->fd);
	/* It may not sleep at all, if the time has passed before. */
	do {
		usleep(20000);
		EXPECT_TRUE(log_read_now(&self->log, self->fd));
	} while (!self->log.reasons[KERMON_REASON_SLEEP]);
	EXPECT_EQ(getpid(), self->log.last.pid);
	EXPECT_EQ(syscall(SYS_gettid), self->log.last.tid);
}

/* Only the test itself holds the log when the reader is killed. */
TEST_F(descriptor, reader_is_killed)
{
	pid_t reader;

	start(self, sleep_often);
	close(self->fd);
	child_go(&self->child);
	reader = fork();
	if (!reader) {
		self->fd = monitor(self->child.pid);
		for (;;)
			log_read_all(&self->log, self->fd);
	}
	usleep(100000);
	kill(reader, SIGKILL);
	waitpid(reader, NULL, 0);

	EXPECT_EQ(0, kill(self->child.pid, 0));
	self->fd = monitor(self->child.pid);
	EXPECT_LE(0, self->fd);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--exit"))
		return 0;
	return test_harness_run(argc, argv);
}
