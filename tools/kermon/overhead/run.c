// SPDX-License-Identifier: GPL-2.0
/* Runs a probe, a fresh process, and takes its report. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../probe/probe.h"
#include "overhead.h"

extern char **environ;

/* The arguments of a probe: some numbers, and options. */
#define MAX_WORDS	10

/* Beside the tool: ../libexec/kermon. */
static int probes_beside(char *folder, size_t size)
{
	char own[256];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (length < 0)
		return -errno;
	own[length] = '\0';
	for (unsigned int i = 0; i < 2; i++) {
		slash = strrchr(own, '/');
		if (!slash)
			return -ENOENT;
		*slash = '\0';
	}
	snprintf(folder, size, "%s/libexec/kermon", own);
	return 0;
}

static int probe_path(const struct study *study, const char *linked, char *path, size_t size)
{
	char folder[300];
	int ret;

	if (study->probes)
		snprintf(folder, sizeof(folder), "%s", study->probes);
	else if ((ret = probes_beside(folder, sizeof(folder))))
		return ret;
	snprintf(path, size, "%s/kermon-probe-%s", folder, linked);
	return access(path, X_OK) ? -errno : 0;
}

static int start(const struct study *study, const struct cell *cell, const char *mode,
		 const int *out, const int *err, pid_t *pid)
{
	char events[16], reads[16], path[512], raw[256];
	char *words[MAX_WORDS] = { path, (char *)cell->method->probe, events, reads };
	posix_spawn_file_actions_t actions;
	unsigned int nr = 4;
	int ret = probe_path(study, cell->method->linked, path, sizeof(path));

	if (ret)
		return ret;
	snprintf(events, sizeof(events), "%u", cell->events);
	snprintf(reads, sizeof(reads), "%u", study->nr_reads);
	if (study->software)
		words[nr++] = "software";
	if (study->kernel)
		words[nr++] = "kernel";
	if (study->raw) {
		snprintf(raw, sizeof(raw), "raw=%s", study->raw);
		words[nr++] = raw;
	}
	words[nr] = (char *)mode;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
	ret = -posix_spawn(pid, path, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

static ssize_t read_all(int fd, void *data, size_t size)
{
	size_t done = 0;
	ssize_t length;

	do {
		length = read(fd, (char *)data + done, size - done);
		if (length > 0)
			done += length;
	} while (length > 0 || (length < 0 && errno == EINTR));
	return done;
}

/* What it said, if it failed: a line. */
static void take_reason(int fd, char *why, size_t size)
{
	ssize_t length = read_all(fd, why, size - 1);

	why[length > 0 ? length : 0] = '\0';
	why[strcspn(why, "\n")] = '\0';
	if (!*why)
		snprintf(why, size, "the probe has failed and did not say why");
}

static int finish(struct cell *cell, int out, int err, pid_t pid,
		  struct probe_report *report)
{
	const ssize_t length = read_all(out, report, sizeof(*report));
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status) && length == sizeof(*report) &&
	    report->magic == PROBE_MAGIC)
		return 0;
	take_reason(err, cell->why, sizeof(cell->why));
	return -ECHILD;
}

int run_probe(const struct study *study, struct cell *cell, const char *mode,
	      struct probe_report *report, pid_t *pid)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, ret = 0;
	pid_t own = 0;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		ret = -errno;
	if (!ret)
		ret = start(study, cell, mode, out, err, &own);
	close(out[1]);
	close(err[1]);
	if (!ret)
		ret = finish(cell, out[0], err[0], own, report);
	close(out[0]);
	close(err[0]);
	if (pid)
		*pid = own;
	return ret;
}
