/* SPDX-License-Identifier: GPL-2.0 */
/* A recording: what was asked for on the command line, and what failed. */
#ifndef KERMON_RUN_H
#define KERMON_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <kermon/control.h>
#include <kermon/events.h>

#include "ui/command.h"
#include "ui/options.h"

struct machine;
struct request;

#define OUTCOME_COUNTS	(KERMON_MAX_SELECTED + 8)

/**
 * struct outcome_count - what perf_event counted
 * @name: of the event; interned or static
 * @attr_type: PERF_TYPE_*
 * @config: of the event
 * @error: 0, or -errno of perf_event_open(2): the kernel does not count it
 * @value: the count, over all threads
 * @enabled: ns in which it was to be counted, over all threads
 * @running: ns in which it was counted; less than @enabled if perf multiplexed
 */
struct outcome_count {
	const char *name;
	uint32_t attr_type;
	uint64_t config;
	int error;
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* Perf knows five domains. */
#define OUTCOME_DOMAINS		8
#define OUTCOME_DOMAIN_NAME	48

/**
 * struct outcome_domain - an energy domain of the whole machine
 * @name: as in recordings, "power/energy-pkg/"
 * @packages: number of packages that have it
 * @joules: sum over these while the command ran, of all that ran
 */
struct outcome_domain {
	char name[OUTCOME_DOMAIN_NAME];
	unsigned int packages;
	double joules;
};

/**
 * struct outcome_energy - the energy of the whole machine, if perf_event counted
 * @error: why no energy was counted, neither here nor in a recording: -ENODEV: the
 *	machine or its kernel offers none; -EACCES: this user may not count it; -EPERM:
 *	nor read powercap, which is all there is; or 0
 * @nr: number of @domains
 * @domains: what was counted; none if there is a recording
 */
struct outcome_energy {
	int error;
	unsigned int nr;
	struct outcome_domain domains[OUTCOME_DOMAINS];
};

/**
 * struct outcome - a command that was recorded or counted, and has ended
 * @file: descriptor of the complete perf.data, or -1 if perf_event counted
 * @counts: counts of perf_event, @nr_counts of them
 * @energy: of the machine, or why there is none
 * @elapsed_ns: from the start of the command to its end
 * @usage: of the command and of the descendants that were waited for
 * @interrupted: SIGINT, SIGQUIT, SIGTERM or SIGHUP, if the tool received it meanwhile; or 0
 * @signal: signal of which the tool has to die, as the command did, once it is done; or 0
 */
struct outcome {
	int file;
	const struct outcome_count *counts;
	unsigned int nr_counts;
	const struct outcome_energy *energy;
	uint64_t elapsed_ns;
	struct rusage usage;
	int interrupted;
	int signal;
};

/**
 * struct request - the command line of 'kermon run' or 'kermon attach'
 * @command: for messages
 * @events: as written
 * @output: file for perf.data; NULL: a temporary file, only for @ended
 * @raw: file for the log, NULL for none
 * @interval_ns: 0 for the kernel's default
 * @log_bytes: likewise
 * @rotate_ns: likewise
 * @by_signal: SIGUSR1 begins the turn of the next set, and nothing else does
 * @count: KERMON_COUNT_*
 * @overwrite: keep the newest samples, and read them when asked to and at the end
 * @coalesce: add short intervals up
 * @compression: level, or 0
 * @inherit: leave the scheduling class alone
 * @insist: fail if the command cannot be put into the scheduling class
 * @wait_all: record on until the last process that the command has started ends
 * @any_kernel: without KerMon in this kernel, count by perf_event instead; requires @ended
 * @quiet: print nothing but errors
 * @argv: the command to record; NULL if it is @pid that is recorded
 * @pid: a process, or with @thread a thread, that is there already
 * @duration_ns: how long @pid is recorded at most; 0 for no limit
 * @target: who is recorded, in words
 * @line: the whole command line
 * @ended: called when the command has ended and was recorded or counted; may be NULL. The
 *	tool then outlives the signal that killed the command
 * @data: for @ended
 */
struct request {
	const struct command *command;
	const char *events;
	const char *output;
	const char *raw;
	uint64_t interval_ns;
	uint64_t log_bytes;
	uint64_t rotate_ns;
	bool by_signal;
	unsigned int count;
	bool overwrite;
	bool coalesce;
	int compression;
	bool inherit;
	bool insist;
	bool wait_all;
	bool any_kernel;
	bool quiet;
	char **argv;
	pid_t pid;
	bool thread;
	uint64_t duration_ns;
	const char *target;
	char **line;
	void (*ended)(const struct outcome *outcome, void *data);
	void *data;
};

#define REQUEST_DEFAULTS(cmd, words) {		\
	.command = (cmd),			\
	.events = "fixed",			\
	.output = "perf.data",			\
	.count = KERMON_COUNT_USER,		\
	.target = "the command",		\
	.line = (words) - 1,			\
}

/* Options of all commands that count, and of those that record. */
#define GROUP_counting	struct request
#define GROUP_request	struct request
extern const struct option_spec counting_options[];
extern const struct option_spec request_options[];

/*
 * Selects the events and records; what is wrong is said, and the exit status
 * returned.
 */
int request_record(struct request *request);

/* Records; returns the exit status. */
int run_record(const struct request *request,
	       const struct kermon_selection *selection);

/* What a failure means and what to do about it, by the step that failed. */
void explain_machine(const struct request *request,
		     const struct machine *machine);
void explain_session(const struct request *request, int error);
/* Followed by explain_events() for each set, @refused being bits of its events. */
void explain_refused(const struct request *request);
void explain_events(const struct kermon_selection *set, unsigned int refused);
/* A virtual machine may have fewer events than its CPU. */
void explain_virtual(void);
void explain_limit(const struct request *request);
void explain_class(const struct request *request, int error);
/* Why the command was not executed. */
void explain_exec(const struct request *request, int error);
/* @path: the file that was being written; NULL: a temporary one */
void explain_recorder(const struct request *request, const char *path,
		      int error);
void explain_output(const struct request *request, const char *path,
		    int error);

/* perf_event does not even count time. */
void explain_counters(const struct request *request, int error);

#endif /* KERMON_RUN_H */
