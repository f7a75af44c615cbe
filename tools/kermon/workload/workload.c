// SPDX-License-Identifier: GPL-2.0
/*
 * Forks the process that executes the recorded command, lets it start once the recording
 * is set up, and waits for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "workload.h"
#include "util/monotonic.h"

/* What the child writes before its exec, and again if that fails. */
struct report {
	int error;
	struct rusage usage;
};

static ssize_t read_report(int failed, struct report *report)
{
	ssize_t n;

	do
		n = read(failed, report, sizeof(*report));
	while (n < 0 && errno == EINTR);
	return n;
}

static bool write_report(int failed, int error)
{
	struct report report = { .error = error };

	getrusage(RUSAGE_SELF, &report.usage);
	return write(failed, &report, sizeof(report)) == sizeof(report);
}

/* Runs in the child. If the pipe @go is closed without a byte, the tool has exited. */
static void wait_and_exec(int go, int failed, char **argv,
			  const struct signals *signals, int out)
{
	char byte;

	signals_restore(signals);
	if (read(go, &byte, 1) != 1)
		_exit(0);
	if (out != STDOUT_FILENO)
		dup2(out, STDOUT_FILENO);
	if (!write_report(failed, 0))
		_exit(1);
	execvp(argv[0], argv);
	if (!write_report(failed, errno))
		_exit(1);
	_exit(0);
}

/*
 * A tool with file capabilities is not dumpable, nor would be its child: set_events()
 * and perf then require CAP_SYS_PTRACE. Being dumpable exposes neither of them: ptrace
 * requires at least the capabilities of the traced process.
 */
static pid_t fork_dumpable(void)
{
	const int before = prctl(PR_GET_DUMPABLE);
	pid_t pid;

	prctl(PR_SET_DUMPABLE, 1);
	pid = fork();
	if (pid)
		prctl(PR_SET_DUMPABLE, before == 1);
	return pid;
}

static int fork_child(struct workload *workload, char **argv,
		      const struct signals *signals, int out, int go[2],
		      int failed[2])
{
	workload->pid = fork_dumpable();
	if (workload->pid < 0)
		return -errno;
	if (workload->pid)
		return 0;
	close(go[1]);
	close(failed[0]);
	wait_and_exec(go[0], failed[1], argv, signals, out);
	_exit(1);
}

int workload_fork(struct workload *workload, char **argv,
		  const struct signals *signals, int out)
{
	int go[2], failed[2], result;

	*workload = (struct workload){ .go = -1, .failed = -1 };
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		result = -errno;
		close(go[0]);
		close(go[1]);
		return result;
	}
	workload->go = go[1];
	workload->failed = failed[0];
	result = fork_child(workload, argv, signals, out, go, failed);
	close(go[0]);
	close(failed[1]);
	if (result) {
		workload->pid = 0;
		workload_close(workload);
	}
	return result;
}

static void subtract_time(struct timeval *from, const struct timeval *part)
{
	if (timercmp(from, part, >))
		timersub(from, part, from);
	else
		timerclear(from);
}

static void subtract(struct rusage *from, const struct rusage *part)
{
	subtract_time(&from->ru_utime, &part->ru_utime);
	subtract_time(&from->ru_stime, &part->ru_stime);
	from->ru_minflt -= part->ru_minflt;
	from->ru_majflt -= part->ru_majflt;
	from->ru_nvcsw -= part->ru_nvcsw;
	from->ru_nivcsw -= part->ru_nivcsw;
}

static bool reap(struct workload *workload, int options)
{
	pid_t pid;

	if (!workload->pid)
		return true;
	do
		pid = wait4(workload->pid, &workload->status, options,
			    &workload->usage);
	while (pid < 0 && errno == EINTR);
	if (pid == workload->pid) {
		workload->pid = 0;
		workload->ended_ns = monotonic_ns();
		subtract(&workload->usage, &workload->before);
	}
	return !workload->pid;
}

int workload_start(struct workload *workload)
{
	workload->started_ns = monotonic_ns();
	/* EPIPE: a signal has killed it already, which its status shows. */
	if (write(workload->go, "", 1) != 1 && errno != EPIPE)
		return -errno;
	return 0;
}

int workload_await(struct workload *workload, int fd)
{
	struct pollfd fds[] = {
		{ .fd = workload->failed, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	struct report report = { 0 };
	ssize_t n;

	/* If both are readable, the end of a short command is left to be found in @fd. */
	while (!report.error) {
		if (poll(fds, 2, -1) < 0)
			return errno == EINTR ? 0 : -errno;
		if (!fds[0].revents)
			return 0;
		n = read_report(workload->failed, &report);
		if (n == 0)
			return 1;
		if (n != sizeof(report))
			report.error = EIO;
		else if (!report.error)
			workload->before = report.usage;
	}
	reap(workload, 0);
	return -report.error;
}

bool workload_ended(struct workload *workload)
{
	return reap(workload, WNOHANG);
}

bool workload_stopped(const struct workload *workload)
{
	siginfo_t info = { 0 };

	return workload->pid &&
	       !waitid(P_PID, workload->pid, &info,
		       WSTOPPED | WNOHANG | WNOWAIT) && info.si_pid;
}

void workload_close(struct workload *workload)
{
	if (workload->go >= 0)
		close(workload->go);
	if (workload->failed >= 0)
		close(workload->failed);
	workload->go = -1;
	workload->failed = -1;
}

int workload_signal(const struct workload *workload)
{
	return WIFSIGNALED(workload->status) ? WTERMSIG(workload->status) : 0;
}

bool workload_dumped(const struct workload *workload)
{
	return WIFSIGNALED(workload->status) && WCOREDUMP(workload->status);
}

int workload_status(const struct workload *workload)
{
	if (WIFSIGNALED(workload->status))
		return 128 + WTERMSIG(workload->status);
	return WEXITSTATUS(workload->status);
}
