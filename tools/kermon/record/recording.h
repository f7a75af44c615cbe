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

#include "leftover.h"
#include "rawlog.h"
#include "request.h"
#include "signals.h"
#include "ui/output.h"
#include "workload.h"

/**
 * struct recording - what is open
 * @request: what was asked for
 * @selection: the events
 * @sets: the same, as they are counted at once
 * @nr_sets: how many take turns, or 1
 * @info: what the machine offers
 * @energy: whether energy is recorded
 * @inherit: the scheduling class is left alone
 * @policy: the command's, before it entered the class
 * @output: file for perf.data
 * @raw: file for the log
 * @set: whose turn it is, if signals say so
 * @signals: those that the tool reads
 * @workload: the command, if there is one
 * @pid: the thread that set_events() is told
 * @process: its process
 * @log: log descriptor, or -1
 * @recorder: the recording
 * @received: signals that came from outside
 * @typed_ns: when the last Ctrl-C was typed
 * @deadline_ns: when the recording ends at the latest, CLOCK_MONOTONIC, or 0
 * @stop_ns: when somebody wanted tool and command to be stopped, or 0
 * @leave: the recording ends before what it is about does
 * @ended_by: the signal that has ended it so, or 0
 * @error: why it has failed, -errno, or 0
 * @public: every process could execute RDPMC at the begin or at the end
 * @cost: TSC cycles that taking the samples took
 * @runs_on: the command had not ended when the recording did
 * @outlived: other processes that had not
 */
struct recording {
	const struct request *request;
	const struct kermon_selection *selection;
	struct kermon_selection sets[KERMON_MAX_SETS];
	unsigned int nr_sets;
	struct kermon_info info;
	bool energy;
	bool inherit;
	struct policy policy;
	struct output output;
	struct rawlog raw;
	struct signals signals;
	struct workload workload;
	pid_t pid;
	pid_t process;
	int log;
	struct kermon_recorder *recorder;
	unsigned int set;
	sigset_t received;
	uint64_t typed_ns;
	uint64_t deadline_ns;
	uint64_t stop_ns;
	bool leave;
	int ended_by;
	int error;
	bool public;
	uint64_t cost;
	bool runs_on;
	unsigned int outlived;
};

/* Nanoseconds without a sample after which a tick takes one. */
uint64_t request_interval(const struct request *request);

/* Makes it the turn of @set, until further notice. */
void record_change_set(struct recording *recording, unsigned int set);

/* What has come since; stops if the command has been stopped. */
void record_take_signals(struct recording *recording);

/* From the start of the command, or of what is watched, to its end: exit status. */
int record_workload(struct recording *recording);
int record_target(struct recording *recording);

/* For whoever reads the file; the keys are in Documentation/perf-data.rst. */
void record_notes(const struct recording *recording);

/* Likewise, what is known in the end. */
void record_last_notes(const struct recording *recording);

/* For the user, at the end. */
void record_summary(const struct recording *recording);

#endif /* KERMON_RECORD_H */
