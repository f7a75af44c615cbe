/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads of this machine that used the CPU, interval by interval: how long, where, and
 * what they executed. Times come from /proc, counts from perf_event.
 *
 *	threads_events_choose(&events, NULL, &error);
 *	threads_open(&threads, &options);
 *	while (...)
 *		threads_scan(threads), threads_rows(threads, &nr)
 */
#ifndef KERMON_THREADS_H
#define KERMON_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kermon/events.h>
#include <kermon/report.h>

/* Instructions, cycles, and those that were chosen. */
#define THREADS_EVENTS	16
#define THREADS_CHOSEN	(THREADS_EVENTS - 2)
#define THREADS_COMM	64

/**
 * struct threads_event - an event that is counted for threads
 * @name: as chosen, or perf's
 * @metric: its meaning
 * @type: as in struct perf_event_attr
 * @config: likewise
 * @config1: likewise
 * @modes: KERMON_COUNT_*
 * @group: events of the same number are counted at the same time
 */
struct threads_event {
	char name[KERMON_EVENT_NAME];
	struct kermon_metric metric;
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	unsigned int modes;
	unsigned int group;
};

/**
 * struct threads_events - the events, ordered by group
 * @nr: number of events
 * @user_only: this user may only count user mode
 * @chosen: they were named, and do not follow from the machine
 * @error: why nothing can be counted now: -ENOENT: there are no counters; -EBUSY: others
 *	hold them; -EACCES: not permitted; 0: events are counted
 * @events: the events
 */
struct threads_events {
	unsigned int nr;
	bool user_only;
	bool chosen;
	int error;
	struct threads_event events[THREADS_EVENTS];
};

/*
 * Choose instructions and cycles, and those of @text, names of sets and events; or, if that
 * is NULL, those that count floating-point operations on this machine. Returns 0, or as
 * kermon_events_select(), with @error.
 */
int threads_events_choose(struct threads_events *events, const char *text,
			  struct kermon_event_error *error);

/*
 * Find out which of them can be counted, in which modes and groups, and set @error. Those
 * that cannot are removed. Returns NULL, or the first one that was named but cannot be counted
 * although others can, in @refused.
 */
const char *threads_events_probe(struct threads_events *events,
				 char refused[KERMON_EVENT_NAME]);

/**
 * struct threads_target - a process or thread to look at
 * @pid: the process
 * @tid: the thread; 0: all of @pid
 */
struct threads_target {
	pid_t pid;
	pid_t tid;
};

/**
 * struct threads_options - what to look at
 * @events: what to count; may change @error between two scans
 * @targets: only these; NULL: all
 * @nr_targets: number of these
 * @by_user: only processes of @uid
 * @uid: effective user
 * @max_files: most files that may be open for it
 */
struct threads_options {
	const struct threads_events *events;
	const struct threads_target *targets;
	size_t nr_targets;
	bool by_user;
	uid_t uid;
	size_t max_files;
};

/* Why a thread has no counts. */
enum threads_uncounted {
	THREADS_COUNTED,
	THREADS_NEW,		/* it began to use the CPU in this interval */
	THREADS_DENIED,		/* another user's, which may not be traced */
	THREADS_FILES,		/* too many open files */
	THREADS_WAITS,		/* it had no counters while it ran: others use them */
	THREADS_KERNEL,		/* of the kernel, but only user mode is counted */
	THREADS_OTHER,		/* perf_event refuses this thread */
	THREADS_ENDED,		/* it exited in this interval */
	THREADS_REASONS
};

/**
 * struct threads_row - what a thread, or a process, did in the last interval
 * @pid: the process
 * @tid: the thread; of a process the same as @pid
 * @uid: effective user
 * @cpu: where it ran last; -1: of several threads
 * @nr: number of threads that used the CPU
 * @kernel: it is a thread of the kernel
 * @ended: it exited in the interval: how long it waited is unknown, and so are switches
 * @ns: length of the interval
 * @run_ns: time on the CPU
 * @wait_ns: time it was runnable, but not on a CPU
 * @switches: how often it was switched in
 * @faults: page faults
 * @uncounted: enum threads_uncounted
 * @counted: bit mask of the events that have @counts
 * @estimated: bit mask of those that are estimates
 * @counts: by event
 * @comm: name of the thread, as it is
 * @process: that of the process
 */
struct threads_row {
	pid_t pid;
	pid_t tid;
	uid_t uid;
	int cpu;
	unsigned int nr;
	bool kernel;
	bool ended;
	uint64_t ns;
	uint64_t run_ns;
	uint64_t wait_ns;
	uint64_t switches;
	uint64_t faults;
	unsigned int uncounted;
	uint32_t counted;
	uint32_t estimated;
	double counts[THREADS_EVENTS];
	char comm[THREADS_COMM];
	char process[THREADS_COMM];
};

struct threads;

/* Take a first look. @options must outlive it. Returns 0 or -errno. */
int threads_open(struct threads **threads, const struct threads_options *options);

/* Look again: the rows are those of the interval since then. Returns 0 or -errno. */
int threads_scan(struct threads *threads);

/* The rows of the last interval, in no order, to be sorted; valid until the next scan. */
struct threads_row *threads_rows(struct threads *threads, size_t *nr);

/* Number of threads that exist, of those to look at. */
size_t threads_nr(const struct threads *threads);

/*
 * Why threads that exit in an interval have no row: -EPERM: that requires CAP_NET_ADMIN; -ENOENT:
 * there are no taskstats here; -ENOBUFS: in the last interval, there were too many; 0: they
 * have one.
 */
int threads_exits_error(const struct threads *threads);

/* Whether times are those of ticks, because the kernel has no schedstat. */
bool threads_by_ticks(const struct threads *threads);

void threads_close(struct threads *threads);

/* What rows can be sorted by. */
enum threads_column {
	THREADS_PID,
	THREADS_TID,
	THREADS_USER,
	THREADS_CPU,
	THREADS_RUN,		/* % */
	THREADS_WAIT,		/* % */
	THREADS_IPC,
	THREADS_INSTRUCTIONS,	/* per second, as all below */
	THREADS_FLOP,
	THREADS_SWITCHES,
	THREADS_FAULTS,
	THREADS_COMMAND,
	THREADS_EVENT,		/* THREADS_EVENT + n: event n */
};

/* Whether the events have what the column shows. */
bool threads_has(const struct threads_events *events, unsigned int column);

/* The value of a row in a column; NaN if it is unknown. Of THREADS_COMMAND, 0. */
double threads_value(const struct threads_events *events, const struct threads_row *row,
		     unsigned int column);

/* Whether that is an estimate. */
bool threads_is_estimate(const struct threads_events *events,
			 const struct threads_row *row, unsigned int column);

/*
 * Sort: numbers descending, pids, users, CPUs and names ascending; or the reverse. Unknown
 * values come last in any case.
 */
void threads_sort(const struct threads_events *events, struct threads_row *rows, size_t nr,
		  unsigned int column, bool reverse);

/* Sum the threads of each process, in place. Returns the number of processes. */
size_t threads_merge(const struct threads_events *events, struct threads_row *rows,
		     size_t nr);

/* Whether a name of the row contains @text, or its pid or tid is that; "" is in all. */
bool threads_match(const struct threads_row *row, const char *text);

/* Keep the rows that match, in their order. Returns their number. */
size_t threads_filter(struct threads_row *rows, size_t nr, const char *text);

#endif /* KERMON_THREADS_H */
