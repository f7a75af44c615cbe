// SPDX-License-Identifier: GPL-2.0
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/kermon.h>

#include "plan.h"

#define MAX_CHILDREN	6
#define NR_PARENTS	8		/* initially, so that there is always a choice */
#define MAX_OWN		10		/* steps that create no task */
#define NR_NAPS		16
#define NAP_NS		200000
#define SHORT_ROUNDS	4000
#define LONG_ROUNDS	2000000		/* as long as a tick, one in LONG_ONE_IN */
#define LONG_ONE_IN	64

#define THREAD_FLAGS	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | \
			 CLONE_THREAD | CLONE_SYSVSEM)

static const uint64_t clone_flags[NR_KINDS] = {
	[THREAD] = THREAD_FLAGS,
	[PROCESS] = SIGCHLD,
	[PROGRAM] = SIGCHLD,
	[VFORKED] = CLONE_VM | CLONE_VFORK | SIGCHLD,
};

/* Arguments of steps, in memory that no task writes. */
static const struct sched_param priorities[] = {
	{ .sched_priority = 0 }, { .sched_priority = 1 },
};

static const uint64_t affinities[] = { 1, 2, 3 };
static struct timespec naps[NR_NAPS];
static char *program_argv[2];

/* splitmix64: works with any seed. */
static uint64_t roll(struct plan *plan, uint64_t sides)
{
	uint64_t z = plan->dice += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % sides;
}

static uint64_t roll_rounds(struct plan *plan)
{
	return 1 + roll(plan, roll(plan, LONG_ONE_IN) ? SHORT_ROUNDS
						      : LONG_ROUNDS);
}

static struct step *script_of(const struct plan *plan, unsigned int task)
{
	return plan->steps + task * PLAN_STEPS;
}

static struct step *add(struct plan *plan, unsigned int task, long number)
{
	struct planned *planned = &plan->tasks[task];
	struct step *step = script_of(plan, task) + planned->nr_steps++;

	step->number = number;
	step->rounds = roll_rounds(plan);
	planned->instructions += step_instructions(step);
	return step;
}

static void add_clone(struct plan *plan, unsigned int task, unsigned int child)
{
	struct step *step = add(plan, task, SYS_clone);

	step->args[0] = clone_flags[plan->tasks[child].kind] |
			CLONE_PARENT_SETTID;
	step->args[1] = (uintptr_t)script_of(plan, child);
	step->args[2] = (uintptr_t)&plan->tasks[child].tid;
}

static void add_nap(struct plan *plan, unsigned int task)
{
	struct step *step = add(plan, task, SYS_nanosleep);

	step->args[0] = (uintptr_t)&naps[roll(plan, NR_NAPS)];
}

static void add_yield(struct plan *plan, unsigned int task)
{
	add(plan, task, SYS_sched_yield);
}

static void add_move(struct plan *plan, unsigned int task)
{
	struct step *step = add(plan, task, SYS_sched_setaffinity);

	step->args[1] = sizeof(affinities[0]);
	step->args[2] = (uintptr_t)&affinities[roll(plan, plan->cpus > 1 ?
							  3 : 1)];
}

static void add_policy(struct plan *plan, unsigned int task)
{
	static const int policies[] = { SCHED_OTHER, SCHED_KERMON, SCHED_FIFO };
	struct step *step = add(plan, task, SYS_sched_setscheduler);
	int policy = policies[roll(plan, 3)];

	step->args[1] = policy;
	step->args[2] = (uintptr_t)&priorities[policy == SCHED_FIFO];
}

static void (*const ways[])(struct plan *plan, unsigned int task) = {
	add_nap, add_nap, add_yield, add_move, add_move, add_policy,
};

#define NR_WAYS (sizeof(ways) / sizeof(ways[0]))

static unsigned int next_child(const struct plan *plan, unsigned int task,
			       unsigned int after)
{
	while (++after < plan->nr && plan->tasks[after].parent != task)
		;
	return after;
}

/* Create all children and do some other steps, in random order. */
static void add_life(struct plan *plan, unsigned int task)
{
	unsigned int own = 2 + roll(plan, MAX_OWN - 1);
	unsigned int children = plan->tasks[task].children;
	unsigned int child = task;

	while (own + children) {
		if (roll(plan, own + children) < children) {
			child = next_child(plan, task, child);
			add_clone(plan, task, child);
			children--;
		} else {
			ways[roll(plan, NR_WAYS)](plan, task);
			own--;
		}
	}
}

static void add_exec(struct plan *plan, unsigned int task)
{
	struct step *step = add(plan, task, SYS_execve);

	step->args[0] = (uintptr_t)program_argv[0];
	step->args[1] = (uintptr_t)program_argv;
	plan->tasks[task].instructions += PROGRAM_INSTRUCTIONS;
}

static bool executes(const struct planned *planned)
{
	return planned->kind == PROGRAM || planned->kind == VFORKED;
}

static void write_script(struct plan *plan, unsigned int task)
{
	struct step *stop;

	/* The first task is monitored from where it continues. */
	if (!task) {
		stop = add(plan, task, SYS_kill);
		stop->args[1] = SIGSTOP;
		plan->tasks[task].instructions = 0;
	}
	if (plan->nr > 1)
		add_life(plan, task);
	if (roll(plan, 2))
		add(plan, task, SYS_wait4)->args[0] = -1;
	if (executes(&plan->tasks[task]))
		add_exec(plan, task);
	else
		add(plan, task, SYS_exit);
}

/*
 * Tasks that execute a program must not have children, since exec kills
 * threads.
 */
static void find_parent(struct plan *plan, unsigned int task)
{
	unsigned int parent;

	do
		parent = roll(plan, task);
	while (executes(&plan->tasks[parent]) ||
	       plan->tasks[parent].children == MAX_CHILDREN);
	plan->tasks[task].parent = parent;
	plan->tasks[parent].children++;
}

static void write_plan(struct plan *plan)
{
	unsigned int task;

	plan->tasks[0].kind = PROCESS;
	for (task = 1; task < plan->nr; task++) {
		plan->tasks[task].kind = roll(plan, task < NR_PARENTS ?
						    PROGRAM : NR_KINDS);
		find_parent(plan, task);
	}
	for (task = 0; task < plan->nr; task++)
		write_script(plan, task);
}

static size_t plan_size(unsigned int nr)
{
	return sizeof(struct plan) + nr * (sizeof(struct planned) +
					   PLAN_STEPS * sizeof(struct step));
}

struct plan *plan_make(unsigned int nr, uint64_t seed, unsigned int cpus,
		       const char *path)
{
	struct plan *plan = mmap(NULL, plan_size(nr), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (plan == MAP_FAILED)
		return NULL;
	for (i = 0; i < NR_NAPS; i++)
		naps[i].tv_nsec = (i + 1) * NAP_NS;
	program_argv[0] = (char *)path;
	plan->seed = seed;
	plan->dice = seed;
	plan->cpus = cpus;
	plan->nr = nr;
	plan->steps = (void *)(plan + 1);
	plan->tasks = (void *)(plan->steps + nr * PLAN_STEPS);
	write_plan(plan);
	return plan;
}

void plan_free(struct plan *plan)
{
	munmap(plan, plan_size(plan->nr));
}

pid_t plan_start(struct plan *plan)
{
	pid_t pid = fork();

	if (!pid) {
		script_of(plan, 0)->args[0] = getpid();
		walk(script_of(plan, 0));
	}
	if (pid < 0 || waitpid(pid, NULL, WUNTRACED) != pid)
		return -1;
	plan->tasks[0].tid = pid;
	return pid;
}
