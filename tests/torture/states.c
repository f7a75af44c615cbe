// SPDX-License-Identifier: GPL-2.0
/* Stopping, continuing, tracing and killing. */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions.h"
#include "dice.h"
#include "victims.h"

static int send(pid_t pid, int signal)
{
	/* -1 would mean all processes. */
	if (pid < 0)
		return -ESRCH;
	return kill(pid, signal) ? -errno : 0;
}

int stop_any(void)
{
	return send(any_process(), SIGSTOP);
}

/* Continue more tasks than are stopped, so that most run most of the time. */
int continue_all(void)
{
	int i, ret = 0;

	for (i = 0; i < 8; i++)
		ret = send(any_process(), SIGCONT);
	return ret;
}

/* Attach like a debugger, and detach again. */
static int trace(pid_t tid)
{
	int status, left = 50;

	if (ptrace(PTRACE_SEIZE, tid, 0, 0) ||
	    ptrace(PTRACE_INTERRUPT, tid, 0, 0))
		return 1;
	while (waitpid(tid, &status, __WALL | WNOHANG) <= 0 && left--)
		usleep(2000);
	return ptrace(PTRACE_DETACH, tid, 0, 0) ? 2 : 0;
}

/*
 * In a child of the fuzzer, for which it need not wait: when a tracer exits,
 * its tracees are detached.
 */
int trace_any(void)
{
	pid_t tid = any_thread(), pid;

	if (tid < 0)
		return -ESRCH;
	pid = fork();
	if (!pid)
		_exit(trace(tid));
	return pid < 0 ? -errno : 0;
}

int kill_any(void)
{
	return send(any_process(), SIGKILL);
}

int kill_group(void)
{
	return group_write(dice(GROUPS), "cgroup.kill", "1");
}
