// SPDX-License-Identifier: GPL-2.0
/*
 * After a recording: counts processes that are still running, and moves tasks that the
 * recording has put into SCHED_KERMON back to the policy that the command had.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <kermon/control.h>
#include <kermon/session.h>

#include "leftover.h"
#include "machine/proc.h"
#include "recording.h"
#include "ui/message.h"
#include "util/array.h"

#define NS_PER_SEC	1000000000ULL

/*
 * Give up on a process that keeps forking faster than it can be followed. CPU time, because
 * on a busy machine the tool has its share of the CPU only.
 */
#define CHASE_NS	(3 * NS_PER_SEC)

/* A fork that takes longer than this may leave its child in the class. */
#define FORK_NS		(NS_PER_SEC / 10)

/**
 * struct pids - processes
 * @pids: their pids
 * @nr: length of @pids
 * @room: allocated length of @pids
 */
struct pids {
	pid_t *pids;
	size_t nr;
	size_t room;
};

/**
 * struct known - processes of the application, according to the side-band
 * @processes: those of the side-band, and others found to belong to the application
 * @unrecorded: include processes that are no longer monitored
 * @unrecorded_ns: time of the first exec of one of these, in CLOCK_BOOTTIME, or 0
 * @app: id of the application
 * @alone: no other application is being recorded
 * @doubtful: processes in the class that may belong to it
 * @recorder: the recording
 */
struct known {
	struct pids processes;
	bool unrecorded;
	uint64_t unrecorded_ns;
	long app;
	bool alone;
	struct pids doubtful;
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
 * @end_ns: CPU time of this process at which to give up
 */
struct chase {
	const struct recording *recording;
	struct known *known;
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

static bool is_among(const struct pids *pids, pid_t pid)
{
	size_t i;

	for (i = 0; i < pids->nr; i++)
		if (pids->pids[i] == pid)
			return true;
	return false;
}

static void add_pid(struct pids *pids, pid_t pid)
{
	if (!is_among(pids, pid) &&
	    !array_room(pids->pids, pids->room, pids->nr + 1))
		pids->pids[pids->nr++] = pid;
}

/* Time of the last exec of @task, in CLOCK_BOOTTIME. */
static uint64_t exec_ns(const struct known *known, const struct kermon_task *task)
{
	return clock_ns(CLOCK_BOOTTIME) -
	       (kermon_recorder_now(known->recorder) - task->exec_time);
}

/*
 * The side-band doesn't report the exit of an unrecorded process, so its pid may have
 * been reused. A process that reuses it started after the exec.
 */
static bool is_reused(const struct known *known, const struct kermon_task *task)
{
	return proc_start_ns(task->pid) > exec_ns(known, task);
}

static void take_task(const struct kermon_task *task, void *data)
{
	struct known *known = data;

	if (task->unrecorded && !known->unrecorded)
		return;
	if (task->unrecorded && (!known->unrecorded_ns ||
				 exec_ns(known, task) < known->unrecorded_ns))
		known->unrecorded_ns = exec_ns(known, task);
	if (!task->unrecorded || !is_reused(known, task))
		add_pid(&known->processes, task->pid);
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
	struct known known = { .recorder = recording->recorder };
	const struct pids *processes = &known.processes;
	unsigned int nr = 0;
	size_t i;

	if (!tasks)
		return 0;
	kermon_recorder_tasks(recording->recorder, take_task, &known);
	for (i = 0; i < processes->nr; i++)
		if (processes->pids[i] != own &&
		    proc_is_alive(processes->pids[i]))
			nr++;
	free(processes->pids);
	return nr;
}

/* The recording that a task belongs to. OWNER_NONE: it isn't monitored. */
enum owner { OWNER_UNKNOWN, OWNER_NONE, OWNER_THIS, OWNER_OTHER };

/* Unknown if this user lacks access to @tid, or it has exited. */
static enum owner owner_of(const struct known *known, pid_t tid)
{
	int log = kermon_session_open(tid, NULL, KERMON_SET_OPEN_LOG);
	long app;

	if (log < 0)
		return log == -ENOENT ? OWNER_NONE : OWNER_UNKNOWN;
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
		if (each == own || is_among(&known->processes, each))
			return true;
		owner = owner_of(known, each);
		if (owner == OWNER_THIS || owner == OWNER_OTHER)
			return owner == OWNER_THIS;
	}
	return false;
}

static bool is_in_class(int policy)
{
	return policy >= 0 && (policy & ~SCHED_RESET_ON_FORK) == SCHED_KERMON;
}

/*
 * Whether @pid, or its first ancestor in the class, has a parent that adopts orphans of
 * this recording: init, or an ancestor of this process.
 */
static bool is_orphan(pid_t pid)
{
	do
		pid = proc_parent(pid);
	while (pid > 1 && is_in_class(sched_getscheduler(pid)));
	return pid == 1 || (pid > 1 && proc_descends(getpid(), pid));
}

/*
 * Whether an unrecorded program may have started @pid. The descendants of such a program
 * aren't monitored either: once their parents have exited, nothing else relates them to
 * this recording.
 */
static bool is_stray(const struct known *known, pid_t pid)
{
	const uint64_t tick_ns = NS_PER_SEC / sysconf(_SC_CLK_TCK);

	return known->unrecorded_ns && pid != getpid() &&
	       proc_start_ns(pid) + tick_ns > known->unrecorded_ns &&
	       is_orphan(pid);
}

/*
 * Ask the kernel first: that is fastest, and some tasks are short-lived. A stray is ours
 * if no other recording can have started it, and so are its children.
 */
static bool is_ours(struct known *known, pid_t tid)
{
	enum owner owner = owner_of(known, tid);
	pid_t pid;

	if (owner == OWNER_THIS || owner == OWNER_OTHER)
		return owner == OWNER_THIS;
	pid = proc_process(tid);
	if (is_related(known, pid))
		return true;
	if (!is_stray(known, pid))
		return false;
	if (owner == OWNER_UNKNOWN || !known->alone) {
		add_pid(&known->doubtful, pid);
		return false;
	}
	add_pid(&known->processes, pid);
	return true;
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
 * exit and its tid be reused, which requires that all other tids are used first.
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
 * changed: a fork does so early, long before the child has a pid. Once the task has
 * exited, or sleeps outside of fork, that fork is over. /proc does not show the system
 * call of a running task.
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

/* Drop the tasks whose fork is over. True if any remains. */
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

/* Check all tasks. True if any was put back. */
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

/* The tid of the newest task; 0 if unknown. */
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
 * Check the tasks with tids above @from until there are no new ones and none of those
 * put back may be forking. A new task that has exited already may have had children, so
 * its tid counts as new as well. True if another sweep is needed: any was put back, or
 * the tids have wrapped around.
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
		 clock_ns(CLOCK_PROCESS_CPUTIME_ID) < chase->end_ns);
	return found || to < from;
}

/* Repeat until neither a sweep nor the tasks created during it had any in the class. */
static void put_all_back(struct chase *chase)
{
	bool found;
	pid_t from;

	do {
		from = newest();
		found = sweep(chase);
		found |= follow(chase, from);
	} while (found && clock_ns(CLOCK_PROCESS_CPUTIME_ID) < chase->end_ns);
}

/* Do so in the class, or else the tasks in it would keep this process from running. */
static void put_all_back_in_time(struct chase *chase)
{
	const struct policy own = policy_of(0);
	const struct sched_param param = { 0 };

	sched_setscheduler(0, SCHED_KERMON, &param);
	put_all_back(chase);
	sched_setscheduler(0, own.number, &own.param);
}

static int look_at(const struct kermon_app_info *app, void *data)
{
	struct known *known = data;

	if ((long)app->id != known->app)
		known->alone = false;
	return 0;
}

/* Set @known->alone if no other recording is running, as far as this user may see. */
static void look_for_others(struct known *known)
{
	struct kermon_control *control;

	if (kermon_control_open(&control))
		return;
	known->alone = true;
	if (kermon_control_apps(control, look_at, known))
		known->alone = false;
	kermon_control_close(control);
}

/* Leave the decision to the user. */
static void say_doubtful(const struct chase *chase)
{
	const struct pids *doubtful = &chase->known->doubtful;
	size_t i;

	for (i = 0; i < doubtful->nr; i++) {
		if (!is_in_class(sched_getscheduler(doubtful->pids[i])))
			continue;
		message(chase->recording->request->command->name,
			"pid %d stays in SCHED_KERMON: it may belong to an "
			"unrecorded program or to another recording",
			doubtful->pids[i]);
		message_hint("as root: chrt --all-tasks --other --pid 0 %d",
			     doubtful->pids[i]);
	}
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
		.end_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + CHASE_NS,
	};

	if (recording->inherit || !recording->recorder ||
	    recording->policy.number == SCHED_KERMON)
		return;
	kermon_recorder_tasks(recording->recorder, take_task, &known);
	look_for_others(&known);
	if (known.unrecorded_ns || known.processes.nr ||
	    proc_fdinfo(recording->log, "kermon-tasks"))
		put_all_back_in_time(&chase);
	say_doubtful(&chase);
	free(chase.forking);
	free(known.processes.pids);
	free(known.doubtful.pids);
}
