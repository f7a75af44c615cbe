/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the guest's init: what the host asked for (job), how it is run
 * and connected (relay), and what the kernel looks like afterwards (health).
 *
 * The host names four virtio-serial ports, "stdin", "stdout", "stderr" and
 * "control". Over "control" it sends signal numbers, one byte each, and gets
 * one line of text, last of all: the result.
 */
#ifndef KERMON_VM_H
#define KERMON_VM_H

#include <stddef.h>
#include <sys/types.h>

#define JOB_MAX_ITEMS 4096

/* A part of the host's file system, in the order of mounting. */
struct share {
	const char *tag;	/* of the 9p device */
	const char *path;	/* on the host and in the guest */
	int writable;
};

/* What the host asked for; every string lives as long as init does. */
struct job {
	const char *cwd;
	struct share shares[16];	/* none: a self-contained run */
	size_t nr_shares;
	char *argv[JOB_MAX_ITEMS + 1];
	size_t argc;
	char *envp[JOB_MAX_ITEMS + 1];
	size_t envc;
};

/* job_read - parse the job file; does not return when it is malformed. */
void job_read(struct job *job, const char *path);

/* How the command ended. */
struct outcome {
	int status;			/* 128 + n when killed by signal n */
	unsigned long long out, err;	/* bytes handed to "stdout", "stderr" */
};

/*
 * relay_run - run the job's command in the current root to its end
 *
 * Its standard streams are pipes that are relayed to the ports, so that it may
 * use them as it would use any pipe. On return all that the command wrote has
 * been handed to the driver; the host counts the bytes to know it has them all.
 */
struct outcome relay_run(const struct job *job, int control);

/* port_open - open the named port; -1 when the machine has none. */
int port_open(const char *name);

/* health_line - put the outcome and the state of the kernel in one line. */
void health_line(char *line, size_t size, const struct outcome *outcome);

/* die - end the machine without a result; the host calls it lost. */
_Noreturn void die(const char *what, const char *which);

#endif
