// SPDX-License-Identifier: GPL-2.0
/*
 * Permissions: which user may count what for which target, and may read its own counts
 * how; all cells of three tables.
 *
 * What may be counted depends on the caller and on kernel.perf_event_paranoid,
 * for which target on the caller only; set_events() checks the former first.
 */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "credentials.h"

/* Callers. */
enum {
	ROOT,
	PLAIN,		/* SOMEBODY, like the rest */
	PERFMON,
	PTRACE,
	PTRACE_PERFMON,
	ADMIN,		/* CAP_SYS_ADMIN, the older name of CAP_PERFMON */
	NS_ROOT,	/* in the user namespace of CONTAINED, all capabilities */
	NS_PLAIN,	/* also there, without capabilities */
	MEMBER,		/* of the group that may occupy counters */
	NR_ASKERS,
};

/* Targets. */
enum {
	SELF,
	MINE,		/* SOMEBODY's */
	NOBODYS,
	INIT,		/* root's */
	KERNEL,		/* a kernel thread */
	CONTAINED,	/* SOMEBODY's, root of its own user namespace */
	NR_TARGETS,
};

/* What to count. */
enum {
	USER,
	FIXED_KERNEL,
	EVENT_KERNEL,
	ENERGY,
	TIME,
	NR_WISHES,
};

/* The group that may occupy counters, a supplementary one of MEMBER. */
#define COUNTERS_GROUP		4242
#define RANGE_OF_COUNTERS_GROUP	"4242 4242"

static const struct asker {
	const char *name;
	uid_t uid;
	__u64 capabilities;
	bool contained;
	bool member;
} askers[NR_ASKERS] = {
	[ROOT] = { "root", 0, ~0ULL },
	[PLAIN] = { "no capability", SOMEBODY, 0 },
	[PERFMON] = { "perfmon", SOMEBODY, CAPABILITY(CAP_PERFMON) },
	[PTRACE] = { "ptrace", SOMEBODY, CAPABILITY(CAP_SYS_PTRACE) },
	[PTRACE_PERFMON] = { "ptrace and perfmon", SOMEBODY,
			     CAPABILITY(CAP_SYS_PTRACE) |
			     CAPABILITY(CAP_PERFMON) },
	[ADMIN] = { "admin", SOMEBODY, CAPABILITY(CAP_SYS_ADMIN) },
	[NS_ROOT] = { "root of a namespace", SOMEBODY, ~0ULL, true },
	[NS_PLAIN] = { "user of a namespace", SOMEBODY, 0, true },
	[MEMBER] = { "member of the group", SOMEBODY, 0, false, true },
};

/*
 * Permissions by target. The creator of a user namespace has all capabilities
 * in it; those of its root have no effect outside.
 */
static const int of_whom[NR_ASKERS][NR_TARGETS] = {
	/*			SELF	MINE	NOBODYS	INIT	KERNEL	CONTAINED */
	[ROOT] =		{ 0,	0,	0,	0,	EPERM,	0 },
	[PLAIN] =		{ 0,	0,	EPERM,	EPERM,	EPERM,	0 },
	[PERFMON] =		{ 0,	0,	EPERM,	EPERM,	EPERM,	0 },
	[PTRACE] =		{ 0,	0,	0,	0,	EPERM,	0 },
	[PTRACE_PERFMON] =	{ 0,	0,	0,	0,	EPERM,	0 },
	[ADMIN] =		{ 0,	0,	EPERM,	EPERM,	EPERM,	0 },
	[NS_ROOT] =		{ 0,	EPERM,	EPERM,	EPERM,	EPERM,	0 },
	[NS_PLAIN] =		{ 0,	EPERM,	EPERM,	EPERM,	EPERM,	EPERM },
	[MEMBER] =		{ 0,	0,	EPERM,	EPERM,	EPERM,	0 },
};

/* What privileged callers may count at every level. */
static const int what_privileged[NR_WISHES] = { 0, 0, 0, 0, 0 };

/* What other callers may count, from level -1 on. */
#define FIRST_LEVEL	-1
#define NR_LEVELS	5

static const int what[NR_LEVELS][NR_WISHES] = {
	/*	USER	FIXED_KERNEL	EVENT_KERNEL	ENERGY	TIME */
	{	0,	0,		0,		EACCES,	0 },		/* -1 */
	{	0,	0,		0,		EACCES,	0 },		/* 0 */
	{	0,	0,		0,		EACCES,	0 },		/* 1 */
	{	0,	EACCES,		EACCES,		EACCES,	0 },		/* 2 */
	{	EACCES,	EACCES,		EACCES,		EACCES,	EACCES },	/* 3 */
};

/* Above this level others may not occupy counters. */
#define COUNTERS_LEVEL	0

static bool is_privileged(int asker)
{
	return asker == ROOT || asker == PERFMON || asker == PTRACE_PERFMON ||
	       asker == ADMIN;
}

FIXTURE(matrix)
{
	struct child mine;
	struct child nobodys;
	struct child contained;
	pid_t targets[NR_TARGETS];
	int paranoid;
	int yama;
};

FIXTURE_VARIANT(matrix)
{
	int asker;
};

FIXTURE_VARIANT_ADD(matrix, root) { ROOT };
FIXTURE_VARIANT_ADD(matrix, no_capability) { PLAIN };
FIXTURE_VARIANT_ADD(matrix, perfmon) { PERFMON };
FIXTURE_VARIANT_ADD(matrix, ptrace) { PTRACE };
FIXTURE_VARIANT_ADD(matrix, ptrace_and_perfmon) { PTRACE_PERFMON };
FIXTURE_VARIANT_ADD(matrix, admin) { ADMIN };
FIXTURE_VARIANT_ADD(matrix, root_of_a_namespace) { NS_ROOT };
FIXTURE_VARIANT_ADD(matrix, user_of_a_namespace) { NS_PLAIN };
FIXTURE_VARIANT_ADD(matrix, member_of_the_group) { MEMBER };

FIXTURE_SETUP(matrix)
{
	self->paranoid = get_sysctl(PARANOID);
	ASSERT_NE(-100, self->paranoid);
	self->yama = get_sysctl(YAMA);
	ASSERT_NE(-100, self->yama);
	ASSERT_TRUE(set_counters_group(RANGE_OF_COUNTERS_GROUP));
	start_as(&self->mine, SOMEBODY);
	start_as(&self->nobodys, NOBODY);
	start_contained(&self->contained, SOMEBODY);
	self->targets[MINE] = self->mine.pid;
	self->targets[NOBODYS] = self->nobodys.pid;
	self->targets[INIT] = 1;
	self->targets[KERNEL] = 2;	/* kthreadd */
	self->targets[CONTAINED] = self->contained.pid;
}

FIXTURE_TEARDOWN(matrix)
{
	child_kill(&self->mine);
	child_kill(&self->nobodys);
	child_kill(&self->contained);
	set_sysctl(PARANOID, self->paranoid);
	set_sysctl(YAMA, self->yama);
	set_counters_group("1 0");
}

static struct kermon_event_set set_of(int wish, const struct kermon_event *event)
{
	struct kermon_event_set set = plain_set();

	if (wish == TIME)
		set = time_set();
	if (wish == FIXED_KERNEL)
		set.count |= KERMON_COUNT_KERNEL;
	if (wish == ENERGY)
		set.flags |= KERMON_SET_ENERGY;
	if (wish == EVENT_KERNEL) {
		set.events = (uintptr_t)event;
		set.nr_events = 1;
	}
	return set;
}

static void become_asker(const struct asker *asker, pid_t contained)
{
	if (asker->contained)
		become_contained(asker->uid, contained, asker->capabilities);
	else if (asker->member)
		become_member(asker->uid, COUNTERS_GROUP);
	else
		become(asker->uid, asker->capabilities);
}

/* Try in a separate process, which cleans up everything; returns 0 or errno. */
static int ask(const struct asker *asker, const pid_t *targets, int target,
	       int wish)
{
	/* Instructions in kernel mode. */
	const struct kermon_event event = { .config = 0xc0 | 1 << 17 };
	struct kermon_event_set set = set_of(wish, &event);
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		become_asker(asker, targets[CONTAINED]);
		_exit(set_events(targets[target], &set, sizeof(set), 0) < 0 ?
		      errno : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int expected(int asker, int target, int level, int wish)
{
	const int *row = is_privileged(asker) ? what_privileged :
						what[level - FIRST_LEVEL];

	if (row[wish] || of_whom[asker][target])
		return row[wish] ?: of_whom[asker][target];
	return !is_privileged(asker) && asker != MEMBER && wish != TIME &&
	       level > COUNTERS_LEVEL ? EACCES : 0;
}

/* Test one level for one caller; print and count the wrong cells. */
static int wrong_cells(const pid_t *targets, int asker, int level)
{
	int target, wish, got, wrong = 0;

	for (target = 0; target < NR_TARGETS; target++) {
		for (wish = 0; wish < NR_WISHES; wish++) {
			got = ask(&askers[asker], targets, target, wish);
			if (got == expected(asker, target, level, wish))
				continue;
			printf("# %s, level %d, target %d, wish %d: %s\n",
			       askers[asker].name, level, target, wish,
			       strerror(got));
			wrong++;
		}
	}
	return wrong;
}

TEST_F(matrix, at_every_level)
{
	int level;

	for (level = FIRST_LEVEL; level < FIRST_LEVEL + NR_LEVELS; level++) {
		ASSERT_TRUE(set_sysctl(PARANOID, level));
		EXPECT_EQ(0, wrong_cells(self->targets, variant->asker, level));
	}
}

/* Yama restricts who may attach; monitoring, as reading, depends on the user only. */
TEST_F(matrix, at_every_scope_of_yama)
{
	int scope;

	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	for (scope = 0; scope <= 2; scope++) {
		ASSERT_TRUE(set_sysctl(YAMA, scope));
		EXPECT_EQ(0, wrong_cells(self->targets, variant->asker, 2));
	}
}

/* How a thread that root monitors may read its own counts. */
enum {
	BY_RDPMC,
	BY_CALL,
	NOT_AT_ALL,
	FAILED,
};

#define NR_POLICIES	3

/* What others than privileged callers may, by level and value of kernel.kermon_rdpmc. */
static const int how[NR_LEVELS][NR_POLICIES] = {
	{	BY_CALL,	BY_RDPMC,	BY_RDPMC },	/* -1 */
	{	BY_CALL,	BY_RDPMC,	BY_RDPMC },	/* 0 */
	{	BY_CALL,	BY_CALL,	BY_RDPMC },	/* 1 */
	{	BY_CALL,	BY_CALL,	BY_RDPMC },	/* 2 */
	{	NOT_AT_ALL,	NOT_AT_ALL,	NOT_AT_ALL },	/* 3 */
};

static const int how_privileged[NR_POLICIES] = { BY_CALL, BY_RDPMC, BY_RDPMC };

static int read_itself(void)
{
	struct kermon_counts counts;
	struct kermon_self own;
	int error = kermon_self_open(&own);

	if (error)
		return error == -EACCES ? NOT_AT_ALL : FAILED;
	if (kermon_read_all(&own, &counts) || !counts.nr_values)
		return FAILED;
	return kermon_self_is_fast(&own) ? BY_RDPMC : BY_CALL;
}

static int ask_to_read(const struct asker *asker, pid_t contained)
{
	/* Instructions in user mode. */
	const struct kermon_event event = { .config = 0xc0 | 1 << 16 };
	struct kermon_event_set set = plain_set();
	int status, log;
	pid_t pid;

	set.events = (uintptr_t)&event;
	set.nr_events = 1;
	pid = fork();
	if (!pid) {
		become_asker(asker, contained);
		raise(SIGSTOP);
		_exit(read_itself());
	}
	waitpid(pid, &status, WUNTRACED);
	log = set_events(pid, &set, sizeof(set), 0);
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	close(log);
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static int wrong_ways(pid_t contained, int asker, int level)
{
	const int *row = is_privileged(asker) ? how_privileged : how[level - FIRST_LEVEL];
	int policy, got, wrong = 0;

	for (policy = 0; policy < NR_POLICIES; policy++) {
		set_sysctl(RDPMC_POLICY, policy);
		got = ask_to_read(&askers[asker], contained);
		if (got == row[policy])
			continue;
		printf("# %s, level %d, kermon_rdpmc %d: %d instead of %d\n",
		       askers[asker].name, level, policy, got, row[policy]);
		wrong++;
	}
	set_sysctl(RDPMC_POLICY, 1);
	return wrong;
}

TEST_F(matrix, of_reading_itself)
{
	int level;

	for (level = FIRST_LEVEL; level < FIRST_LEVEL + NR_LEVELS; level++) {
		ASSERT_TRUE(set_sysctl(PARANOID, level));
		EXPECT_EQ(0, wrong_ways(self->targets[CONTAINED], variant->asker, level));
	}
}

TEST_HARNESS_MAIN
