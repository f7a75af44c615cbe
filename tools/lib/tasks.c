// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "perfdata/format.h"
#include "tasks.h"

/**
 * struct task - of the application, with the time of the last of each event, or 0
 * @known: pid, tid, and the name that it got by its last exec
 * @exec_time: it has become another program
 * @map_time: a file was mapped for execution; of the main thread, by any thread
 * @exit_time: perf watches it no more
 */
struct task {
	struct kermon_task known;
	uint64_t exec_time;
	uint64_t map_time;
	uint64_t exit_time;
};

/* Tids of tasks that have ended. */
struct ended {
	pid_t *tids;
	size_t nr;
	size_t room;
};

/**
 * struct tasks - by tid
 * @tree: of struct task, for tsearch(3)
 * @now: those whose end was told in this round
 * @before: in the one before: all of their records are there
 */
struct tasks {
	void *tree;
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

static int take_comm(struct tasks *tasks, const struct comm *comm)
{
	struct task *task;

	if (!(comm->header.misc & PERF_RECORD_MISC_COMM_EXEC))
		return 0;
	task = find_task(tasks, comm->pid, comm->tid);
	if (!task)
		return -ENOMEM;
	task->exec_time = time_of(&comm->header);
	memcpy(task->known.comm, comm->name,
	       strnlen(comm->name, sizeof(task->known.comm) - 1) + 1);
	task->known.comm[sizeof(task->known.comm) - 1] = '\0';
	return 0;
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

/* Perhaps with a tid that somebody had who has ended. */
static int take_fork(struct tasks *tasks, const struct fork *fork)
{
	struct task *task = find_task(tasks, fork->pid, fork->tid);

	if (!task)
		return -ENOMEM;
	if (task->exit_time && task->exit_time < fork->time)
		*task = (struct task){
			.known.pid = fork->pid,
			.known.tid = fork->tid,
		};
	return 0;
}

static int take_exit(struct tasks *tasks, const struct fork *fork)
{
	struct task *task = find_task(tasks, fork->pid, fork->tid);
	struct ended *ended = &tasks->now;

	if (!task || array_room(ended->tids, ended->room, ended->nr + 1))
		return -ENOMEM;
	if (task->exit_time < fork->time)
		task->exit_time = fork->time;
	ended->tids[ended->nr++] = fork->tid;
	return 0;
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
	default:
		return 0;
	}
}

int tasks_add(struct tasks *tasks, pid_t pid, pid_t tid)
{
	return find_task(tasks, pid, tid) ? 0 : -ENOMEM;
}

/* The thread that executes a program becomes the main one, which may have ended. */
static bool has_ended(const struct task *task)
{
	return task->exit_time && task->exit_time >= task->exec_time;
}

/*
 * Whoever executes a program that has more privileges, or may not be read, is
 * watched no more from before its first mapping on. Any other program that ends has
 * mapped at least itself.
 */
static bool is_privileged(const struct task *task)
{
	return task->exec_time && has_ended(task) &&
	       task->map_time < task->exec_time;
}

static void forget(struct tasks *tasks, pid_t tid)
{
	const struct task key = { .known.tid = tid };
	struct task **found = tfind(&key, &tasks->tree, compare_tids), *task;

	if (!found || !has_ended(*found) || is_privileged(*found))
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

/* What tasks_each() was told. */
struct walk {
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
	known.privileged = is_privileged(task);
	if (known.privileged || !has_ended(task))
		walk->fn(&known, walk->data);
}

void tasks_each(const struct tasks *tasks, kermon_task_fn fn, void *data)
{
	struct walk walk = { .fn = fn, .data = data };

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
