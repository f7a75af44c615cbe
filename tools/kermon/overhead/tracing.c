// SPDX-License-Identifier: GPL-2.0
/*
 * Accesses to registers in kernel mode, by the tracepoints msr:*. They go to an instance of
 * tracefs of this process, so that nothing of others changes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../probe/probe.h"
#include "overhead.h"

#define TRACEFS		"/sys/kernel/tracing"

static int put(const struct tracing *tracing, const char *name, const char *text)
{
	char path[192];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", tracing->folder, name);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = write(fd, text, strlen(text));
	close(fd);
	return length < 0 ? -errno : 0;
}

void tracing_close(const struct tracing *tracing)
{
	put(tracing, "events/enable", "0");
	rmdir(tracing->folder);
}

static int make_instance(const struct tracing *tracing)
{
	int ret;

	if (access(TRACEFS "/instances", W_OK) || mkdir(tracing->folder, 0700))
		return -errno;
	ret = put(tracing, "events/msr/enable", "1");
	if (ret)
		tracing_close(tracing);
	return ret;
}

#define UNKNOWN		"RDMSR, WRMSR and RDPMC of the kernel are unknown: "

int tracing_open(struct tracing *tracing, char *why, size_t size)
{
	int ret;

	snprintf(tracing->folder, sizeof(tracing->folder), TRACEFS "/instances/kermon-%d",
		 (int)getpid());
	snprintf(tracing->marks, sizeof(tracing->marks), "%s/trace_marker", tracing->folder);
	ret = make_instance(tracing);
	if (ret == -EEXIST)
		snprintf(why, size, UNKNOWN "%s is left of a process that was killed; remove it (rmdir)",
			 tracing->folder);
	else if (ret)
		snprintf(why, size, UNKNOWN TRACEFS
			 ": %s; it requires root, a kernel with tracepoints, and to be mounted",
			 strerror(-ret));
	return ret;
}

/* Of Intel and AMD: counters, what they count, and global control. */
static bool is_of_pmu(unsigned int msr)
{
	static const struct {
		unsigned int first;
		unsigned int last;
	} ranges[] = {
		{ 0x0c1, 0x0d0 }, { 0x186, 0x195 }, { 0x1a6, 0x1a7 }, { 0x309, 0x30c },
		{ 0x329, 0x329 }, { 0x345, 0x345 }, { 0x38d, 0x391 }, { 0x4c1, 0x4d0 },
		{ 0xc0000300, 0xc0000303 }, { 0xc0010000, 0xc0010007 },
		{ 0xc0010200, 0xc001020b },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (msr >= ranges[i].first && msr <= ranges[i].last)
			return true;
	return false;
}

/* "NAME-PID [CPU] FLAGS TIME: event: ...": the part from the event on, if of @pid. */
static const char *event_of(const char *line, pid_t pid)
{
	const char *bracket = strstr(line, " [");
	char wanted[24];
	int length = snprintf(wanted, sizeof(wanted), "-%d", (int)pid);

	for (; bracket && bracket > line && bracket[-1] == ' '; bracket--)
		;
	if (!bracket || bracket - line < length ||
	    strncmp(bracket - length, wanted, length))
		return NULL;
	return strstr(bracket, ": ");
}

static void count(const char *event, struct accesses *accesses)
{
	unsigned int msr;

	if (!strncmp(event, ": rdpmc: ", 9))
		accesses->rdpmc++;
	else if (sscanf(event, ": write_msr: %x", &msr) == 1)
		accesses->wrmsr += is_of_pmu(msr);
	else if (sscanf(event, ": read_msr: %x", &msr) == 1)
		accesses->rdmsr += is_of_pmu(msr);
}

/* The step that begins or ends in this line; @now if none does. */
static int step_after(const char *event, int now)
{
	const char *begin = strstr(event, PROBE_MARK_BEGIN);
	int step;

	if (begin)
		step = atoi(begin + strlen(PROBE_MARK_BEGIN));
	else if (strstr(event, PROBE_MARK_END))
		step = -1;
	else
		step = now;
	return step < PROBE_STEPS ? step : -1;
}

/* Returns a bit mask of the steps that begin in it. */
static unsigned int read_trace(FILE *file, pid_t pid, struct accesses *accesses)
{
	unsigned int begun = 0;
	const char *event;
	char line[512];
	int step = -1;

	while (fgets(line, sizeof(line), file)) {
		event = event_of(line, pid);
		if (!event)
			continue;
		step = step_after(event, step);
		if (step < 0)
			continue;
		begun |= 1U << step;
		count(event, &accesses[step]);
	}
	return begun;
}

/* A full buffer loses its oldest lines: what follows the first mark is complete. */
int tracing_take(const struct tracing *tracing, pid_t pid, unsigned int steps,
		 struct accesses *accesses, char *why, size_t size)
{
	unsigned int begun;
	char path[192];
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "%s/trace", tracing->folder);
	file = fopen(path, "re");
	if (!file) {
		ret = -errno;
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return ret;
	}
	begun = read_trace(file, pid, accesses);
	fclose(file);
	ret = put(tracing, "trace", "");
	if (ret) {
		snprintf(why, size, "%s: %s", path, strerror(-ret));
		return ret;
	}
	if (begun == steps)
		return 0;
	snprintf(why, size, "the trace lacks marks of the process: its buffer was too small, or process ids are those of a namespace, as in a container");
	return -ENODATA;
}
