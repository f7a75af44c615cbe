/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receiving marks, for the recorder: what poll(2) waits for, and draining the rings. What
 * arrives has been checked. No function blocks.
 */
#ifndef KERMON_MARKS_RECEIVE_H
#define KERMON_MARKS_RECEIVE_H

#include <kermon/marks.h>
#include <sys/types.h>

#include "ring.h"

/* Whether marks of this kind may have counts. */
static inline bool mark_has_counts(enum mark kind)
{
	return kind == MARK_BEGIN || kind == MARK_END || kind == MARK_EVENT ||
	       kind == MARK_SKIP || kind == MARK_CLOSED;
}

/**
 * struct marks_thread - who has marked
 * @pid: process, in the tool's namespace of pids
 * @tid: thread, likewise
 * @comm: its name when it handed over the ring
 * @counted: what the counts of its marks are, from MARK_COUNTED; nr_values is 0 before
 * @time: for the consumer: of its last mark
 */
struct marks_thread {
	pid_t pid;
	pid_t tid;
	char comm[16];
	struct mark_counted counted;
	uint64_t time;
};

/**
 * struct marks_consumer - what is done with what arrives; each returns 0 or -errno, which
 *	ends the round
 * @thread: a thread has handed over its ring; it may be NULL
 * @name: a name of process @pid, which was made after @tsc and before any mark refers to
 *	it. It ends with a NUL, and has no control characters; @thread of it is in the tool's
 *	namespace
 * @mark: a mark, whose words suit its kind: its counts are as many as thread->counted says,
 *	or none. Its TSC is not in the future, nor before that of the thread's last mark, but
 *	for MARK_FRAME. It is of any kind but MARK_COUNTED
 */
struct marks_consumer {
	int (*thread)(void *data, const struct marks_thread *thread);
	int (*name)(void *data, pid_t pid, uint64_t tsc, const struct name_record *name);
	int (*mark)(void *data, struct marks_thread *thread, const struct mark_record *mark);
};

/* Readable when there is something for marks_serve(). */
int marks_fd(const struct kermon_marks *marks);

/* Answer those who wait with a ring in their hands, and note who has ended. */
void marks_serve(struct kermon_marks *marks);

/*
 * Pass all on that was written before this call. @last: there is no later call, so marks that
 * were lost are not waited for. Return: 0, or what a function returned.
 */
int marks_drain(struct kermon_marks *marks, const struct marks_consumer *consumer, void *data,
		bool last);

/* Number of rings that are in use. */
size_t marks_rings(const struct kermon_marks *marks);

/* How full the fullest ring was in the last marks_drain(), from 0 to 1. */
double marks_fill(const struct kermon_marks *marks);

#endif /* KERMON_MARKS_RECEIVE_H */
