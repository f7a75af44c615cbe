// SPDX-License-Identifier: GPL-2.0
/*
 * Root ends the monitoring of applications for their holders: who may, what the log ends
 * with, and what is released.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "credentials.h"
#include "worker.h"

FIXTURE(revoke)
{
	struct child child;
	struct app_info app;
	struct log log;
	int fd;
};

FIXTURE_SETUP(revoke)
{
	self->fd = -1;
}

FIXTURE_TEARDOWN(revoke)
{
	child_kill(&self->child);
	if (self->fd >= 0)
		close(self->fd);
}

static void start(FIXTURE_DATA(revoke) *self, int (*run)(void *arg),
		  const struct kermon_event_set *set)
{
	child_start(&self->child, run, NULL);
	self->fd = set_events(self->child.pid, set, sizeof(*set), 0);
	if (control_get_app(self->child.pid, &self->app))
		self->app.id = 0;
	child_go(&self->child);
}

static int spin(void *arg)
{
	(void)arg;
	for (;;)
		;
	return 0;
}

static int sleep_often(void *arg)
{
	(void)arg;
	for (;;)
		usleep(1000);
	return 0;
}

static bool is_alive(pid_t pid)
{
	return !waitpid(pid, NULL, WNOHANG);
}

static short events_of(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	poll(&poll_fd, 1, 0);
	return poll_fd.revents;
}

static int revoke_error(uint32_t id)
{
	return control_revoke(id) ? errno : 0;
}

/* A pinned event of a CPU; 0 or errno. */
static int perf_error(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.pinned = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* The task was running: its last interval is complete, and precedes the record. */
TEST_F(revoke, log_of_a_running_task_ends)
{
	const struct kermon_event_set set = plain_set();
	char buf[KERMON_RECORD_MAX];

	start(self, spin, &set);
	ASSERT_LE(0, self->fd);
	usleep(120000);
	ASSERT_EQ(0, control_revoke(self->app.id));
	EXPECT_EQ(POLLIN | POLLHUP, events_of(self->fd) & (POLLIN | POLLHUP));
	ASSERT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_NE(0, self->log.revoked);
	EXPECT_EQ(1, self->log.reasons[KERMON_REASON_EXIT]);
	EXPECT_EQ(KERMON_REASON_EXIT, self->log.last.reason);
	EXPECT_LE(self->log.last.tsc_end, self->log.revoked);
	EXPECT_EQ(0, self->log.lost);
	/* Nothing follows, and the task runs on. */
	usleep(120000);
	EXPECT_EQ(0, read_event_log(self->fd, buf, sizeof(buf), 0));
	EXPECT_TRUE(is_alive(self->child.pid));
}

/* Samples that were pending on any CPU come before the record. */
TEST_F(revoke, coalesced_samples_come_first)
{
	struct kermon_event_set set = plain_set();
	const struct kermon_sample *sample;

	set.flags = KERMON_SET_COALESCE;
	set.interval_ns = KERMON_INTERVAL_MAX_NS;
	start(self, sleep_often, &set);
	ASSERT_LE(0, self->fd);
	usleep(100000);
	ASSERT_EQ(0, control_revoke(self->app.id));
	ASSERT_TRUE(log_read_all(&self->log, self->fd));
	sample = &self->log.last;
	EXPECT_LT(0, self->log.samples);
	EXPECT_LT(10, sample->intervals);
	EXPECT_LE(sample->tsc_end, self->log.revoked);
}

static void *read_to_the_end(void *arg)
{
	FIXTURE_DATA(revoke) *self = arg;

	return log_read_all(&self->log, self->fd) ? self : NULL;
}

TEST_F(revoke, waiting_reader_gets_the_record)
{
	const struct kermon_event_set set = time_set();
	pthread_t reader;
	void *result;

	start(self, sleep_often, &set);
	ASSERT_LE(0, self->fd);
	pthread_create(&reader, NULL, read_to_the_end, self);
	usleep(10000);
	EXPECT_EQ(0, control_revoke(self->app.id));
	pthread_join(reader, &result);
	EXPECT_NE(NULL, result);
	EXPECT_NE(0, self->log.revoked);
}

/* Others get the counters, and the task can be monitored, while the holder keeps the log. */
TEST_F(revoke, counters_are_released)
{
	const struct kermon_event_set set = plain_set();
	struct machine_info info;
	struct app_info app;
	int fd;

	start(self, spin, &set);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(self->app.counts);
	EXPECT_EQ(counters_are_shared() ? 0 : EBUSY, perf_error());
	ASSERT_EQ(0, control_revoke(self->app.id));
	EXPECT_EQ(0, perf_error());
	ASSERT_EQ(0, control_get_info(&info));
	EXPECT_EQ(KERMON_PMU_FREE, info.pmu_owner);

	ASSERT_EQ(0, control_get_app(self->child.pid, &app));
	EXPECT_TRUE(app.revoked);
	EXPECT_FALSE(app.counts);
	EXPECT_EQ(0, app.tasks);
	EXPECT_EQ(1, app.descriptors);
	EXPECT_EQ(EALREADY, revoke_error(self->app.id));

	fd = monitor(self->child.pid);
	EXPECT_LE(0, fd);
	close(fd);
}

static int fork_and_sleep(void *arg)
{
	(void)arg;
	usleep(200000);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		spin(NULL);
	}
	return sleep_often(NULL);
}

TEST_F(revoke, no_task_joins_any_more)
{
	const struct kermon_event_set set = time_set();
	struct app_info app;

	start(self, fork_and_sleep, &set);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, control_revoke(self->app.id));
	usleep(400000);
	ASSERT_EQ(0, control_get_app(self->child.pid, &app));
	EXPECT_EQ(0, app.tasks);
	EXPECT_EQ(-1, set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-1, set_events(self->child.pid, &set, sizeof(set),
				 KERMON_FLAG_CHANGE));
	EXPECT_EQ(ENOENT, errno);
}

static int exit_now(void *arg)
{
	(void)arg;
	return 0;
}

/* A log that has ended is complete: no record. What its set takes is released. */
TEST_F(revoke, log_that_has_ended)
{
	const struct kermon_event_set set = plain_set();
	const pid_t pid = (start(self, exit_now, &set), self->child.pid);

	ASSERT_LE(0, self->fd);
	child_wait(&self->child);
	ASSERT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(counters_are_shared() ? 0 : EBUSY, perf_error());
	ASSERT_EQ(0, control_revoke(self->app.id));
	EXPECT_EQ(0, perf_error());
	ASSERT_TRUE(log_read_all(&self->log, self->fd));
	EXPECT_EQ(0, self->log.revoked);
	EXPECT_NE(0, pid);
}

TEST_F(revoke, holder_is_known)
{
	struct kermon_event_set set = plain_set();
	const struct kermon_event event = { .config = 0xc0 | 1 << 16 };
	struct app_info app;
	int fd;

	set.events = (uintptr_t)&event;
	set.nr_events = 1;
	set.log_bytes = KERMON_LOG_MIN_BYTES;
	start(self, sleep_often, &set);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(geteuid(), self->app.uid);
	EXPECT_EQ(getpid(), self->app.opener);
	EXPECT_STREQ("revoke", self->app.comm);
	EXPECT_EQ(1, self->app.descriptors);
	EXPECT_EQ(1, self->app.sets);
	EXPECT_EQ(1, self->app.events);
	EXPECT_TRUE(self->app.counts);
	EXPECT_FALSE(self->app.revoked);
	EXPECT_LE((uint64_t)KERMON_LOG_MIN_BYTES * cpus_online(),
		  self->app.log_bytes);

	fd = set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, control_get_app(self->child.pid, &app));
	EXPECT_EQ(2, app.descriptors);
	close(fd);
}

TEST(what_is_wrong)
{
	EXPECT_EQ(ENOENT, revoke_error(0));
	EXPECT_EQ(-1, control_send(KERMON_CMD_REVOKE, 0, NULL, 0));
	EXPECT_EQ(EINVAL, errno);
}

struct asker {
	uid_t uid;
	__u64 capabilities;
	pid_t contained;
};

static int error_for(const struct asker *asker, uint32_t id)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (asker->contained)
			become_contained(asker->uid, asker->contained,
					 asker->capabilities);
		else
			become(asker->uid, asker->capabilities);
		_exit(revoke_error(id));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Who may observe may not end what others observe, nor may root of a namespace. */
TEST_F(revoke, is_for_root_alone)
{
	const struct kermon_event_set set = time_set();
	struct child contained;
	struct asker asker = { .uid = SOMEBODY };

	start_contained(&contained, SOMEBODY);
	start(self, sleep_often, &set);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(EPERM, error_for(&asker, self->app.id));
	asker.capabilities = CAPABILITY(CAP_PERFMON) | CAPABILITY(CAP_NET_ADMIN);
	EXPECT_EQ(EPERM, error_for(&asker, self->app.id));
	asker.capabilities = ~0ULL;
	asker.contained = contained.pid;
	EXPECT_EQ(EPERM, error_for(&asker, self->app.id));
	asker.contained = 0;
	asker.capabilities = CAPABILITY(CAP_SYS_ADMIN);
	EXPECT_EQ(0, error_for(&asker, self->app.id));
	child_kill(&contained);
}

/* The exit status is the error of set_events(). */
static int hold_counters(void *arg)
{
	const struct kermon_event_set set = plain_set();

	(void)arg;
	become(SOMEBODY, 0);
	if (set_events(0, &set, sizeof(set), 0) < 0)
		return errno;
	for (;;)
		pause();
	return 0;
}

/* A user holds the counters only where root permits it, and until root revokes them. */
TEST_F(revoke, user_who_holds_the_counters)
{
	const int level = get_sysctl(PARANOID);

	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	ASSERT_TRUE(set_counters_group("1 0"));
	child_start(&self->child, hold_counters, NULL);
	child_go(&self->child);
	EXPECT_EQ(EACCES, WEXITSTATUS(child_wait(&self->child)));
	EXPECT_EQ(0, perf_error());

	ASSERT_TRUE(set_counters_group("1000 1000"));
	child_start(&self->child, hold_counters, NULL);
	child_go(&self->child);
	while (is_alive(self->child.pid) &&
	       control_get_app(self->child.pid, &self->app))
		usleep(1000);
	EXPECT_EQ(SOMEBODY, self->app.uid);
	EXPECT_EQ(self->child.pid, self->app.opener);
	EXPECT_EQ(counters_are_shared() ? 0 : EBUSY, perf_error());
	EXPECT_EQ(0, control_revoke(self->app.id));
	EXPECT_EQ(0, perf_error());
	EXPECT_TRUE(is_alive(self->child.pid));
	set_counters_group("1 0");
	set_sysctl(PARANOID, level);
}

TEST_HARNESS_MAIN
