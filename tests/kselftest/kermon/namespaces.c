// SPDX-License-Identifier: GPL-2.0
/*
 * Pid namespaces: a monitoring process sees pids of its own namespace, and
 * cannot name or read tasks outside it.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "credentials.h"
#include "log.h"
#include "tally.h"
#include "worker.h"

#define NR_RESIDENTS	4

/**
 * struct resident - a process in a container, that is, in a pid namespace
 * @inside: its pid in the container
 * @outside: its pid in the namespace of the test
 */
struct resident {
	pid_t inside;
	pid_t outside;
};

/**
 * struct container - data shared by the processes of a container and the test
 * @residents: the first one is the init of the namespace
 * @nr: number of @residents so far
 * @monitored: index of the resident that is monitored by another one, 0 if none yet
 * @done: the test has finished
 * @errors: errno of calls made inside, 0 for success
 * @app: netlink's reply inside
 * @tally: of the log read inside, for each resident, and for all at the end
 */
struct container {
	struct resident residents[NR_RESIDENTS];
	unsigned int nr;
	unsigned int monitored;
	unsigned int done;
	int errors[4];
	struct app_info app;
	struct tally tally[NR_RESIDENTS + 1];
};

static struct container *container;

/* From the test's /proc. */
static pid_t pid_outside(void)
{
	char link[16] = "";

	return readlink("/proc/self", link, sizeof(link) - 1) > 0 ?
	       atoi(link) : 0;
}

/* Register the caller as a resident. */
static void move_in(void)
{
	struct resident *resident = &container->residents[container->nr];

	resident->inside = getpid();
	resident->outside = pid_outside();
	__atomic_add_fetch(&container->nr, 1, __ATOMIC_RELEASE);
}

static void wait_for(const unsigned int *number, unsigned int value)
{
	while (__atomic_load_n(number, __ATOMIC_ACQUIRE) < value)
		usleep(1000);
}

/*
 * The caller stays outside; its child is the init of a container. An ordinary
 * user needs a user namespace for that.
 */
static pid_t fork_container(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID | (geteuid() ? CLONE_NEWUSER : 0)))
		_exit(100);
	pid = fork();
	if (!pid)
		move_in();
	return pid;
}

static int exit_status(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

FIXTURE(namespaces)
{
	struct child child;
	struct records records;
	int fd;
};

FIXTURE_SETUP(namespaces)
{
	self->fd = -1;
	container = mmap(NULL, sizeof(*container), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE((void *)container, MAP_FAILED);
}

FIXTURE_TEARDOWN(namespaces)
{
	if (container->nr)
		kill(container->residents[0].outside, SIGKILL);
	child_kill(&self->child);
	if (self->fd >= 0)
		close(self->fd);
	free(self->records.data);
	munmap(container, sizeof(*container));
}

/* Whether the last sample of @tid in the log is that of its exit. */
static bool has_ended(const struct records *records, pid_t tid)
{
	struct tally tally;

	records_tally(records, tid, &tally);
	return tally.by_reason[KERMON_REASON_EXIT] == 1 &&
	       tally.last_reason == KERMON_REASON_EXIT;
}

static uint64_t samples_of(const struct records *records, pid_t tid)
{
	struct tally tally;

	records_tally(records, tid, &tally);
	return tally.samples;
}

/* A child of the init, and one in a nested container. */
static int have_family(void *arg)
{
	pid_t pid = fork_container();

	(void)arg;
	if (pid)
		return exit_status(pid);
	pid = fork();
	if (pid)
		return exit_status(pid);
	move_in();
	pid = fork_container();
	return pid ? exit_status(pid) : 0;
}

TEST_F(namespaces, from_outside)
{
	unsigned int i;

	child_start(&self->child, have_family, NULL);
	self->fd = monitor(self->child.pid);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	ASSERT_EQ(0, records_read_all(&self->records, self->fd));
	EXPECT_EQ(0, child_wait(&self->child));

	ASSERT_EQ(3, container->nr);
	EXPECT_EQ(1, container->residents[0].inside);
	EXPECT_EQ(2, container->residents[1].inside);
	EXPECT_EQ(1, container->residents[2].inside);
	for (i = 0; i < container->nr; i++)
		EXPECT_TRUE(has_ended(&self->records,
				      container->residents[i].outside));
	EXPECT_EQ(0, samples_of(&self->records, 1));
	EXPECT_EQ(0, samples_of(&self->records, 2));
}

/* A grandchild in a nested container; it waits until it is monitored. */
static int have_grandchild(void)
{
	pid_t pid;

	move_in();
	wait_for(&container->monitored, 1);
	wait_for(&container->done, 1);
	pid = fork_container();
	return pid ? exit_status(pid) : 0;
}

static int error_of(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/*
 * Read what the log tells the first resident about the second one and its
 * child.
 */
static void read_inside(int fd)
{
	struct records records = {};
	unsigned int i;

	records_read_all(&records, fd);
	for (i = 0; i < NR_RESIDENTS; i++)
		records_tally(&records, i, &container->tally[i]);
	records_tally(&records, 0, &container->tally[0]);
	close(fd);
}

/* The init of a container, run by SOMEBODY, monitors its child with pid 2. */
static int monitor_inside(void *arg)
{
	struct kermon_event_set set = time_set();
	pid_t pid = fork_container();
	int fd;

	(void)arg;
	if (pid)
		return exit_status(pid);
	become(SOMEBODY, 0);
	pid = fork();
	if (!pid)
		return have_grandchild();
	wait_for(&container->nr, 2);
	fd = set_events(pid, &set, sizeof(set), 0);
	container->errors[0] = fd < 0 ? errno : 0;
	container->errors[1] = error_of(set_events(pid, NULL, 0,
						   KERMON_FLAG_OPEN_LOG));
	if (control_get_app(pid, &container->app))
		container->errors[2] = errno;
	__atomic_store_n(&container->monitored, 1, __ATOMIC_RELEASE);
	read_inside(fd);
	return exit_status(pid);
}

/* Open the log that @pid writes to; returns errno, 0 for success. */
static int open_log_as(uid_t uid, __u64 capabilities, pid_t pid)
{
	pid_t child = fork();

	if (!child) {
		become(uid, capabilities);
		_exit(error_of(set_events(pid, NULL, 0, KERMON_FLAG_OPEN_LOG)));
	}
	return exit_status(child);
}

/*
 * A log may be opened only in the namespace where it was created, since its
 * pids have no meaning elsewhere.
 */
static void expect_log_is_of_inside(struct __test_metadata *_metadata,
				    pid_t pid)
{
	EXPECT_EQ(EPERM, open_log_as(SOMEBODY, 0, pid));
	EXPECT_EQ(EPERM, open_log_as(NOBODY, 0, pid));
	EXPECT_EQ(0, open_log_as(SOMEBODY, CAPABILITY(CAP_PERFMON), pid));
}

/* Named by its inner pid; notices outside carry the outer pid. */
TEST_F(namespaces, from_inside)
{
	int listener = control_listen();
	struct app_info app = {};
	pid_t outside;

	ASSERT_LE(0, listener);
	child_start(&self->child, monitor_inside, NULL);
	child_go(&self->child);
	wait_for(&container->monitored, 1);
	outside = container->residents[1].outside;
	EXPECT_EQ(2, container->residents[1].inside);
	EXPECT_EQ(0, container->errors[0]);
	EXPECT_EQ(0, container->errors[1]);
	EXPECT_EQ(0, container->errors[2]);
	EXPECT_EQ(2, container->app.pid);
	EXPECT_EQ(0, control_get_app(outside, &app));
	EXPECT_EQ(container->app.id, app.id);
	EXPECT_EQ(KERMON_NOTICE_STARTED,
		  control_next_notice(listener, outside, &app));
	expect_log_is_of_inside(_metadata, outside);

	__atomic_store_n(&container->done, 1, __ATOMIC_RELEASE);
	EXPECT_EQ(0, child_wait(&self->child));
	EXPECT_EQ(KERMON_NOTICE_EXITED,
		  control_next_notice(listener, outside, &app));
	EXPECT_EQ(0, container->tally[0].broken);
	EXPECT_EQ(0, container->tally[1].samples);
	EXPECT_EQ(KERMON_REASON_EXIT, container->tally[2].last_reason);
	EXPECT_EQ(KERMON_REASON_EXIT, container->tally[3].last_reason);
	EXPECT_EQ(container->tally[0].samples, container->tally[2].samples +
					       container->tally[3].samples);
	close(listener);
}

/* As root, try all pids outside. */
static int name_outsiders(void *arg)
{
	pid_t *test = arg;
	pid_t pid = fork_container();

	if (pid)
		return exit_status(pid);
	container->errors[0] = error_of(monitor(*test));
	container->errors[1] = error_of(monitor(container->residents[0].outside));
	container->errors[2] = error_of(set_events(*test, NULL, 0,
						   KERMON_FLAG_OPEN_LOG));
	container->errors[3] = error_of(monitor(1));
	if (control_get_app(0, &container->app))
		_exit(101);
	return 0;
}

/* Statistics are shown for all applications of the user, without their pids. */
TEST_F(namespaces, nobody_outside_has_a_name)
{
	pid_t test = getpid();
	struct app_info app;

	self->fd = monitor(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, control_get_app(test, &app));
	child_start(&self->child, name_outsiders, &test);
	child_go(&self->child);
	EXPECT_EQ(0, child_wait(&self->child));
	EXPECT_EQ(ESRCH, container->errors[0]);
	EXPECT_EQ(ESRCH, container->errors[1]);
	EXPECT_EQ(ESRCH, container->errors[2]);
	/* The process itself, which inherited the application of the test. */
	EXPECT_EQ(EALREADY, container->errors[3]);
	EXPECT_EQ(app.id, container->app.id);
}

static int fill_container(void *arg)
{
	pid_t pid = fork_container();
	unsigned int i;

	(void)arg;
	if (pid) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	for (i = 1; i < NR_RESIDENTS; i++) {
		if (!fork()) {
			move_in();
			for (;;)
				usleep(1000);
		}
		wait_for(&container->nr, i + 1);
	}
	for (;;)
		pause();
	return 0;
}

/* When its init exits, all tasks of a namespace are killed at once. */
TEST_F(namespaces, end_with_their_init)
{
	struct tally tally;
	unsigned int i;

	child_start(&self->child, fill_container, NULL);
	self->fd = monitor(self->child.pid);
	ASSERT_LE(0, self->fd);
	child_go(&self->child);
	wait_for(&container->nr, NR_RESIDENTS);
	kill(container->residents[0].outside, SIGKILL);
	ASSERT_EQ(0, records_read_all(&self->records, self->fd));
	EXPECT_EQ(0, child_wait(&self->child));
	for (i = 0; i < NR_RESIDENTS; i++)
		EXPECT_TRUE(has_ended(&self->records,
				      container->residents[i].outside));
	records_tally(&self->records, 0, &tally);
	EXPECT_EQ(0, tally.broken);
	EXPECT_EQ(NR_RESIDENTS + 1, tally.by_reason[KERMON_REASON_EXIT]);
}

TEST_HARNESS_MAIN
