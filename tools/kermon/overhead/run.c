// SPDX-License-Identifier: GPL-2.0
/* Runs a probe, a fresh process, and takes its report. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../probe/probe.h"
#include "overhead.h"

extern char **environ;

/* The arguments of a probe: some numbers, and options. */
#define MAX_WORDS	10

/* 0, or -ENAMETOOLONG: a path that is cut is another one. */
static int join(char *path, const char *folder, const char *name, const char *more)
{
	const int length = snprintf(path, PATH_MAX, "%s/%s%s", folder, name, more);

	return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Beside the tool: ../libexec/kermon. */
static int probes_beside(char *folder)
{
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own));
	char *slash;

	if (length < 0)
		return -errno;
	if (length == sizeof(own))
		return -ENAMETOOLONG;
	own[length] = '\0';
	for (unsigned int i = 0; i < 2; i++) {
		slash = strrchr(own, '/');
		if (!slash)
			return -ENOENT;
		*slash = '\0';
	}
	return join(folder, own, "libexec/kermon", "");
}

static int probe_path(const struct study *study, const char *linked, char *path)
{
	char beside[PATH_MAX];
	const char *folder = study->probes;
	int ret = 0;

	if (!folder) {
		ret = probes_beside(beside);
		folder = beside;
	}
	if (!ret)
		ret = join(path, folder, "kermon-probe-", linked);
	if (!ret && access(path, X_OK))
		ret = -errno;
	return ret;
}

/* Its process group is that of the tool, so that Ctrl-C and Ctrl-Z reach both. */
static int start(const struct study *study, const struct cell *cell, const char *mode,
		 int out, int err, pid_t *pid)
{
	char events[16], reads[16], path[PATH_MAX], raw[RAW_SIZE + sizeof("raw=")];
	char *words[MAX_WORDS] = { path, (char *)cell->method->probe, events, reads };
	posix_spawn_file_actions_t actions;
	unsigned int nr = 4;
	int ret = probe_path(study, cell->method->linked, path);

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
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
	ret = -posix_spawn(pid, path, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* A signal may come just before the call, so do not wait for longer than that. */
#define WAIT_MS		100

/* Wait until there is something to read. False if the study is to end. */
static bool wait_for(const struct study *study, int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	while (!*study->stop)
		if (poll(&poll_fd, 1, WAIT_MS) > 0)
			return true;
	return false;
}

/* Whether a report was written, and nothing else. */
static bool read_report(const struct study *study, int fd, struct probe_report *report)
{
	size_t done = 0;
	ssize_t length = 1;

	while (length > 0 && wait_for(study, fd)) {
		length = read(fd, (char *)report + done, sizeof(*report) - done);
		if (length > 0)
			done += length;
	}
	return done == sizeof(*report) && report->magic == PROBE_MAGIC;
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

/* The end of what it said: libraries may say much, and the reason comes last. */
static void read_end(int fd, char *text, size_t size)
{
	const off_t end = lseek(fd, 0, SEEK_END), room = size - 1;

	lseek(fd, end > room ? end - room : 0, SEEK_SET);
	text[read_all(fd, text, size - 1)] = '\0';
}

/* The last line that it marked as the reason, or the last line of whoever wrote it. */
static void take_reason(int fd, char *why, size_t size)
{
	char text[16384];
	const char *found = "";
	bool is_marked = false;
	char *rest = text, *line;

	read_end(fd, text, sizeof(text));
	while ((line = strsep(&rest, "\n"))) {
		const bool is_reason = !strncmp(line, PROBE_SAYS, strlen(PROBE_SAYS));

		if (!*line || (is_marked && !is_reason))
			continue;
		is_marked = is_reason;
		found = line + (is_reason ? strlen(PROBE_SAYS) : 0);
	}
	snprintf(why, size, "%s", *found ? found :
		 "the probe has failed and did not say why");
}

/* The status of the process, which is killed if the study is to end. */
static int reap(const struct study *study, pid_t pid)
{
	int status;

	do {
		if (*study->stop)
			kill(pid, SIGKILL);
	} while (waitpid(pid, &status, 0) < 0 && errno == EINTR);
	return status;
}

static int finish(const struct study *study, struct cell *cell, int out, int err, pid_t pid,
		  struct probe_report *report)
{
	const bool is_report = read_report(study, out, report);
	const int status = reap(study, pid);

	if (*study->stop)
		return -EINTR;
	if (WIFEXITED(status) && !WEXITSTATUS(status) && is_report)
		return 0;
	if (WIFSIGNALED(status))
		snprintf(cell->why, sizeof(cell->why), "the probe was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		take_reason(err, cell->why, sizeof(cell->why));
	else
		snprintf(cell->why, sizeof(cell->why), "the report of the probe is not as expected: it is of another version of kermon");
	return -ECHILD;
}

/* Its output is a pipe, what it says on the way a file in memory, which is never full. */
int run_probe(const struct study *study, struct cell *cell, const char *mode,
	      struct probe_report *report, pid_t *pid)
{
	const int err = memfd_create("kermon-probe", MFD_CLOEXEC);
	int out[2] = { -1, -1 }, ret = *study->stop ? -EINTR : 0;
	pid_t own = 0;

	if (!ret && (err < 0 || pipe2(out, O_CLOEXEC)))
		ret = -errno;
	if (!ret)
		ret = start(study, cell, mode, out[1], err, &own);
	close(out[1]);
	if (!ret)
		ret = finish(study, cell, out[0], err, own, report);
	close(out[0]);
	close(err);
	if (pid)
		*pid = own;
	return ret;
}
