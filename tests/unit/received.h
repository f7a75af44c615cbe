/* SPDX-License-Identifier: GPL-2.0 */
/* The receiver of marks, with a ring of names and one of marks of this process, for tests. */
#ifndef TESTS_UNIT_RECEIVED_H
#define TESTS_UNIT_RECEIVED_H

#include <stdio.h>

#include "marks/marks.h"

#include "produced.h"

#include "kselftest_harness.h"

#define RING		4096
#define MOST		4096

/* What has arrived: names and marks in turn. */
struct arrived {
	bool is_name;
	pid_t pid, tid;
	uint64_t tsc;
	uint8_t kind, words;
	uint32_t id;
	uint64_t value;
	char text[24];
};

FIXTURE(marks)
{
	struct kermon_marks *marks;
	struct produced names, ring;
	struct arrived arrived[MOST];
	size_t nr;
	unsigned int threads;
	struct kermon_marks_totals totals;
};

static const struct kermon_marks_options usual = {
	.size = sizeof(usual), .ring_bytes = RING, .max_rings = 8,
	.iterations = "Event", .first = 3, .last = 7, .include = "A,B*", .wait = true,
};

static inline int take_thread(void *data, const struct marks_thread *thread)
{
	FIXTURE_DATA(marks) *self = data;

	(void)thread;
	self->threads++;
	return 0;
}

static inline int take_name(void *data, pid_t pid, uint64_t tsc, const struct name_record *name)
{
	FIXTURE_DATA(marks) *self = data;
	struct arrived *to = &self->arrived[self->nr++ % MOST];

	*to = (struct arrived){
		.is_name = true, .pid = pid, .tid = name->thread, .tsc = tsc, .kind = name->kind,
		.id = name->id,
	};
	snprintf(to->text, sizeof(to->text), "%s", name->name);
	return 0;
}

static inline int take_mark(void *data, struct marks_thread *thread, const struct mark_record *mark)
{
	FIXTURE_DATA(marks) *self = data;

	self->arrived[self->nr++ % MOST] = (struct arrived){
		.pid = thread->pid, .tid = thread->tid, .tsc = mark->tsc, .kind = mark->kind,
		.words = mark->words, .id = mark->id,
		.value = mark->words > MARK_WORDS ? mark->values[0] : 0,
	};
	return 0;
}

static const struct marks_consumer consumer = {
	.thread = take_thread, .name = take_name, .mark = take_mark,
};

/* Everything so far; what it was replaces what arrived before. */
static inline size_t drain(FIXTURE_DATA(marks) *self)
{
	self->nr = 0;
	if (marks_drain(self->marks, &consumer, self, false))
		return SIZE_MAX;
	kermon_marks_totals(self->marks, &self->totals);
	return self->nr;
}

/* Say @hello with @fd. Return: bytes of the answer; 0: refused. */
static inline ssize_t say(FIXTURE_DATA(marks) *self, const void *hello, size_t size, int fd)
{
	const int connection = produced_connect(kermon_marks_socket(self->marks));
	char answer[RING_CONFIG_MAX];
	ssize_t result;

	if (connection < 0 || produced_send(connection, hello, size, fd))
		return -1;
	marks_serve(self->marks);
	result = recv(connection, answer, sizeof(answer), MSG_DONTWAIT);
	close(connection);
	kermon_marks_totals(self->marks, &self->totals);
	return result;
}

static inline ssize_t give(FIXTURE_DATA(marks) *self, struct produced *ring, enum ring_kind kind)
{
	const struct ring_hello hello = produced_hello(kind, gettid());

	if (produced_make(ring, kind == RING_NAMES ? RING_NAMES_BYTES : RING, F_SEAL_SHRINK))
		return -1;
	return say(self, &hello, sizeof(hello), ring->fd);
}

FIXTURE_SETUP(marks)
{
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, kermon_marks_open(&self->marks, &usual));
	ASSERT_LT(0, give(self, &self->names, RING_NAMES));
	ASSERT_LT(0, give(self, &self->ring, RING_MARKS));
	ASSERT_EQ(2, marks_rings(self->marks));
}

FIXTURE_TEARDOWN(marks)
{
	produced_free(&self->names);
	produced_free(&self->ring);
	kermon_marks_close(self->marks);
}

#endif /* TESTS_UNIT_RECEIVED_H */
