/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of perf_event in a recording, and the tasks that they watch. One that counts
 * nothing gives the side-band: forks, exits, names and executable mappings. Others sample.
 */
#ifndef KERMON_WATCH_H
#define KERMON_WATCH_H

#include <kermon/clock.h>
#include <kermon/sampled.h>
#include <linux/perf_event.h>

#include "rings.h"

struct watch;

/**
 * struct watch_options - what to watch
 * @pid: the process to record, unless @asked says otherwise
 * @from_exec: @pid has not executed the program yet: nothing is sampled before
 * @kind: clock of the records
 * @asked: what to sample, and of which tasks; NULL: only the side-band
 * @blind: open nothing
 */
struct watch_options {
	pid_t pid;
	bool from_exec;
	enum kermon_clock_kind kind;
	const struct kermon_watch *asked;
	bool blind;
};

/*
 * Watch tasks and those that they create from now on, on all online CPUs. Return: 0;
 * -EACCES: kernel.perf_event_paranoid is too high for this user; -EPERM: the limit of locked
 * memory does not even allow small rings, or not those that were asked for; -ESRCH: a
 * process does not exist or is exiting; or as perf_event_open(2).
 */
int watch_open(struct watch **watch, const struct watch_options *options);
void watch_close(struct watch *watch);

/* Begin to sample, unless the exec of the process does that. Return: 0 or -errno. */
int watch_start(struct watch *watch);

/*
 * If all tasks are sampled beside a log: whether @record, which is no sample, is one of the
 * application that the log is of. Another one says the same for the file.
 */
bool watch_is_application(const struct watch *watch,
			  const struct perf_event_header *record);

/*
 * Whether events for CPU @cpu, which has come online, have to be opened: it was offline before,
 * or the events of all tasks on a CPU ended with it. Then watch_return() opens them, after what
 * is in the ring has been read. In the file, they have the ids of those that they replace, by
 * watch_rename(). Return: 0; -EOPNOTSUPP: not if single tasks are watched; -ENOMEM; or as
 * perf_event_open(2).
 */
bool watch_needs(const struct watch *watch, size_t cpu);
int watch_return(struct watch *watch, size_t cpu);

/*
 * The record as it is in the file: itself; or a copy with another id, valid until the next
 * call, if it is of an event that replaces another.
 */
const struct perf_event_header *watch_rename(struct watch *watch,
					     const struct perf_event_header *record);

struct rings *watch_rings(const struct watch *watch);

/* The ids of the side-band's events, and the attr with which they were opened. */
const uint64_t *watch_sideband_ids(const struct watch *watch, size_t *nr);
const struct perf_event_attr *watch_sideband_attr(const struct watch *watch);

/* Event @index as it is in the file; what it points to belongs to @watch. */
struct kermon_sampled_event watch_event(const struct watch *watch, size_t index);

/*
 * Call @fn with a record for each event that has lost records, PERF_RECORD_LOST_SAMPLES, as
 * perf has it, if the kernel counts them. Stops and returns its value when that is not 0.
 */
int watch_lost(const struct watch *watch,
	       int (*fn)(void *data, const struct perf_event_header *record),
	       void *data);

#endif /* KERMON_WATCH_H */
