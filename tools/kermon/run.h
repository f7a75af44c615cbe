/* SPDX-License-Identifier: GPL-2.0 */
/* A recording by 'kermon run': what was asked for, and what failed. */
#ifndef KERMON_RUN_H
#define KERMON_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <kermon/control.h>
#include <kermon/events.h>

#include "command.h"

/**
 * struct request - the command line of 'kermon run'
 * @command: for messages
 * @events: as written
 * @output: file for perf.data
 * @raw: file for the log, NULL for none
 * @interval_ns: 0 for the kernel's default
 * @log_bytes: likewise
 * @count: KERMON_COUNT_*
 * @inherit: leave the scheduling class alone
 * @quiet: print nothing but errors
 * @argv: the command to record
 * @line: the whole command line
 */
struct request {
	const struct command *command;
	const char *events;
	const char *output;
	const char *raw;
	uint64_t interval_ns;
	uint32_t log_bytes;
	unsigned int count;
	bool inherit;
	bool quiet;
	char **argv;
	char **line;
};

/* Selects the events; what is wrong is said, and the exit status returned. */
int run_select(const struct request *request,
	       struct kermon_selection *selection);

/* Records; returns the exit status. */
int run_record(const struct request *request,
	       const struct kermon_selection *selection);

/* What a failure means and what to do about it, by the step that failed. */
void explain_session(const struct request *request, int error,
		     const struct kermon_selection *selection,
		     unsigned int refused);
void explain_class(const struct request *request, int error);
/* @path: the file that was being written */
void explain_recorder(const struct request *request, const char *path,
		      int error);
void explain_output(const struct request *request, const char *path,
		    int error);

#endif /* KERMON_RUN_H */
