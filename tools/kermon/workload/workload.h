/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to workload.c: the process of the recorded command, which waits until the
 * recording is set up before it executes the command. If the tool is killed before that,
 * the process exits; if later, the command is not affected.
 */
#ifndef KERMON_WORKLOAD_H
#define KERMON_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct signals;

/**
 * struct workload - the process
 * @pid: of the process, 0 once it has been waited for
 * @go: pipe to it: a byte lets it execute the command
 * @failed: pipe from it: its usage before the exec, and the errno of a failed one; closed
 *	by a successful one
 * @status: of wait(2)
 * @started_ns: when it was let go, in CLOCK_MONOTONIC
 * @ended_ns: when it was found to have ended, likewise
 * @usage: of it, since the exec, and of the descendants that it waited for, once it has
 *	ended
 * @before: of it before the exec
 */
struct workload {
	pid_t pid;
	int go;
	int failed;
	int status;
	uint64_t started_ns;
	uint64_t ended_ns;
	struct rusage usage;
	struct rusage before;
};

/*
 * Fork the process; it restores the signals as they were before signals_open(), and uses
 * descriptor @out as its standard output. Returns 0 or -errno.
 */
int workload_fork(struct workload *workload, char **argv,
		  const struct signals *signals, int out);

/* Let it execute the command. Returns 0 or -errno. */
int workload_start(struct workload *workload);

/*
 * Wait for the exec. Returns 1 if it succeeded, or -errno if it failed and the process
 * has been reaped. Returns 0 if @fd becomes readable first.
 */
int workload_await(struct workload *workload, int fd);

/* Whether it has ended, and reap it if so; does not block. */
bool workload_ended(struct workload *workload);

/* Whether it is stopped by a signal; not by a debugger. */
bool workload_stopped(const struct workload *workload);

/* Close the pipes; this ends the process if it has not been started. */
void workload_close(struct workload *workload);

/* The signal that killed it, or 0. */
int workload_signal(const struct workload *workload);

/* Whether that left a core dump. */
bool workload_dumped(const struct workload *workload);

/* The exit status as a shell reports it: 128 plus the number of the signal, if any. */
int workload_status(const struct workload *workload);

#endif /* KERMON_WORKLOAD_H */
