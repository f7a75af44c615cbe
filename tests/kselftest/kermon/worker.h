/* SPDX-License-Identifier: GPL-2.0 */
/* A process that does known work, and a process that disturbs it. */
#ifndef KERMON_TEST_WORKER_H
#define KERMON_TEST_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Start a stopped child that does @work(@data) after worker_go() and exits with
 * status 0. Apart from a constant number of instructions around it, @work is
 * all that it does in user mode from then on.
 */
pid_t worker_start(void (*work)(void *data), void *data);
void worker_go(pid_t pid);

/* Returns its exit status, -1 if it was killed. */
int worker_wait(pid_t pid);

/* Whether @pid, a child of the caller, has exited; it remains waitable. */
int worker_ended(pid_t pid);

/* @pid 0 is the calling thread. Returns 0, or -1 with errno. */
int pin(pid_t pid, int cpu);

/*
 * Start a SCHED_FIFO child that repeatedly occupies @cpu for a while, until
 * disturber_stop(); -1 with errno.
 */
pid_t disturber_start(int cpu);
void disturber_stop(pid_t pid);

/* 0, or -1 with errno: CPU 0 cannot, and no other one if the kernel has no hotplug. */
int set_online(int cpu, bool online);

/* Until @pid has ended, let CPU 1 go offline while it runs there, and online again. */
void hotplug_until_end(pid_t pid);

int cpus_online(void);
void sleep_us(unsigned int us);

#endif /* KERMON_TEST_WORKER_H */
