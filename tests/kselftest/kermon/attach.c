// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching to a process that has been running for some time: all of its
 * threads join at once, or none.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define NR_ATTACHES	10
#define NR_CREATORS	3
#define NR_BEFORE	500
#define NR_AFTER	40
#define ROUNDS		300
#define STACK_SIZE	512
#define CREATOR_STACK	16384
#define NOBODY		65534
#define NR_MORTALS	30
#define NR_ENDS		100
#define END_STEP_US	20

/**
 * struct life - a short-lived thread
 * @tid: its thread id
 * @born: 1 + whether the process was already monitored when the thread was created
 * @died: 1 + whether it was when the thread had done its work
 */
struct life {
	pid_t tid;
	unsigned int born;
	unsigned int died;
};

#define NR_LIVES	(NR_BEFORE + NR_AFTER)

/* Stack pointer for spawn(), aligned for C code. */
#define top_of(stack)	((stack) + sizeof(stack) - 8)

/**
 * struct crowd - data shared by the creating threads and the test
 * @attached: set_events() has returned
 * @created: number of threads created by each of them
 * @lives: created threads, one array per creator
 * @stacks: one stack per created thread, so that none waits for another's
 */
struct crowd {
	unsigned int attached;
	unsigned int created[NR_CREATORS];
	struct life lives[NR_CREATORS][NR_LIVES];
	char stacks[NR_CREATORS][NR_LIVES][STACK_SIZE]
		__attribute__((aligned(64)));
};

static struct crowd *crowd;

/* The work of a thread: always the same number of instructions. */
static void live(uint64_t rounds, void *data)
{
	struct life *life = data;

	code_arithmetic(rounds, NULL);
	life->died = __atomic_load_n(&crowd->attached, __ATOMIC_ACQUIRE) + 1;
}

/* Whether there is still room for threads created after attaching. */
static bool may_create(unsigned int created)
{
	return created < NR_BEFORE ||
	       __atomic_load_n(&crowd->attached, __ATOMIC_ACQUIRE);
}

/*
 * Create threads as fast as possible until the test has attached, and some more
 * after that. Every other one does twice the work.
 */
static void create(uint64_t which, void *data)
{
	const struct timespec pause = { 0, 100000 };
	unsigned int i, after = 0;

	(void)data;
	for (i = 0; after < NR_AFTER; i++) {
		struct life *life = &crowd->lives[which][i];

		while (!may_create(i))
			syscall(SYS_nanosleep, &pause, NULL);
		life->born = __atomic_load_n(&crowd->attached,
					     __ATOMIC_ACQUIRE) + 1;
		after += life->born > 1;
		life->tid = spawn(top_of(crowd->stacks[which][i]), live,
				  ROUNDS * (i % 2 + 1), life);
		__atomic_store_n(&crowd->created[which], i + 1,
				 __ATOMIC_RELEASE);
	}
}

/* The main thread has exited before the test attaches. */
static void create_all(void *data)
{
	static char stacks[NR_CREATORS][CREATOR_STACK]
		__attribute__((aligned(64)));
	unsigned int i;

	(void)data;
	for (i = 0; i < NR_CREATORS; i++)
		spawn(top_of(stacks[i]), create, i, NULL);
	syscall(SYS_exit, 0);
}

static int monitor_with(pid_t pid, unsigned int flags)
{
	struct kermon_event_set set = plain_set();

	return set_events(pid, &set, sizeof(set), flags);
}

static int attach(pid_t pid)
{
	return monitor_with(pid, KERMON_FLAG_PROCESS);
}

/* Report which of the many threads failed. */
#define EXPECT_LIFE(condition) \
	EXPECT_TRUE(condition) TH_LOG("creator %u, thread %u, tid %d, born " \
		"%u, died %u: %llu instructions in %llu samples", which, i, \
		life->tid, life->born, life->died, \
		(unsigned long long)tally.fixed[0], \
		(unsigned long long)tally.samples)

/*
 * Threads created after attaching are counted to the last instruction, existing
 * ones from some point on; no thread that was alive is missing.
 */
static void check_life(struct __test_metadata *_metadata,
		       const struct records *records, unsigned int which,
		       unsigned int i, uint64_t *exact)
{
	const struct life *life = &crowd->lives[which][i];
	const uint64_t extra = i % 2 * ROUNDS * arithmetic_round[INSTRUCTIONS];
	struct tally tally;

	if (life->died < 2)
		return;
	records_tally(records, life->tid, &tally);
	EXPECT_LIFE(tally.last_reason == KERMON_REASON_EXIT);
	EXPECT_LIFE(tally.by_reason[KERMON_REASON_EXIT] == 1);
	if (life->born < 2) {
		EXPECT_LIFE(tally.fixed[0] > 0);
		return;
	}
	if (!*exact)
		*exact = tally.fixed[0] - extra;
	EXPECT_LIFE(tally.fixed[0] == *exact + extra);
}

static void wait_for_crowd(void)
{
	unsigned int i;

	for (i = 0; i < NR_CREATORS; i++)
		while (__atomic_load_n(&crowd->created[i],
				       __ATOMIC_ACQUIRE) < 5)
			sleep_us(100);
}

static void attach_to_crowd(struct __test_metadata *_metadata,
			    struct records *records, uint64_t *exact)
{
	pid_t pid = worker_start(create_all, NULL);
	unsigned int which, i;
	struct tally all;
	int fd;

	worker_go(pid);
	wait_for_crowd();
	fd = attach(pid);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	__atomic_store_n(&crowd->attached, 1, __ATOMIC_RELEASE);
	ASSERT_EQ(records_read_all(records, fd), 0);
	ASSERT_EQ(worker_wait(pid), 0);
	close(fd);
	records_tally(records, 0, &all);
	EXPECT_EQ(all.broken, 0);
	EXPECT_EQ(all.reported_lost, 0);
	EXPECT_GE(all.by_reason[KERMON_REASON_EXIT],
		  NR_CREATORS * (NR_AFTER + 1));
	for (which = 0; which < NR_CREATORS; which++) {
		for (i = 0; i < crowd->created[which]; i++)
			check_life(_metadata, records, which, i, exact);
	}
}

TEST(threads_come_and_go)
{
	struct records records = {};
	uint64_t exact = 0;
	int i;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	for (i = 0; i < NR_ATTACHES; i++) {
		crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		ASSERT_NE((void *)crowd, MAP_FAILED);
		records.len = 0;
		attach_to_crowd(_metadata, &records, &exact);
		munmap(crowd, sizeof(*crowd));
	}
	free(records.data);
}

/*
 * A process that exits soon: the main thread immediately, the others one by
 * one.
 */
static void end_soon(void *data)
{
	static char stacks[NR_MORTALS][STACK_SIZE] __attribute__((aligned(64)));
	unsigned int i;

	(void)data;
	for (i = 0; i < NR_MORTALS; i++)
		spawn(top_of(stacks[i]), code_arithmetic, ROUNDS * i, NULL);
	syscall(SYS_exit, 0);
}

/*
 * Returns the number of threads in the log of a process that was attached to
 * @us after it began to exit; 0 if no thread remained. Every thread that joined
 * has exited, so reading the log must reach its end.
 */
static uint64_t attach_to_mortals(struct __test_metadata *_metadata,
				  unsigned int us)
{
	pid_t pid = worker_start(end_soon, NULL);
	struct records records = {};
	struct app_info app;
	struct tally tally;
	int fd;

	worker_go(pid);
	sleep_us(us);
	fd = attach(pid);
	EXPECT_TRUE(fd >= 0 || errno == ESRCH)
		TH_LOG("set_events: %s", strerror(errno));
	if (fd >= 0) {
		EXPECT_EQ(records_read_all(&records, fd), 0);
		EXPECT_EQ(control_get_app(pid, &app), 0);
		EXPECT_EQ(app.tasks, 0);
	}
	EXPECT_EQ(worker_wait(pid), 0);
	if (fd >= 0) {
		EXPECT_EQ(records_read(&records, fd, KERMON_RECORD_MAX, 0), 0);
		close(fd);
	}
	records_tally(&records, 0, &tally);
	EXPECT_EQ(tally.broken, 0);
	free(records.data);
	return tally.by_reason[KERMON_REASON_EXIT];
}

/*
 * Attach at each stage of the exit, repeatedly, so that some threads exit while
 * others join.
 */
TEST(threads_end_meanwhile)
{
	unsigned int i, some = 0;

	for (i = 0; i < NR_ENDS || (!some && i < 10 * NR_ENDS); i++) {
		unsigned int us = i % NR_ENDS * END_STEP_US;
		uint64_t ends = attach_to_mortals(_metadata, us);

		some += ends > 0 && ends < NR_MORTALS;
	}
	TH_LOG("%u of %u attached to some threads", some, i);
	EXPECT_GT(some, 0);
}

#define NR_SLEEPERS	3

/* A process whose threads, including the main one, are waiting. */
struct sleepers {
	pid_t tids[NR_SLEEPERS];
	uid_t uid;
	bool leaderless;
	unsigned int ready;
};

static struct sleepers *sleepers;

static void sleeper(uint64_t which, void *data)
{
	struct timespec forever = { 1000, 0 };

	(void)data;
	/*
	 * Let the last thread belong to another user; the system call affects
	 * one thread only.
	 */
	if (sleepers->uid && which == NR_SLEEPERS - 1) {
		syscall(SYS_setresuid, sleepers->uid, sleepers->uid,
			sleepers->uid);
		syscall(SYS_prctl, PR_SET_DUMPABLE, 1);
	}
	__atomic_add_fetch(&sleepers->ready, 1, __ATOMIC_RELEASE);
	for (;;)
		syscall(SYS_nanosleep, &forever, NULL);
}

static int sleep_all(void *arg)
{
	static char stacks[NR_SLEEPERS][CREATOR_STACK]
		__attribute__((aligned(64)));
	unsigned int i;

	(void)arg;
	for (i = 0; i < NR_SLEEPERS; i++)
		sleepers->tids[i] = spawn(top_of(stacks[i]), sleeper, i, NULL);
	if (sleepers->leaderless)
		syscall(SYS_exit, 0);
	sleeper(0, NULL);
	return 1;
}

FIXTURE(sleepers)
{
	struct child child;
};

FIXTURE_SETUP(sleepers)
{
	sleepers = mmap(NULL, sizeof(*sleepers), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE((void *)sleepers, MAP_FAILED);
}

FIXTURE_TEARDOWN(sleepers)
{
	child_kill(&self->child);
	munmap(sleepers, sizeof(*sleepers));
}

static void start_sleepers(FIXTURE_DATA(sleepers) *self)
{
	child_start(&self->child, sleep_all, NULL);
	child_go(&self->child);
	while (__atomic_load_n(&sleepers->ready, __ATOMIC_ACQUIRE) <
	       NR_SLEEPERS + (sleepers->leaderless ? 0U : 1U))
		sleep_us(100);
	if (sleepers->leaderless)
		wait_until_state(self->child.pid, 'Z');
}

static pid_t exited_tid(const struct records *records, unsigned int i)
{
	struct tally tally;

	records_tally(records, sleepers->tids[i], &tally);
	return tally.last_reason == KERMON_REASON_EXIT ? sleepers->tids[i] : 0;
}

/* The log of @fd, read to its end, has the exit of all threads. */
static void expect_all_end(struct __test_metadata *_metadata,
			   FIXTURE_DATA(sleepers) *self, int fd)
{
	struct records records = {};
	unsigned int i;

	child_kill(&self->child);
	ASSERT_EQ(records_read_all(&records, fd), 0);
	for (i = 0; i < NR_SLEEPERS; i++)
		EXPECT_EQ(exited_tid(&records, i), sleepers->tids[i]);
	free(records.data);
}

TEST_F(sleepers, any_thread_names_the_process)
{
	int fd;

	start_sleepers(self);
	fd = attach(sleepers->tids[1]);
	ASSERT_GE(fd, 0);
	expect_all_end(_metadata, self, fd);
	close(fd);
}

TEST_F(sleepers, main_thread_has_exited)
{
	int fd;

	sleepers->leaderless = true;
	start_sleepers(self);
	EXPECT_EQ(monitor(self->child.pid), -1);
	EXPECT_EQ(errno, ESRCH);
	fd = attach(self->child.pid);
	ASSERT_GE(fd, 0);
	expect_all_end(_metadata, self, fd);
	close(fd);
}

TEST_F(sleepers, one_is_monitored_already)
{
	int one, fd;
	unsigned int i;

	start_sleepers(self);
	one = monitor(sleepers->tids[1]);
	ASSERT_GE(one, 0);
	EXPECT_EQ(attach(self->child.pid), -1);
	EXPECT_EQ(errno, EALREADY);
	for (i = 0; i < NR_SLEEPERS; i += 2) {
		fd = monitor(sleepers->tids[i]);
		EXPECT_GE(fd, 0) TH_LOG("thread %u: %s", i, strerror(errno));
		close(fd);
	}
	close(one);
	fd = attach(self->child.pid);
	EXPECT_GE(fd, 0);
	EXPECT_EQ(monitor(sleepers->tids[0]), -1);
	EXPECT_EQ(errno, EALREADY);
	close(fd);
}

/* errno of set_events() by another user; 0 for success. */
static int monitor_as(uid_t uid, pid_t pid, unsigned int flags)
{
	struct kermon_event_set set = time_set();
	int status;
	pid_t child = fork();

	if (!child) {
		if (setresuid(uid, uid, uid))
			_exit(255);
		_exit(set_events(pid, &set, sizeof(set), flags) < 0 ? errno : 0);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

/* Each thread has credentials of its own. */
TEST_F(sleepers, one_is_of_another_user)
{
	const pid_t *one = &sleepers->tids[NR_SLEEPERS - 1];

	if (geteuid())
		SKIP(return, "only root has threads of several users");
	sleepers->uid = NOBODY;
	start_sleepers(self);
	EXPECT_EQ(monitor_as(NOBODY, *one, 0), 0);
	EXPECT_EQ(monitor_as(NOBODY, *one, KERMON_FLAG_PROCESS), EPERM);
	EXPECT_EQ(monitor_as(0, *one, KERMON_FLAG_PROCESS), 0);
}

TEST_F(sleepers, nobody_is_left)
{
	pid_t pid;

	start_sleepers(self);
	pid = self->child.pid;
	kill(pid, SIGKILL);
	while (!worker_ended(pid))
		sleep_us(100);
	EXPECT_EQ(attach(pid), -1);
	EXPECT_EQ(errno, ESRCH);
}

TEST_HARNESS_MAIN
