// SPDX-License-Identifier: GPL-2.0
/*
 * The control plane: what it says of the machine, and who is told of whom.
 */
#include <cpuid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "oracle.h"
#include "worker.h"

#define NOBODY		65534
/* More than fit in a netlink message. */
#define NR_APPS		100

static void nothing(void *data)
{
	(void)data;
}

/* The smallest log, so that many fit. */
static int monitor_small(pid_t pid)
{
	struct kermon_event_set set = plain_set();

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

static int become_nobody(void)
{
	return setresgid(NOBODY, NOBODY, NOBODY) ||
	       setresuid(NOBODY, NOBODY, NOBODY);
}

/* 0 if a user sees the own application and not that of root. */
static int look_as_user(pid_t of_root)
{
	struct app_info app;
	int fd;

	if (become_nobody())
		return 1;
	if (!control_get_app(of_root, &app) || errno != ENOENT)
		return 2;
	fd = monitor_small(0);
	if (fd < 0)
		return 3;
	return control_get_app(getpid(), &app) ? 4 : 0;
}

TEST(users_see_their_own)
{
	pid_t pid = worker_start(nothing, NULL);
	int fd = monitor_small(pid);
	pid_t user;
	int status;

	ASSERT_GE(fd, 0);
	user = fork();
	if (user == 0)
		_exit(look_as_user(pid));
	ASSERT_EQ(waitpid(user, &status, 0), user);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 0);
	close(fd);
	worker_go(pid);
	worker_wait(pid);
}

/* 0 if a user may not listen to what is told of all. */
static int listen_as_user(void)
{
	if (become_nobody())
		return 1;
	if (control_listen() >= 0)
		return 2;
	return errno == EPERM ? 0 : 3;
}

TEST(notices_are_not_for_users)
{
	int listener = control_listen();
	pid_t user;
	int status;

	EXPECT_GE(listener, 0);
	close(listener);
	user = fork();
	if (user == 0)
		_exit(listen_as_user());
	ASSERT_EQ(waitpid(user, &status, 0), user);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 0);
}

/* 0 if a user is told what was found for root, and after a second the truth. */
static int ask_as_user(void)
{
	struct machine_info info;

	if (become_nobody() || control_get_info(&info))
		return 1;
	if (info.pmu_owner != KERMON_PMU_OTHER)
		return 2;
	sleep_us(1500000);
	if (control_get_info(&info))
		return 1;
	return info.pmu_owner == KERMON_PMU_FREE ? 0 : 3;
}

/* Finding out takes the counters: a user must not do that all the time. */
TEST(users_rarely_try_the_counters)
{
	int perf = oracle_hold_pmu();
	struct machine_info info;
	pid_t user;
	int status;

	ASSERT_GE(perf, 0);
	ASSERT_EQ(control_get_info(&info), 0);
	EXPECT_EQ(info.pmu_owner, KERMON_PMU_OTHER);
	close(perf);
	user = fork();
	if (user == 0)
		_exit(ask_as_user());
	ASSERT_EQ(waitpid(user, &status, 0), user);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_HARNESS_MAIN
