// SPDX-License-Identifier: GPL-2.0
/*
 * usage: pingpong [WAY]
 *
 * What a switch costs: two tasks wake each other in turn over pipes, on one CPU,
 * in each class that this kernel has, monitored by nobody, by KerMon and by perf
 * in the same three ways. Meant for a machine where one instruction is one tick
 * of the TSC: then the difference of two readings is the number of
 * instructions, whoever executed them.
 *
 * Prints a line for each way, or for the one named, fields separated by tabs: its
 * name, instructions per switch, and per pair of switches the WRMSR and RDMSR of
 * PMU registers and the RDPMC. These are counted by tracepoints in runs of their
 * own, two of different length, so that beginning and end cancel out.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "log.h"
#include "quantities.h"
#include "tracing.h"
#include "worker.h"

#define NR_ROUNDS	10000
#define NR_SHORT	200
#define NR_LONG		1200
#define LOG_BYTES	(1 << 24)
#define NR_FIXED	3
#define NOT		-1	/* a side that is not monitored */

typedef void (*monitor_fn)(pid_t pid, int set);

/**
 * struct way - one line of the table
 * @name: of who monitors what
 * @policy: of both tasks
 * @monitor: begins to monitor one task
 * @sets: number of the quantity_set() each side is monitored with
 */
struct way {
	const char *name;
	int policy;
	monitor_fn monitor;
	int sets[2];
};

/**
 * struct side - one of the two tasks
 * @in: where it waits
 * @out: whom it wakes
 * @rounds: how often
 * @tsc: when it began and ended
 */
struct side {
	int in;
	int out;
	int rounds;
	unsigned long long tsc[2];
};

static struct side *sides;	/* shared with both */
static int opened[2 * (NR_FIXED + SET_SIZE)];
static int nr_opened;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void keep_open(int fd, const char *what)
{
	if (fd < 0)
		die(what);
	opened[nr_opened++] = fd;
}

static void kermon(pid_t pid, int set)
{
	struct kermon_event_set events = event_set_of(quantity_set(set));

	events.log_bytes = LOG_BYTES;
	keep_open(set_events(pid, &events, sizeof(events), 0), "set_events");
}

static void count_by_perf(pid_t pid, int type, unsigned long long config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	keep_open(syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0),
		  "perf_event_open");
}

/* As perf stat opens the same events for a task; perf sets USR itself. */
static void perf(pid_t pid, int set)
{
	static const int fixed[NR_FIXED] = {
		PERF_COUNT_HW_INSTRUCTIONS,
		PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	int i;

	for (i = 0; i < NR_FIXED; i++)
		count_by_perf(pid, PERF_TYPE_HARDWARE, fixed[i]);
	for (i = 0; i < SET_SIZE; i++)
		count_by_perf(pid, PERF_TYPE_RAW,
			      quantity_set(set)->events[i].config & 0xffff);
}

static void play(void *data)
{
	struct side *side = data;
	char byte;
	int i;

	side->tsc[0] = __rdtsc();
	for (i = 0; i < side->rounds; i++) {
		if (syscall(SYS_read, side->in, &byte, 1) != 1 ||
		    syscall(SYS_write, side->out, &byte, 1) != 1)
			syscall(SYS_exit_group, 1);
	}
	side->tsc[1] = __rdtsc();
}

static pid_t start_side(const struct way *way, int i)
{
	struct sched_param param = {
		.sched_priority = way->policy == SCHED_FIFO,
	};
	pid_t pid = worker_start(play, &sides[i]);

	if (pin(pid, 0) || sched_setscheduler(pid, way->policy, &param))
		die(way->name);
	if (way->sets[i] != NOT)
		way->monitor(pid, way->sets[i]);
	return pid;
}

static void make_sides(int rounds)
{
	int one[2], other[2];

	if (pipe(one) || pipe(other))
		die("pipe");
	sides[0] = (struct side){ one[0], other[1], rounds, {} };
	sides[1] = (struct side){ other[0], one[1], rounds, {} };
}

/* Instructions from when the first task began until it ended. */
static unsigned long long run(const struct way *way, int rounds)
{
	pid_t pids[2];
	int i;

	make_sides(rounds);
	nr_opened = 0;
	for (i = 0; i < 2; i++)
		pids[i] = start_side(way, i);
	for (i = 0; i < 2; i++)
		worker_go(pids[i]);
	if (write(sides[1].out, "", 1) != 1)
		die("write");
	for (i = 0; i < 2; i++) {
		if (worker_wait(pids[i]))
			die("wait");
		close(sides[i].in);
		close(sides[i].out);
	}
	while (nr_opened)
		close(opened[--nr_opened]);
	return sides[0].tsc[1] - sides[0].tsc[0];
}

static struct accesses run_traced(const struct way *way, int rounds)
{
	struct accesses accesses;

	if (tracing_start())
		die("tracing_start");
	run(way, rounds);
	if (tracing_stop(&accesses))
		die("tracing_stop");
	return accesses;
}

static double per_pair(unsigned long long more, unsigned long long less)
{
	return (double)(long long)(more - less) / (NR_LONG - NR_SHORT);
}

static void measure(const struct way *way)
{
	struct accesses less, more;
	unsigned long long instructions;

	/* Twice as long less once: without the way there. */
	instructions = run(way, 2 * NR_ROUNDS) - run(way, NR_ROUNDS);
	less = run_traced(way, NR_SHORT);
	more = run_traced(way, NR_LONG);
	printf("%s\t%.1f\t%.2f\t%.2f\t%.2f\n", way->name,
	       instructions / 2.0 / NR_ROUNDS,
	       per_pair(more.pmu_writes, less.pmu_writes),
	       per_pair(more.pmu_reads, less.pmu_reads),
	       per_pair(more.rdpmc, less.rdpmc));
	fflush(stdout);
}

/* On a kernel without KerMon there is less to measure. */
static bool possible(const struct way *way)
{
	return sched_get_priority_max(SCHED_KERMON) == 0 ||
	       (way->policy != SCHED_KERMON && way->monitor != kermon);
}

/* Unmonitored first: the hooks stay on for a while after the last monitoring. */
static const struct way ways[] = {
	{ "fair", SCHED_OTHER, NULL, { NOT, NOT } },
	{ "FIFO", SCHED_FIFO, NULL, { NOT, NOT } },
	{ "KERMON", SCHED_KERMON, NULL, { NOT, NOT } },
	{ "fair, perf: one side", SCHED_OTHER, perf, { 0, NOT } },
	{ "fair, perf: both, same set", SCHED_OTHER, perf, { 0, 0 } },
	{ "fair, perf: both, different", SCHED_OTHER, perf, { 0, 1 } },
	{ "KERMON, perf: one side", SCHED_KERMON, perf, { 0, NOT } },
	{ "KERMON, perf: both, same set", SCHED_KERMON, perf, { 0, 0 } },
	{ "KERMON, perf: both, different", SCHED_KERMON, perf, { 0, 1 } },
	{ "fair, kermon: one side", SCHED_OTHER, kermon, { 0, NOT } },
	{ "fair, kermon: both, same set", SCHED_OTHER, kermon, { 0, 0 } },
	{ "fair, kermon: both, different", SCHED_OTHER, kermon, { 0, 1 } },
	{ "KERMON, kermon: one side", SCHED_KERMON, kermon, { 0, NOT } },
	{ "KERMON, kermon: both, same set", SCHED_KERMON, kermon, { 0, 0 } },
	{ "KERMON, kermon: both, different", SCHED_KERMON, kermon, { 0, 1 } },
};

int main(int argc, char **argv)
{
	unsigned int i;

	sides = mmap(NULL, 2 * sizeof(*sides), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sides == MAP_FAILED)
		die("mmap");
	if (!tracing_available())
		die("tracing");
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (argc > 1 && strcmp(argv[1], ways[i].name))
			continue;
		if (possible(&ways[i]))
			measure(&ways[i]);
	}
	return 0;
}
