// SPDX-License-Identifier: GPL-2.0
/*
 * Under icount the TSC counts instructions, in user and kernel mode, including
 * interrupts. The cycle counter must agree with it exactly, whatever the kernel
 * does, as long as the CPU is not idle.
 */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "counter.h"

#define RDPMC_POLICY	"/sys/bus/event_source/devices/cpu/rdpmc"
#define PAGE		4096

static void compute(void)
{
	volatile double sum = 0;
	int i;

	for (i = 0; i < 20000; i++)
		sum = sum + i * 0.5;
}

static void copy(void)
{
	static char from[1 << 20], to[1 << 20];

	__asm__ volatile("rep movsb"
			 : : "S" (from), "D" (to), "c" (sizeof(to)) : "memory");
}

static void system_calls(void)
{
	int i;

	for (i = 0; i < 3000; i++)
		syscall(SYS_getppid);
}

static void pages(void)
{
	char *memory = mmap(NULL, 300 * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (memory == MAP_FAILED)
		exit(1);
	for (i = 0; i < 300; i++)
		memory[i * PAGE] = i;
	munmap(memory, 300 * PAGE);
}

static void processes(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void pipes(void)
{
	char buffer[PAGE] = "";
	int i, fds[2];

	if (pipe(fds))
		exit(1);
	for (i = 0; i < 200; i++)
		if (write(fds[1], buffer, sizeof(buffer)) < 0 ||
		    read(fds[0], buffer, sizeof(buffer)) < 0)
			exit(1);
	close(fds[0]);
	close(fds[1]);
}

static void proc_files(void)
{
	char buffer[PAGE];
	int i, fd;

	for (i = 0; i < 20; i++) {
		fd = open("/proc/self/maps", O_RDONLY);
		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
		close(fd);
	}
}

static void on_signal(int sig)
{
	(void)sig;
}

static void signals(void)
{
	int i;

	signal(SIGUSR1, on_signal);
	for (i = 0; i < 300; i++)
		raise(SIGUSR1);
}

static sigjmp_buf after_fault;

static void on_fault(int sig)
{
	siglongjmp(after_fault, sig);
}

/* Page faults that result in signals. */
static void faults(void)
{
	char *memory = mmap(NULL, PAGE, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile int i;

	signal(SIGSEGV, on_fault);
	for (i = 0; i < 200; i++)
		if (!sigsetjmp(after_fault, 1))
			*(volatile char *)memory;
	munmap(memory, PAGE);
}

/* INT3 traps, so it retires. */
static void breakpoints(void)
{
	int i;

	signal(SIGTRAP, on_signal);
	for (i = 0; i < 200; i++)
		__asm__ volatile("int3");
}

static void yields(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		sched_yield();
}

/* Long enough for many timer interrupts. */
static void interrupts(void)
{
	uint64_t end = __rdtsc() + 50000000;

	while (__rdtsc() < end)
		;
}

static const struct workload {
	const char *name;
	void (*run)(void);
} workloads[] = {
	{ "compute", compute },
	{ "copy", copy },
	{ "system calls", system_calls },
	{ "pages", pages },
	{ "processes", processes },
	{ "pipes", pipes },
	{ "proc files", proc_files },
	{ "signals", signals },
	{ "faults", faults },
	{ "breakpoints", breakpoints },
	{ "yields", yields },
	{ "interrupts", interrupts },
};

struct clocks {
	uint64_t tsc;
	uint64_t cycles;
};

/* Not inlined, so that the distance between the two readings is constant. */
static __attribute__((noinline)) struct clocks read_clocks(uint32_t counter)
{
	struct clocks now;

	now.tsc = __rdtsc();
	now.cycles = __rdpmc(counter);
	return now;
}

static void set_rdpmc_policy(struct __test_metadata *_metadata, const char *policy)
{
	int fd = open(RDPMC_POLICY, O_WRONLY);

	ASSERT_EQ(write(fd, policy, 1), 1);
	close(fd);
}

/*
 * Count cycles on CPU 0, whatever runs there; returns the counter number for
 * RDPMC.
 */
static uint32_t count_cpu(struct __test_metadata *_metadata, int *fd)
{
	struct perf_event_attr attr = event_attr(event_config(CYCLES));
	struct perf_event_mmap_page *page;

	set_rdpmc_policy(_metadata, "2");
	attr.exclude_kernel = 0;
	attr.disabled = 0;
	attr.pinned = 1;
	*fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	ASSERT_GE(*fd, 0);
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, *fd, 0);
	ASSERT_NE(page, MAP_FAILED);
	ASSERT_NE(page->index, 0);
	return page->index - 1;
}

/*
 * Whether the TSC counts the instructions of a loop: twice as many for twice
 * the rounds.
 */
static bool is_icount(void)
{
	uint64_t start, times[2];
	int i, n;

	for (i = 0; i < 2; i++) {
		n = 1000 << i;
		start = __rdtsc();
		__asm__ volatile("1: dec %0; jnz 1b" : "+r" (n));
		times[i] = __rdtsc() - start;
	}
	return times[1] - times[0] == 2000;
}

TEST(cycles_agree_with_icount)
{
	struct clocks before, after;
	uint64_t time, cycles;
	uint32_t counter;
	size_t i;
	int fd;

	ASSERT_EQ(sysconf(_SC_NPROCESSORS_ONLN), 1);
	ASSERT_TRUE(is_icount())
		TH_LOG("the TSC does not count instructions: boot with --icount");
	counter = count_cpu(_metadata, &fd);
	for (i = 0; i < ARRAY_SIZE(workloads); i++) {
		before = read_clocks(counter);
		workloads[i].run();
		after = read_clocks(counter);
		time = after.tsc - before.tsc;
		cycles = after.cycles - before.cycles;
		EXPECT_GT(cycles, 1000);
		EXPECT_EQ(cycles, time)
			TH_LOG("%s", workloads[i].name);
	}
	close(fd);
	/* Otherwise each switch costs more while counters are shared with perf. */
	set_rdpmc_policy(_metadata, "1");
}

TEST_HARNESS_MAIN
