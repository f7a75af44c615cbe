/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of KerMon share: the system calls, a task to be monitored,
 * and the samples of a log.
 */
#ifndef KERMON_TEST_LOG_H
#define KERMON_TEST_LOG_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <sys/types.h>

/* As the system calls: -1 and errno on failure. */
int set_events(pid_t pid, const struct kermon_event_set *set, size_t size,
	       unsigned int flags);
ssize_t read_event_log(int fd, void *buf, size_t len, unsigned int flags);

/* User mode, no programmed events, everything else by default. */
struct kermon_event_set plain_set(void);

/* set_events() with that one, no flags. */
int monitor(pid_t pid);

/*
 * A child that runs a function with the user's argument once it is told to, and
 * sleeps until then; its exit status is what the function returns. It dies with
 * the test.
 */
struct child {
	pid_t pid;
	int go;
};

void child_start(struct child *child, int (*run)(void *arg), void *arg);
void child_go(struct child *child);
/* Until /proc says @state of @pid, a letter as in proc(5); it must get there. */
void wait_until_state(pid_t pid, char state);
/*
 * Wait until @pid, which sleeps or is stopped, has left its CPU: its state says so
 * before it has, and then a set of events would find it running, and log that it goes.
 */
void wait_until_off_cpu(pid_t pid);

/* As waitpid()'s status. */
int child_wait(struct child *child);
void child_kill(struct child *child);

/* A log, as it is read: samples by reason, and some by their time. */
struct log {
	unsigned int samples;
	unsigned int reasons[KERMON_REASON_SET + 1];
	unsigned long long exec;	/* TSC of these samples */
	unsigned long long last_tick;
	unsigned long long lost;
	unsigned long long invalid;
	struct kermon_sample first;
	struct kermon_sample last;
};

/* Add what is in @fd: all there will be, or all that is there now. */
bool log_read_all(struct log *log, int fd);
bool log_read_now(struct log *log, int fd);

/* Keep a CPU busy for so long, as the clock of the machine goes. */
void spin_ms(unsigned int ms);

#endif /* KERMON_TEST_LOG_H */
