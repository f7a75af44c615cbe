// SPDX-License-Identifier: GPL-2.0
/*
 * The control plane: hardware information, and who is notified of which
 * applications.
 */
#include <cpuid.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "credentials.h"
#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "registers.h"
#include "worker.h"

/* More than fit into a netlink message. */
#define NR_APPS		100

static void nothing(void *data)
{
	(void)data;
}

/* The smallest log, so that many fit, and no counters, for which a user may not ask. */
static int monitor_small(pid_t pid)
{
	struct kermon_event_set set = time_set();

	set.log_bytes = KERMON_LOG_MIN_BYTES;
	return set_events(pid, &set, sizeof(set), 0);
}

TEST(info_is_that_of_the_cpu)
{
	unsigned int eax, ebx, ecx, edx;
	struct machine_info info;

	ASSERT_EQ(control_get_info(&info), 0);
	if (info.pmu_owner == KERMON_PMU_NONE)
		SKIP(return, "this CPU has no PMU");
	if (!__get_cpuid_count(0x0a, 0, &eax, &ebx, &ecx, &edx) ||
	    !(eax & 0xff))
		SKIP(return, "this CPU's PMU is not Intel's");
	EXPECT_EQ(info.counters, eax >> 8 & 0xff);
	EXPECT_EQ(info.counter_width, eax >> 16 & 0xff);
	EXPECT_EQ(info.fixed, (edx & 0x1f) < 3 ? edx & 0x1f : 3);
	EXPECT_EQ(info.fixed_width, edx >> 5 & 0xff);
	EXPECT_GT(info.tsc_khz, 0);
}

TEST(notices_of_a_life)
{
	pid_t pid = worker_start(nothing, NULL);
	int listener = control_listen();
	uint64_t begin = __builtin_ia32_rdtsc();
	struct app_info app;
	int fd;

	ASSERT_GE(listener, 0);
	fd = monitor_small(pid);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(control_next_notice(listener, pid, &app),
		  KERMON_NOTICE_STARTED);
	EXPECT_EQ(app.tasks, 1);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	EXPECT_EQ(control_next_notice(listener, pid, &app),
		  KERMON_NOTICE_EXITED);
	EXPECT_EQ(app.tasks, 0);
	EXPECT_GT(app.emitted, 0);
	EXPECT_EQ(app.lost, 0);
	EXPECT_GT(app.cost, 0);
	EXPECT_LT(app.cost, __builtin_ia32_rdtsc() - begin);
	close(fd);
	close(listener);
}

TEST(dump_has_each_application_once)
{
	pid_t pids[NR_APPS];
	int fds[NR_APPS];
	struct app_info first, last;
	int i;

	for (i = 0; i < NR_APPS; i++) {
		pids[i] = worker_start(nothing, NULL);
		fds[i] = monitor_small(pids[i]);
		ASSERT_GE(fds[i], 0) TH_LOG("%d: %s", i, strerror(errno));
	}
	EXPECT_EQ(control_count_apps(), NR_APPS);
	EXPECT_EQ(control_get_app(pids[0], &first), 0);
	EXPECT_EQ(control_get_app(pids[NR_APPS - 1], &last), 0);
	EXPECT_EQ(last.id, first.id + NR_APPS - 1);
	for (i = 0; i < NR_APPS; i++) {
		close(fds[i]);
		worker_go(pids[i]);
		EXPECT_EQ(worker_wait(pids[i]), 0);
	}
	EXPECT_EQ(control_count_apps(), 0);
}

FIXTURE(user)
{
	pid_t worker;	/* root's */
	int perf;
};

/* With all capabilities, but only in a user namespace or a container. */
FIXTURE_VARIANT(user)
{
	int namespaces;
};

FIXTURE_VARIANT_ADD(user, plain) { .namespaces = 0 };
FIXTURE_VARIANT_ADD(user, root_of_a_namespace) { .namespaces = CLONE_NEWUSER };
FIXTURE_VARIANT_ADD(user, root_of_a_network) {
	.namespaces = CLONE_NEWUSER | CLONE_NEWNET
};

FIXTURE_SETUP(user)
{
	self->worker = worker_start(nothing, NULL);
	self->perf = -1;
}

FIXTURE_TEARDOWN(user)
{
	worker_go(self->worker);
	worker_wait(self->worker);
	if (self->perf >= 0)
		close(self->perf);
}

/* Run @ask as such a user; returns 0, or the number of what is wrong. */
static int as_user(const FIXTURE_VARIANT(user) *variant,
		   int (*ask)(pid_t of_root), pid_t of_root)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		become(NOBODY, 0);
		if (unshare(variant->namespaces))
			_exit(101);
		_exit(ask(of_root));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static int look_at_apps(pid_t of_root)
{
	struct app_info app;

	if (!control_get_app(of_root, &app) || errno != ENOENT)
		return 1;
	if (monitor_small(0) < 0)
		return 2;
	return control_get_app(getpid(), &app) ? 3 : 0;
}

TEST_F(user, sees_the_own_applications)
{
	int fd = monitor_small(self->worker);

	ASSERT_GE(fd, 0);
	EXPECT_EQ(as_user(variant, look_at_apps, self->worker), 0);
	close(fd);
}

static int listen_to_all(pid_t of_root)
{
	(void)of_root;
	if (control_listen() >= 0)
		return 1;
	return errno == EPERM ? 0 : 2;
}

/* In its own network namespace, a user may listen, but receives nothing. */
static int listen_in_vain(pid_t of_root)
{
	int listener = control_listen();
	struct app_info app;

	(void)of_root;
	if (listener < 0)
		return 1;
	if (monitor_small(0) < 0)
		return 2;
	if (!control_next_notice(listener, getpid(), &app))
		return 3;
	return errno == EAGAIN ? 0 : 4;
}

/* Notices cover all users' applications. */
TEST_F(user, gets_no_notices)
{
	int listener = control_listen();

	EXPECT_GE(listener, 0);
	close(listener);
	EXPECT_EQ(as_user(variant, variant->namespaces & CLONE_NEWNET ?
			  listen_in_vain : listen_to_all, 0), 0);
}

/*
 * Returns the result cached for root at first, and the current state after a
 * second.
 */
static int ask_for_owner(pid_t of_root)
{
	struct machine_info info;

	(void)of_root;
	if (control_get_info(&info))
		return 1;
	if (info.pmu_owner != KERMON_PMU_OTHER)
		return 2;
	sleep_us(1500000);
	if (control_get_info(&info))
		return 3;
	return info.pmu_owner == KERMON_PMU_FREE ? 0 : 4;
}

/*
 * Probing reserves the counters briefly: a user must not trigger it
 * continuously.
 */
TEST_F(user, rarely_tries_the_counters)
{
	struct machine_info info;

	self->perf = oracle_hold_pmu();
	ASSERT_GE(self->perf, 0);
	ASSERT_EQ(control_get_info(&info), 0);
	EXPECT_EQ(info.pmu_owner, KERMON_PMU_OTHER);
	close(self->perf);
	self->perf = -1;
	EXPECT_EQ(as_user(variant, ask_for_owner, 0), 0);
}

static int measure(void)
{
	return control_send(KERMON_CMD_MEASURE, 0, NULL, 0);
}

/* Measuring restores the registers it writes, even while the PMU is in use. */
TEST(measuring_changes_no_register)
{
	const uint32_t selector = selector_register(0);
	struct kermon_event_set set = event_set_of(quantity_set(0));
	uint64_t before, after;
	int fd;

	ASSERT_EQ(pin(0, 0), 0);
	fd = set_events(0, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0);
	sleep_us(1000);
	ASSERT_EQ(register_read(0, selector, &before), 0);
	EXPECT_NE(before, 0);
	EXPECT_EQ(measure(), 0);
	ASSERT_EQ(register_read(0, selector, &after), 0);
	EXPECT_EQ(before, after);
	close(fd);
}

TEST(measuring_takes_the_counters)
{
	int perf = oracle_hold_pmu();
	struct machine_info info;

	ASSERT_GE(perf, 0);
	EXPECT_EQ(measure(), -1);
	EXPECT_EQ(errno, EBUSY);
	close(perf);
	EXPECT_EQ(measure(), 0);
	ASSERT_EQ(control_get_info(&info), 0);
	EXPECT_EQ(info.pmu_owner, KERMON_PMU_FREE);
}

/* Returns 0 if an ordinary user may not measure accesses. */
static int measure_as_user(void)
{
	become(NOBODY, 0);
	if (!measure())
		return 1;
	return errno == EPERM ? 0 : 2;
}

TEST(measuring_is_not_for_users)
{
	pid_t user = fork();
	int status;

	if (user == 0)
		_exit(measure_as_user());
	ASSERT_EQ(waitpid(user, &status, 0), user);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_HARNESS_MAIN
