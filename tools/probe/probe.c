// SPDX-License-Identifier: GPL-2.0
/* usage: kermon-probe METHOD EVENTS READS [software]; see probe.h */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

bool probe_software;

static struct probe_report report = { .magic = PROBE_MAGIC };

int probe_say(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return error;
}

static const struct probe_method *find(const struct probe_method *methods,
				       const char *name)
{
	for (; methods && methods->name; methods++)
		if (!strcmp(methods->name, name))
			return methods;
	return NULL;
}

/* Nothing is moved across it, neither by the compiler nor by the processor. */
static inline uint64_t now(void)
{
	uint64_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a" (low), "=d" (high) : : "memory");
	return high << 32 | low;
}

static int measure(const struct probe_method *method)
{
	uint64_t counts[PROBE_MAX_EVENTS] = {};
	uint64_t before, after;
	unsigned int i;
	int ret;

	before = now();
	report.empty = now() - before;
	before = now();
	ret = method->start();
	after = now();
	report.start = after - before;
	for (i = 0; !ret && i < report.nr_reads; i++) {
		before = now();
		ret = method->read(counts);
		after = now();
		report.reads[i] = after - before;
	}
	if (ret)
		return ret;
	before = now();
	ret = method->stop(counts);
	after = now();
	report.stop = after - before;
	memcpy(report.counts, counts, sizeof(counts));
	return ret;
}

int main(int argc, char **argv)
{
	const struct probe_method *method = NULL;
	int ret;

	if (argc == 4 || (argc == 5 && !strcmp(argv[4], "software"))) {
		probe_software = argc == 5;
		method = find(perf_methods, argv[1]);
		method = method ? method : find(kermon_methods, argv[1]);
		method = method ? method : find(library_methods, argv[1]);
		report.nr_events = strtoul(argv[2], NULL, 10);
		report.nr_reads = strtoul(argv[3], NULL, 10);
	}
	if (!method || !report.nr_events || report.nr_events > PROBE_MAX_EVENTS ||
	    !report.nr_reads || report.nr_reads > PROBE_MAX_READS) {
		fputs("usage: kermon-probe METHOD EVENTS READS [software]\n", stderr);
		return 2;
	}
	if (method->open(report.nr_events))
		return 1;
	ret = measure(method);
	if (ret) {
		if (ret == -EAGAIN)
			probe_say(ret, "perf shows no counter for RDPMC: the event has none, or /sys/bus/event_source/devices/cpu/rdpmc is 0");
		else
			probe_say(ret, "%s", strerror(-ret));
		return 1;
	}
	return write(STDOUT_FILENO, &report, sizeof(report)) != sizeof(report);
}
