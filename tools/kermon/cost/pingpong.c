// SPDX-License-Identifier: GPL-2.0
/*
 * Runs two tasks that wake each other in turn through pipes, and reads their logs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include <kermon/session.h>

#include "machine/appcost.h"
#include "pingpong.h"

#define READ_BYTES	(1 << 16)
#define SETTLE_US	20000

/**
 * struct side - one of the tasks
 * @pid: its pid, 0 while it does not exist
 * @in: pipe on which it waits: its end and the end for writing
 * @log: log descriptor, -1 if it is not monitored
 */
struct side {
	pid_t pid;
	int in[2];
	int log;
};

/* Shared memory in which the first task stores the cycles of all rounds. */
static uint64_t *shared_cycles;

static void play(const struct pingpong *pingpong, int in, int out, bool first)
{
	uint64_t begin = 0;
	unsigned int i;
	char byte;

	/* The first round is not measured: it includes the wait for the start. */
	for (i = 0; i <= pingpong->rounds; i++) {
		if (read(in, &byte, 1) != 1)
			_exit(1);
		if (!i)
			begin = __rdtsc();
		if (write(out, &byte, 1) != 1)
			_exit(1);
	}
	if (first)
		*shared_cycles = __rdtsc() - begin;
	_exit(0);
}

static int place(pid_t pid, int cpu)
{
	const struct sched_param param = {};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set) ||
	    sched_setscheduler(pid, SCHED_KERMON, &param))
		return -errno;
	return 0;
}

static int start(const struct pingpong *pingpong, struct side *sides, int i)
{
	const struct kermon_event_set *set = pingpong->sets[i];
	struct side *side = &sides[i];
	int result;

	side->pid = fork();
	if (side->pid < 0) {
		side->pid = 0;
		return -errno;
	}
	if (!side->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		play(pingpong, side->in[0], sides[!i].in[1], !i);
	}
	result = place(side->pid, pingpong->cpu);
	if (!result && set) {
		side->log = kermon_session_open(side->pid, set, 0);
		result = side->log < 0 ? side->log : 0;
	}
	return result;
}

static int wait_for(struct side *side)
{
	int status;

	if (waitpid(side->pid, &status, 0) != side->pid)
		return -errno;
	side->pid = 0;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECHILD;
}

static void add_sample(const struct kermon_sample *sample,
		       struct pingpong_result *result)
{
	result->samples++;
	result->oncpu += sample->oncpu;
	if (sample->nr_events)
		result->instructions += sample->values[sample->nr_fixed];
}

static int add_log(int fd, struct pingpong_result *result)
{
	static char buffer[READ_BYTES] __attribute__((aligned(8)));
	const struct kermon_record *record;
	ssize_t len, at;

	while ((len = kermon_session_read(fd, buffer, sizeof(buffer), 0)) > 0) {
		for (at = 0; at < len; at += record->size) {
			record = (const void *)(buffer + at);
			if (record->type == KERMON_RECORD_LOST)
				return -ENOBUFS;
			if (record->type == KERMON_RECORD_INVALID)
				return -EIO;
			if (record->type == KERMON_RECORD_SAMPLE)
				add_sample((const void *)record, result);
		}
	}
	return len;
}

static int finish(struct side *sides, struct pingpong_result *result)
{
	pid_t pids[2] = { sides[0].pid, sides[1].pid };
	int i, error = 0;

	if (write(sides[0].in[1], "", 1) != 1)
		return -errno;
	for (i = 0; i < 2 && !error; i++)
		error = wait_for(&sides[i]);
	for (i = 0; i < 2 && !error; i++) {
		if (sides[i].log < 0)
			continue;
		error = add_log(sides[i].log, result);
		result->cost += cost_of(pids[i]);
	}
	result->cycles = *shared_cycles;
	return error;
}

static void end(struct side *side)
{
	if (side->pid) {
		kill(side->pid, SIGKILL);
		waitpid(side->pid, NULL, 0);
	}
	if (side->log >= 0)
		close(side->log);
	close(side->in[0]);
	close(side->in[1]);
}

int pingpong_play(const struct pingpong *pingpong,
		  struct pingpong_result *result)
{
	struct side sides[2] = { { .log = -1 }, { .log = -1 } };
	int i, error = 0;

	/* Let the kernel free previous applications, after an RCU grace period. */
	usleep(SETTLE_US);
	memset(result, 0, sizeof(*result));
	if (!shared_cycles)
		shared_cycles = mmap(NULL, sizeof(*shared_cycles),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared_cycles == MAP_FAILED)
		return -errno;
	if (pipe2(sides[0].in, O_CLOEXEC))
		return -errno;
	if (pipe2(sides[1].in, O_CLOEXEC)) {
		error = -errno;
		close(sides[0].in[0]);
		close(sides[0].in[1]);
		return error;
	}
	for (i = 0; i < 2 && !error; i++)
		error = start(pingpong, sides, i);
	if (!error)
		error = finish(sides, result);
	for (i = 0; i < 2; i++)
		end(&sides[i]);
	return error;
}
