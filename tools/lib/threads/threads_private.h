/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef KERMON_THREADS_PRIVATE_H
#define KERMON_THREADS_PRIVATE_H

#include "threads.h"

/**
 * struct stat_fields - of /proc/PID/task/TID/stat
 * @comm: name
 * @kernel: a thread of the kernel
 * @faults: page faults, minor and major
 * @ticks: time on the CPU, user and system
 * @start: start of the thread, in ticks since boot
 * @cpu: CPU that it ran on last
 */
struct stat_fields {
	char comm[THREADS_COMM];
	bool kernel;
	uint64_t faults;
	uint64_t ticks;
	uint64_t start;
	int cpu;
};

/* Parse the file; the name may have any character. Returns whether it is valid. */
bool stat_parse(const char *text, struct stat_fields *fields);

/**
 * struct sched_times - of /proc/PID/task/TID/schedstat
 * @run_ns: time on the CPU
 * @wait_ns: time runnable, but not on it
 * @switches: how often it was switched in
 */
struct sched_times {
	uint64_t run_ns;
	uint64_t wait_ns;
	uint64_t switches;
};

bool schedstat_parse(const char *text, struct sched_times *times);

/* Next name of a folder of /proc that is a number, in what getdents64(2) has returned. */
pid_t entries_next(const char *entries, size_t size, size_t *at);

/**
 * struct reading - what a counter has had
 * @value: its count
 * @enabled: ns for which it was enabled while the thread ran
 * @running: ns for which it counted
 */
struct reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/**
 * struct thread_counters - counters of a thread
 * @error: why there are none: enum threads_uncounted, and 0 if they are open
 * @nr: number of open descriptors
 * @fds: by event
 * @last: by event
 */
struct thread_counters {
	enum threads_uncounted error;
	unsigned int nr;
	int fds[THREADS_EVENTS];
	struct reading last[THREADS_EVENTS];
};

/* Open an event for a thread, 0 for this one; @leader: -1, or that of its group. */
int event_open(const struct threads_event *event, pid_t tid, int leader);

/* Returns the number of descriptors, 0 if they cannot be opened: see @error. */
unsigned int thread_counters_open(struct thread_counters *counters,
			   const struct threads_events *events, pid_t tid);

/* Add what was counted since the last reading to @row; close them if others hold them. */
void thread_counters_read(struct thread_counters *counters, const struct threads_events *events,
		   struct threads_row *row);

/* What was counted between two readings, scaled; false: nothing was. */
bool reading_since(const struct reading *now, const struct reading *last, double *count,
		   bool *estimate);

void thread_counters_close(struct thread_counters *counters);

#endif /* KERMON_THREADS_PRIVATE_H */
