/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the guest's init: the job from the host (job), running and
 * connecting the command (relay), and the state of the kernel afterwards
 * (health).
 *
 * The host provides four virtio-serial ports, "stdin", "stdout", "stderr" and
 * "control". Over "control" it sends signal numbers, one byte each, and
 * receives the final report, one line of text.
 */
#ifndef KERMON_VM_H
#define KERMON_VM_H

#include <stddef.h>
#include <sys/types.h>

#define JOB_MAX_ITEMS 4096

/* A folder shared by the host, in mount order. */
struct share {
	const char *tag;	/* of its 9p device */
	const char *path;	/* on the host and in the guest */
	int writable;
};

/* The job from the host; all strings live as long as init. */
struct job {
	const char *cwd;
	struct share shares[16];	/* none: a self-contained run */
	size_t nr_shares;
	char *argv[JOB_MAX_ITEMS + 1];
	size_t argc;
	char *envp[JOB_MAX_ITEMS + 1];
	size_t envc;
};

/* job_read - parse the job file; does not return if it is malformed. */
void job_read(struct job *job, const char *path);

/* Result of the command. */
struct outcome {
	int status;			/* 128 + n if killed by signal n */
	unsigned long long out, err;	/* bytes handed to "stdout", "stderr" */
};

/*
 * relay_run - run the job's command in the current root until it exits
 *
 * Its standard streams are pipes relayed to the ports, so that they behave like
 * any pipe. On return everything that the command wrote has been passed to the
 * driver; the host counts the bytes to know that it has received all of them.
 */
struct outcome relay_run(const struct job *job, int control);

/* port_open - open the named port; -1 if the machine does not have it. */
int port_open(const char *name);

/* health_line - put the outcome and the state of the kernel in one line. */
void health_line(char *line, size_t size, const struct outcome *outcome);

/* die - stop the machine without a result; the host reports it as lost. */
_Noreturn void die(const char *what, const char *which);

#endif
