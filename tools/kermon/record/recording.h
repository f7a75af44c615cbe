/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of a recording, shared by the files that set it up (recording.c, turns.c), run it
 * (course.c) and describe it (notes.c).
 */
#ifndef KERMON_RECORD_H
#define KERMON_RECORD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/control.h>
#include <kermon/events.h>
#include <kermon/recorder.h>

#include "counters.h"
#include "energy/energy.h"
#include "machine/machine.h"
#include "plan.h"
#include "rawlog.h"
#include "request.h"
#include "ui/output.h"
#include "workload/signals.h"
#include "workload/workload.h"

/**
 * struct recording - a recording, from its set-up to its end
 * @request: the command line
 * @plan: what records it
 * @selection: the events that KerMon counts
 * @sets: the events in sets, of which each is counted simultaneously
 * @nr_sets: length of @sets; more than 1 are rotated
 * @machine: what the machine offers
 * @energy: whether energy is recorded
 * @inherit: the scheduling class is left alone
 * @counters: those of perf_event, if it counts
 * @power: those of the machine's energy, likewise
 * @output: file for perf.data
 * @raw: file for the log
 * @set: the current set, if SIGUSR1 rotates them
 * @signals: those that the tool reads
 * @workload: the command, if there is one
 * @timer: the command is not recorded: the recording lasts as long as it runs
 * @pid: thread to pass to set_events(); 0: perf_event samples several processes, or all
 * @process: process of @pid
 * @log: log descriptor, or -1
 * @marks: receives marks of regions, or NULL
 * @recorder: the recording
 * @received: signals that neither the command nor its descendants sent
 * @typed_ns: time of the last Ctrl-C, in CLOCK_MONOTONIC, or 0
 * @deadline_ns: end of the recording at the latest, in CLOCK_MONOTONIC, or 0
 * @opened_ns: begin of the recording, likewise
 * @ended_ns: end of the recording, likewise
 * @stop_ns: time of the last SIGTSTP, in CLOCK_MONOTONIC, or 0
 * @revoked: root has ended the recording, which is known once it is complete
 * @leave: the recording ends before the command or target does
 * @ended_by: signal because of which @leave is set, or 0
 * @error: -errno if the recording has failed, or 0
 * @public: every process could execute RDPMC at the start or at the end
 * @cost: TSC cycles spent on taking samples
 * @runs_on: the command was still running when the recording ended
 * @outlived: number of its descendants that were still running
 * @complete: the command has ended, and its counts are complete
 */
struct recording {
	const struct request *request;
	const struct plan *plan;
	const struct kermon_selection *selection;
	struct kermon_selection sets[KERMON_MAX_SETS];
	unsigned int nr_sets;
	struct machine machine;
	bool energy;
	bool inherit;
	struct counters counters;
	struct energy power;
	struct output output;
	struct rawlog raw;
	struct signals signals;
	struct workload workload;
	bool timer;
	pid_t pid;
	pid_t process;
	int log;
	struct kermon_marks *marks;
	struct kermon_recorder *recorder;
	unsigned int set;
	sigset_t received;
	uint64_t typed_ns;
	uint64_t deadline_ns;
	uint64_t opened_ns;
	uint64_t ended_ns;
	uint64_t stop_ns;
	bool revoked;
	bool leave;
	int ended_by;
	int error;
	bool public;
	uint64_t cost;
	bool runs_on;
	unsigned int outlived;
	bool complete;
};

/* Nanoseconds without a sample after which a tick takes one. */
uint64_t request_interval(const struct request *request);

/*
 * Divide the events into sets that are rotated if not all fit simultaneously, and tell the
 * user. Returns the exit status.
 */
int record_split_events(struct recording *recording);

/* Switch to @set until the next call. */
void record_change_set(struct recording *recording, unsigned int set);

/* Handle the signals that have arrived; stop the tool if the command has stopped. */
void record_take_signals(struct recording *recording);

/* Whether root has ended the recording: kermon revoke. */
bool record_is_revoked(const struct recording *recording);

/* Record the command, or the target of 'kermon attach'. Returns the exit status. */
int record_workload(struct recording *recording);
int record_target(struct recording *recording);

/* Let perf_event count the command. Returns the exit status. */
int record_counts(struct recording *recording);

/* Whether threads can read their own counts, because KerMon counts for them. */
static inline bool record_has_counts(const struct recording *recording)
{
	return !recording->plan->alone && !recording->plan->timed;
}

/* Write notes into the file; Documentation/perf-data.rst describes the keys. */
void record_notes(const struct recording *recording);

/* Write the notes that are known only at the end. */
void record_last_notes(const struct recording *recording);

/* Print the summary of the recording. */
void record_summary(const struct recording *recording);

#endif /* KERMON_RECORD_H */
