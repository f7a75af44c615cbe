// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "log.h"
#include "mixture.h"
#include "worker.h"

#define PATH		"/tmp/program"
#define LOG_BYTES	(1 << 22)	/* room for all samples, which are read afterwards */

static int write_program(void)
{
	size_t size = program_end - program;
	int fd = open(PATH, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	ssize_t n = write(fd, program, size);

	close(fd);
	return n == (ssize_t)size ? 0 : -1;
}

int mixture_prepare(void)
{
	if (signal(SIGCHLD, SIG_IGN) == SIG_ERR ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1))
		return -1;
	return pin(0, 0);
}

static int monitor_first(struct mixture *mixture, pid_t pid)
{
	struct kermon_event_set set = plain_set();

	set.flags = mixture->flags;
	set.log_bytes = LOG_BYTES;
	mixture->log = set_events(pid, &set, sizeof(set), 0);
	return mixture->log < 0 ? -1 : 0;
}

int mixture_start(struct mixture *mixture, unsigned int nr, uint64_t seed)
{
	int end[2];
	pid_t pid;

	mixture->plan = plan_make(nr, seed, mixture->cpus, PATH);
	if (!mixture->plan || write_program() || pipe(end))
		return -1;
	/* All tasks inherit the other end of the pipe. */
	pid = plan_start(mixture->plan);
	close(end[1]);
	mixture->end = end[0];
	return pid < 0 ? -1 : monitor_first(mixture, pid);
}

int mixture_go(struct mixture *mixture)
{
	char byte;

	worker_go(mixture->plan->tasks[0].tid);
	return read(mixture->end, &byte, 1);
}

int mixture_read(struct mixture *mixture)
{
	if (records_read_all(&mixture->records, mixture->log))
		return -1;
	records_tally(&mixture->records, 0, &mixture->tally);
	errno = mixture->tally.broken ? EPROTO :
		mixture->tally.reported_lost ? ENOBUFS : 0;
	return errno ? -1 : 0;
}

void mixture_free(struct mixture *mixture)
{
	if (!mixture->plan)
		return;
	plan_free(mixture->plan);
	close(mixture->end);
	close(mixture->log);
	free(mixture->records.data);
	unlink(PATH);
}
