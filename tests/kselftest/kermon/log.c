// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define SHARE	"/sys/module/kermon/parameters/share"

bool counters_are_shared(void)
{
	FILE *file = fopen(SHARE, "r");
	int first = file ? fgetc(file) : 'N';

	if (file)
		fclose(file);
	return first == 'Y';
}

void share_counters(bool share)
{
	FILE *file = fopen(SHARE, "w");

	if (!file || fputc(share ? '1' : '0', file) < 0 || fclose(file))
		abort();
}

/* tests/kselftest/run --raw */
__attribute__((constructor)) static void take_all_if_asked(void)
{
	if (getenv("KERMON_RAW") && !geteuid() && !access(SHARE, W_OK))
		share_counters(false);
}

int set_events(pid_t pid, const struct kermon_event_set *set, size_t size,
	       unsigned int flags)
{
	return syscall(KERMON_NR_SET_EVENTS, pid, set, size, flags);
}

ssize_t read_event_log(int fd, void *buf, size_t len, unsigned int flags)
{
	return syscall(KERMON_NR_READ_EVENT_LOG, fd, buf, len, flags);
}

struct kermon_event_set plain_set(void)
{
	return (struct kermon_event_set){ .count = KERMON_COUNT_USER };
}

struct kermon_event_set time_set(void)
{
	return (struct kermon_event_set){ };
}

int monitor(pid_t pid)
{
	struct kermon_event_set set = plain_set();

	return set_events(pid, &set, sizeof(set), 0);
}

static void run_child(int go, int (*run)(void *arg), void *arg)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* End of file: the test has exited. */
	_exit(read(go, &byte, 1) == 1 ? run(arg) : 1);
}

/* Scan a file in /proc/PID for @format. */
static void scan(pid_t pid, const char *name, const char *format, char *value)
{
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "r");
	if (!file || fscanf(file, format, value) != 1)
		abort();
	fclose(file);
}

void wait_until_state(pid_t pid, char state)
{
	char now;

	for (;;) {
		scan(pid, "stat", "%*d (%*[^)]) %c", &now);
		if (now == state)
			return;
		usleep(1000);
	}
}

/* /proc/PID/syscall waits in the kernel until the task has left its CPU. */
void wait_until_off_cpu(pid_t pid)
{
	char call[32];

	for (;;) {
		scan(pid, "syscall", "%31s", call);
		if (strcmp(call, "running"))
			return;
		usleep(1000);
	}
}

void child_start(struct child *child, int (*run)(void *arg), void *arg)
{
	int go[2];

	if (pipe(go))
		abort();
	child->pid = fork();
	if (child->pid < 0)
		abort();
	if (!child->pid) {
		close(go[1]);
		run_child(go[0], run, arg);
	}
	close(go[0]);
	child->go = go[1];
	wait_until_state(child->pid, 'S');
	wait_until_off_cpu(child->pid);
}

void child_go(struct child *child)
{
	if (write(child->go, "", 1) != 1)
		abort();
}

int child_wait(struct child *child)
{
	int status = -1;

	if (child->pid)
		waitpid(child->pid, &status, 0);
	if (child->go >= 0)
		close(child->go);
	child->pid = 0;
	child->go = -1;
	return status;
}

void child_kill(struct child *child)
{
	if (child->pid)
		kill(child->pid, SIGKILL);
	child_wait(child);
}

/* The records of each CPU are ordered, those of different CPUs are not. */
static void add_sample(struct log *log, const struct kermon_sample *sample)
{
	if (!log->samples++ || sample->tsc_end < log->first.tsc_end)
		log->first = *sample;
	if (sample->tsc_end >= log->last.tsc_end)
		log->last = *sample;
	if (sample->reason <= KERMON_REASON_EXEC)
		log->reasons[sample->reason]++;
	if (sample->reason == KERMON_REASON_TICK &&
	    sample->tsc_end > log->last_tick)
		log->last_tick = sample->tsc_end;
	if (sample->reason == KERMON_REASON_EXEC)
		log->exec = sample->tsc_end;
}

static void add_records(struct log *log, const char *buf, ssize_t len)
{
	const struct kermon_record *record;
	ssize_t at;

	for (at = 0; at < len; at += record->size) {
		record = (const void *)(buf + at);
		if (record->type == KERMON_RECORD_SAMPLE)
			add_sample(log, (const void *)record);
		else if (record->type == KERMON_RECORD_INVALID)
			log->invalid++;
		else if (record->type == KERMON_RECORD_LOST)
			log->lost += ((const struct kermon_lost *)record)->lost;
		else if (record->type == KERMON_RECORD_REVOKED)
			log->revoked = ((const struct kermon_revoked *)record)->tsc;
	}
}

bool log_read_all(struct log *log, int fd)
{
	static _Alignas(8) char buf[1 << 16];
	ssize_t len;

	while ((len = read_event_log(fd, buf, sizeof(buf), 0)) > 0)
		add_records(log, buf, len);
	return !len;
}

bool log_read_now(struct log *log, int fd)
{
	static _Alignas(8) char buf[1 << 16];
	ssize_t len;

	while ((len = read_event_log(fd, buf, sizeof(buf),
				     KERMON_READ_NONBLOCK)) > 0)
		add_records(log, buf, len);
	return !len || errno == EAGAIN;
}

void spin_ms(unsigned int ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000LL +
		 (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}
