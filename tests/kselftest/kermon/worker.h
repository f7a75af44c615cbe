/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that does known work, and what disturbs it.
 */
#ifndef KERMON_TEST_WORKER_H
#define KERMON_TEST_WORKER_H

#include <sys/types.h>

/*
 * A stopped child of the caller that will do @work(@data) and exit with status
 * 0 when worker_go() lets it: apart from a constant number of instructions
 * around it, @work is all that it does in user mode from then on.
 */
pid_t worker_start(void (*work)(void *data), void *data);
void worker_go(pid_t pid);

/* Its exit status, -1 if it did not exit by itself. */
int worker_wait(pid_t pid);

/* Whether @pid, a child of the caller, has ended; it stays waitable. */
int worker_ended(pid_t pid);

/* All for 0 is the calling thread; 0, or -1 with errno. */
int pin(pid_t pid, int cpu);

/*
 * A SCHED_FIFO child on @cpu that takes it from others for a while, again and
 * again, until disturber_stop(); -1 with errno.
 */
pid_t disturber_start(int cpu);
void disturber_stop(pid_t pid);

int cpus_online(void);
void sleep_us(unsigned int us);

#endif /* KERMON_TEST_WORKER_H */
