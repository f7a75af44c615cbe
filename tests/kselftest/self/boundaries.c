// SPDX-License-Identifier: GPL-2.0
/*
 * A thread is switched out at each instruction of a read, one in each run: it stays on its
 * CPU or continues on another, while others count the same events on both; or a signal
 * handler reads by the same struct kermon_self. Each count must be right.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "subject.h"
#include "worker.h"

#define ROUNDS		1000
#define OTHER_ROUNDS	333
#define MAX_BOUNDARIES	128
#define BREAKPOINT	0xcc

/* The first byte of a conditional jump that has 6 bytes instead of 2. */
#define NEAR_JUMP	0x0f

/* What happens at a boundary, if it is not a move to that CPU. */
#define SIGNALLED	(-1)

/* The reads under test. */
static __attribute__((noinline)) int read_one(struct kermon_self *self,
					      unsigned int i, uint64_t *count)
{
	return kermon_read(self, i, count);
}

/* With a fixed counter, or an event that is also in the code around. */
static __attribute__((noinline)) int read_two(struct kermon_self *self,
					      unsigned int i, uint64_t *count)
{
	uint64_t counts[2];
	int ret = kermon_read_range(self, i ? i - 1 : i, 2, counts);

	*count = counts[!!i];
	return ret;
}

typedef int (*read_fn)(struct kermon_self *self, unsigned int i, uint64_t *count);

/**
 * struct order - what the subject does
 * @read: how it reads
 * @event: which event
 */
struct order {
	read_fn read;
	unsigned int event;
};

/* What the handler of the subject needs. */
static struct kermon_self *handled_self;
static struct readings *handled_readings;
static unsigned int handled_count;

static void read_in_handler(int signal)
{
	uint64_t count = 0;
	int error = kermon_read(handled_self, handled_count, &count);

	handled_readings->counts[2].values[0] = count;
	handled_readings->nr++;
	handled_readings->error = handled_readings->error ?: error;
	(void)signal;
}

static void read_twice(struct kermon_self *self, struct readings *readings, void *data)
{
	const struct order *order = data;
	unsigned int i = self->page->nr_fixed + order->event;
	uint64_t before, after;
	int error;

	handled_self = self;
	handled_readings = readings;
	handled_count = i;
	signal(SIGUSR1, read_in_handler);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	readings->fast = kermon_self_is_fast(self);
	readings->error = kermon_read(self, i, &before);
	raise(SIGSTOP);
	subject_work(ROUNDS);
	error = order->read(self, i, &after);
	readings->error = readings->error ?: error;
	readings->counts[0].values[0] = before;
	readings->counts[1].values[0] = after;
}

static bool stopped_by(pid_t pid, int signal)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == signal;
}

static uintptr_t ip_of(pid_t pid)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	return regs.rip;
}

static void set_ip(pid_t pid, uintptr_t ip)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	regs.rip = ip;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

static long text_at(pid_t pid, uintptr_t ip)
{
	return ptrace(PTRACE_PEEKTEXT, pid, ip, NULL);
}

/* Replace the byte at @ip; the text before. */
static long poke(pid_t pid, uintptr_t ip, uint8_t byte)
{
	long text = text_at(pid, ip);

	ptrace(PTRACE_POKETEXT, pid, ip, (text & ~0xffL) | byte);
	return text;
}

/* Let the subject run to @ip, and take the breakpoint away again. */
static bool run_to(pid_t pid, uintptr_t ip)
{
	long text = poke(pid, ip, BREAKPOINT);

	ptrace(PTRACE_CONT, pid, NULL, NULL);
	if (!stopped_by(pid, SIGTRAP) || ip_of(pid) != ip + 1)
		return false;
	ptrace(PTRACE_POKETEXT, pid, ip, text);
	set_ip(pid, ip);
	return true;
}

static uintptr_t step(pid_t pid)
{
	ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
	return stopped_by(pid, SIGTRAP) ? ip_of(pid) : 0;
}

/* Whether @ip is among the @nr addresses at @boundaries. */
static bool is_known(const uintptr_t *boundaries, unsigned int nr, uintptr_t ip)
{
	while (nr--)
		if (boundaries[nr] == ip)
			return true;
	return false;
}

/* Behind the jump at @ip. */
static uintptr_t behind(pid_t pid, uintptr_t ip)
{
	return ip + ((text_at(pid, ip) & 0xff) == NEAR_JUMP ? 6 : 2);
}

/*
 * The instructions of the read: by single steps until it repeats itself, which it does
 * since each step switches the subject out. From the jump back the subject runs to its end
 * undisturbed, and stops behind it; then by single steps to where it was called.
 */
static unsigned int find_boundaries(pid_t pid, read_fn read, uintptr_t *boundaries)
{
	struct user_regs_struct regs;
	unsigned int nr = 0;
	uintptr_t ip, end;

	if (!run_to(pid, (uintptr_t)read))
		return 0;
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	end = ptrace(PTRACE_PEEKDATA, pid, regs.rsp, NULL);
	for (ip = regs.rip; ip && nr < MAX_BOUNDARIES && !is_known(boundaries, nr, ip);
	     ip = step(pid))
		boundaries[nr++] = ip;
	if (!nr || !run_to(pid, behind(pid, boundaries[nr - 1])))
		return 0;
	for (ip = ip_of(pid); ip && ip != end && nr < MAX_BOUNDARIES; ip = step(pid))
		boundaries[nr++] = ip;
	return ip ? nr : 0;
}

/* What others count meanwhile. */
static void disturb(int cpu)
{
	pin(0, cpu);
	subject_work(OTHER_ROUNDS);
}

/* Switch the subject, which is stopped, to @cpu, and count on both. */
static void move(pid_t pid, int cpu)
{
	disturb(0);
	disturb(1);
	pin(pid, cpu);
	disturb(0);
	pin(0, 0);
}

FIXTURE(boundaries) {
	struct subject subject;
	struct order order;
};

FIXTURE_VARIANT(boundaries) {
	read_fn read;
	int cpu;
};

FIXTURE_VARIANT_ADD(boundaries, preempted) { .read = read_one, .cpu = 0 };
FIXTURE_VARIANT_ADD(boundaries, migrated) { .read = read_one, .cpu = 1 };
FIXTURE_VARIANT_ADD(boundaries, two_preempted) { .read = read_two, .cpu = 0 };
FIXTURE_VARIANT_ADD(boundaries, two_migrated) { .read = read_two, .cpu = 1 };
FIXTURE_VARIANT_ADD(boundaries, signalled) { .read = read_one, .cpu = SIGNALLED };
FIXTURE_VARIANT_ADD(boundaries, two_signalled) { .read = read_two, .cpu = SIGNALLED };

FIXTURE_SETUP(boundaries)
{
	self->subject.readings = NULL;
	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	if (!pages_are_shown())
		SKIP(return, "all reads are system calls");
	self->order = (struct order){ variant->read, subject_lone_event() };
}

FIXTURE_TEARDOWN(boundaries)
{
	if (self->subject.readings)
		subject_end(&self->subject);
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(boundaries) *self)
{
	struct kermon_event_set set = subject_set(0);

	ASSERT_EQ(subject_start(&self->subject, &set, read_twice, &self->order), 0)
		TH_LOG("%s", strerror(errno));
	subject_go(&self->subject);
	ASSERT_TRUE(stopped_by(self->subject.pid, SIGSTOP));
}

/* Let the subject continue, with @signal or 0. */
static void check(struct __test_metadata *_metadata, FIXTURE_DATA(boundaries) *self,
		  int signal)
{
	const struct readings *readings = self->subject.readings;
	enum quantity quantity = subject_quantities(0)->quantities[self->order.event];
	const uint64_t expected = ROUNDS * subject_round(quantity);

	ptrace(PTRACE_CONT, self->subject.pid, NULL, (long)signal);
	ASSERT_EQ(subject_wait(&self->subject), 0);
	EXPECT_EQ(readings->error, 0);
	EXPECT_TRUE(readings->fast);
	EXPECT_EQ(subject_delta(readings, 0, 1, 0), expected);
	ASSERT_EQ(readings->nr, signal ? 1 : 0);
	if (signal)
		EXPECT_EQ(subject_delta(readings, 0, 2, 0), expected);
	subject_end(&self->subject);
	self->subject.readings = NULL;
}

TEST_F(boundaries, of_a_read)
{
	const bool signalled = variant->cpu == SIGNALLED;
	uintptr_t boundaries[MAX_BOUNDARIES];
	unsigned int i, nr;

	start(_metadata, self);
	nr = find_boundaries(self->subject.pid, variant->read, boundaries);
	ASSERT_GE(nr, 15);
	ASSERT_LT(nr, MAX_BOUNDARIES);
	check(_metadata, self, 0);
	TH_LOG("%u boundaries", nr);
	for (i = 0; i < nr; i++) {
		start(_metadata, self);
		ASSERT_TRUE(run_to(self->subject.pid, boundaries[i]));
		if (!signalled)
			move(self->subject.pid, variant->cpu);
		check(_metadata, self, signalled ? SIGUSR1 : 0);
	}
}

TEST_HARNESS_MAIN
