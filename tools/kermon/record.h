/* SPDX-License-Identifier: GPL-2.0 */
/* A recording, and what is said of it. */
#ifndef KERMON_RECORD_H
#define KERMON_RECORD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/control.h>
#include <kermon/events.h>
#include <kermon/recorder.h>

#include "output.h"
#include "run.h"
#include "workload.h"

/**
 * struct recording - what is open
 * @request: what was asked for
 * @selection: the events
 * @sets: the same, as they are counted at once
 * @nr_sets: how many take turns, or 1
 * @info: what the machine offers
 * @energy: whether energy is recorded
 * @output: file for perf.data
 * @raw: file for the log, or -1
 * @set: whose turn it is, if signals say so
 * @signals: signalfd of all that ends the recording, or asks for something
 * @mask: signals that were blocked before
 * @workload: the command, if there is one
 * @pid: the thread that set_events() is told
 * @process: its process
 * @log: log descriptor, or -1
 * @recorder: the recording
 * @signal: that ended it, 0 if the command did
 * @expired: the time that it was to last is over
 * @cost: TSC cycles that taking the samples took
 */
struct recording {
	const struct request *request;
	const struct kermon_selection *selection;
	struct kermon_selection sets[KERMON_MAX_SETS];
	unsigned int nr_sets;
	struct kermon_info info;
	bool energy;
	struct output output;
	int raw;
	int signals;
	sigset_t mask;
	struct workload workload;
	pid_t pid;
	pid_t process;
	int log;
	struct kermon_recorder *recorder;
	unsigned int set;
	int signal;
	bool expired;
	uint64_t cost;
};

/* Nanoseconds without a sample after which a tick takes one. */
uint64_t request_interval(const struct request *request);

/* For whoever reads the file; the keys are in Documentation/perf-data.rst. */
void record_notes(const struct recording *recording);

/* For the user, at the end. */
void record_summary(const struct recording *recording);

#endif /* KERMON_RECORD_H */
