// SPDX-License-Identifier: GPL-2.0
/*
 * Who may execute RDPMC, by who the thread is, perf_event_paranoid and kermon_rdpmc; whoever
 * may not reads the same by a system call.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "../pmu/msr.h"
#include "credentials.h"
#include "log.h"
#include "subject.h"
#include "worker.h"

#define CAP_PERFMON_BIT	38

/* How a child exits: what it could do. */
enum result {
	FAST,		/* RDPMC, and the page is used, if this machine has it */
	SLOW,		/* no RDPMC, but the system call reads */
	DENIED,		/* not even that */
	WRONG,
};

static int try_as(uid_t uid, __u64 capabilities)
{
	struct kermon_counts counts;
	struct kermon_self own;
	uint64_t value;
	int error;

	if (uid)
		become(uid, capabilities);
	raise(SIGSTOP);
	error = kermon_self_open(&own);
	if (error == -EACCES)
		return rdpmc(0, &value) ? WRONG : DENIED;
	if (error || kermon_read_all(&own, &counts) || !counts.nr_values)
		return WRONG;
	if (rdpmc(0, &value))
		return kermon_self_is_fast(&own) == pages_are_shown() ? FAST : WRONG;
	return kermon_self_is_fast(&own) ? WRONG : SLOW;
}

FIXTURE(policy) {
	int paranoid;
};

FIXTURE_VARIANT(policy) {
	uid_t uid;
	__u64 capabilities;
	int paranoid;
	int rdpmc;
	bool kernel;		/* counts kernel mode, too, as root permits itself */
	enum result result;
};

#define CELL(name, ...)	FIXTURE_VARIANT_ADD(policy, name) { __VA_ARGS__ }

CELL(root, .paranoid = 2, .rdpmc = 1, .result = FAST);
CELL(root_never, .paranoid = 2, .rdpmc = 0, .result = SLOW);
CELL(user, .uid = NOBODY, .paranoid = 2, .rdpmc = 1, .result = SLOW);
CELL(user_whole_cpus, .uid = NOBODY, .paranoid = 0, .rdpmc = 1, .result = FAST);
CELL(user_whole_cpus_never, .uid = NOBODY, .paranoid = 0, .rdpmc = 0, .result = SLOW);
CELL(user_always, .uid = NOBODY, .paranoid = 2, .rdpmc = 2, .result = FAST);
CELL(user_perfmon, .uid = NOBODY, .capabilities = CAPABILITY(CAP_PERFMON_BIT),
     .paranoid = 2, .rdpmc = 1, .result = FAST);
CELL(user_may_not_perf, .uid = NOBODY, .paranoid = 3, .rdpmc = 2, .result = DENIED);
CELL(user_kernel, .uid = NOBODY, .paranoid = 2, .rdpmc = 2, .kernel = true,
     .result = DENIED);
CELL(user_kernel_permitted, .uid = NOBODY, .paranoid = 1, .rdpmc = 2, .kernel = true,
     .result = FAST);

FIXTURE_SETUP(policy)
{
	self->paranoid = get_sysctl(PARANOID);
	ASSERT_TRUE(set_sysctl(PARANOID, variant->paranoid));
	ASSERT_TRUE(set_sysctl(RDPMC_POLICY, variant->rdpmc));
}

FIXTURE_TEARDOWN(policy)
{
	set_sysctl(PARANOID, self->paranoid);
	set_sysctl(RDPMC_POLICY, 1);
}

/* Root monitors the child, which may see less than root. */
TEST_F(policy, decides)
{
	struct kermon_event_set set;
	int status, log;
	pid_t pid;

	if (!quantity_set(0))
		SKIP(return, "the events of this CPU are not known");
	set = event_set_of(quantity_set(0));
	if (variant->kernel)
		set.count |= KERMON_COUNT_KERNEL;
	pid = fork();
	if (!pid)
		_exit(try_as(variant->uid, variant->capabilities));
	ASSERT_EQ(waitpid(pid, &status, WUNTRACED), pid);
	ASSERT_TRUE(WIFSTOPPED(status));
	log = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(log, 0) TH_LOG("%s", strerror(errno));
	worker_go(pid);
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), variant->result);
	close(log);
}

/* Whether there is any count in the page. */
static bool shows_counts(const struct kermon_page *page)
{
	unsigned int i, shown = 0;

	for (i = 0; i < KERMON_MAX_VALUES; i++)
		shown += page->sums[i] || page->offsets[i];
	for (i = 0; i < KERMON_MAX_SETS * KERMON_MAX_EVENTS; i++)
		shown += !!page->turns[i / KERMON_MAX_EVENTS][i % KERMON_MAX_EVENTS];
	return shown;
}

static int look_at_the_page(void)
{
	struct kermon_counts counts;
	struct kermon_self own;
	int i;

	become(NOBODY, 0);
	raise(SIGSTOP);
	if (kermon_self_open(&own) || kermon_read_all(&own, &counts))
		return 1;
	raise(SIGSTOP);
	for (i = 0; i < 100; i++) {
		sleep_us(100);
		if (shows_counts(own.page))
			return 2;
	}
	return kermon_read_all(&own, &counts) == -EIO ? 0 : 3;
}

/* What is counted of the kernel since is nowhere in the page of a user. */
TEST(kernel_is_counted_later)
{
	struct kermon_event_set set;
	int status, log, change, paranoid;
	pid_t pid;

	if (!quantity_set(0))
		SKIP(return, "the events of this CPU are not known");
	paranoid = get_sysctl(PARANOID);
	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	ASSERT_TRUE(set_sysctl(RDPMC_POLICY, 2));
	set = event_set_of(quantity_set(0));
	pid = fork();
	if (!pid)
		_exit(look_at_the_page());
	ASSERT_EQ(waitpid(pid, &status, WUNTRACED), pid);
	log = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(log, 0) TH_LOG("%s", strerror(errno));
	worker_go(pid);
	ASSERT_EQ(waitpid(pid, &status, WUNTRACED), pid);
	ASSERT_TRUE(WIFSTOPPED(status)) TH_LOG("status %d", status);
	set.count |= KERMON_COUNT_KERNEL;
	change = set_events(pid, &set, sizeof(set), KERMON_FLAG_CHANGE);
	ASSERT_GE(change, 0) TH_LOG("%s", strerror(errno));
	worker_go(pid);
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 0);
	close(change);
	close(log);
	set_sysctl(RDPMC_POLICY, 1);
	set_sysctl(PARANOID, paranoid);
}

/* On a busy machine, a sleep may be over before the thread is switched out. */
static void be_switched_out(void)
{
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	do {
		sleep_us(1000);
		getrusage(RUSAGE_THREAD, &after);
	} while (after.ru_nvcsw == before.ru_nvcsw);
}

/* What root takes from everybody, it takes from the page, too, at the next switch. */
TEST(taken_from_everybody)
{
	uint64_t offsets[KERMON_MAX_VALUES], value;
	struct kermon_event_set set;
	struct kermon_self own;
	unsigned int i;
	int log;

	if (!quantity_set(0))
		SKIP(return, "the events of this CPU are not known");
	set = event_set_of(quantity_set(0));
	log = set_events(0, &set, sizeof(set), 0);
	ASSERT_GE(log, 0) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(kermon_self_open(&own), 0);
	EXPECT_TRUE(rdpmc(0, &value));
	ASSERT_TRUE(rdpmc_allow("0"));
	EXPECT_FALSE(rdpmc(0, &value));
	memcpy(offsets, own.page->offsets, sizeof(offsets));
	for (i = 0; i < 10; i++) {
		be_switched_out();
		EXPECT_FALSE(kermon_self_is_fast(&own));
	}
	EXPECT_EQ(memcmp(offsets, own.page->offsets, sizeof(offsets)), 0);
	EXPECT_EQ(kermon_read(&own, own.page->nr_fixed, &value), 0);
	ASSERT_TRUE(rdpmc_allow("1"));
	kermon_self_close(&own);
	close(log);
}

TEST(only_root_decides)
{
	EXPECT_EQ(get_sysctl(RDPMC_POLICY), 1);
	EXPECT_FALSE(set_sysctl(RDPMC_POLICY, 3));
	EXPECT_FALSE(set_sysctl(RDPMC_POLICY, -1));
	EXPECT_EQ(get_sysctl(RDPMC_POLICY), 1);
}

TEST_HARNESS_MAIN
