// SPDX-License-Identifier: GPL-2.0
/*
 * What each step executes. In user mode, the process looks at itself: with the trap flag,
 * each instruction ends in a signal. No other process runs, so that the method sees no
 * switches that it would not see otherwise. In kernel mode, the tracepoints of the kernel show
 * accesses to registers; marks between them tell the steps apart.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "probe.h"

static volatile struct probe_code seen;

static bool is_at(const uint8_t *code, uint8_t first, uint8_t second)
{
	return code[0] == first && code[1] == second;
}

/*
 * The instruction at RIP is the next one. That after a system call does not end in a signal: the
 * kernel sets the flag again when it returns to it, which is too late for it.
 */
static void on_trap(int number, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	const uint8_t *code = (const uint8_t *)at->uc_mcontext.gregs[REG_RIP];
	const bool is_call = is_at(code, 0x0f, 0x05);

	(void)number;
	(void)info;
	seen.instructions += 1 + is_call;
	seen.calls += is_call;
	seen.rdpmc += is_at(code, 0x0f, 0x33);
}

/* Push and pop below the red zone, in which the compiler may keep values. */
static inline void trap(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "orq $0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

static inline void do_not_trap(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "andq $~0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "lea 128(%%rsp), %%rsp" : : : "memory", "cc");
}

/* It is the observation that fails, not the method. */
static void give_up(const char *what)
{
	probe_say(-errno, "%s: %s", what, strerror(errno));
	_exit(1);
}

/**
 * struct observer - what is done around a step
 * @begin: before it
 * @end: after it
 * @context: theirs
 */
struct observer {
	void (*begin)(void *context, enum probe_step step);
	void (*end)(void *context, enum probe_step step);
	void *context;
};

static int observe(const struct probe_method *method, struct probe_report *report,
		   const struct observer *by)
{
	uint64_t *values = report->values;
	int ret;

	by->begin(by->context, PROBE_START);
	ret = method->start();
	by->end(by->context, PROBE_START);
	if (ret)
		return ret;
	by->begin(by->context, PROBE_FIRST);
	ret = method->read(values);
	by->end(by->context, PROBE_FIRST);
	for (unsigned int i = 1; !ret && i + 1 < report->nr_reads; i++)
		ret = method->read(values);
	if (!ret && report->nr_reads > 1) {
		by->begin(by->context, PROBE_LATER);
		ret = method->read(values);
		by->end(by->context, PROBE_LATER);
	}
	if (ret)
		return ret;
	by->begin(by->context, PROBE_STOP);
	ret = method->stop(values);
	by->end(by->context, PROBE_STOP);
	return ret;
}

static void begin_code(void *context, enum probe_step step)
{
	(void)context;
	(void)step;
	memset((void *)&seen, 0, sizeof(seen));
	trap();
}

static void end_code(void *context, enum probe_step step)
{
	struct probe_code *code = context;

	do_not_trap();
	code[step] = seen;
}

int observe_code(const struct probe_method *method, struct probe_report *report)
{
	const struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	struct probe_code base[PROBE_STEPS] = {};
	const struct observer by = { begin_code, end_code, report->code };
	const struct observer by_itself = { begin_code, end_code, base };
	int ret;

	if (sigaction(SIGTRAP, &action, NULL))
		give_up("sigaction");
	ret = observe(probe_nothing, report, &by_itself);
	if (!ret)
		ret = observe(method, report, &by);
	for (unsigned int i = 0; i < PROBE_STEPS; i++)
		report->code[i].instructions -= base[i].instructions;
	return ret;
}

static void mark(void *context, const char *what, enum probe_step step)
{
	const int *file = context;
	char line[32];
	int length = snprintf(line, sizeof(line), "%s%u\n", what, step);

	if (write(*file, line, length) != length)
		give_up("cannot write a mark");
}

static void begin_mark(void *context, enum probe_step step)
{
	mark(context, PROBE_MARK_BEGIN, step);
}

static void end_mark(void *context, enum probe_step step)
{
	mark(context, PROBE_MARK_END, step);
}

int observe_marks(const struct probe_method *method, struct probe_report *report,
		  const char *path)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	const struct observer by = { begin_mark, end_mark, &file };

	if (file < 0)
		give_up(path);
	return observe(method, report, &by);
}
