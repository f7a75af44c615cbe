/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Record an application: read its log and its side-band while it runs, or samples of
 * perf_event, and write perf.data. Memory does not grow with the length of the recording.
 *
 *	log = kermon_session_open(pid, &set, 0);
 *	kermon_recorder_open(&recorder, &options);
 *	... kermon_writer_note() what is known by now
 *	kermon_recorder_start(recorder);
 *	... let the application run
 *	while (!over && !kermon_recorder_round(recorder, &bytes))
 *		over = kermon_recorder_wait(recorder, fd, 1000) > 0;
 *	kermon_recorder_drain(recorder);
 *	... kermon_writer_note() what is known in the end
 *	kermon_recorder_finish(recorder);
 *	kermon_recorder_close(recorder);
 */
#ifndef KERMON_RECORDER_H
#define KERMON_RECORDER_H

#include <kermon/abi.h>
#include <kermon/marks.h>
#include <kermon/sampled.h>
#include <kermon/writer.h>

KERMON_BEGIN_DECLS

/**
 * struct kermon_recorder_options - what to record, and where to write it
 * @size: sizeof(struct kermon_recorder_options)
 * @pid: process whose threads, and the tasks that they create, are the application. The
 *	names of tasks that are about to exit when the recorder is opened may be missing.
 *	0: @watch says which tasks are recorded
 * @from_exec: @pid has not executed the program yet: what it does before that is not
 *	recorded, except in @raw
 * @log: its log descriptor; stays the caller's. -1: there is none, and @watch is alone
 * @output: file for perf.data, empty and, unless @pipe is set, seekable; stays the caller's
 * @raw: file for the log as it is read, -1 for none; stays the caller's
 * @events: the programmed events of its set, followed by those of further sets
 * @nr_more: number of further sets
 * @count: KERMON_COUNT_* of its set
 * @energy: whether its set has KERMON_SET_ENERGY
 * @overwrite: whether its set has KERMON_SET_OVERWRITE: the log is only read on request
 * @coalesce_ns: its interval if its set has KERMON_SET_COALESCE, else 0
 * @info: properties of the machine
 * @argv: the command line, for the file
 * @pipe: write perf.data in the form for pipes
 * @compression: of its records: see struct kermon_writer_options
 * @watch: what perf_event samples; what it points to has to stay. NULL: nothing
 * @marks: marks of regions that the application writes; stays the caller's. NULL: none. If
 *	they are all that is recorded, because @watch is alone and has no event, perf_event is
 *	not needed: see kermon_recorder_blind()
 */
struct kermon_recorder_options {
	size_t size;
	pid_t pid;
	bool from_exec;
	int log;
	int output;
	int raw;
	const struct kermon_selection *events;
	unsigned int nr_more;
	unsigned int count;
	bool energy;
	bool overwrite;
	uint64_t coalesce_ns;
	const struct kermon_info *info;
	char *const *argv;
	bool pipe;
	int compression;
	const struct kermon_watch *watch;
	struct kermon_marks *marks;
};

struct kermon_recorder;

/*
 * Open the side-band, and what is sampled; nothing is written yet. Return: 0; -EACCES:
 * kernel.perf_event_paranoid forbids that to this user; -EPERM: the rings exceed the memory
 * that the user may lock in addition to the log; -EINVAL and -E2BIG as kermon_writer_open().
 */
int kermon_recorder_open(struct kermon_recorder **recorder,
			 const struct kermon_recorder_options *options);

/*
 * Write the head of the file, with the notes so far, and the existing tasks. Return: 0 or
 * -errno of write(2).
 */
int kermon_recorder_start(struct kermon_recorder *recorder);

/* The writer of the file, for kermon_writer_note() and totals. */
struct kermon_writer *kermon_recorder_writer(struct kermon_recorder *recorder);

/* After a failed round: whether writing the raw log failed, rather than perf.data. */
bool kermon_recorder_raw_failed(const struct kermon_recorder *recorder);

/*
 * Whether there is no side-band, because this user may not use perf_event: the file has marks
 * of regions and the names of threads that have marked, but no forks and exits.
 */
bool kermon_recorder_blind(const struct kermon_recorder *recorder);

/**
 * struct kermon_marked_totals - marks of regions in the file
 * @marks: number of them
 * @late: number of those that were in their ring so late that their time was changed, to
 *	that of what had been written before
 * @uncounted: number of those whose counts were left out, because they are not of the events
 *	of the file
 */
struct kermon_marked_totals {
	uint64_t marks;
	uint64_t late;
	uint64_t uncounted;
};

/* What of regions has been written so far. What was lost is in kermon_marks_totals(). */
void kermon_recorder_marked(const struct kermon_recorder *recorder,
			    struct kermon_marked_totals *totals);

/* Whether the log has ended, or without one all sampled tasks: they have exited. */
bool kermon_recorder_ended(const struct kermon_recorder *recorder);

/*
 * Write all available data. A log in overwrite mode is only read on request. @bytes:
 * number of bytes read from the log. Return: 0 or -errno of reading the log, or of
 * write(2): see kermon_recorder_raw_failed().
 */
int kermon_recorder_round(struct kermon_recorder *recorder, size_t *bytes);

/* Let the next round, and only that one, read a log in overwrite mode. */
void kermon_recorder_snapshot(struct kermon_recorder *recorder);

/*
 * Wait until another round is worthwhile, @fd is readable, or @timeout milliseconds
 * have passed. After a busy round, gives the rings time to fill, to reduce overhead.
 * Return: 1 if @fd is readable, else 0, or -errno (-EINTR).
 */
int kermon_recorder_wait(struct kermon_recorder *recorder, int fd,
			 int timeout);

/**
 * struct kermon_task - a thread of the application
 * @pid: its process
 * @tid: the thread
 * @exec_time: of its last exec, by kermon_recorder_now(); 0 if there was none
 * @unrecorded: nothing was recorded after its last exec: the program has privileges of
 *	its own, is not readable to the user, or was killed during exec
 * @comm: its name since then; "" if it has not executed a program
 */
struct kermon_task {
	pid_t pid;
	pid_t tid;
	uint64_t exec_time;
	bool unrecorded;
	char comm[16];
};

typedef void (*kermon_task_fn)(const struct kermon_task *task, void *data);

/*
 * Call @fn for the tasks that had not exited in the last round, and for unrecorded
 * ones, which may have. Tasks whose records were lost are missing.
 */
void kermon_recorder_tasks(const struct kermon_recorder *recorder,
			   kermon_task_fn fn, void *data);

typedef void (*kermon_missed_fn)(unsigned int cpu, uint64_t ns, void *data);

/*
 * Call @fn for CPUs that came online during the recording: for the first @ns there, at most,
 * perf_event did not record what ran, samples or names and mappings; UINT64_MAX: until the
 * end, because single tasks are recorded or it fails. KerMon's log has all CPUs.
 */
void kermon_recorder_missed(const struct kermon_recorder *recorder, kermon_missed_fn fn,
			    void *data);

/* The time in nanoseconds, by the clock of the side-band. */
uint64_t kermon_recorder_now(const struct kermon_recorder *recorder);

/*
 * A last round: everything recorded until now is in the file. Return: as
 * kermon_recorder_round().
 */
int kermon_recorder_drain(struct kermon_recorder *recorder);

/* Finish the file. Return: 0 or -errno of write(2). */
int kermon_recorder_finish(struct kermon_recorder *recorder);

/* Close it, also if the file was not finished. @recorder may be NULL. */
void kermon_recorder_close(struct kermon_recorder *recorder);

KERMON_END_DECLS
#endif /* KERMON_RECORDER_H */
