/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers shared by KerMon's tests: the system calls, a task to monitor, and
 * the samples of a log.
 */
#ifndef KERMON_TEST_LOG_H
#define KERMON_TEST_LOG_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <sys/types.h>

/* Like the system calls: -1 and errno on failure. */
int set_events(pid_t pid, const struct kermon_event_set *set, size_t size,
	       unsigned int flags);
ssize_t read_event_log(int fd, void *buf, size_t len, unsigned int flags);

/*
 * Whether KerMon counts beside perf, or would if it did now: who may count then, and
 * who else can, differs.
 */
bool counters_are_shared(void);
void share_counters(bool share);

/* User mode only, no programmed events, defaults otherwise. */
struct kermon_event_set plain_set(void);

/* No counters at all, which any user may have for the own tasks. */
struct kermon_event_set time_set(void);

/* set_events() with plain_set() and no flags. */
int monitor(pid_t pid);

/*
 * A child that sleeps until it is told to run a function with an argument; its
 * exit status is the result of the function. It dies with the test.
 */
struct child {
	pid_t pid;
	int go;
};

void child_start(struct child *child, int (*run)(void *arg), void *arg);
void child_go(struct child *child);
/* Wait until /proc reports @state, a letter as in proc(5), for @pid. */
void wait_until_state(pid_t pid, char state);
/*
 * Wait until @pid, which is sleeping or stopped, has left its CPU: its state
 * changes before that, and a set of events installed in between would find it
 * running and log its switch-out.
 */
void wait_until_off_cpu(pid_t pid);

/* Returns the status of waitpid(). */
int child_wait(struct child *child);
void child_kill(struct child *child);

/* Summary of a log: samples by reason, and the time of some. */
struct log {
	unsigned int samples;
	unsigned int reasons[KERMON_REASON_SET + 1];
	unsigned long long exec;	/* TSC of these samples */
	unsigned long long last_tick;
	unsigned long long lost;
	unsigned long long invalid;
	unsigned long long revoked;	/* TSC */
	struct kermon_sample first;
	struct kermon_sample last;
};

/*
 * Add the contents of @fd: until the end of the log, or what is available now.
 */
bool log_read_all(struct log *log, int fd);
bool log_read_now(struct log *log, int fd);

/* Keep a CPU busy for @ms of the machine's clock. */
void spin_ms(unsigned int ms);

#endif /* KERMON_TEST_LOG_H */
