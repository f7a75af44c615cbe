// SPDX-License-Identifier: GPL-2.0
/*
 * The class on loan (KERMON_FLAG_LEND_CLASS): what is moved into it with an application
 * leaves it with that, however it ends, and nothing else does.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "credentials.h"
#include "lent.h"
#include "log.h"
#include "worker.h"

/* A copy of this program; its exit status is its own policy. */
#define PROGRAM		"/tmp/kermon-lent"

#define NICE		7
#define PRIORITY	3
#define NR_CHAINS	4
#define NR_ROUNDS	40

/**
 * struct family - what tasks of a test report, in shared memory
 * @thread: a thread of the first process
 * @child: a child of it
 * @batch: one that has left the class by itself
 * @ready: they have been created
 * @stop: all shall end
 * @policies: of the last task of each chain
 * @ended: number of chains that have ended
 */
struct family {
	pid_t thread;
	pid_t child;
	pid_t batch;
	int ready;
	int stop;
	int policies[NR_CHAINS];
	int ended;
};

static struct family *family;

static int nice_of(pid_t tid)
{
	return getpriority(PRIO_PROCESS, tid);
}

static bool is_over(void)
{
	return __atomic_load_n(&family->stop, __ATOMIC_ACQUIRE);
}

FIXTURE(loan)
{
	struct child child;
};

FIXTURE_SETUP(loan)
{
	family = mmap(NULL, sizeof(*family), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)family);
	self->child = (struct child){ .go = -1 };
}

FIXTURE_TEARDOWN(loan)
{
	say(&family->stop, 1);
	child_kill(&self->child);
	munmap(family, sizeof(*family));
}

static pid_t fork_waiting(void)
{
	const pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wait_here(NULL);
	}
	return pid;
}

static void *wait_in_thread(void *arg)
{
	say(&family->thread, syscall(SYS_gettid));
	wait_here(arg);
	return NULL;
}

static int have_a_family(void *arg)
{
	pthread_t thread;

	family->child = fork_waiting();
	family->batch = fork_waiting();
	if (set_policy(family->batch, SCHED_BATCH, 0) ||
	    setpriority(PRIO_PROCESS, family->child, NICE) ||
	    pthread_create(&thread, NULL, wait_in_thread, NULL))
		return 1;
	while (!__atomic_load_n(&family->thread, __ATOMIC_ACQUIRE))
		usleep(500);
	say(&family->ready, 1);
	return wait_here(arg);
}

/* Takes the loan for @pid, and keeps it until it is killed. */
static pid_t start_holder(pid_t pid, unsigned int flags)
{
	int ready[2];
	pid_t holder;
	char byte;

	if (pipe(ready))
		return -1;
	holder = fork();
	if (!holder) {
		if (lend(pid, flags) >= 0)
			write(ready[1], "", 1);
		close(ready[1]);
		pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		holder = -1;
	close(ready[0]);
	return holder;
}

/* Its descriptors are closed when it can be waited for. */
static void kill_holder(pid_t holder)
{
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
}

TEST_F(loan, ends_when_the_holder_is_killed)
{
	pid_t holder;

	child_start(&self->child, have_a_family, NULL);
	holder = start_holder(self->child.pid, 0);
	ASSERT_LT(0, holder);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(self->child.pid));
	EXPECT_EQ(0, setpriority(PRIO_PROCESS, self->child.pid, -NICE));
	child_go(&self->child);
	wait_for(&family->ready, 1);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(family->thread));
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(family->child));
	EXPECT_EQ(SCHED_BATCH, sched_getscheduler(family->batch));

	kill_holder(holder);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->thread));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->child));
	EXPECT_EQ(SCHED_BATCH, sched_getscheduler(family->batch));
	EXPECT_EQ(-NICE, nice_of(self->child.pid));
	EXPECT_EQ(NICE, nice_of(family->child));
}

TEST_F(loan, covers_the_process)
{
	pid_t holder;

	child_start(&self->child, have_a_family, NULL);
	child_go(&self->child);
	wait_for(&family->ready, 1);
	holder = start_holder(family->thread, KERMON_FLAG_PROCESS);
	ASSERT_LT(0, holder);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(self->child.pid));
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(family->thread));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->child));
	kill_holder(holder);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->thread));
}

TEST_F(loan, lasts_as_long_as_any_descriptor)
{
	int first, second;

	child_start(&self->child, wait_here, NULL);
	first = lend(self->child.pid, 0);
	ASSERT_LE(0, first);
	second = set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	ASSERT_LE(0, second);
	close(first);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(self->child.pid));
	close(second);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
}

TEST_F(loan, ends_when_it_is_revoked)
{
	struct app_info app;
	int fd;

	child_start(&self->child, have_a_family, NULL);
	fd = lend(self->child.pid, 0);
	ASSERT_LE(0, fd);
	child_go(&self->child);
	wait_for(&family->ready, 1);
	ASSERT_EQ(0, control_get_app(self->child.pid, &app));
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(family->thread));
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(family->child));

	ASSERT_EQ(0, control_revoke(app.id));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->thread));
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(family->child));
	EXPECT_EQ(SCHED_BATCH, sched_getscheduler(family->batch));
	close(fd);
}

/* The policy of a child after @policy, a loan, @then (unless negative), and the end. */
static int policy_after(struct child *child, int policy, int priority, int then)
{
	int fd;

	child_start(child, wait_here, NULL);
	if (set_policy(child->pid, policy, priority))
		return -1;
	fd = lend(child->pid, 0);
	if (fd < 0 || (sched_getscheduler(child->pid) & ~SCHED_RESET_ON_FORK) !=
		       SCHED_KERMON)
		return -2;
	if (then >= 0 && set_policy(child->pid, then, 0))
		return -3;
	close(fd);
	return sched_getscheduler(child->pid);
}

TEST_F(loan, gives_the_policy_back)
{
	struct sched_param param = { 0 };

	EXPECT_EQ(SCHED_BATCH,
		  policy_after(&self->child, SCHED_BATCH, 0, -1));
	child_kill(&self->child);
	EXPECT_EQ(SCHED_IDLE, policy_after(&self->child, SCHED_IDLE, 0, -1));
	child_kill(&self->child);
	EXPECT_EQ(SCHED_OTHER | SCHED_RESET_ON_FORK,
		  policy_after(&self->child, SCHED_OTHER | SCHED_RESET_ON_FORK,
			       0, -1));
	child_kill(&self->child);
	EXPECT_EQ(SCHED_FIFO,
		  policy_after(&self->child, SCHED_FIFO, PRIORITY, -1));
	EXPECT_EQ(0, sched_getparam(self->child.pid, &param));
	EXPECT_EQ(PRIORITY, param.sched_priority);
}

TEST_F(loan, is_not_what_was_done_by_hand)
{
	int fd;

	/* before, */
	EXPECT_EQ(SCHED_KERMON,
		  policy_after(&self->child, SCHED_KERMON, 0, -1));
	child_kill(&self->child);
	/* and later, though it changes nothing, */
	EXPECT_EQ(SCHED_KERMON,
		  policy_after(&self->child, SCHED_OTHER, 0, SCHED_KERMON));
	child_kill(&self->child);
	EXPECT_EQ(SCHED_BATCH,
		  policy_after(&self->child, SCHED_OTHER, 0, SCHED_BATCH));
	child_kill(&self->child);
	/* and out and in again. */
	child_start(&self->child, wait_here, NULL);
	fd = lend(self->child.pid, 0);
	EXPECT_EQ(0, set_policy(self->child.pid, SCHED_OTHER, 0));
	EXPECT_EQ(0, set_policy(self->child.pid, SCHED_KERMON, 0));
	close(fd);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(self->child.pid));
}

/* It has no right to, and a loan is no way around that. */
static int stay_in_the_class(void *arg)
{
	(void)arg;
	become(SOMEBODY, 0);
	if (set_policy(0, SCHED_KERMON, 0))
		return errno;
	say(&family->ready, 1);
	return wait_here(NULL);
}

TEST_F(loan, is_not_kept_by_the_borrower)
{
	int fd;

	child_start(&self->child, stay_in_the_class, NULL);
	fd = lend(self->child.pid, 0);
	ASSERT_LE(0, fd);
	child_go(&self->child);
	wait_for(&family->ready, 1);
	EXPECT_EQ(SCHED_KERMON, sched_getscheduler(self->child.pid));
	close(fd);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
}

/* Returns errno, or 100 more if something has changed in spite of an error. */
static int take_loan(void *arg)
{
	const struct kermon_event_set set = time_set();
	const __u64 *capabilities = arg;
	int fd, error;

	become(SOMEBODY, *capabilities);
	fd = lend(0, 0);
	error = errno;
	if (fd >= 0)
		return sched_getscheduler(0) == SCHED_KERMON ? 0 : 200;
	fd = set_events(0, &set, sizeof(set), 0);
	return error + (fd < 0 || sched_getscheduler(0) != SCHED_OTHER) * 100;
}

static int take_loan_with(struct child *child, __u64 capabilities)
{
	int status;

	child_start(child, take_loan, &capabilities);
	child_go(child);
	status = child_wait(child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(loan, requires_a_capability)
{
	const int level = get_sysctl(PARANOID);

	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	EXPECT_EQ(EPERM, take_loan_with(&self->child, 0));
	EXPECT_EQ(EPERM, take_loan_with(&self->child, CAPABILITY(CAP_PERFMON)));
	EXPECT_EQ(0, take_loan_with(&self->child, CAPABILITY(CAP_SYS_NICE)));
	set_sysctl(PARANOID, level);
}

TEST_F(loan, is_for_new_logs)
{
	const struct kermon_event_set set = time_set();
	int fd;

	child_start(&self->child, wait_here, NULL);
	fd = monitor(self->child.pid);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, set_events(self->child.pid, NULL, 0,
				 KERMON_FLAG_OPEN_LOG | KERMON_FLAG_LEND_CLASS));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, set_events(self->child.pid, &set, sizeof(set),
				 KERMON_FLAG_CHANGE | KERMON_FLAG_LEND_CLASS));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, lend(self->child.pid, 0));
	EXPECT_EQ(EALREADY, errno);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	close(fd);
}

static bool copy_self(void)
{
	int in = open("/proc/self/exe", O_RDONLY);
	int out = open(PROGRAM, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct stat st;
	bool ok;

	ok = !fstat(in, &st) &&
	     sendfile(out, in, NULL, st.st_size) == st.st_size;
	close(in);
	close(out);
	return ok;
}

static int execute(void *arg)
{
	(void)arg;
	become(SOMEBODY, 0);
	execl(PROGRAM, PROGRAM, NULL);
	return 127;
}

/* Executes PROGRAM with @mode on loan; returns the policy that it has. */
static int policy_of_program(struct child *child, mode_t mode)
{
	int status, fd;

	if (!copy_self() || chmod(PROGRAM, mode))
		return -1;
	child_start(child, execute, NULL);
	fd = lend(child->pid, 0);
	child_go(child);
	status = child_wait(child);
	close(fd);
	unlink(PROGRAM);
	return fd >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(loan, ends_with_the_monitoring_of_a_program)
{
	EXPECT_EQ(SCHED_KERMON, policy_of_program(&self->child, 0755));
	EXPECT_EQ(SCHED_OTHER, policy_of_program(&self->child, 04755));
	EXPECT_EQ(SCHED_OTHER, policy_of_program(&self->child, 0711));
}

/* The last one of a chain reports, its policy being that of all before it or worse. */
static void end_chain(intptr_t chain)
{
	say(&family->policies[chain], sched_getscheduler(0));
	__atomic_fetch_add(&family->ended, 1, __ATOMIC_RELEASE);
}

/* Each process creates the next one and exits. */
static void run_chain(int chain)
{
	while (!is_over()) {
		if (fork() > 0)
			_exit(0);
	}
	end_chain(chain);
	_exit(0);
}

/* Each thread creates the next one and exits. */
static void *run_thread_chain(void *arg)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (is_over()) {
		end_chain((intptr_t)arg);
		return NULL;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	while (pthread_create(&thread, &attributes, run_thread_chain, arg))
		sched_yield();
	return NULL;
}

/* Half of the chains are of processes, the others of threads of this one. */
static int run_chains(void *arg)
{
	intptr_t chain;

	(void)arg;
	signal(SIGCHLD, SIG_IGN);
	for (chain = 0; chain < NR_CHAINS; chain++) {
		if (chain % 2)
			run_thread_chain((void *)chain);
		else if (!fork())
			run_chain(chain);
	}
	say(&family->ready, 1);
	return wait_here(NULL);
}

/* Tasks that are created during the release do not get away with it. */
TEST_F(loan, ends_while_tasks_are_created)
{
	int round, chain, fd;

	for (round = 0; round < NR_ROUNDS; round++) {
		memset(family, 0, sizeof(*family));
		child_start(&self->child, run_chains, NULL);
		fd = lend(self->child.pid, 0);
		ASSERT_LE(0, fd);
		child_go(&self->child);
		wait_for(&family->ready, 1);
		usleep(round * 50);
		close(fd);
		say(&family->stop, 1);
		wait_for(&family->ended, NR_CHAINS);
		for (chain = 0; chain < NR_CHAINS; chain++)
			EXPECT_EQ(SCHED_OTHER, family->policies[chain]);
		EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
		child_kill(&self->child);
	}
}

/* Nor are those missed that are created while their process is lent. */
TEST_F(loan, begins_while_tasks_are_created)
{
	int round, chain, fd;

	for (round = 0; round < NR_ROUNDS / 2; round++) {
		memset(family, 0, sizeof(*family));
		child_start(&self->child, run_chains, NULL);
		child_go(&self->child);
		wait_for(&family->ready, 1);
		fd = lend(self->child.pid, KERMON_FLAG_PROCESS);
		ASSERT_LE(0, fd);
		if (round % 2)
			close(fd);
		say(&family->stop, 1);
		wait_for(&family->ended, NR_CHAINS);
		for (chain = 0; chain < NR_CHAINS; chain++)
			EXPECT_EQ(chain % 2 && !(round % 2) ? SCHED_KERMON :
				  SCHED_OTHER, family->policies[chain]);
		child_kill(&self->child);
		if (!(round % 2))
			close(fd);
	}
}

/* Holds a mutex that a real-time task waits for. */
static int hold_mutex(void *arg)
{
	pthread_mutex_t *mutex = arg;

	pthread_mutex_lock(mutex);
	say(&family->ready, 1);
	while (!is_over())
		usleep(500);
	pthread_mutex_unlock(mutex);
	return sched_getscheduler(0);
}

static int want_mutex(void *arg)
{
	pthread_mutex_lock(arg);
	pthread_mutex_unlock(arg);
	return 0;
}

TEST_F(loan, ends_while_a_task_is_boosted)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t *mutex;
	struct child waiter;
	int fd;

	mutex = mmap(NULL, sizeof(*mutex), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)mutex);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	ASSERT_EQ(0, pthread_mutex_init(mutex, &attributes));

	child_start(&self->child, hold_mutex, mutex);
	/* Before there is a descriptor that it would hold, too. */
	child_start(&waiter, want_mutex, mutex);
	EXPECT_EQ(0, set_policy(waiter.pid, SCHED_FIFO, PRIORITY));
	fd = lend(self->child.pid, 0);
	ASSERT_LE(0, fd);
	child_go(&self->child);
	wait_for(&family->ready, 1);
	child_go(&waiter);
	wait_until_off_cpu(waiter.pid);
	close(fd);
	EXPECT_EQ(SCHED_OTHER, sched_getscheduler(self->child.pid));
	say(&family->stop, 1);
	EXPECT_EQ(0, child_wait(&waiter));
	EXPECT_EQ(SCHED_OTHER, WEXITSTATUS(child_wait(&self->child)));
	munmap(mutex, sizeof(*mutex));
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[0], PROGRAM))
		return sched_getscheduler(0);
	return test_harness_run(argc, argv);
}
