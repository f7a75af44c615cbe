// SPDX-License-Identifier: GPL-2.0
/*
 * Marks with counts, on any kernel: this program is the kernel. It hands out a page of counts,
 * executes RDPMC, which it may not, in a handler of SIGSEGV, and lets the thread be switched
 * out, sets be rotated, and counts be lost.
 *
 * usage: counted plain | rotate | moved | slow | lost | steps
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <kermon/region.h>
#include <linux/kermon_self.h>

#define PLAN		7
#define FIXED		3
#define VALUES		4

static struct kermon_page *page;
static int page_fd = -1;
static int read_error;

/* What each counter has counted: RDPMC of counter i is i * 1000 and one more each time. */
static uint64_t counters[VALUES];

static void page_turn(unsigned int set)
{
	static uint32_t switches;

	page->set = set;
	page->sequence = (uint64_t)KERMON_COUNTED(PLAN, set) << 32 | ++switches;
}

static int page_make(void)
{
	page_fd = memfd_create("page", 0);
	if (page_fd < 0 || ftruncate(page_fd, KERMON_PAGE_SIZE))
		return -1;
	page = mmap(NULL, KERMON_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, page_fd, 0);
	page->size = sizeof(*page);
	page->plan = PLAN;
	page->nr_sets = 2;
	page->nr_fixed = FIXED;
	page->nr_values = VALUES;
	for (int i = 0; i < VALUES; i++) {
		page->rdpmc[i] = i;
		page->offsets[i] = i * 1000;
	}
	page_turn(0);
	return dup(page_fd);
}

/* The kernel's part: these are found before those of the C library. */
long syscall(long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == KERMON_NR_SET_EVENTS) {
		if (page_fd < 0)
			return page_make();
		errno = ENOENT;
		return -1;
	}
	errno = ENOSYS;
	(void)arguments;
	return -1;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct kermon_counts *counts = buffer;

	if (size != sizeof(*counts) || page_fd < 0)
		return SYS_read == fd ? 0 : -1;
	if (read_error) {
		errno = read_error;
		return -1;
	}
	*counts = (struct kermon_counts){
		.tsc = __builtin_ia32_rdtsc(), .plan = PLAN, .set = page->set,
		.nr_fixed = FIXED, .nr_values = VALUES,
	};
	for (int i = 0; i < VALUES; i++)
		counts->values[i] = page->offsets[i] + ++counters[i];
	return size;
}

static volatile unsigned int steps;

/* The set is another one after so many RDPMC. */
static volatile unsigned int turn_in;

static void on_rdpmc(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)registers[REG_RIP];

	(void)info;
	if (code[0] != 0x0f || code[1] != 0x33 || registers[REG_RCX] >= VALUES) {
		signal(number, SIG_DFL);
		return;
	}
	registers[REG_RAX] = ++counters[registers[REG_RCX]];
	registers[REG_RDX] = 0;
	registers[REG_RIP] += 2;
	steps++;
	if (turn_in && !--turn_in)
		page_turn(1);
}

static void on_step(int number)
{
	(void)number;
	steps++;
}

static inline void step(bool on)
{
	if (on)
		__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq;"
				 "lea 128(%%rsp), %%rsp" : : : "memory", "cc");
	else
		__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq;"
				 "lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

static struct kermon_region *a;

static void pair(void)
{
	kermon_region_begin(a);
	kermon_region_end(a);
}

/* A switch of the thread between two marks does not show. */
static void plain(void)
{
	pair();
	page_turn(0);
	pair();
}

static void rotate(void)
{
	kermon_region_begin(a);
	page_turn(1);
	kermon_region_end(a);
	page_turn(0);
	pair();
}

/* In the middle of a mark, which then has the counts of the other set. */
static void moved(void)
{
	turn_in = 2;
	pair();
}

/* No RDPMC: by system calls. */
static void slow(void)
{
	page->sequence = 0;
	pair();
}

/* From here on, without counts. */
static void lost(void)
{
	kermon_region_begin(a);
	page->sequence = 0;
	read_error = EIO;
	kermon_region_end(a);
	pair();
}

static unsigned int steps_of(void (*function)(struct kermon_region *))
{
	steps = 0;
	step(true);
	function(a);
	step(false);
	return steps;
}

static void nothing(struct kermon_region *region)
{
	__asm__ volatile("" : : "r" (region));
}

static void begin(struct kermon_region *region)
{
	kermon_region_begin(region);
}

static void end(struct kermon_region *region)
{
	kermon_region_end(region);
}

/* Instructions of a mark, without those of calling this function. */
static void count_steps(void)
{
	unsigned int empty;

	signal(SIGTRAP, on_step);
	pair();
	empty = steps_of(nothing);
	printf("begin %u\n", steps_of(begin) - empty);
	printf("end %u\n", steps_of(end) - empty);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_rdpmc, .sa_flags = SA_SIGINFO };
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{ "plain", plain }, { "rotate", rotate }, { "moved", moved },
		{ "slow", slow }, { "lost", lost }, { "steps", count_steps },
	};

	sigaction(SIGSEGV, &action, NULL);
	a = kermon_region("A");
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++) {
		if (!strcmp(cases[i].name, argv[1])) {
			/* The ring is opened, and the page with it. */
			pair();
			cases[i].run();
			return 0;
		}
	}
	return 1;
}
