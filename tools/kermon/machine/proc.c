// SPDX-License-Identifier: GPL-2.0
/*
 * Parses files of /proc: status of tasks, and fdinfo of this process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc.h"

/* Copy what follows "NAME:" on a line of @path; false without such a line. */
static bool read_field(const char *path, const char *name, char *value,
		       size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(name);
	bool found = false;
	char line[256];

	while (file && !found && fgets(line, sizeof(line), file)) {
		found = !strncmp(line, name, length) && line[length] == ':';
		if (found)
			snprintf(value, size, "%s", line + length + 1 +
				 strspn(line + length + 1, " \t"));
	}
	if (file)
		fclose(file);
	return found;
}

static bool read_status(pid_t tid, const char *name, char *value, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	return read_field(path, name, value, size);
}

pid_t proc_process(pid_t tid)
{
	char value[64];

	return read_status(tid, "Tgid", value, sizeof(value)) ? atoi(value) : 0;
}

/* Parent of the process @pid; 0 if there is none. */
static pid_t proc_parent(pid_t pid)
{
	char value[64];

	return read_status(pid, "PPid", value, sizeof(value)) ? atoi(value) : 0;
}

bool proc_descends(pid_t pid, pid_t ancestor)
{
	do
		pid = proc_parent(pid);
	while (pid > 1 && pid != ancestor);
	return pid == ancestor;
}

bool proc_is_alive(pid_t pid)
{
	char value[64];

	return read_status(pid, "State", value, sizeof(value)) &&
	       *value != 'Z' && *value != 'X';
}

long proc_fdinfo(int fd, const char *name)
{
	char path[64], value[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return read_field(path, name, value, sizeof(value)) ? atol(value) : -1;
}
