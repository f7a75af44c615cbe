// SPDX-License-Identifier: GPL-2.0
/*
 * Ownership of the PMU over time; no task is missed, and nothing remains
 * afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "oracle.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define NR_NAPS		200
#define NR_CHILDREN	3
#define NR_THREADS	3
#define STACK_SIZE	16384
#define MAX_CPUS	16
#define MAX_COUNTERS	16
#define SELECTOR_ENABLE	(1ULL << 22)

/* Sleep for a millisecond on each CPU. */
static void nap(void *data)
{
	int i;

	(void)data;
	for (i = 0; i < NR_NAPS; i++) {
		if (!(i % 10))
			pin(0, i / 10 % cpus_online());
		sleep_us(1000);
	}
}

static int count_events(pid_t pid)
{
	struct kermon_event_set set = event_set_of(quantity_set(0));

	return set_events(pid, &set, sizeof(set), 0);
}

static int pmu_owner(void)
{
	struct machine_info info;

	return control_get_info(&info) ? -1 : (int)info.pmu_owner;
}

/* While KerMon counts. */
static int kermons(void)
{
	return counters_are_shared() ? KERMON_PMU_SHARED : KERMON_PMU_KERMON;
}

TEST(perf_has_the_pmu)
{
	int perf = oracle_hold_pmu();
	int fd;

	ASSERT_GE(perf, 0);
	EXPECT_EQ(pmu_owner(), KERMON_PMU_OTHER);
	if (counters_are_shared()) {
		fd = count_events(0);
		EXPECT_GE(fd, 0);
		EXPECT_EQ(pmu_owner(), KERMON_PMU_SHARED);
		close(fd);
	} else {
		EXPECT_EQ(count_events(0), -1);
		EXPECT_EQ(errno, EBUSY);
	}
	close(perf);
	EXPECT_EQ(pmu_owner(), KERMON_PMU_FREE);
	fd = count_events(0);
	EXPECT_GE(fd, 0);
	close(fd);
}

TEST(kermon_has_the_pmu)
{
	int fd = count_events(0);
	int perf;

	ASSERT_GE(fd, 0);
	EXPECT_EQ(pmu_owner(), kermons());
	perf = oracle_hold_pmu();
	EXPECT_EQ(perf >= 0, counters_are_shared());
	if (perf >= 0)
		close(perf);
	else
		EXPECT_EQ(errno, EBUSY);
	close(fd);
	EXPECT_EQ(pmu_owner(), KERMON_PMU_FREE);
	perf = oracle_hold_pmu();
	EXPECT_GE(perf, 0);
	close(perf);
}

/* No event reaches a register unchecked. */
TEST(bad_events)
{
	struct kermon_event event = { .config = 0x1003c };
	struct kermon_event_set set = plain_set();
	struct machine_info info;

	ASSERT_EQ(control_get_info(&info), 0);
	set.nr_events = 1;
	set.events = (uintptr_t)&event;
	event.config = 0x1003c | 1 << 20;
	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, EINVAL);
	event.config = 0x1003c;
	event.extra = 1;
	EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
	EXPECT_EQ(errno, EINVAL);
	set.nr_events = info.counters + 1;
	if (set.nr_events <= KERMON_MAX_EVENTS) {
		struct kermon_event events[KERMON_MAX_EVENTS];
		unsigned int i;

		for (i = 0; i < set.nr_events; i++)
			events[i] = (struct kermon_event){ .config = 0x1003c };
		set.events = (uintptr_t)events;
		EXPECT_EQ(set_events(0, &set, sizeof(set), 0), -1);
		EXPECT_EQ(errno, ENOSPC);
	}
	EXPECT_EQ(pmu_owner(), KERMON_PMU_FREE);
}

struct pmu_registers {
	uint64_t fixed_control;
	uint64_t global_control;
	uint64_t status;
	uint64_t selectors[MAX_COUNTERS];
};

static int read_intel(int cpu, struct pmu_registers *regs)
{
	return register_read(cpu, MSR_FIXED_CTR_CTRL, &regs->fixed_control) |
	       register_read(cpu, MSR_PERF_GLOBAL_CTRL, &regs->global_control) |
	       register_read(cpu, MSR_PERF_GLOBAL_STATUS, &regs->status);
}

/* Zen 3 has no global registers: they read as 0, or cannot be read. */
static void read_amd(int cpu, struct pmu_registers *regs)
{
	register_read(cpu, MSR_CNTR_GLOBAL_CTL, &regs->global_control);
	register_read(cpu, MSR_CNTR_GLOBAL_STATUS, &regs->status);
}

static int read_pmu(int cpu, unsigned int counters, struct pmu_registers *regs)
{
	unsigned int i;
	int ret = 0;

	memset(regs, 0, sizeof(*regs));
	if (cpu_is_amd())
		read_amd(cpu, regs);
	else
		ret = read_intel(cpu, regs);
	for (i = 0; i < counters; i++)
		ret |= register_read(cpu, selector_register(i),
				     &regs->selectors[i]);
	return ret;
}

/*
 * perf stops the counters that it no longer uses, but leaves it at that: events and
 * global control remain.
 */
static void forget_what_perf_leaves(struct pmu_registers *regs)
{
	unsigned int i;

	regs->global_control = 0;
	for (i = 0; i < MAX_COUNTERS; i++)
		regs->selectors[i] &= SELECTOR_ENABLE;
}

static bool are_equal(struct pmu_registers one, struct pmu_registers other)
{
	if (counters_are_shared()) {
		forget_what_perf_leaves(&one);
		forget_what_perf_leaves(&other);
	}
	return !memcmp(&one, &other, sizeof(one));
}

TEST(registers_are_as_before)
{
	struct pmu_registers before[MAX_CPUS], during, after;
	struct machine_info info;
	int cpus = cpus_online();
	int cpu, fd;
	pid_t pid;

	ASSERT_LE(cpus, MAX_CPUS);
	ASSERT_EQ(control_get_info(&info), 0);
	for (cpu = 0; cpu < cpus; cpu++)
		ASSERT_EQ(read_pmu(cpu, info.counters, &before[cpu]), 0);
	pid = worker_start(nap, NULL);
	fd = count_events(pid);
	ASSERT_GE(fd, 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	for (cpu = 0; cpu < cpus; cpu++) {
		ASSERT_EQ(read_pmu(cpu, info.counters, &during), 0);
		EXPECT_FALSE(are_equal(during, before[cpu]));
	}
	close(fd);
	for (cpu = 0; cpu < cpus; cpu++) {
		ASSERT_EQ(read_pmu(cpu, info.counters, &after), 0);
		EXPECT_TRUE(are_equal(after, before[cpu]));
	}
}

/* Number of counters of @cpu that are not 0. */
static unsigned int counters_left(int cpu, const struct machine_info *info)
{
	unsigned int i, nr = 0;
	uint64_t value;

	for (i = 0; i < info->counters; i++)
		nr += register_read(cpu, counter_register(i), &value) || value;
	for (i = 0; i < info->fixed; i++)
		nr += register_read(cpu, MSR_FIXED_CTR0 + i, &value) || value;
	return nr;
}

/*
 * Other tasks may execute RDPMC, so the counters must be cleared: by perf at a switch
 * to such a task, if they are its own.
 */
TEST(nothing_is_left_in_counters)
{
	struct machine_info info;
	pid_t pid;
	int fd;

	if (counters_are_shared())
		return;

	ASSERT_EQ(control_get_info(&info), 0);
	pid = worker_start(nap, NULL);
	fd = count_events(pid);
	ASSERT_GE(fd, 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	EXPECT_GT(counters_left(0, &info), 0);
	EXPECT_GT(counters_left(1, &info), 0);
	close(fd);
	EXPECT_EQ(counters_left(0, &info), 0);
	EXPECT_EQ(counters_left(1, &info), 0);
}

/* Sleep repeatedly until the byte in shared memory is set. */
static void nap_until_told(void *data)
{
	const char *told = data;

	while (!__atomic_load_n(told, __ATOMIC_ACQUIRE))
		sleep_us(1000);
}

/*
 * When the tool is killed, the application continues and the PMU is released.
 */
TEST(reader_is_killed)
{
	char *told = mmap(NULL, 1, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = worker_start(nap_until_told, told);
	int ready[2], perf;
	pid_t reader;
	char byte;

	ASSERT_NE((void *)told, MAP_FAILED);
	ASSERT_EQ(pipe(ready), 0);
	reader = fork();
	if (reader == 0) {
		if (count_events(pid) >= 0)
			write(ready[1], "", 1);
		pause();
	}
	ASSERT_EQ(read(ready[0], &byte, 1), 1);
	EXPECT_EQ(pmu_owner(), kermons());
	worker_go(pid);
	sleep_us(50000);
	kill(reader, SIGKILL);
	ASSERT_EQ(waitpid(reader, NULL, 0), reader);
	EXPECT_FALSE(worker_ended(pid));
	EXPECT_EQ(pmu_owner(), KERMON_PMU_FREE);
	perf = oracle_hold_pmu();
	EXPECT_GE(perf, 0);
	close(perf);
	__atomic_store_n(told, 1, __ATOMIC_RELEASE);
	EXPECT_EQ(worker_wait(pid), 0);
	munmap(told, 1);
}

/* A log outlives the tasks as long as another descriptor is open. */
TEST(second_descriptor)
{
	struct records records = {};
	pid_t pid = worker_start(nap, NULL);
	int first = count_events(pid);
	int second = set_events(pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	struct tally tally;

	ASSERT_GE(first, 0);
	ASSERT_GE(second, 0);
	EXPECT_EQ(count_events(pid), -1);
	EXPECT_EQ(errno, EALREADY);
	close(first);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	EXPECT_EQ(records_read_all(&records, second), 0);
	records_tally(&records, 0, &tally);
	EXPECT_GT(tally.by_reason[KERMON_REASON_SLEEP], NR_NAPS / 2);
	EXPECT_EQ(tally.last_reason, KERMON_REASON_EXIT);
	EXPECT_EQ(tally.broken, 0);
	close(second);
	free(records.data);
}

/**
 * struct family - tasks created by a worker, in shared memory
 */
struct family {
	pid_t children[NR_CHILDREN];
	pid_t threads[NR_THREADS];
};

/* Execute this program to list its tests to /dev/null. */
static void become_another_program(void)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execl("/proc/self/exe", "another", "-l", NULL);
	_exit(1);
}

static void multiply(void *data)
{
	static char stacks[NR_THREADS][STACK_SIZE]
		__attribute__((aligned(64)));
	struct family *family = data;
	int i;

	for (i = 0; i < NR_CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0)
			become_another_program();
		family->children[i] = pid;
	}
	for (i = 0; i < NR_THREADS; i++)
		family->threads[i] = spawn(stacks[i] + STACK_SIZE,
					   code_arithmetic, 1000, NULL);
	for (i = 0; i < NR_CHILDREN; i++)
		waitpid(family->children[i], NULL, 0);
}

static uint64_t samples_of(const struct records *records, pid_t tid,
			   uint64_t execs, bool *exited)
{
	struct tally tally;

	records_tally(records, tid, &tally);
	*exited = tally.last_reason == KERMON_REASON_EXIT &&
		  tally.by_reason[KERMON_REASON_EXIT] == 1 &&
		  tally.by_reason[KERMON_REASON_EXEC] == execs;
	return tally.samples;
}

TEST(everybody_is_accounted)
{
	struct family *family = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct records records = {};
	pid_t pid = worker_start(multiply, family);
	struct tally all;
	uint64_t samples;
	bool exited;
	int fd, i;

	ASSERT_NE((void *)family, MAP_FAILED);
	fd = count_events(pid);
	ASSERT_GE(fd, 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&records, fd), 0);
	samples = samples_of(&records, pid, 0, &exited);
	EXPECT_TRUE(exited);
	for (i = 0; i < NR_CHILDREN; i++) {
		samples += samples_of(&records, family->children[i], 1,
				      &exited);
		EXPECT_TRUE(exited) TH_LOG("child %d", i);
	}
	for (i = 0; i < NR_THREADS; i++) {
		samples += samples_of(&records, family->threads[i], 0,
				      &exited);
		EXPECT_TRUE(exited) TH_LOG("thread %d", i);
	}
	records_tally(&records, 0, &all);
	EXPECT_EQ(all.broken, 0);
	EXPECT_EQ(all.samples, samples);
	close(fd);
	free(records.data);
	munmap(family, 4096);
}

/* In the root of the test guest, else as set in the environment. */
static const char *module_path(void)
{
	const char *path = getenv("KERMON_KO");

	return path ? path : "/kermon.ko";
}

static int load(const char *path, bool share)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -1;
	ret = syscall(SYS_finit_module, fd, share ? "" : "share=0", 0);
	close(fd);
	return ret;
}

static int unload(void)
{
	return syscall(SYS_delete_module, "kermon", O_NONBLOCK);
}

TEST(module_comes_and_goes)
{
	const bool share = counters_are_shared();
	const char *path = module_path();
	int fd, i;
	pid_t pid;

	if (access(path, R_OK))
		SKIP(return, "no %s to load again", path);
	for (i = 0; i < 5; i++) {
		pid = worker_start(nap, NULL);
		fd = count_events(pid);
		ASSERT_GE(fd, 0);
		worker_go(pid);
		EXPECT_EQ(unload(), -1);
		EXPECT_EQ(errno, EWOULDBLOCK);
		close(fd);
		ASSERT_EQ(unload(), 0) TH_LOG("unload: %s", strerror(errno));
		EXPECT_EQ(count_events(pid), -1);
		EXPECT_EQ(errno, ENODEV);
		ASSERT_EQ(load(path, share), 0) TH_LOG("load: %s", strerror(errno));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

TEST_HARNESS_MAIN
