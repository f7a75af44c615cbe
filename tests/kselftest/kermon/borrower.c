// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that are lent to the class leave it, whatever they or others do to their policy at
 * the same time.
 */
#include <errno.h>
#include <linux/sched/types.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "lent.h"
#include "log.h"

/**
 * struct state - of tasks of a test, in shared memory
 * @ready: how far they are
 * @stop: all shall end
 */
struct state {
	int ready;
	int stop;
};

static struct state *state;

static bool is_set(const int *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

FIXTURE(borrower)
{
	struct child child;
};

FIXTURE_SETUP(borrower)
{
	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)state);
	self->child = (struct child){ .go = -1 };
}

FIXTURE_TEARDOWN(borrower)
{
	say(&state->stop, 1);
	child_kill(&self->child);
	munmap(state, sizeof(*state));
}

#define NR_LOANS	300

static int set_again(void *arg)
{
	const pid_t *pid = arg;

	become(SOMEBODY, 0);
	while (!is_set(&state->stop))
		set_policy(*pid, SCHED_KERMON, 0);
	return 0;
}

static int wait_as_somebody(void *arg)
{
	become(SOMEBODY, 0);
	return wait_here(arg);
}

/*
 * To set the policy that a task has is permitted to its user. When that is no more its policy
 * it must not be, even if the caller was permitted a moment ago.
 */
TEST_F(borrower, is_not_kept_by_setting_it_again)
{
	struct child other;
	pid_t pid;
	int i, fd;

	child_start(&self->child, wait_as_somebody, NULL);
	pid = self->child.pid;
	child_go(&self->child);
	child_start(&other, set_again, &pid);
	child_go(&other);
	for (i = 0; i < NR_LOANS; i++) {
		fd = lend(pid, 0);
		ASSERT_LE(0, fd);
		usleep(100);
		close(fd);
		ASSERT_EQ(SCHED_OTHER, sched_getscheduler(pid));
	}
	say(&state->stop, 1);
	EXPECT_EQ(0, child_wait(&other));
}

/* A call that fails does not end a loan either. */
TEST_F(borrower, is_not_ended_by_a_wrong_slice)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_KERMON,
		.sched_runtime = 1,
	};
	int fd;

	child_start(&self->child, wait_here, NULL);
	fd = lend(self->child.pid, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, syscall(SYS_sched_setattr, self->child.pid, &attr, 0));
	EXPECT_EQ(EINVAL, errno);
	close(fd);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
}

static pthread_mutex_t *shared_lock(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t *lock = mmap(NULL, sizeof(*lock), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attr);
	return lock;
}

static int take_lock(void *arg)
{
	pthread_mutex_lock(arg);
	say(&state->ready, 1);
	while (!is_set(&state->stop))
		usleep(1000);
	pthread_mutex_unlock(arg);
	return wait_here(NULL);
}

/* As a deadline task; returns errno if it cannot be one. */
static int wait_for_lock(void *arg)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_DEADLINE,
		.sched_runtime = 1000000,
		.sched_deadline = 100000000,
		.sched_period = 100000000,
	};

	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		return errno;
	say(&state->ready, 2);
	pthread_mutex_lock(arg);
	pthread_mutex_unlock(arg);
	return 0;
}

/* It has a deadline task's priority meanwhile, when users cannot change its policy. */
TEST_F(borrower, ends_while_the_task_is_boosted)
{
	pthread_mutex_t *lock = shared_lock();
	struct child waiter;
	int fd;

	child_start(&self->child, take_lock, lock);
	/* Before the loan: it must not inherit the descriptor. */
	child_start(&waiter, wait_for_lock, lock);
	fd = lend(self->child.pid, 0);
	ASSERT_LE(0, fd);
	child_go(&self->child);
	wait_for(&state->ready, 1);
	child_go(&waiter);
	wait_for(&state->ready, 2);
	usleep(20000);
	close(fd);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	say(&state->stop, 1);
	EXPECT_EQ(0, child_wait(&waiter));
	munmap(lock, sizeof(*lock));
}

TEST_HARNESS_MAIN
