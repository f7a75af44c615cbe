// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <kermon/session.h>

#include "array.h"
#include "leftover.h"
#include "proc.h"
#include "record.h"

#define NS_PER_SEC	1000000000ULL

/* Give up on a process that keeps forking faster than it can be followed. */
#define CHASE_NS	(5 * NS_PER_SEC)

/* A fork that takes longer than this may leave its child in the class. */
#define FORK_NS		(NS_PER_SEC / 10)

/**
 * struct known - processes of the application, according to the side-band
 * @pids: their numbers
 * @nr: length of @pids
 * @room: allocated length of @pids
 * @unrecorded: include those that are no longer monitored
 * @app: number of the application
 * @recorder: the recording
 */
struct known {
	pid_t *pids;
	size_t nr;
	size_t room;
	bool unrecorded;
	long app;
	const struct kermon_recorder *recorder;
};

/**
 * struct forking - a task that was put back, and may be in the middle of a fork
 * @tid: the task
 * @since_ns: when it was put back
 */
struct forking {
	pid_t tid;
	uint64_t since_ns;
};

/**
 * struct chase - the search for tasks in the class
 * @recording: the recording
 * @known: its processes
 * @forking: tasks whose next child may still be in the class
 * @nr: length of @forking
 * @room: allocated length of @forking
 * @end_ns: when to give up
 */
struct chase {
	const struct recording *recording;
	const struct known *known;
	struct forking *forking;
	size_t nr;
	size_t room;
	uint64_t end_ns;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static bool is_known(const struct known *known, pid_t pid)
{
	size_t i;

	for (i = 0; i < known->nr; i++)
		if (known->pids[i] == pid)
			return true;
	return false;
}

/*
 * The side-band doesn't report the end of an unrecorded process, so another one may have
 * its number by now. That one started after the exec.
 */
static bool is_reused(const struct known *known, const struct kermon_task *task)
{
	uint64_t age = kermon_recorder_now(known->recorder) - task->exec_time;

	return proc_start_ns(task->pid) + age > clock_ns(CLOCK_BOOTTIME);
}

static void take_task(const struct kermon_task *task, void *data)
{
	struct known *known = data;

	if ((task->unrecorded && !known->unrecorded) ||
	    is_known(known, task->pid) ||
	    (task->unrecorded && is_reused(known, task)) ||
	    array_room(known->pids, known->room, known->nr + 1))
		return;
	known->pids[known->nr++] = task->pid;
}

struct policy policy_of(pid_t tid)
{
	struct policy policy = { .number = sched_getscheduler(tid) };

	if (policy.number < 0 || sched_getparam(tid, &policy.param))
		return (struct policy){ .number = SCHED_OTHER };
	return policy;
}

unsigned int leftover_count(const struct recording *recording)
{
	const pid_t own = recording->workload.pid;
	long tasks = proc_fdinfo(recording->log, "kermon-tasks");
	struct known known = { 0 };
	unsigned int nr = 0;
	size_t i;

	if (!tasks)
		return 0;
	kermon_recorder_tasks(recording->recorder, take_task, &known);
	for (i = 0; i < known.nr; i++)
		if (known.pids[i] != own && proc_is_alive(known.pids[i]))
			nr++;
	free(known.pids);
	return nr;
}

/* Whose recording a task belongs to. */
enum owner { OWNER_UNKNOWN, OWNER_THIS, OWNER_OTHER };

/* Unknown: @tid isn't monitored, isn't ours to ask about, or is gone. */
static enum owner owner_of(const struct known *known, pid_t tid)
{
	int log = kermon_session_open(tid, NULL, KERMON_SET_OPEN_LOG);
	long app;

	if (log < 0)
		return OWNER_UNKNOWN;
	app = proc_fdinfo(log, "kermon-app");
	close(log);
	if (app < 0)
		return OWNER_UNKNOWN;
	return app == known->app ? OWNER_THIS : OWNER_OTHER;
}

/*
 * Whether @pid descends from this process, from one that the side-band reported, or
 * from one that is monitored for this recording: a new task is visible shortly before
 * it is monitored. What descends from a task of another recording belongs to that one.
 */
static bool is_related(const struct known *known, pid_t pid)
{
	const pid_t own = getpid();
	enum owner owner;
	pid_t each;

	if (pid == own)
		return false;
	for (each = pid; each > 1; each = proc_parent(each)) {
		if (each == own || is_known(known, each))
			return true;
		owner = owner_of(known, each);
		if (owner != OWNER_UNKNOWN)
			return owner == OWNER_THIS;
	}
	return false;
}

/* Asking the kernel is fastest, and some tasks don't live long. */
static bool is_ours(const struct known *known, pid_t tid)
{
	enum owner owner = owner_of(known, tid);

	if (owner != OWNER_UNKNOWN)
		return owner == OWNER_THIS;
	return is_related(known, proc_process(tid));
}

static bool is_in_class(int policy)
{
	return policy >= 0 && (policy & ~SCHED_RESET_ON_FORK) == SCHED_KERMON;
}

static void note_forking(struct chase *chase, pid_t tid)
{
	if (array_room(chase->forking, chase->room, chase->nr + 1))
		return;
	chase->forking[chase->nr++] = (struct forking){
		.tid = tid,
		.since_ns = clock_ns(CLOCK_MONOTONIC),
	};
}

/*
 * Whether @tid was in the class for this recording and has left it. The policy is read
 * again once the owner is known. Between that and the change there is a window of one
 * system call in which the task may change its own policy, which is then undone, or may
 * end and its number be reused, for which all other numbers would have to be used first.
 */
static bool put_back(struct chase *chase, pid_t tid)
{
	const struct policy *before = &chase->recording->policy;
	int now;

	if (!is_in_class(sched_getscheduler(tid)) ||
	    !is_ours(chase->known, tid))
		return false;
	now = sched_getscheduler(tid);
	if (!is_in_class(now) ||
	    sched_setscheduler(tid, before->number |
			       (now & SCHED_RESET_ON_FORK), &before->param))
		return false;
	note_forking(chase, tid);
	return true;
}

/*
 * Whether a child that @forking is creating may have copied the policy before it was
 * changed: a fork does so early on, long before the child has a number. Once the task is
 * gone, or sleeps outside of fork, that fork is over. A running task doesn't tell.
 */
static bool may_fork(const struct forking *forking)
{
	if (clock_ns(CLOCK_MONOTONIC) - forking->since_ns > FORK_NS ||
	    (sched_getscheduler(forking->tid) < 0 && errno == ESRCH))
		return false;
	switch (proc_syscall(forking->tid)) {
	case PROC_SYSCALL_UNKNOWN:
	case SYS_clone:
	case SYS_clone3:
	case SYS_fork:
	case SYS_vfork:
		return true;
	default:
		return false;
	}
}

/* Drops the tasks whose fork is over; true if any is left. */
static bool any_forking(struct chase *chase)
{
	size_t i, nr = 0;

	for (i = 0; i < chase->nr; i++)
		if (may_fork(&chase->forking[i]))
			chase->forking[nr++] = chase->forking[i];
	chase->nr = nr;
	return nr > 0;
}

static bool sweep_process(struct chase *chase, pid_t pid)
{
	struct dirent *entry;
	bool found = false;
	char path[64];
	pid_t tid;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid > 0)
			found |= put_back(chase, tid);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Looks at all tasks; true if any was put back. */
static bool sweep(struct chase *chase)
{
	struct dirent *entry;
	bool found = false;
	pid_t pid;
	DIR *dir;

	dir = opendir("/proc");
	while (dir && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0)
			found |= sweep_process(chase, pid);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* The number of the newest task; 0 if that is not known. */
static pid_t newest(void)
{
	FILE *file = fopen("/proc/loadavg", "re");
	pid_t tid = 0;

	if (file && fscanf(file, "%*s %*s %*s %*s %d", &tid) != 1)
		tid = 0;
	if (file)
		fclose(file);
	return tid;
}

/*
 * Looks at the tasks with numbers above @from until there are no new ones and none of
 * those put back may be forking. A task that ended first may have had children, so its
 * number counts as new as well. True if another sweep is needed: any was put back, or
 * the numbers have wrapped around.
 */
static bool follow(struct chase *chase, pid_t from)
{
	pid_t tid, to, last = from;
	bool found = false, again;

	do {
		again = any_forking(chase);
		to = newest();
		for (tid = from + 1; tid <= to; tid++)
			if (put_back(chase, tid))
				found = again = true;
		again |= to > last;
		last = to;
	} while (again && to >= from &&
		 clock_ns(CLOCK_MONOTONIC) < chase->end_ns);
	return found || to < from;
}

/* Until a whole sweep, and those created meanwhile, had none in the class. */
static void put_all_back(struct chase *chase)
{
	bool found;
	pid_t from;

	do {
		from = newest();
		found = sweep(chase);
		found |= follow(chase, from);
	} while (found && clock_ns(CLOCK_MONOTONIC) < chase->end_ns);
}

void leftover_leave_class(const struct recording *recording)
{
	struct known known = {
		.unrecorded = true,
		.app = proc_fdinfo(recording->log, "kermon-app"),
		.recorder = recording->recorder,
	};
	struct chase chase = {
		.recording = recording,
		.known = &known,
		.end_ns = clock_ns(CLOCK_MONOTONIC) + CHASE_NS,
	};

	if (recording->inherit || !recording->recorder ||
	    recording->policy.number == SCHED_KERMON)
		return;
	kermon_recorder_tasks(recording->recorder, take_task, &known);
	if (known.nr || proc_fdinfo(recording->log, "kermon-tasks"))
		put_all_back(&chase);
	free(chase.forking);
	free(known.pids);
}
