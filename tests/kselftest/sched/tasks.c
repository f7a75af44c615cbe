// SPDX-License-Identifier: GPL-2.0
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tasks.h"

int set_policy(pid_t pid, int policy)
{
	struct sched_param param = {
		.sched_priority =
			(policy & ~SCHED_RESET_ON_FORK) == SCHED_FIFO ? 10 : 0,
	};

	return sched_setscheduler(pid, policy, &param);
}

static int set_affinity(pid_t pid, int first, int nr)
{
	cpu_set_t set;
	int cpu;

	CPU_ZERO(&set);
	for (cpu = first; cpu < first + nr; cpu++)
		CPU_SET(cpu, &set);
	return sched_setaffinity(pid, sizeof(set), &set);
}

int pin(pid_t pid, int cpu)
{
	return set_affinity(pid, cpu, 1);
}

int confine(pid_t pid, int cpus)
{
	return set_affinity(pid, 0, cpus);
}

bool team_init(struct team *team)
{
	/* Higher than the priority of the real-time tasks that it starts. */
	struct sched_param param = { .sched_priority = 20 };

	team->nr = 0;
	team->rounds = mmap(NULL, sizeof(*team->rounds), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return team->rounds != MAP_FAILED &&
	       sysconf(_SC_NPROCESSORS_ONLN) >= 2 &&
	       !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

void team_free(struct team *team)
{
	while (team->nr)
		child_kill(&team->tasks[--team->nr].child);
	munmap(team->rounds, sizeof(*team->rounds));
}

pid_t team_add(struct team *team, int (*run)(void *rounds), int policy, int cpu)
{
	struct task *task = &team->tasks[team->nr++];

	child_start(&task->child, run, team->rounds);
	if (set_policy(task->child.pid, policy) ||
	    (cpu != ANY_CPU && pin(task->child.pid, cpu)))
		abort();
	child_go(&task->child);
	return task->child.pid;
}

static long long clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

long long now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static long long cpu_ns(pid_t pid)
{
	clockid_t clock;

	clock_getcpuclockid(pid, &clock);
	return clock_ns(clock);
}

void team_measure(struct team *team, int ms)
{
	long long begin, before[MAX_TASKS], wall;
	int i;

	usleep(200000);
	memset(team->rounds, 0, sizeof(*team->rounds));
	begin = now_ns();
	for (i = 0; i < team->nr; i++)
		before[i] = cpu_ns(team->tasks[i].child.pid);
	usleep(ms * 1000);
	wall = now_ns() - begin;
	for (i = 0; i < team->nr; i++)
		team->tasks[i].share = (cpu_ns(team->tasks[i].child.pid) -
					before[i]) * CPU / wall;
	for (i = 0; i < team->nr; i++)
		printf("#   task %d: %d of %d\n", i, team->tasks[i].share, CPU);
	if (team->rounds->nr)
		printf("#   %u rounds\n", team->rounds->nr);
	if (team->rounds->worst_us)
		printf("#   late by %ld us (median), %ld us (worst)\n",
		       rounds_median_us(team->rounds), team->rounds->worst_us);
}

/*
 * Use long blocks: under icount a lot of virtual time passes per instruction.
 */
int real_time_leaves(void)
{
	return access("/sys/kernel/debug/sched/fair_server", F_OK) ? 50 : 0;
}

int hog(void *rounds)
{
	(void)rounds;
	for (;;)
		asm volatile(".rept 400; nop; .endr");
	return 0;
}

static void count_round(struct rounds *rounds, long late_us)
{
	int step = late_us / LATE_STEP_US;

	if (late_us > rounds->worst_us)
		rounds->worst_us = late_us;
	__atomic_fetch_add(&rounds->late[step < LATE_STEPS ? step : LATE_STEPS],
			   1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&rounds->nr, 1, __ATOMIC_RELAXED);
}

long rounds_median_us(const struct rounds *rounds)
{
	unsigned int seen = 0;
	int step = -1;

	while (seen * 2 <= rounds->nr && step < LATE_STEPS)
		seen += rounds->late[++step];
	return (step + 1) * LATE_STEP_US;
}

int sleep_by_the_millisecond(void *rounds)
{
	long long begin;

	for (;;) {
		begin = now_ns();
		usleep(1000);
		count_round(rounds, (now_ns() - begin) / 1000 - 1000);
	}
	return 0;
}

int busy_3_ms_of_5(void *rounds)
{
	struct timespec next;
	long long begin;

	(void)rounds;
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		begin = now_ns();
		while (now_ns() < begin + 3000000)
			;
		next.tv_nsec += 5000000;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return 0;
}

int yield_often(void *arg)
{
	struct rounds *rounds = arg;

	for (;;) {
		sched_yield();
		rounds->nr++;
	}
	return 0;
}

int fork_often(void *arg)
{
	struct rounds *rounds = arg;

	for (;;) {
		if (!fork())
			_exit(0);
		wait(NULL);
		rounds->nr++;
	}
	return 0;
}
