// SPDX-License-Identifier: GPL-2.0
/*
 * SpyMon as sections 3 and figure 2 of the KerMon paper describe it: a monitor on the last CPU,
 * and a process per CPU that sleeps until the monitor sends a signal, reads its counters, and
 * writes them to a pipe, from which the monitor reads. Counters are those of perf_event instead
 * of the paper's driver. There are no files to change the events.
 *
 *	spymon INTERVAL-MS SAMPLES
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX	16
#define EVENTS		3

struct spy {
	pid_t pid;
	int pipe;
};

struct reading {
	uint64_t nr;
	uint64_t values[EVENTS];
};

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		give_up("sched_setaffinity");
}

/* A group of instructions, cycles and reference cycles of a CPU. Return: its leader. */
static int open_counters(int cpu)
{
	static const uint64_t events[EVENTS] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	int leader = -1, fd;

	for (int i = 0; i < EVENTS; i++) {
		struct perf_event_attr attr = {
			.size = sizeof(attr),
			.type = PERF_TYPE_HARDWARE,
			.config = events[i],
			.read_format = PERF_FORMAT_GROUP,
		};

		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, leader, 0);
		if (fd < 0)
			give_up("perf_event_open");
		if (leader < 0)
			leader = fd;
	}
	return leader;
}

/* Signal 1 asks for a reading; SIGTERM ends the spy. */
static void spy(int cpu, int out)
{
	struct reading reading;
	sigset_t wanted;
	int counters, number;

	run_on(cpu);
	counters = open_counters(cpu);
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	for (;;) {
		if (sigwait(&wanted, &number) ||
		    read(counters, &reading, sizeof(reading)) != sizeof(reading) ||
		    write(out, &reading, sizeof(reading)) != sizeof(reading))
			give_up("spy");
	}
}

static struct spy start(int cpu)
{
	struct spy started;
	int ends[2];

	if (pipe(ends))
		give_up("pipe");
	started.pid = fork();
	if (!started.pid)
		spy(cpu, ends[1]);
	close(ends[1]);
	started.pipe = ends[0];
	return started;
}

static void sample(const struct spy *spies, int cpus)
{
	struct reading reading;

	for (int cpu = 0; cpu < cpus; cpu++)
		kill(spies[cpu].pid, SIGUSR1);
	for (int cpu = 0; cpu < cpus; cpu++)
		if (read(spies[cpu].pipe, &reading, sizeof(reading)) != sizeof(reading))
			give_up("monitor");
}

int main(int argc, char **argv)
{
	const int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct spy spies[CPUS_MAX];
	struct timespec next;
	sigset_t blocked;
	long interval;

	if (argc != 3 || cpus > CPUS_MAX)
		return 2;
	interval = atol(argv[1]) * 1000000;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	for (int cpu = 0; cpu < cpus; cpu++)
		spies[cpu] = start(cpu);
	run_on(cpus - 1);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (int i = atoi(argv[2]); i > 0; i--) {
		next.tv_nsec += interval;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		sample(spies, cpus);
	}
	for (int cpu = 0; cpu < cpus; cpu++)
		kill(spies[cpu].pid, SIGTERM);
	while (wait(NULL) > 0)
		;
	return 0;
}
