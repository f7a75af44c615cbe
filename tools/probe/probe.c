// SPDX-License-Identifier: GPL-2.0
/* usage: kermon-probe METHOD EVENTS READS [OPTION...]; see probe.h */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

bool probe_software;
bool probe_kernel;
int probe_cpu;

static struct probe_report report = { .magic = PROBE_MAGIC };
static bool steps;
static const char *marks;

static const struct probe_method *find_in(const struct probe_method *methods,
					  const char *name)
{
	for (; methods && methods->name; methods++)
		if (!strcmp(methods->name, name))
			return methods;
	return NULL;
}

static const struct probe_method *find(const char *name)
{
	const struct probe_method *const all[] = {
		perf_methods, kermon_methods, papi_methods, likwid_methods,
	};
	const struct probe_method *method = NULL;

	for (size_t i = 0; !method && i < sizeof(all) / sizeof(all[0]); i++)
		method = find_in(all[i], name);
	return method;
}

static int start_nothing(void)
{
	return 0;
}

static int read_nothing(uint64_t *counts)
{
	(void)counts;
	return 0;
}

static const struct probe_method nothing = {
	"", NULL, start_nothing, read_nothing, read_nothing, NULL,
};

/* The calls have to be those of other methods. */
const struct probe_method *volatile probe_nothing = &nothing;

/* A loop of PROBE_WORK_BRANCHES decrements and jumps, and what sets its counter. */
static void probe_work(void)
{
	uint32_t count = PROBE_WORK_BRANCHES;

	__asm__ volatile("movl %1, %0\n"
			 "1:\tdecl %0\n\t"
			 "jnz 1b"
			 : "=&r" (count) : "i" (PROBE_WORK_BRANCHES) : "cc");
}

/*
 * What is counted between two reads with work in between, less what is without: whatever the
 * method itself executes, the rest is the work.
 */
static int count_work(const struct probe_method *method)
{
	uint64_t counts[3][PROBE_MAX_EVENTS] = {};
	int ret = method->read(counts[0]);

	if (!ret)
		ret = method->read(counts[1]);
	probe_work();
	if (!ret)
		ret = method->read(counts[2]);
	for (unsigned int i = 0; i < report.nr_events; i++)
		report.work[i] = (int64_t)(counts[2][i] - counts[1][i]) -
				 (int64_t)(counts[1][i] - counts[0][i]);
	return ret;
}

/* The first event is instructions, unless others were chosen. */
static int check(const struct probe_method *method)
{
	int ret = method->check ? method->check() : 0;

	if (ret || probe_software || probe_events_are_raw() || report.work[0])
		return ret;
	return probe_say(-ENODATA, "it counts none of %d instructions here",
			 PROBE_WORK_INSTRUCTIONS);
}

/* Counters may have run before the start, but what is reported begins there. */
static void count_from_start(const struct probe_method *method)
{
	const uint64_t *begun = method->begun ? method->begun() : NULL;

	for (unsigned int i = 0; begun && i < report.nr_reads * report.nr_events; i++)
		report.values[i] -= begun[i % report.nr_events];
}

static int start_and_read(const struct probe_method *method, struct probe_times *times)
{
	uint64_t before, after;
	unsigned int i;
	int ret;

	before = probe_now();
	ret = method->start();
	after = probe_now();
	times->start = after - before;
	for (i = 0; !ret && i < report.nr_reads; i++) {
		uint64_t *values = &report.values[i * report.nr_events];

		before = probe_now();
		ret = method->read(values);
		after = probe_now();
		times->reads[i] = after - before;
	}
	return ret;
}

static int stop(const struct probe_method *method, struct probe_times *times)
{
	uint64_t counts[PROBE_MAX_EVENTS];
	uint64_t before, after;
	int ret;

	before = probe_now();
	ret = method->stop(counts);
	after = probe_now();
	times->stop = after - before;
	return ret;
}

/*
 * Nothing first, twice: so the code of the measurement itself is not new, only the method is;
 * and times of nothing are those of code that is not new, either.
 */
static int measure(const struct probe_method *method)
{
	int ret;

	for (unsigned int i = 0; i < 2; i++) {
		start_and_read(probe_nothing, &report.empty);
		stop(probe_nothing, &report.empty);
	}
	ret = start_and_read(method, &report.times);
	if (!ret)
		ret = count_work(method);
	return ret ? ret : stop(method, &report.times);
}

static bool take_option(const char *word)
{
	if (!strcmp(word, "software"))
		probe_software = true;
	else if (!strcmp(word, "kernel"))
		probe_kernel = true;
	else if (!strcmp(word, "steps"))
		steps = true;
	else if (!strncmp(word, "marks=", 6))
		marks = word + 6;
	else if (!strncmp(word, "raw=", 4))
		return probe_events_take(word + 4);
	else
		return false;
	return true;
}

static const struct probe_method *parse(int argc, char **argv)
{
	if (argc < 4)
		return NULL;
	for (int i = 4; i < argc; i++)
		if (!take_option(argv[i]))
			return NULL;
	report.nr_events = strtoul(argv[2], NULL, 10);
	report.nr_reads = strtoul(argv[3], NULL, 10);
	if (!report.nr_events || report.nr_events > PROBE_MAX_EVENTS ||
	    !report.nr_reads || report.nr_reads > PROBE_MAX_READS)
		return NULL;
	return find(argv[1]);
}

/* As the study does: the TSC and the caches are those of one CPU. */
static int stay(void)
{
	cpu_set_t cpus;

	probe_cpu = sched_getcpu();
	if (probe_cpu < 0)
		probe_cpu = 0;
	CPU_ZERO(&cpus);
	CPU_SET(probe_cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return probe_say(-errno, "cannot stay on CPU %d: sched_setaffinity: %s", probe_cpu,
				 strerror(errno));
	return 0;
}

/* Touch what is written later, so that only the method itself finds pages missing. */
static void touch_report(void)
{
	volatile uint64_t *values = report.values;

	for (unsigned int i = 0; i < PROBE_MAX_READS * PROBE_MAX_EVENTS; i += 8)
		values[i] = 0;
	report.times.stop = 0;
	report.code[PROBE_STOP].rdpmc = 0;
}

static int run(const struct probe_method *method)
{
	if (steps)
		return observe_code(method, &report);
	if (marks)
		return observe_marks(method, &report, marks);
	return measure(method);
}

int main(int argc, char **argv)
{
	const struct probe_method *method = parse(argc, argv);
	int out, ret;

	if (!method) {
		fputs("usage: kermon-probe METHOD EVENTS READS [OPTION...]\n", stderr);
		return 2;
	}
	/* Libraries may print what they like. */
	out = dup(STDOUT_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (stay())
		return 1;
	touch_report();
	if (method->open(report.nr_events))
		return 1;
	ret = run(method);
	if (method->close)
		method->close();
	if (ret) {
		probe_say(ret, "%s", method->explain ? method->explain(ret) : strerror(-ret));
		return 1;
	}
	if (!steps && !marks) {
		if (check(method))
			return 1;
		count_from_start(method);
	}
	return write(out, &report, sizeof(report)) != sizeof(report);
}
