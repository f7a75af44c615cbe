// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <kermon/session.h>

#include "array.h"
#include "leftover.h"
#include "proc.h"
#include "record.h"

/* Whoever goes on creating tasks faster than they can be looked at wins. */
#define CHASES_MAX	1000

/**
 * struct known - processes of the application, by the side-band
 * @pids: of them
 * @nr: how many
 * @room: in @pids
 * @privileged: with those that are not monitored any more, too
 * @app: number of the application
 */
struct known {
	pid_t *pids;
	size_t nr;
	size_t room;
	bool privileged;
	long app;
};

static bool is_known(const struct known *known, pid_t pid)
{
	size_t i;

	for (i = 0; i < known->nr; i++)
		if (known->pids[i] == pid)
			return true;
	return false;
}

static void take_task(const struct kermon_task *task, void *data)
{
	struct known *known = data;

	if ((task->privileged && !known->privileged) ||
	    is_known(known, task->pid) ||
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

/* Whether @tid writes to the log of the recording. */
static bool is_monitored(const struct known *known, pid_t tid)
{
	int log = kermon_session_open(tid, NULL, KERMON_SET_OPEN_LOG);
	bool same;

	if (log < 0)
		return false;
	same = proc_fdinfo(log, "kermon-app") == known->app;
	close(log);
	return same;
}

/* A descendant of this process, or of somebody whom the side-band knows. */
static bool is_related(const struct known *known, pid_t pid)
{
	const pid_t own = getpid();
	pid_t each;

	if (pid == own)
		return false;
	for (each = pid; each > 1; each = proc_parent(each))
		if (each == own || is_known(known, each))
			return true;
	return false;
}

/*
 * Whether it was in the class, and for us. That is what the kernel says, if it may be
 * asked: it is the fastest, and some do not live long.
 */
static bool put_back(const struct recording *recording,
		     const struct known *known, pid_t tid)
{
	const struct policy *before = &recording->policy;
	int now = sched_getscheduler(tid);
	int flag = now < 0 ? 0 : now & SCHED_RESET_ON_FORK;

	if (now < 0 || (now ^ flag) != SCHED_KERMON)
		return false;
	if (!is_monitored(known, tid) &&
	    !is_related(known, proc_process(tid)))
		return false;
	return !sched_setscheduler(tid, before->number | flag, &before->param);
}

static void sweep_process(const struct recording *recording,
			  const struct known *known, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	pid_t tid;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid > 0)
			put_back(recording, known, tid);
	}
	if (dir)
		closedir(dir);
}

/* Everybody who is there. */
static void sweep(const struct recording *recording, const struct known *known)
{
	struct dirent *entry;
	pid_t pid;
	DIR *dir;

	dir = opendir("/proc");
	while (dir && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0)
			sweep_process(recording, known, pid);
	}
	if (dir)
		closedir(dir);
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
 * Tasks with numbers above @from, up to @to. True if any was put back, or has ended
 * before: those may have created others that nobody has looked at.
 */
static bool chase(const struct recording *recording, const struct known *known,
		  pid_t from, pid_t to)
{
	bool again = false;
	pid_t tid;

	for (tid = from + 1; tid <= to; tid++)
		again |= put_back(recording, known, tid) ||
			 sched_getscheduler(tid) < 0;
	return again;
}

/*
 * Those that are there, then those that these have created meanwhile: twice, as whoever
 * has a number already may not be there yet.
 */
static void put_all_back(const struct recording *recording,
			 const struct known *known)
{
	pid_t before = newest(), from = before, to;
	unsigned int chases;
	bool again = true;

	sweep(recording, known);
	for (chases = 0; again && chases < CHASES_MAX; chases++) {
		to = newest();
		/* Numbers have begun anew. */
		if (to < from)
			sweep(recording, known);
		else
			again = chase(recording, known, before, to);
		before = to < from ? to : from;
		from = to;
	}
}

void leftover_leave_class(const struct recording *recording)
{
	struct known known = {
		.privileged = true,
		.app = proc_fdinfo(recording->log, "kermon-app"),
	};

	if (recording->inherit || !recording->recorder ||
	    recording->policy.number == SCHED_KERMON)
		return;
	kermon_recorder_tasks(recording->recorder, take_task, &known);
	if (known.nr || proc_fdinfo(recording->log, "kermon-tasks"))
		put_all_back(recording, &known);
	free(known.pids);
}
