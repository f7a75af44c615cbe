/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that compete for CPUs, and what each of them gets.
 *
 * The test itself is a FIFO task, so that it is on time whatever it starts.
 */
#ifndef KERMON_TEST_TASKS_H
#define KERMON_TEST_TASKS_H

#include <sys/types.h>

#include "log.h"

#define MAX_TASKS	16
#define ANY_CPU		-1

/* Shares are in thousandths of one CPU. */
#define CPU		1000

struct task {
	struct child child;
	int share;
};

/*
 * What tasks that sleep a millisecond at a time, or yield, have seen: how often,
 * and by how much they woke up late.
 */
#define LATE_STEPS	200
#define LATE_STEP_US	50

struct rounds {
	unsigned int nr;
	long worst_us;
	unsigned int late[LATE_STEPS + 1];	/* the last: all that is later */
};

struct team {
	struct task tasks[MAX_TASKS];
	int nr;
	struct rounds *rounds;
};

/* False if the test cannot be on time, or there is only one CPU. */
bool team_init(struct team *team);
void team_free(struct team *team);

/* A task that does as @run says, with team->rounds; ANY_CPU: not pinned. */
pid_t team_add(struct team *team, int (*run)(void *rounds), int policy, int cpu);

int hog(void *rounds);
int sleep_by_the_millisecond(void *rounds);
int busy_3_ms_of_5(void *rounds);
int yield_often(void *rounds);
int fork_often(void *rounds);

/* What every task gets in so many milliseconds, once they all run. */
void team_measure(struct team *team, int ms);

/*
 * What a real-time task that never sleeps leaves to all below it, in thousandths
 * of a CPU: kernels without a deadline server for fair tasks throttle it.
 */
int real_time_leaves(void);

/* Half of the rounds were late by no more than this. */
long rounds_median_us(const struct rounds *rounds);

/* As sched_setscheduler() and sched_setaffinity(). */
int set_policy(pid_t pid, int policy);
int pin(pid_t pid, int cpu);
int confine(pid_t pid, int cpus);	/* to the first ones */

long long now_ns(void);

/* Is the share of task @i as expected, all in thousandths of a CPU? */
#define EXPECT_SHARE(i, expected, tolerance) do {			\
	EXPECT_LE((expected) - (tolerance), self->team.tasks[i].share);	\
	EXPECT_GE((expected) + (tolerance), self->team.tasks[i].share);	\
} while (0)

#endif /* KERMON_TEST_TASKS_H */
