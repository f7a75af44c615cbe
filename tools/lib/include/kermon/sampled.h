/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of perf_event, beside KerMon's log or on a kernel without KerMon: which events
 * sample which tasks, and how they get into perf.data.
 */
#ifndef KERMON_SAMPLED_H
#define KERMON_SAMPLED_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/abi.h>
#include <kermon/clock.h>
#include <kermon/sampling.h>

KERMON_BEGIN_DECLS

struct kermon_writer;

/* Most events that are sampled in a recording. */
#define KERMON_MAX_SAMPLED	64

/*
 * The attr with which @sampling is opened, apart from flags about tasks. @kind: the clock of
 * the records.
 */
void kermon_sampling_attr(const struct kermon_sampling *sampling, enum kermon_clock_kind kind,
			  struct perf_event_attr *attr);

/**
 * struct kermon_watch - what is sampled, and of which tasks
 * @size: sizeof(struct kermon_watch)
 * @events: the events, at most KERMON_MAX_SAMPLED
 * @nr_events: length of @events
 * @pids: processes whose threads, and the tasks that they create, are sampled
 * @nr_pids: length of @pids
 * @tids: threads, likewise
 * @nr_tids: length of @tids
 * @all: all tasks are sampled; @pids and @tids are then ignored
 * @cpus: the CPUs on which @all tasks are sampled; NULL: all
 * @nr_cpus: length of @cpus
 * @ring_bytes: size of the ring of each CPU, a power of two; 0: as large as this user may have
 * @alone: there is no log: the events of perf_event are all that is recorded
 */
struct kermon_watch {
	size_t size;
	const struct kermon_sampling *events;
	size_t nr_events;
	const pid_t *pids;
	size_t nr_pids;
	const pid_t *tids;
	size_t nr_tids;
	bool all;
	const unsigned int *cpus;
	size_t nr_cpus;
	uint64_t ring_bytes;
	bool alone;
};

/**
 * struct kermon_sampled_event - an event in the file
 * @name: of the event
 * @attr: with which it was opened
 * @ids: ids that the kernel assigned to it
 * @nr_ids: length of @ids
 */
struct kermon_sampled_event {
	const char *name;
	const struct perf_event_attr *attr;
	const uint64_t *ids;
	size_t nr_ids;
};

/**
 * struct kermon_sampled_options - events of perf_event in a file
 * @size: sizeof(struct kermon_sampled_options)
 * @events: the events; copied
 * @nr_events: length of @events
 * @sideband: attr with which the side-band was opened; copied. NULL: as without samples
 * @alone: the file has no events of KerMon's log
 */
struct kermon_sampled_options {
	size_t size;
	const struct kermon_sampled_event *events;
	size_t nr_events;
	const struct perf_event_attr *sideband;
	bool alone;
};

/*
 * Add events of perf_event to the file, before anything is written. Their records are
 * passed to kermon_writer_sideband(). Return: 0; -EINVAL: something has been written, or
 * the size of @options is not set; -E2BIG: too many events, or @options uses members of a
 * later version; -ENOMEM.
 */
int kermon_writer_sampled(struct kermon_writer *writer,
			  const struct kermon_sampled_options *options);

/*
 * Write records for the tasks and mappings of the process of thread @tid, which may be its
 * first one, after kermon_writer_start().
 * Return: 0, also if it has ended or is hidden, or as kermon_writer_start().
 */
int kermon_writer_process(struct kermon_writer *writer, pid_t tid);

/**
 * struct kermon_sampled_totals - what perf_event has sampled so far
 * @samples: number of samples
 * @lost: records, samples or others, for which the rings had no room
 * @throttled: how often the kernel stopped an event because it sampled too often
 */
struct kermon_sampled_totals {
	uint64_t samples;
	uint64_t lost;
	uint64_t throttled;
};

/* What of perf_event has been written so far. */
void kermon_writer_sampled_totals(const struct kermon_writer *writer,
				  struct kermon_sampled_totals *totals);

KERMON_END_DECLS
#endif /* KERMON_SAMPLED_H */
