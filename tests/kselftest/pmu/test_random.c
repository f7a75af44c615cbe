// SPDX-License-Identifier: GPL-2.0
/*
 * Thousands of random programs, composed of the sequences, loops, and jumps
 * over code that must not be counted, starting at random offsets in a page. The
 * generator knows their counts; single-stepping with ptrace verifies the number
 * of instructions independently.
 */
#include "kselftest_harness.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "sequence.h"

#define CODE_SIZE	(16 * 4096)
#ifndef PROGRAMS
#define PROGRAMS	1000	/* per group of events */
#endif
#define STEPPED		30

static unsigned int rng;	/* fixed seed: the same programs in every run */

static unsigned int random_below(unsigned int n)
{
	rng = rng * 1103515245 + 12345;
	return (rng >> 16) % n;
}

static void count(struct program *program, enum event event, uint64_t n)
{
	program->counts[event] += n;
	if (event == INSTRUCTIONS) {
		program->counts[CYCLES] += n;
		program->counts[REF_CYCLES] += n;
	}
}

static const struct sequence *random_sequence(void)
{
	static unsigned int nr;

	if (!nr)
		while (sequences[nr].name)
			nr++;
	/* The last sequence is supported by all CPUs. */
	return sequence_from(&sequences[random_below(nr)]);
}

/* A sequence in a loop with @n iterations. */
static void emit_loop(struct program *program, unsigned int n)
{
	uint8_t init[] = { 0x41, 0xba, n, 0, 0, 0 };	/* mov $n, %r10d */
	uint8_t next[] = {
		0x41, 0xff, 0xca,			/* dec %r10d */
		0x0f, 0x85, 0, 0, 0, 0,			/* jnz */
	};
	const struct sequence *seq = random_sequence();
	int32_t back;
	unsigned int i;

	program_bytes(program, init, sizeof(init));
	count(program, INSTRUCTIONS, 1 + 2 * n);
	count(program, BRANCHES, n);
	program_sequence(program, seq);
	for (i = 0; i < NR_EVENTS; i++)
		program->counts[i] += (n - 1) * seq->counts[i];
	back = -(int32_t)(seq[1].code - seq->code + sizeof(next));
	memcpy(next + 5, &back, sizeof(back));
	program_bytes(program, next, sizeof(next));
}

/* A sequence that is skipped by a jump, or not. */
static void emit_skip(struct program *program, bool skip)
{
	uint8_t jump[] = {
		skip ? 0xf9 : 0xf8,			/* stc or clc */
		0x0f, 0x82, 0, 0, 0, 0,			/* jc */
	};
	const struct sequence *seq = random_sequence();
	int32_t len = seq[1].code - seq->code;

	memcpy(jump + 3, &len, sizeof(len));
	program_bytes(program, jump, sizeof(jump));
	count(program, INSTRUCTIONS, 2);
	count(program, BRANCHES, 1);
	if (skip)
		program_bytes(program, seq->code, len);
	else
		program_sequence(program, seq);
}

static void random_program(struct program *program)
{
	int parts = 1 + random_below(30);

	program_reset(program, random_below(4096));
	while (parts--) {
		switch (random_below(6)) {
		case 0:
			emit_loop(program, 1 + random_below(8));
			break;
		case 1:
			emit_skip(program, random_below(2));
			break;
		default:
			program_sequence(program, random_sequence());
		}
	}
	program_return(program);
}

FIXTURE(random_programs)
{
	struct program program;
	struct scratch scratch;
};

/* On one CPU, stepping switches between the processes without IPIs. */
FIXTURE_SETUP(random_programs)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	ASSERT_EQ(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
	program_open(&self->program, CODE_SIZE);
	rng = 1;
}

FIXTURE_TEARDOWN(random_programs)
{
	program_close(&self->program);
}

static void report(struct __test_metadata *_metadata, int nr, uint64_t counted,
		   enum event event, const struct program *program)
{
	TH_LOG("program %d: %llu %s instead of %llu", nr,
	       (unsigned long long)counted, event_name(event),
	       (unsigned long long)program->counts[event]);
}

/*
 * Compare the counts of PROGRAMS programs for the events from @first on, which
 * is advanced to the next group; return the number of mismatches.
 */
static int count_programs(struct __test_metadata *_metadata,
			  struct program *program, struct scratch *scratch,
			  enum event *first)
{
	uint64_t counts[GROUP_SIZE];
	struct group group;
	int nr, i, wrong = 0;

	*first = group_open(&group, *first);
	for (nr = 0; nr < PROGRAMS; nr++) {
		random_program(program);
		scratch_reset(scratch);
		ASSERT_TRUE(group_count(&group,
					(void (*)(void *))program->start,
					scratch, counts));
		for (i = 0; i < group.nr; i++) {
			enum event event = group.events[i];

			if (counts[i] == program->counts[event])
				continue;
			if (wrong++ < 10)
				report(_metadata, nr, counts[i], event,
				       program);
		}
	}
	group_close(&group);
	return wrong;
}

TEST_F_TIMEOUT(random_programs, count_what_was_generated, 600)
{
	enum event event;
	int wrong = 0;

	for (event = 0; event < NR_EVENTS;)
		wrong += count_programs(_metadata, &self->program,
					&self->scratch, &event);
	TH_LOG("%d programs with each group of events", PROGRAMS);
	EXPECT_EQ(wrong, 0);
}

/*
 * Single-step @pid through @program. With REP a step is one iteration, so steps
 * that do not change the IP are not counted.
 */
static uint64_t step_through(pid_t pid, const struct program *program)
{
	uint64_t ip, last = 0, steps = 0;
	struct user_regs_struct regs;
	bool inside = false;
	int status;

	for (;;) {
		if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
		    ptrace(PTRACE_GETREGS, pid, 0, &regs))
			return 0;
		ip = regs.rip;
		if (inside && ip != last)
			steps++;
		last = ip;
		if (ip == (uintptr_t)program->start)
			inside = true;
		if (ip == (uintptr_t)program->end - 1)	/* at RET */
			return steps;
	}
}

TEST_F_TIMEOUT(random_programs, count_what_is_stepped, 600)
{
	void (*fn)(struct scratch *);
	int nr, status, wrong = 0;
	uint64_t steps;
	pid_t pid;

	for (nr = 0; nr < STEPPED; nr++) {
		random_program(&self->program);
		scratch_reset(&self->scratch);
		fn = (void (*)(struct scratch *))self->program.start;
		pid = fork();
		ASSERT_GE(pid, 0);
		if (pid == 0) {
			ptrace(PTRACE_TRACEME, 0, 0, 0);
			raise(SIGSTOP);
			fn(&self->scratch);
			_exit(0);
		}
		ASSERT_EQ(waitpid(pid, &status, 0), pid);
		steps = step_through(pid, &self->program);
		if (steps != self->program.counts[INSTRUCTIONS]) {
			report(_metadata, nr, steps, INSTRUCTIONS,
			       &self->program);
			wrong++;
		}
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	TH_LOG("%d programs", STEPPED);
	EXPECT_EQ(wrong, 0);
}

TEST_HARNESS_MAIN
