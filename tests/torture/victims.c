// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dice.h"
#include "files.h"
#include "victims.h"

#define ROOT	"/sys/fs/cgroup"
#define TOP	ROOT "/torture"
#define CONTROLLERS	"+cpu +cpuset"

static const char *const folders[GROUPS] = { TOP "/a", TOP "/b" };

bool victims_prepare(void)
{
	int i;

	mkdir(TOP, 0755);
	if (!write_file(ROOT "/cgroup.subtree_control", CONTROLLERS) ||
	    !write_file(TOP "/cgroup.subtree_control", CONTROLLERS)) {
		perror("# " ROOT);
		return false;
	}
	for (i = 0; i < GROUPS; i++)
		mkdir(folders[i], 0755);
	return true;
}

int group_write(int group, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folders[group], file);
	return write_file(path, text) ? 0 : -errno;
}

void victims_join(void)
{
	if (group_write(dice(GROUPS), "cgroup.procs", "0"))
		perror("# cgroup.procs");
}

/* The number in a random line of a group's file; -1 if there is none. */
static pid_t any_line(const char *name)
{
	char path[256];
	pid_t pid, chosen = -1;
	unsigned int nr = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folders[dice(GROUPS)], name);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &pid) == 1) {
		if (one_in(++nr))
			chosen = pid;
	}
	if (file)
		fclose(file);
	return chosen;
}

pid_t any_thread(void)
{
	return any_line("cgroup.threads");
}

pid_t any_process(void)
{
	return any_line("cgroup.procs");
}

/* A group is busy until its last task has left the runqueues. */
static bool remove_folder(const char *path)
{
	int left = 6000;

	while (rmdir(path)) {
		if (errno != EBUSY || !left--)
			return false;
		usleep(10000);
	}
	return true;
}

void victims_kill(void)
{
	int i;

	for (i = 0; i < GROUPS; i++) {
		group_write(i, "cgroup.freeze", "0");
		group_write(i, "cgroup.kill", "1");
	}
}

/*
 * Reap all orphans as their subreaper. Repeat: a task that was just created may
 * not have joined the group yet.
 */
static bool kill_and_reap(unsigned int seconds)
{
	time_t end = time(NULL) + seconds;
	pid_t pid;

	do {
		victims_kill();
		usleep(10000);
		do
			pid = waitpid(-1, NULL, WNOHANG | __WALL);
		while (pid > 0);
		if (pid < 0)
			return errno == ECHILD;
	} while (time(NULL) < end);
	return false;
}

bool victims_end(void)
{
	bool gone;
	int i;

	gone = kill_and_reap(60);
	for (i = 0; i < GROUPS; i++)
		gone &= remove_folder(folders[i]);
	gone &= remove_folder(TOP);
	if (!gone)
		printf("# some tasks cannot be killed, among them %d\n",
		       any_thread());
	return gone;
}
