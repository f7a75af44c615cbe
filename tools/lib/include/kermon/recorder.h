/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording: reads an application's log and its side-band while it runs, and
 * writes perf.data. Memory does not grow with the length of the recording.
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
#include <kermon/writer.h>

KERMON_BEGIN_DECLS

/**
 * struct kermon_recorder_options - what is recorded, and where to
 * @size: sizeof(struct kermon_recorder_options)
 * @pid: the process whose threads, and what they create, are the application.
 *	Of those that run before the recorder is open, the names of some that are
 *	about to end may be missing.
 * @from_exec: @pid has yet to become the program: what it does before that is not
 *	recorded, but for the file of @raw
 * @log: its log descriptor; stays the caller's
 * @output: file for perf.data, empty and seekable; stays the caller's
 * @raw: file for the log as it is read, -1 for none; stays the caller's
 * @events: the programmed events of its set, and behind it of further ones
 * @nr_more: how many further ones
 * @count: KERMON_COUNT_* of its set
 * @energy: whether its set has KERMON_SET_ENERGY
 * @overwrite: likewise KERMON_SET_OVERWRITE: the log is left alone until it is asked
 *	for
 * @coalesce_ns: its interval if its set has KERMON_SET_COALESCE, else 0
 * @info: what the machine offers
 * @argv: the command line, for the file
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
};

struct kermon_recorder;

/*
 * Opens the side-band; nothing is written yet. -EACCES: kernel.perf_event_paranoid does
 * not let this user have the side-band; -EPERM: it takes more memory than the user may
 * lock, beside that of the log; -EINVAL and -E2BIG as kermon_writer_open().
 */
int kermon_recorder_open(struct kermon_recorder **recorder,
			 const struct kermon_recorder_options *options);

/* Writes the head of the file, with the notes that there are, and who is there. */
int kermon_recorder_start(struct kermon_recorder *recorder);

/* Of the file being written, for kermon_writer_note() and totals. */
struct kermon_writer *kermon_recorder_writer(struct kermon_recorder *recorder);

/* Of a round that failed: whether it was the file of the log, not perf.data. */
bool kermon_recorder_raw_failed(const struct kermon_recorder *recorder);

/* Whether the log is at its end: the last of the application is gone. */
bool kermon_recorder_ended(const struct kermon_recorder *recorder);

/*
 * Writes all that there is to read; of a log that overwrites nothing, unless it was
 * asked for. @bytes: how much of the log that was.
 */
int kermon_recorder_round(struct kermon_recorder *recorder, size_t *bytes);

/* The next round, and it only, reads a log that overwrites as well. */
void kermon_recorder_snapshot(struct kermon_recorder *recorder);

/*
 * Waits until another round is worth it, @fd is readable, or @timeout
 * milliseconds are over. After a busy round it gives the rings time to fill,
 * so that the recording costs little. 1 if @fd is readable, else 0, or -errno
 * (-EINTR).
 */
int kermon_recorder_wait(struct kermon_recorder *recorder, int fd,
			 int timeout);

/**
 * struct kermon_task - a thread of the application
 * @pid: its process
 * @tid: the thread
 * @exec_time: of its last exec, by kermon_recorder_now(); 0 if there was none
 * @unrecorded: nothing was recorded from its last exec on: the program has privileges
 *	of its own, its user may not read it, or it was killed before it began
 * @comm: the name that it got then; "" if it has not executed any
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
 * Those that had not ended in the last round, and those that are unrecorded, which
 * may have. What the side-band has lost is missing.
 */
void kermon_recorder_tasks(const struct kermon_recorder *recorder,
			   kermon_task_fn fn, void *data);

/* The time in nanoseconds, by the clock of the side-band. */
uint64_t kermon_recorder_now(const struct kermon_recorder *recorder);

/* A last round: what was recorded until now is in the file. */
int kermon_recorder_drain(struct kermon_recorder *recorder);

/* The end of the file. */
int kermon_recorder_finish(struct kermon_recorder *recorder);

void kermon_recorder_close(struct kermon_recorder *recorder);

KERMON_END_DECLS
#endif /* KERMON_RECORDER_H */
