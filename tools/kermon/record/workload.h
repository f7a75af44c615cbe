/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command that is recorded: a process that waits until all is ready, then
 * becomes the command. If the tool is killed meanwhile, it just ends; after
 * that, it runs on unharmed.
 */
#ifndef KERMON_WORKLOAD_H
#define KERMON_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct signals;

/**
 * struct workload - the process
 * @pid: of the process, 0 once it has been waited for
 * @go: writing a byte here lets it go on
 * @failed: it writes the errno of exec here, or closes it by a good one
 * @status: of wait(2)
 */
struct workload {
	pid_t pid;
	int go;
	int failed;
	int status;
};

/* Forks. The command has the signals that there were before @signals. */
int workload_fork(struct workload *workload, char **argv,
		  const struct signals *signals);

/* Lets it go. 0 or -errno. */
int workload_start(struct workload *workload);

/*
 * Waits until it is the command: 1, or -errno of exec, and then it has been waited for.
 * 0: @fd is readable before that.
 */
int workload_await(struct workload *workload, int fd);

/* Whether it has ended; does not wait. */
bool workload_ended(struct workload *workload);

/* Whether it is stopped now: by a signal, not by a debugger. */
bool workload_stopped(const struct workload *workload);

/* Ends it if it has not been started yet. */
void workload_close(struct workload *workload);

/* The signal that killed it, or 0. */
int workload_signal(const struct workload *workload);

/* Whether that has left a core. */
bool workload_dumped(const struct workload *workload);

/* The exit status as a shell tells it. */
int workload_status(const struct workload *workload);

#endif /* KERMON_WORKLOAD_H */
