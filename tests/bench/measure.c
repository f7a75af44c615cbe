// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/kermon.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "measure.h"
#include "tracing.h"
#include "worker.h"

#define NR_SHORT	200	/* traced rounds */
#define NR_LONG		1200
#define MAX_ROUNDS	8000
#define TSC_KHZ		1e6
#define HOOKS_OFF_US	1200000

/**
 * struct side - one of the two tasks
 * @in: pipe that it waits on
 * @out: pipe that wakes the other one
 * @rounds: number of rounds
 * @tsc: from begin to end
 * @switches: number of times that it was switched out meanwhile
 * @preempted: number of these times at which it was still runnable
 * @took: TSC cycles of each round
 */
struct side {
	int in;
	int out;
	int rounds;
	unsigned long long tsc;
	unsigned long long switches;
	unsigned long long preempted;
	unsigned int took[MAX_ROUNDS];
};

/**
 * struct outcome - results of a run
 * @tsc: of the first task
 * @median: of its rounds
 * @elapsed: TSC cycles from before both tasks until after them
 * @switches: of both tasks
 * @preempted: the switches at which the task was still runnable
 * @pairs: as in struct cost
 * @hooks: cycles that the monitor reports for itself
 * @accesses: to registers, if traced
 */
struct outcome {
	unsigned long long tsc;
	unsigned int median;
	unsigned long long elapsed;
	unsigned long long switches;
	unsigned long long preempted;
	unsigned long long pairs;
	unsigned long long hooks;
	struct accesses accesses;
};

static struct side *sides;	/* shared by both */

void die(const char *what)
{
	perror(what);
	exit(1);
}

/*
 * Adds the current numbers to @side, or subtracts those from before it began.
 */
static void count_switches(struct side *side, int sign)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	side->switches += sign * (usage.ru_nvcsw + usage.ru_nivcsw);
	side->preempted += sign * usage.ru_nivcsw;
}

static void play(void *data)
{
	unsigned long long begin, now;
	struct side *side = data;
	char byte;
	int i;

	count_switches(side, -1);
	begin = now = __rdtsc();
	for (i = 0; i < side->rounds; i++) {
		unsigned long long before = now;

		if (syscall(SYS_read, side->in, &byte, 1) != 1 ||
		    syscall(SYS_write, side->out, &byte, 1) != 1)
			syscall(SYS_exit_group, 1);
		now = __rdtsc();
		side->took[i] = now - before;
	}
	side->tsc = now - begin;
	count_switches(side, 1);
}

static pid_t start_side(const struct way *way, int i)
{
	struct sched_param param = {
		.sched_priority = way->policy == SCHED_FIFO,
	};
	pid_t pid = worker_start(play, &sides[i]);

	if (pin(pid, 0) || sched_setscheduler(pid, way->policy, &param))
		die(way->name);
	if (way->sets[i] != NOBODY)
		way->monitor->begin(pid, way->sets[i]);
	return pid;
}

static void spin(void *data)
{
	(void)data;
	for (;;)
		;
}

/*
 * Start a fair task that always waits: kernel threads sometimes do, and a
 * switch takes slightly fewer instructions while one waits. This makes it
 * constant.
 */
static pid_t start_waiter(const struct way *way)
{
	pid_t pid;

	if (way->policy == SCHED_OTHER)
		return 0;
	pid = worker_start(spin, NULL);
	if (pin(pid, 0))
		die("waiter");
	worker_go(pid);
	return pid;
}

static void end_waiter(pid_t pid)
{
	if (!pid)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void begin_side(struct side *side, int in, int out, int rounds)
{
	errno = ERANGE;
	if (rounds > MAX_ROUNDS)
		die("rounds");
	memset(side, 0, sizeof(*side));
	side->in = in;
	side->out = out;
	side->rounds = rounds;
}

static void make_sides(int rounds)
{
	int one[2], other[2];

	if (!sides)
		sides = mmap(NULL, 2 * sizeof(*sides), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sides == MAP_FAILED)
		die("mmap");
	if (pipe(one) || pipe(other))
		die("pipe");
	begin_side(&sides[0], one[0], other[1], rounds);
	begin_side(&sides[1], other[0], one[1], rounds);
}

static int compare_rounds(const void *a, const void *b)
{
	const unsigned int *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* Sorts the rounds. */
static unsigned int median_round(struct side *side)
{
	qsort(side->took, side->rounds, sizeof(*side->took), compare_rounds);
	return side->took[side->rounds / 2];
}

static unsigned long long pairs_of(const struct way *way)
{
	unsigned long long pairs = 0;
	int i;

	for (i = 0; i < 2; i++)
		if (!way->monitor || way->sets[i] != NOBODY)
			pairs += sides[i].switches;
	return pairs;
}

static struct outcome run(const struct way *way, int rounds)
{
	struct outcome outcome = {};
	pid_t pids[2], waiter;
	int i;

	/*
	 * The previous monitoring is freed after a grace period; another second
	 * later the hooks are disabled, including perf's, which would make
	 * switches slower.
	 */
	sleep_us(HOOKS_OFF_US);
	make_sides(rounds);
	for (i = 0; i < 2; i++)
		pids[i] = start_side(way, i);
	waiter = start_waiter(way);
	outcome.elapsed = -__rdtsc();
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
	outcome.elapsed += __rdtsc();
	end_waiter(waiter);
	outcome.tsc = sides[0].tsc;
	outcome.median = median_round(&sides[0]);
	outcome.switches = sides[0].switches + sides[1].switches;
	outcome.preempted = sides[0].preempted + sides[1].preempted;
	outcome.pairs = pairs_of(way);
	if (way->monitor)
		outcome.hooks = way->monitor->end(outcome.pairs);
	return outcome;
}

static struct outcome run_traced(const struct way *way, int rounds)
{
	struct outcome outcome;
	struct accesses accesses;

	if (!tracing_available() || tracing_start())
		die("tracing");
	outcome = run(way, rounds);
	if (tracing_stop(&accesses))
		die("tracing");
	outcome.accesses = accesses;
	return outcome;
}

static double more(unsigned long long of_long, unsigned long long of_short)
{
	return (double)(long long)(of_long - of_short);
}

static unsigned long long reads(const struct outcome *outcome)
{
	return outcome->accesses.pmu_reads + outcome->accesses.domain_reads;
}

/* The first reading is not due to elapsed time. */
static double energy_rate(const struct outcome *outcome)
{
	unsigned long long reads = outcome->accesses.energy_reads;

	return reads ? (reads - 1) * TSC_KHZ / outcome->elapsed : 0;
}

struct cost measure(const struct way *way, int rounds)
{
	const struct outcome once = run(way, rounds);
	const struct outcome twice = run(way, 2 * rounds);
	const struct outcome less = run_traced(way, NR_SHORT);
	const struct outcome much = run_traced(way, NR_LONG);
	double pairs = more(much.pairs, less.pairs);
	double long_pairs = more(twice.pairs, once.pairs);

	return (struct cost){
		.instructions = more(twice.tsc, once.tsc) / rounds,
		.median = twice.median,
		.pairs = long_pairs / rounds,
		.preempted = (double)twice.preempted / twice.switches,
		.hooks = more(twice.hooks, once.hooks) / long_pairs,
		.wrmsr = more(much.accesses.pmu_writes,
			      less.accesses.pmu_writes) / pairs,
		.rdmsr = more(reads(&much), reads(&less)) / pairs,
		.rdpmc = more(much.accesses.rdpmc, less.accesses.rdpmc) / pairs,
		.energy = energy_rate(&much),
	};
}

double cost_over(const struct cost *cost, const struct cost *nothing)
{
	return (cost->median - nothing->median) / cost->pairs;
}
