/* SPDX-License-Identifier: GPL-2.0 */
/* A random mix of tasks, and the steps that each of them executes. */
#ifndef KERMON_TEST_PLAN_H
#define KERMON_TEST_PLAN_H

#include <stdint.h>
#include <sys/types.h>

#include "script.h"

#define PLAN_STEPS	24		/* maximum per task */

/**
 * enum kind - how a task is created and exits
 * @THREAD: shares everything with its creator
 * @PROCESS: created by fork
 * @PROGRAM: likewise, and executes another program at its end
 * @VFORKED: likewise, while its creator waits
 */
enum kind {
	THREAD,
	PROCESS,
	PROGRAM,
	VFORKED,
	NR_KINDS,
};

/**
 * struct planned - a task
 * @tid: set when it has been created
 * @kind: kind of task
 * @children: number of tasks that it creates
 * @parent: index of its creator
 * @nr_steps: number of its steps
 * @instructions: expected number of user-mode instructions at its end
 */
struct planned {
	pid_t tid;
	enum kind kind;
	unsigned int children;
	unsigned int parent;
	unsigned int nr_steps;
	uint64_t instructions;
};

/**
 * struct plan - a plan, in memory shared by all tasks
 * @seed: determines the plan
 * @dice: state of the random numbers
 * @cpus: number of CPUs that tasks move between: 1 or 2
 * @nr: number of tasks; the first one creates all others, directly or not
 * @tasks: the tasks
 * @steps: PLAN_STEPS for each task
 */
struct plan {
	uint64_t seed;
	uint64_t dice;
	unsigned int cpus;
	unsigned int nr;
	struct planned *tasks;
	struct step *steps;
};

/*
 * Make a plan of @nr tasks from @seed on @cpus, NULL without memory. @path:
 * location of the program.
 */
struct plan *plan_make(unsigned int nr, uint64_t seed, unsigned int cpus,
		       const char *path);
void plan_free(struct plan *plan);

/*
 * Create the first task, stopped; it continues on SIGCONT. All tasks keep the
 * files open that are open now. -1 with errno.
 */
pid_t plan_start(struct plan *plan);

#endif /* KERMON_TEST_PLAN_H */
