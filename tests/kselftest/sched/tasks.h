/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that compete for CPUs, and the share of each.
 *
 * The test itself is a FIFO task, so that it runs on time whatever it starts.
 */
#ifndef KERMON_TEST_TASKS_H
#define KERMON_TEST_TASKS_H

#include <sys/types.h>

#include "log.h"

#define MAX_TASKS	16
#define ANY_CPU		-1

/* Shares are in thousandths of a CPU. */
#define CPU		1000

struct task {
	struct child child;
	int share;
};

/*
 * Wakeup latencies of tasks that sleep for a millisecond at a time, or yield.
 */
#define LATE_STEPS	200
#define LATE_STEP_US	50

struct rounds {
	unsigned int nr;
	long worst_us;
	unsigned int late[LATE_STEPS + 1];	/* the last entry: everything later */
};

struct team {
	struct task tasks[MAX_TASKS];
	int nr;
	struct rounds *rounds;
};

/*
 * Returns false if the test cannot become a FIFO task, or there is only one
 * CPU.
 */
bool team_init(struct team *team);
void team_free(struct team *team);

/* Start a task that calls @run with team->rounds; ANY_CPU: not pinned. */
pid_t team_add(struct team *team, int (*run)(void *rounds), int policy, int cpu);

int hog(void *rounds);
int sleep_by_the_millisecond(void *rounds);
int busy_3_ms_of_5(void *rounds);
int yield_often(void *rounds);
int fork_often(void *rounds);

/* Measure the share of each task over @ms, once all of them run. */
void team_measure(struct team *team, int ms);

/*
 * The time that a real-time task that never sleeps leaves to all lower classes,
 * in thousandths of a CPU: kernels without a fair deadline server throttle it.
 */
int real_time_leaves(void);

/* Median lateness of the rounds. */
long rounds_median_us(const struct rounds *rounds);

/* Like sched_setscheduler() and sched_setaffinity(). */
int set_policy(pid_t pid, int policy);
int pin(pid_t pid, int cpu);
int confine(pid_t pid, int cpus);	/* to the first @cpus CPUs */

long long now_ns(void);

/* Check the share of task @i, all values in thousandths of a CPU. */
#define EXPECT_SHARE(i, expected, tolerance) do {			\
	EXPECT_LE((expected) - (tolerance), self->team.tasks[i].share);	\
	EXPECT_GE((expected) + (tolerance), self->team.tasks[i].share);	\
} while (0)

#endif /* KERMON_TEST_TASKS_H */
