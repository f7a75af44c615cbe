// SPDX-License-Identifier: GPL-2.0
/* Pass marks of regions on to the file, often enough that no ring becomes full. */
#include "marking.h"
#include "marks/marks.h"
#include "perfdata/write/write.h"
#include "util/monotonic.h"

/*
 * Most milliseconds between two readings: a thread that has marked little so far may begin to
 * mark much.
 */
#define INTERVAL	20

static int put_thread(void *data, const struct marks_thread *thread)
{
	const struct marking *marking = data;

	return marking->blind ? marked_thread(marking->writer, thread) : 0;
}

static int put_name(void *data, pid_t pid, uint64_t tsc, const struct name_record *name)
{
	const struct marking *marking = data;

	return marked_name(marking->writer, pid, tsc, name);
}

static int put_mark(void *data, struct marks_thread *thread, const struct mark_record *mark)
{
	const struct marking *marking = data;

	return marked_put(marking->writer, thread, mark);
}

/* When the fullest ring will be a quarter full. */
static void plan(struct marking *marking)
{
	const uint64_t now = monotonic_ns();
	const double fill = marks_fill(marking->marks);
	const double ms = (now - marking->drained_ns) / 1e6;

	marking->drained_ns = now;
	marking->ms = INTERVAL;
	if (fill > 0 && ms / fill / 4 < INTERVAL)
		marking->ms = ms / fill / 4;
}

int marking_drain(struct marking *marking, bool last)
{
	static const struct marks_consumer consumer = {
		.thread = put_thread, .name = put_name, .mark = put_mark,
	};
	int result;

	if (!marking->marks)
		return 0;
	result = marks_drain(marking->marks, &consumer, marking, last);
	plan(marking);
	return result;
}

int marking_fd(const struct marking *marking)
{
	return marking->marks ? marks_fd(marking->marks) : -1;
}

void marking_serve(struct marking *marking)
{
	marks_serve(marking->marks);
}

bool marking_busy(const struct marking *marking)
{
	return marking->marks && marks_rings(marking->marks);
}

int marking_timeout(const struct marking *marking, int timeout)
{
	const uint64_t passed = (monotonic_ns() - marking->drained_ns) / 1000000;
	const int left = passed < (uint64_t)marking->ms ? marking->ms - (int)passed : 0;

	if (!marking_busy(marking))
		return timeout;
	return timeout < 0 || timeout > left ? left : timeout;
}

