/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef KERMON_THREADS_PRIVATE_H
#define KERMON_THREADS_PRIVATE_H

#include "threads.h"
#include "util/hash.h"

#define ENTRIES_SIZE	65536

/**
 * struct stat_fields - of /proc/PID/task/TID/stat
 * @comm: name
 * @kernel: a thread of the kernel
 * @ended: it has exited, and waits for its parent: a zombie
 * @faults: page faults, minor and major
 * @ticks: time on the CPU, user and system
 * @start: start of the thread, in ticks since boot
 * @cpu: CPU that it ran on last
 */
struct stat_fields {
	char comm[THREADS_COMM];
	bool kernel;
	bool ended;
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

/**
 * struct ended_thread - a thread that has exited, and what it did in its life
 * @pid: its process
 * @switches: how often it was switched out
 * @comm: its name then
 */
struct ended_thread {
	pid_t pid;
	pid_t tid;
	uid_t uid;
	uint64_t run_ns;
	uint64_t faults;
	uint64_t switches;
	char comm[THREADS_COMM];
};

/**
 * struct exits - threads that have exited since they were taken last
 * @sock: of taskstats; NULL: they cannot be received
 * @family: number of that
 * @ended: @nr of them
 * @lost: there were more of them
 */
struct exits {
	struct nl_sock *sock;
	int family;
	struct ended_thread *ended;
	size_t nr;
	size_t room;
	bool lost;
};

/*
 * Return: 0; -EPERM: that requires CAP_NET_ADMIN; -ENOENT: the kernel has no taskstats, or a
 * namespace lacks them.
 */
int exits_open(struct exits *exits);
/* Receive those since the last call. */
void exits_take(struct exits *exits);
void exits_close(struct exits *exits);

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

/**
 * struct thread - a thread
 * @tid: its id
 * @fd: its schedstat, or stat; -1: opened for each reading
 * @known: @times are those of an earlier reading
 * @read_ns: when it was read
 * @times: what was read
 * @faults: page faults then
 * @stat: other facts, of when it ran last
 * @idle: intervals in which it did not run
 * @counters: NULL: not opened
 */
struct thread {
	pid_t tid;
	int fd;
	bool known;
	uint64_t read_ns;
	struct sched_times times;
	uint64_t faults;
	struct stat_fields stat;
	unsigned int idle;
	struct thread_counters *counters;
};

/* What had been seen of a thread before it ended. */
struct gone {
	pid_t tid;
	uint64_t run_ns;
	uint64_t faults;
};

/**
 * struct process - a process and its threads
 * @pid: its id
 * @scan: number of the scan that found it last
 * @uid: effective user
 * @threads: in the order of /proc
 */
struct process {
	pid_t pid;
	uint64_t scan;
	uid_t uid;
	struct thread *threads;
	size_t nr;
	size_t room;
};

/**
 * struct threads - all of them
 * @proc: /proc
 * @ticks: times come from stat, in ticks of @tick_ns
 * @scan: number of the current scan, from 1
 * @began_ns: CLOCK_BOOTTIME of the previous scan
 * @files: number of files that are open
 * @nr_threads: number of threads that the scan has found
 * @processes: all that were seen in the last scan, and in this one
 * @by_pid: processes
 * @processes_text: buffer for the folder of all processes
 * @threads_text: for that of the threads of one
 * @exits: threads that have exited since the previous scan
 * @exits_error: why they are not known: see threads_exits_error()
 * @gone: threads that this scan has not found any more: @nr_gone of them
 * @room_gone: number of elements allocated for them
 */
struct threads {
	const struct threads_options *options;
	int proc;
	bool ticks;
	uint64_t tick_ns;
	uint64_t scan;
	uint64_t began_ns;
	size_t files;
	size_t nr_threads;
	struct process **processes;
	size_t nr_processes;
	size_t room_processes;
	struct hash by_pid;
	struct threads_row *rows;
	size_t nr_rows;
	size_t room_rows;
	char processes_text[ENTRIES_SIZE];
	char threads_text[ENTRIES_SIZE];
	struct exits exits;
	int exits_error;
	struct gone *gone;
	size_t nr_gone;
	size_t room_gone;
};

/* scan.c: a new row; the process with this id, or NULL; whether a thread is one to look at. */
struct threads_row *threads_add_row(struct threads *threads);
struct process *threads_process(const struct threads *threads, pid_t pid);
bool threads_wants(const struct threads *threads, pid_t pid, pid_t tid);

/*
 * ended.c: keep what had been seen of a thread that has vanished; then add rows of threads that
 * have exited in the last @ns, once the others have been looked at. Return: 0 or -ENOMEM.
 */
void ended_remember(struct threads *threads, const struct thread *thread);
int ended_show(struct threads *threads, uint64_t ns);

#endif /* KERMON_THREADS_PRIVATE_H */
