/* SPDX-License-Identifier: GPL-2.0 */
/* A recording: what was asked for on the command line, and what failed. */
#ifndef KERMON_REQUEST_H
#define KERMON_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/control.h>
#include <kermon/events.h>

#include "marking.h"
#include "sampling_options.h"
#include "totals/totals.h"
#include "ui/command.h"
#include "ui/options.h"

struct plan;

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
 * @sampling: what perf_event samples, and how
 * @regions: marks of regions of the command
 * @targets: tasks that are there already
 * @argv: the command to record, or if there are @targets, to wait for; NULL: none
 * @pid: the only one of @targets, if there is one: a process, or with @thread a thread
 * @duration_ns: how long @targets are recorded at most; 0 for no limit
 * @target: who is recorded, in words
 * @line: the whole command line
 * @report: print a table of the counts at the end: of enum report_kind
 * @ended: called when the command has ended and was recorded or counted; may be NULL. Returns
 *	0, or as totals_add()
 * @data: for @ended
 * @outlive: the tool does not die of the signal that killed the command
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
	struct sampling sampling;
	struct marking regions;
	struct targets targets;
	char **argv;
	pid_t pid;
	bool thread;
	uint64_t duration_ns;
	const char *target;
	char **line;
	unsigned int report;
	int (*ended)(const struct outcome *outcome, void *data);
	void *data;
	bool outlive;
};

/* --report: the totals, or these and the threads. */
enum report_kind {
	REPORT_NONE,
	REPORT_TOTALS,
	REPORT_THREADS,
};

/* The events if none are named: those that are always counted. */
extern const char request_default_events[];

/* Print that table to standard error; @data is the request. */
int ended_print(const struct outcome *outcome, void *data);

#define REQUEST_DEFAULTS(cmd, words) {		\
	.command = (cmd),			\
	.events = request_default_events,	\
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
extern const struct option_conflict request_conflicts[];

/*
 * Selects the events and records; what is wrong is said, and the exit status
 * returned.
 */
int request_record(struct request *request);

/*
 * Select @events as KerMon counts them; what is wrong is said, and the exit status returned.
 * Messages name all of @request's.
 */
int request_select(const struct request *request, const char *events,
		   struct kermon_selection *selection);

/* Whether COMMAND is what is recorded, not what is waited for. */
bool request_runs(const struct request *request);

/* Records; returns the exit status. */
int run_record(const struct request *request, const struct plan *plan);

/* What a failure means and what to do about it, by the step that failed. */
void explain_session(const struct request *request, int error);
/* Followed by explain_events() for each set, @refused being bits of its events. */
void explain_refused(const struct request *request);
void explain_events(const struct kermon_selection *set, unsigned int refused);
/* A virtual machine may have fewer events than its CPU. */
void explain_virtual(void);
void explain_limit(const struct request *request);
void explain_class(const struct request *request);
/* Why the command was not executed. */
void explain_exec(const struct request *request, int error);
/* @path: the file that was being written; NULL: a temporary one */
void explain_recorder(const struct request *request, const struct plan *plan,
		      const char *path, int error);
void explain_output(const struct request *request, const char *path,
		    int error);

/* perf_event does not even count time. */
void explain_counters(const struct request *request, int error);

#endif /* KERMON_REQUEST_H */
