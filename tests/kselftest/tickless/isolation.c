// SPDX-License-Identifier: GPL-2.0
/*
 * CPU 1 is isolated: tasks run there only if they ask to. Nobody disturbs it who monitors
 * others, however often; where a monitored task comes to it, it counts.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"
#include "quantities.h"
#include "tally.h"
#include "worker.h"

#define NR_APPS		1000
#define ROUNDS		200000
#define LOG_BYTES	(1 << 20)
#define QUIET_US	2500000
#define NR_STEPS	20
#define SCHEDSTATS	"/proc/sys/kernel/sched_schedstats"
#define GROUP		"/sys/fs/cgroup/isolation"

/**
 * struct disturbance - what has happened on CPU 1
 * @interrupts: by other CPUs
 * @switches: of tasks
 */
struct disturbance {
	long interrupts;
	long switches;
};

/* The value of CPU 1 in a line of /proc/interrupts that tells about a call by another. */
static long calls_in(const char *line)
{
	char name[8];
	long n;

	if (sscanf(line, " %7[^:]: %*d %ld", name, &n) != 2)
		return 0;
	return strstr("CAL RES TLB IWI", name) ? n : 0;
}

static void disturbance_read(struct disturbance *disturbance)
{
	FILE *file = fopen("/proc/interrupts", "re");
	char line[512];

	disturbance->interrupts = 0;
	disturbance->switches = -1;
	while (file && fgets(line, sizeof(line), file))
		disturbance->interrupts += calls_in(line);
	if (file)
		fclose(file);
	file = fopen("/proc/schedstat", "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "cpu1 %*d %*d %ld", &disturbance->switches);
	if (file)
		fclose(file);
}

static bool write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	return file && fputs(text, file) >= 0 && !fclose(file);
}

FIXTURE(isolation)
{
	struct kermon_event_set set;
	struct records records;
	struct disturbance before;
	uint64_t rounds;
	pid_t pid;
	int fd;
	bool shared;
};

FIXTURE_VARIANT(isolation)
{
	bool shared;
};

FIXTURE_VARIANT_ADD(isolation, shared) { .shared = true };
FIXTURE_VARIANT_ADD(isolation, raw) { .shared = false };

static void arithmetic(void *data)
{
	const uint64_t *rounds = data;

	code_arithmetic(*rounds, NULL);
}

/* The same with breaks, hence in several intervals. */
static void in_steps(void *data)
{
	const uint64_t *rounds = data;
	int i;

	for (i = 0; i < NR_STEPS; i++) {
		code_arithmetic(*rounds / NR_STEPS, NULL);
		sleep_us(1000);
	}
}

/* Nobody has restricted it: the kernel keeps tasks away from isolated CPUs. */
static bool may_run_on(int cpu)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_ISSET(cpu, &cpus);
}

FIXTURE_SETUP(isolation)
{
	int fd;

	self->shared = counters_are_shared();
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	share_counters(variant->shared);
	ASSERT_FALSE(may_run_on(1));
	ASSERT_TRUE(write_file(SCHEDSTATS, "1"));
	self->set = event_set_of(quantity_set(0));
	self->rounds = ROUNDS;
	self->pid = worker_start(arithmetic, &self->rounds);
	ASSERT_GT(self->pid, 0);
	/* The hooks are patched into the kernel for the first application. */
	fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	close(fd);
	/* What has run on CPU 1 so far has timers there, such as the deadline server's. */
	sleep_us(QUIET_US);
	disturbance_read(&self->before);
	ASSERT_GE(self->before.switches, 0);
}

FIXTURE_TEARDOWN(isolation)
{
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	free(self->records.data);
	write_file(SCHEDSTATS, "0");
	share_counters(self->shared);
}

static void check_undisturbed(struct __test_metadata *_metadata,
			      FIXTURE_DATA(isolation) *self)
{
	struct disturbance after;

	disturbance_read(&after);
	EXPECT_EQ(after.interrupts - self->before.interrupts, 0);
	EXPECT_EQ(after.switches - self->before.switches, 0);
}

TEST_F(isolation, opened_and_closed)
{
	int i, fd;

	for (i = 0; i < NR_APPS; i++) {
		fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
		ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
		close(fd);
	}
	check_undisturbed(_metadata, self);
}

/* With energy: whether CPU 1 is idle is part of what is sampled. */
TEST_F(isolation, with_energy)
{
	int i, fd;

	self->set.flags |= KERMON_SET_ENERGY;
	fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	close(fd);
	sleep_us(QUIET_US);
	disturbance_read(&self->before);
	for (i = 0; i < NR_APPS / 10; i++) {
		fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
		ASSERT_GE(fd, 0);
		close(fd);
	}
	check_undisturbed(_metadata, self);
}

static void wait_for_end(__attribute__((unused)) void *data)
{
	pause();
}

/* One end of a conversation between processes, in turns of a byte. */
static bool say(int fd)
{
	return write(fd, "", 1) == 1;
}

static bool hear(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1;
}

/**
 * struct many - applications of a user, which all exist at the same time
 * @pids: their tasks
 * @fds: their logs
 */
struct many {
	pid_t pids[NR_APPS];
	int fds[NR_APPS];
};

static void many_begin(struct many *many)
{
	int i;

	for (i = 0; i < NR_APPS; i++)
		many->pids[i] = worker_start(wait_for_end, NULL);
}

static bool many_open(struct many *many, const struct kermon_event_set *set)
{
	int i;

	for (i = 0; i < NR_APPS; i++) {
		many->fds[i] = set_events(many->pids[i], set, sizeof(*set), 0);
		if (many->fds[i] < 0)
			return false;
	}
	return true;
}

static void many_close(struct many *many)
{
	int i;

	for (i = 0; i < NR_APPS; i++)
		close(many->fds[i]);
}

static void many_end(struct many *many)
{
	int i;

	for (i = 0; i < NR_APPS; i++) {
		kill(many->pids[i], SIGKILL);
		waitpid(many->pids[i], NULL, 0);
	}
}

/* An ordinary user, who may count: opens and closes them when told to. Returns errno. */
static int many_of_a_user(const struct kermon_event_set *set, int fd)
{
	static struct many many;

	become(SOMEBODY, 0);
	many_begin(&many);
	say(fd);
	while (hear(fd)) {
		if (!many_open(&many, set))
			return errno;
		say(fd);
		hear(fd);
		many_close(&many);
		say(fd);
	}
	many_end(&many);
	return 0;
}

/* A thousand applications of a user at the same time, more than once. */
TEST_F(isolation, many)
{
	const struct rlimit files = { NR_APPS + 100, NR_APPS + 100 };
	const struct rlimit memory = { RLIM_INFINITY, RLIM_INFINITY };
	struct disturbance after;
	int fds[2], round, status;
	pid_t user;

	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
	ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &memory), 0);
	ASSERT_TRUE(set_counters_group(GROUP_OF_SOMEBODY));
	ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	self->set.log_bytes = KERMON_LOG_MIN_BYTES;
	user = fork();
	if (!user) {
		close(fds[0]);
		_exit(many_of_a_user(&self->set, fds[1]));
	}
	close(fds[1]);
	ASSERT_TRUE(hear(fds[0]));
	for (round = 0; round < 2; round++) {
		sleep_us(QUIET_US);
		disturbance_read(&self->before);
		say(fds[0]);
		ASSERT_TRUE(hear(fds[0]));
		check_undisturbed(_metadata, self);
		say(fds[0]);
		ASSERT_TRUE(hear(fds[0]));
		/* Only by mm/percpu.c, which unmaps what is left empty, and flushes TLBs. */
		disturbance_read(&after);
		EXPECT_LE(after.interrupts - self->before.interrupts, NR_APPS / 100);
		EXPECT_EQ(after.switches - self->before.switches, 0);
	}
	close(fds[0]);
	ASSERT_EQ(waitpid(user, &status, 0), user);
	EXPECT_EQ(status, 0) TH_LOG("status %#x", status);
	set_counters_group("1 0");
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(isolation) *self,
		   struct tally *tally)
{
	ASSERT_EQ(worker_wait(self->pid), 0);
	ASSERT_EQ(records_read_all(&self->records, self->fd), 0);
	close(self->fd);
	records_tally(&self->records, 0, tally);
	EXPECT_EQ(tally->reported_lost, 0);
	self->records.len = 0;
}

static uint64_t instructions(const struct tally *tally)
{
	return quantity_set(0)->quantities[0] == INSTRUCTIONS ?
	       tally->events[0] : tally->fixed[0];
}

/* A task that is sent to CPU 1 is counted there from its first instruction on. */
TEST_F(isolation, sent_there)
{
	struct tally tally, none;
	struct disturbance now;

	self->set.log_bytes = LOG_BYTES;
	self->fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(self->fd, 0);
	check_undisturbed(_metadata, self);
	ASSERT_EQ(pin(self->pid, 1), 0);
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	disturbance_read(&now);
	TH_LOG("CPU 1 was interrupted %ld times",
	       now.interrupts - self->before.interrupts);
	EXPECT_EQ(tally.broken, 0);
	EXPECT_EQ(tally.cpus, 2);

	self->rounds = 0;
	self->pid = worker_start(arithmetic, &self->rounds);
	self->fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(self->fd, 0);
	worker_go(self->pid);
	finish(_metadata, self, &none);
	EXPECT_EQ(instructions(&tally) - instructions(&none),
		  arithmetic_round[INSTRUCTIONS] * ROUNDS);
}

/* A control group of CPU 1 only. */
static bool make_group(void)
{
	mkdir("/sys/fs/cgroup", 0755);
	if (mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL) && errno != EBUSY)
		return false;
	return write_file("/sys/fs/cgroup/cgroup.subtree_control", "+cpuset") &&
	       (!mkdir(GROUP, 0755) || errno == EEXIST) &&
	       write_file(GROUP "/cpuset.cpus", "1");
}

/*
 * A control group can send a task there as well, which is noticed when it runs. What is not
 * counted until CPU 1 counts is told. Without perf, the hook itself takes the CPU.
 */
TEST_F(isolation, sent_there_by_a_group)
{
	struct tally tally;
	char pid[16];

	if (!make_group())
		SKIP(return, "no control groups of CPUs");
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	self->pid = worker_start(in_steps, &self->rounds);
	self->set.log_bytes = LOG_BYTES;
	self->fd = set_events(self->pid, &self->set, sizeof(self->set), 0);
	ASSERT_GE(self->fd, 0);
	snprintf(pid, sizeof(pid), "%d", self->pid);
	ASSERT_TRUE(write_file(GROUP "/cgroup.procs", pid));
	worker_go(self->pid);
	finish(_metadata, self, &tally);
	rmdir(GROUP);
	TH_LOG("%llu samples, %llu of them invalid, %llu instructions",
	       (unsigned long long)tally.samples,
	       (unsigned long long)tally.invalid,
	       (unsigned long long)instructions(&tally));
	EXPECT_EQ(tally.broken, tally.invalid);
	if (!variant->shared) {
		EXPECT_EQ(tally.invalid, 0);
		EXPECT_GE(instructions(&tally), arithmetic_round[INSTRUCTIONS] * ROUNDS);
		return;
	}
	EXPECT_GE(tally.invalid, 1);
	EXPECT_GT(tally.samples, 0);
	EXPECT_GT(instructions(&tally), arithmetic_round[INSTRUCTIONS] * ROUNDS / 2);
}

TEST_HARNESS_MAIN
