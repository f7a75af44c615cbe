/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A random mix of tasks, and what each of them is going to execute.
 */
#ifndef KERMON_TEST_PLAN_H
#define KERMON_TEST_PLAN_H

#include <stdint.h>
#include <sys/types.h>

#include "script.h"

#define PLAN_STEPS	24		/* of a task at most */

/**
 * enum kind - how a task comes into being, and ends
 * @THREAD: shares all with its creator
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
 * @tid: once it has been created
 * @kind: of it
 * @children: tasks that it creates
 * @parent: index of its creator
 * @nr_steps: that it has in the plan
 * @instructions: that it will have executed in user mode at its end
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
 * struct plan - in memory that all tasks share
 * @seed: the plan follows from it
 * @dice: next random number
 * @cpus: that they move between: 1 or 2
 * @nr: tasks; the first creates the others, or lets them be created
 * @tasks: those
 * @steps: PLAN_STEPS of each
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
 * @nr tasks by @seed on @cpus, NULL if there is no memory. @path: where the program
 * is.
 */
struct plan *plan_make(unsigned int nr, uint64_t seed, unsigned int cpus,
		       const char *path);
void plan_free(struct plan *plan);

/*
 * The first task: stopped, and at its next step when SIGCONT arrives. It and all
 * others keep the files open that are open now. -1 with errno.
 */
pid_t plan_start(struct plan *plan);

#endif /* KERMON_TEST_PLAN_H */
