// SPDX-License-Identifier: GPL-2.0
/* Track the tasks of an application that are alive from the records of the side-band. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "tasks.h"
#include "util/array.h"

/**
 * struct task - a task of the application; times are those of the last such event, or 0
 * @known: pid, tid, and name since its last exec
 * @fork_time: it was created
 * @exec_time: it executed a program
 * @map_time: main thread only: any thread of the process mapped an executable file
 * @exit_time: perf stopped watching it
 */
struct task {
	struct kermon_task known;
	uint64_t fork_time;
	uint64_t exec_time;
	uint64_t map_time;
	uint64_t exit_time;
};

/* The tids of tasks that have ended. */
struct ended {
	pid_t *tids;
	size_t nr;
	size_t room;
};

/**
 * struct tasks - the tasks of an application
 * @tree: struct task by tid, for tsearch(3)
 * @lost: the side-band has lost records
 * @now: tasks whose end was read in this round
 * @before: tasks whose end was read in the previous round; all of their records have been read
 */
struct tasks {
	void *tree;
	bool lost;
	struct ended now;
	struct ended before;
};

static int compare_tids(const void *a, const void *b)
{
	const struct task *left = a, *right = b;

	return (left->known.tid > right->known.tid) -
	       (left->known.tid < right->known.tid);
}

static struct task *find_task(struct tasks *tasks, pid_t pid, pid_t tid)
{
	const struct task key = { .known.tid = tid };
	struct task **found = tfind(&key, &tasks->tree, compare_tids), *new;

	if (found)
		return *found;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->known.pid = pid;
	new->known.tid = tid;
	found = tsearch(new, &tasks->tree, compare_tids);
	if (found)
		return new;
	free(new);
	return NULL;
}

static uint64_t time_of(const struct perf_event_header *record)
{
	struct perfdata_sample_id id;

	memcpy(&id, (const char *)record + record->size - sizeof(id),
	       sizeof(id));
	return id.time;
}

struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[16];
};

static int end_task(struct tasks *tasks, struct task *task, uint64_t time)
{
	struct ended *ended = &tasks->now;

	if (array_room(ended->tids, ended->room, ended->nr + 1))
		return -ENOMEM;
	if (task->exit_time < time)
		task->exit_time = time;
	ended->tids[ended->nr++] = task->known.tid;
	return 0;
}

/* An exec in the process @pid. */
struct exec {
	struct tasks *tasks;
	pid_t pid;
	uint64_t time;
	int result;
};

static void end_other_thread(const void *node, VISIT visit, void *data)
{
	struct task *task = *(struct task *const *)node;
	struct exec *exec = data;

	if ((visit == postorder || visit == leaf) && !exec->result &&
	    task->known.pid == exec->pid && task->known.tid != exec->pid &&
	    task->fork_time < exec->time && !task->exit_time)
		exec->result = end_task(exec->tasks, task, exec->time);
}

/*
 * An exec ends all other threads, and the calling one becomes the main thread: its
 * former tid gets no EXIT record.
 */
static int take_comm(struct tasks *tasks, const struct comm *comm)
{
	struct exec exec = {
		.tasks = tasks,
		.pid = comm->pid,
		.time = time_of(&comm->header),
	};
	struct task *task;

	if (!(comm->header.misc & PERF_RECORD_MISC_COMM_EXEC))
		return 0;
	task = find_task(tasks, comm->pid, comm->tid);
	if (!task)
		return -ENOMEM;
	if (exec.time < task->exec_time)
		return 0;
	task->exec_time = exec.time;
	memcpy(task->known.comm, comm->name,
	       strnlen(comm->name, sizeof(task->known.comm) - 1) + 1);
	task->known.comm[sizeof(task->known.comm) - 1] = '\0';
	twalk_r(tasks->tree, end_other_thread, &exec);
	return exec.result;
}

struct map {
	struct perf_event_header header;
	uint32_t pid, tid;
};

static int take_map(struct tasks *tasks, const struct map *map)
{
	struct task *task = find_task(tasks, map->pid, map->pid);
	uint64_t time = time_of(&map->header);

	if (!task)
		return -ENOMEM;
	if (task->map_time < time)
		task->map_time = time;
	return 0;
}

struct fork {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

/* The main thread, if it executed a program after the thread of @fork was created. */
static const struct task *find_exec(const struct tasks *tasks,
				    const struct fork *fork)
{
	const struct task key = { .known.tid = fork->pid };
	struct task **main = tfind(&key, &tasks->tree, compare_tids);

	return fork->tid != fork->pid && main &&
	       (*main)->exec_time > fork->time ? *main : NULL;
}

/* The tid may have been used by a task that has ended. */
static int take_fork(struct tasks *tasks, const struct fork *fork)
{
	struct task *task = find_task(tasks, fork->pid, fork->tid);
	const struct task *exec;

	if (!task)
		return -ENOMEM;
	if (task->exit_time && task->exit_time < fork->time)
		*task = (struct task){
			.known.pid = fork->pid,
			.known.tid = fork->tid,
		};
	task->fork_time = fork->time;
	exec = find_exec(tasks, fork);
	return exec && !task->exit_time ?
	       end_task(tasks, task, exec->exec_time) : 0;
}

static int take_exit(struct tasks *tasks, const struct fork *fork)
{
	struct task *task = find_task(tasks, fork->pid, fork->tid);

	return task ? end_task(tasks, task, fork->time) : -ENOMEM;
}

int tasks_take(struct tasks *tasks, const struct perf_event_header *record)
{
	switch (record->type) {
	case PERF_RECORD_COMM:
		return take_comm(tasks, (const void *)record);
	case PERF_RECORD_MMAP2:
		return take_map(tasks, (const void *)record);
	case PERF_RECORD_FORK:
		return take_fork(tasks, (const void *)record);
	case PERF_RECORD_EXIT:
		return take_exit(tasks, (const void *)record);
	case PERF_RECORD_LOST:
		tasks->lost = true;
		return 0;
	default:
		return 0;
	}
}

int tasks_add(struct tasks *tasks, pid_t pid, pid_t tid)
{
	return find_task(tasks, pid, tid) ? 0 : -ENOMEM;
}

/* The main thread may have ended before another thread executed a program. */
static bool has_ended(const struct task *task)
{
	return task->exit_time && task->exit_time >= task->exec_time;
}

/*
 * When a task executes a program that has privileges or is not readable, perf stops
 * watching it before its first mapping. The records are the same if the kernel kills
 * the task in exec for lack of memory or because the file is damaged. Any other program
 * maps at least itself before it ends. If records were lost, the one of the mapping may
 * be among them.
 */
static bool is_unrecorded(const struct tasks *tasks, const struct task *task)
{
	return !tasks->lost && task->exec_time && has_ended(task) &&
	       task->map_time < task->exec_time;
}

static void forget(struct tasks *tasks, pid_t tid)
{
	const struct task key = { .known.tid = tid };
	struct task **found = tfind(&key, &tasks->tree, compare_tids), *task;

	if (!found || !has_ended(*found) || is_unrecorded(tasks, *found))
		return;
	task = *found;
	tdelete(task, &tasks->tree, compare_tids);
	free(task);
}

void tasks_round(struct tasks *tasks)
{
	const struct ended ended = tasks->before;
	size_t i;

	for (i = 0; i < ended.nr; i++)
		forget(tasks, ended.tids[i]);
	tasks->before = tasks->now;
	tasks->now = ended;
	tasks->now.nr = 0;
}

/* The arguments of tasks_each(). */
struct walk {
	const struct tasks *tasks;
	kermon_task_fn fn;
	void *data;
};

static void tell(const void *node, VISIT visit, void *data)
{
	const struct task *task = *(struct task *const *)node;
	struct kermon_task known = task->known;
	const struct walk *walk = data;

	if (visit != postorder && visit != leaf)
		return;
	known.exec_time = task->exec_time;
	known.unrecorded = is_unrecorded(walk->tasks, task);
	if (known.unrecorded || !has_ended(task))
		walk->fn(&known, walk->data);
}

void tasks_each(const struct tasks *tasks, kermon_task_fn fn, void *data)
{
	struct walk walk = { .tasks = tasks, .fn = fn, .data = data };

	twalk_r(tasks->tree, tell, &walk);
}

struct tasks *tasks_new(void)
{
	return calloc(1, sizeof(struct tasks));
}

void tasks_free(struct tasks *tasks)
{
	if (!tasks)
		return;
	tdestroy(tasks->tree, free);
	free(tasks->before.tids);
	free(tasks->now.tids);
	free(tasks);
}
