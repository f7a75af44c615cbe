// SPDX-License-Identifier: GPL-2.0
/* Runs probes, each a fresh process, and sums up what they report. */
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
#include "ui/progress.h"

extern char **environ;

/**
 * struct times - of all processes of a cell, in the order in which they ran
 * @nr: how many
 * @most: room for so many
 * @steps: of each step
 * @reads: of each read in turn
 * @later: all reads but the first ones
 * @nr_later: how many
 */
struct times {
	size_t nr;
	size_t most;
	double *steps[NR_STEPS];
	double *reads[MAX_READS];
	double *later;
	size_t nr_later;
};

/* Beside the tool: ../libexec/kermon/. */
static int probe_path(const char *linked, char *path, size_t size)
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
	snprintf(path, size, "%s/libexec/kermon/kermon-probe-%s", own, linked);
	return access(path, X_OK) ? -errno : 0;
}

static int start(const struct study *study, const struct cell *cell, const int *out,
		 const int *err, pid_t *pid)
{
	char events[16], reads[16], path[512];
	char *words[] = { path, (char *)cell->method->probe, events, reads,
			  study->software ? "software" : NULL, NULL };
	posix_spawn_file_actions_t actions;
	int ret = probe_path(cell->method->linked, path, sizeof(path));

	if (ret)
		return ret;
	snprintf(events, sizeof(events), "%u", cell->events);
	snprintf(reads, sizeof(reads), "%u", study->nr_reads);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
	ret = -posix_spawn(pid, path, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* What it said, if it failed: a line. */
static void take_reason(int fd, char *why, size_t size)
{
	ssize_t length = read(fd, why, size - 1);

	why[length > 0 ? length : 0] = '\0';
	why[strcspn(why, "\n")] = '\0';
	if (!*why)
		snprintf(why, size, "the probe has failed and did not say why");
}

static int finish(struct cell *cell, int out, int err, pid_t pid,
		  struct probe_report *report)
{
	const ssize_t length = read(out, report, sizeof(*report));
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status) && length == sizeof(*report) &&
	    report->magic == PROBE_MAGIC)
		return 0;
	take_reason(err, cell->why, sizeof(cell->why));
	return -ECHILD;
}

/* Run a probe: 0, -ECHILD with a reason in @cell, or another error. */
static int run(const struct study *study, struct cell *cell, struct probe_report *report)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, ret = 0;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		ret = -errno;
	if (!ret)
		ret = start(study, cell, out, err, &pid);
	close(out[1]);
	close(err[1]);
	if (!ret)
		ret = finish(cell, out[0], err[0], pid, report);
	close(out[0]);
	close(err[0]);
	return ret;
}

static void times_add(struct times *times, const struct probe_report *report)
{
	const size_t at = times->nr++;

	times->steps[STEP_START][at] = report->start;
	times->steps[STEP_FIRST][at] = report->reads[0];
	times->steps[STEP_STOP][at] = report->stop;
	times->steps[STEP_TOTAL][at] = report->start + report->reads[0] + report->stop;
	for (unsigned int i = 0; i < report->nr_reads; i++) {
		times->reads[i][at] = report->reads[i];
		if (i)
			times->later[times->nr_later++] = report->reads[i];
	}
}

static void times_sum_up(struct times *times, struct cell *cell)
{
	cell->nr = times->nr;
	if (!times->nr)
		return;
	for (enum step step = 0; step < NR_STEPS; step++)
		if (step != STEP_LATER)
			cell->steps[step] = box_of(times->steps[step], times->nr);
	if (times->nr_later)
		cell->steps[STEP_LATER] = box_of(times->later, times->nr_later);
	for (unsigned int i = 0; i < cell->nr_reads; i++)
		cell->reads[i] = box_of(times->reads[i], times->nr);
}

static void times_free(struct times *times)
{
	for (enum step step = 0; step < NR_STEPS; step++)
		free(times->steps[step]);
	for (unsigned int i = 0; i < MAX_READS; i++)
		free(times->reads[i]);
	free(times->later);
}

static int times_alloc(struct times *times, const struct study *study)
{
	const size_t nr = study->repetitions;
	bool failed;

	*times = (struct times){ .most = nr };
	times->later = calloc(nr * study->nr_reads, sizeof(double));
	failed = !times->later;
	for (enum step step = 0; step < NR_STEPS; step++) {
		times->steps[step] = calloc(nr, sizeof(double));
		failed |= !times->steps[step];
	}
	for (unsigned int i = 0; i < study->nr_reads; i++) {
		times->reads[i] = calloc(nr, sizeof(double));
		failed |= !times->reads[i];
	}
	if (!failed)
		return 0;
	times_free(times);
	return -ENOMEM;
}

static int collect_cell(struct study *study, struct cell *cell, size_t done,
			struct progress *progress, const volatile int *stop)
{
	const size_t whole = study->nr_cells * study->repetitions;
	struct probe_report report;
	struct times times;
	int ret = times_alloc(&times, study);

	if (ret)
		return ret;
	while (!ret && times.nr < times.most) {
		ret = *stop ? -EINTR : run(study, cell, &report);
		if (!ret)
			times_add(&times, &report);
		progress_update(progress, done + times.nr, whole);
	}
	/* A method that does not work is a result. */
	if (ret == -ECHILD)
		ret = 0;
	else
		times_sum_up(&times, cell);
	times_free(&times);
	return ret;
}

static size_t count_cells(const struct study *study)
{
	return (size_t)__builtin_popcount(study->methods) * study->most_events;
}

static int make_cells(struct study *study)
{
	struct cell *cell;

	study->cells = calloc(count_cells(study), sizeof(*study->cells));
	if (!study->cells)
		return -ENOMEM;
	cell = study->cells;
	for (unsigned int i = 0; methods[i].name; i++) {
		if (!(study->methods & 1U << i))
			continue;
		for (unsigned int events = 1; events <= study->most_events; events++)
			*cell++ = (struct cell){ .method = &methods[i],
						 .events = events,
						 .nr_reads = study->nr_reads };
	}
	study->nr_cells = cell - study->cells;
	return 0;
}

int study_collect(struct study *study, struct progress *progress,
		  const volatile int *stop)
{
	int ret = make_cells(study);

	for (size_t i = 0; !ret && i < study->nr_cells; i++)
		ret = collect_cell(study, &study->cells[i], i * study->repetitions,
				   progress, stop);
	return ret;
}

void study_free(struct study *study)
{
	free(study->cells);
	study->cells = NULL;
	study->nr_cells = 0;
}
