// SPDX-License-Identifier: GPL-2.0
/*
 * Read the rings. Each record is copied, and looked at afterwards: what does not make sense
 * is counted and left out, and a ring whose positions or sizes are wrong is given up.
 */
#include <errno.h>
#include <string.h>

#include "marks_private.h"

/**
 * struct draining - a ring that is being read
 * @data: of the functions of @consumer
 * @now: TSC of a moment after all of its records
 */
struct draining {
	struct kermon_marks *marks;
	struct process *process;
	struct ring *ring;
	const struct marks_consumer *consumer;
	void *data;
	uint64_t now;
};

/* Words of values that each kind has at least. */
static const uint8_t least_values[MARK_MAX] = {
	[MARK_VALUE] = 1,
	[MARK_VALUE_DOUBLE] = 1,
	[MARK_OPEN] = 2,
	[MARK_CLOSE] = 1,
	[MARK_FRAME] = 1,
	[MARK_COUNTER] = 1,
	[MARK_COUNTED] = sizeof(struct mark_counted) / sizeof(uint64_t),
	[MARK_LOST] = 1,
};

static bool is_mark(const struct mark_record *mark)
{
	return mark->kind > MARK_NONE && mark->kind < MARK_MAX &&
	       mark->words - MARK_WORDS >= least_values[mark->kind];
}

/* A mark is worth more than its counts: if these are wrong, it goes without them. */
static void check_counts(struct draining *draining, struct mark_record *mark)
{
	const struct mark_counted *counted = &draining->ring->thread.counted;
	const int words = mark->words - MARK_WORDS;

	if (!words || (mark_has_counts(mark->kind) && counted->nr_values &&
		       words == 1 + counted->nr_values))
		return;
	if (mark_has_counts(mark->kind)) {
		mark->words = MARK_WORDS;
		draining->marks->totals.invalid++;
	}
}

/* CPUs may disagree by some cycles; a time in the future is none. */
static void check_time(struct draining *draining, struct mark_record *mark)
{
	struct ring *ring = draining->ring;

	if (mark->tsc > draining->now) {
		mark->tsc = draining->now;
		draining->marks->totals.invalid++;
	}
	if (mark->kind == MARK_FRAME) {
		if (mark->values[0] > mark->tsc)
			mark->values[0] = mark->tsc;
		return;
	}
	if (mark->tsc < ring->tsc)
		mark->tsc = ring->tsc;
	ring->tsc = mark->tsc;
}

static int take_counted(struct ring *ring, const struct mark_record *mark)
{
	memcpy(&ring->thread.counted, mark->values, sizeof(ring->thread.counted));
	if (ring->thread.counted.nr_fixed > ring->thread.counted.nr_values)
		ring->thread.counted.nr_values = 0;
	return 0;
}

static int pass_mark(struct draining *draining, struct mark_record *mark)
{
	struct ring *ring = draining->ring;

	if (!is_mark(mark)) {
		draining->marks->totals.invalid++;
		return 0;
	}
	if (mark->kind == MARK_COUNTED)
		return take_counted(ring, mark);
	check_counts(draining, mark);
	check_time(draining, mark);
	if (mark->kind == MARK_LOST) {
		ring->lost += mark->values[0];
		draining->marks->totals.lost += mark->values[0];
	}
	draining->marks->totals.marks++;
	return draining->consumer->mark(draining->data, &ring->thread, mark);
}

/* What has been read of @chunk ends before a record that is not in there as a whole. */
static int read_marks(struct draining *draining, char *chunk, size_t size, size_t *used)
{
	struct mark_record *mark;
	size_t bytes;
	int result = 0;

	for (*used = 0; size - *used >= sizeof(*mark) && !result; *used += bytes) {
		mark = (void *)(chunk + *used);
		bytes = mark->words * sizeof(uint64_t);
		if (mark->words < MARK_WORDS)
			return -EBADMSG;
		if (bytes > size - *used)
			break;
		result = pass_mark(draining, mark);
	}
	return result;
}

/* Whoever looks at it on a terminal should see no more than a name. */
static bool check_text(struct name_record *name)
{
	const size_t room = name->size - sizeof(*name);
	char *at;

	if (!memchr(name->name, '\0', room))
		return false;
	for (at = name->name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return true;
}

static int pass_name(struct draining *draining, struct name_record *name)
{
	const bool of_thread = name->kind == MARK_NAME_THREAD;

	if (of_thread)
		name->thread = peers_thread(draining->process, name->thread);
	if (name->kind > MARK_NAME_THREAD || (!name->id && !of_thread) || !check_text(name) ||
	    (of_thread && !name->thread)) {
		draining->marks->totals.invalid++;
		return 0;
	}
	draining->marks->totals.names++;
	return draining->consumer->name(draining->data, draining->process->pid,
					draining->ring->tsc, name);
}

static int read_names(struct draining *draining, char *chunk, size_t size, size_t *used)
{
	struct name_record *name;
	size_t bytes;
	int result = 0;

	for (*used = 0; size - *used >= sizeof(*name) && !result; *used += bytes) {
		name = (void *)(chunk + *used);
		bytes = name->size;
		if (bytes <= sizeof(*name) || bytes > NAME_RECORD_MAX || bytes % 8)
			return -EBADMSG;
		if (bytes > size - *used)
			break;
		result = pass_name(draining, name);
	}
	return result;
}

/* Up to where it was seen. A record that is not there as a whole then never will be. */
static int read_ring(struct draining *draining)
{
	struct ring *ring = draining->ring;
	struct shared *shared = &ring->shared;
	char *chunk = draining->marks->chunk;
	size_t size, used;
	int result = 0;

	while (shared->tail != shared->until && !result) {
		size = shared->until - shared->tail < MARKS_CHUNK ?
		       shared->until - shared->tail : MARKS_CHUNK;
		shared_copy(shared, chunk, size);
		result = ring->kind == RING_NAMES ? read_names(draining, chunk, size, &used) :
						    read_marks(draining, chunk, size, &used);
		if (!result && !used)
			result = -EBADMSG;
		shared_free(shared, used);
	}
	return result;
}

static void give_up(struct kermon_marks *marks, struct ring *ring)
{
	ring->broken = true;
	marks->totals.broken++;
}

/* -EBADMSG is what the ring has in it, not what a function returned. */
static int drain_ring(struct draining *draining)
{
	struct ring *ring = draining->ring;
	int result = 0;

	if (ring->broken)
		return 0;
	if (!ring->told && ring->kind == RING_MARKS && draining->consumer->thread)
		result = draining->consumer->thread(draining->data, &ring->thread);
	ring->told = true;
	if (result)
		return result;
	result = read_ring(draining);
	if (result != -EBADMSG)
		return result;
	give_up(draining->marks, ring);
	return 0;
}

/* Threads that begin meanwhile should not wait for long. */
static int drain_kind(struct draining *draining, enum ring_kind kind)
{
	int result = 0;

	for (struct ring *ring = draining->process->rings; ring && !result; ring = ring->next) {
		const bool filled = ring->shared.tail != ring->shared.until;

		draining->ring = ring;
		if (ring->kind != kind)
			continue;
		result = drain_ring(draining);
		if (filled)
			marks_serve(draining->marks);
	}
	return result;
}

static void look(struct kermon_marks *marks, struct process *process, enum ring_kind kind)
{
	struct shared *shared;
	double fill;

	for (struct ring *ring = process->rings; ring; ring = ring->next) {
		shared = &ring->shared;
		if (ring->kind != kind || ring->broken)
			continue;
		if (shared_look(shared)) {
			give_up(marks, ring);
			continue;
		}
		fill = (double)(shared->until - shared->tail) / shared->bytes;
		if (fill > marks->fill)
			marks->fill = fill;
	}
}

static int tell_lost_of(struct draining *draining, struct ring *ring)
{
	union {
		struct mark_record mark;
		uint64_t words[MARK_WORDS + 1];
	} lost = {
		.mark = { MARK_LOST, MARK_WORDS + 1, MARK_NO_CPU, 0, ring->tsc },
	};

	lost.mark.values[0] = ring->shared.lost - ring->lost;
	draining->ring = ring;
	return pass_mark(draining, &lost.mark);
}

/* What found no room at the end has no record that says so. */
static int tell_lost(struct draining *draining, bool last)
{
	struct ring *ring;
	int result = 0;

	last |= draining->process->over;
	for (ring = draining->process->rings; ring && !result; ring = ring->next)
		if (ring->kind == RING_MARKS && (last || ring->shared.closed) &&
		    ring->shared.lost > ring->lost)
			result = tell_lost_of(draining, ring);
	return result;
}

/*
 * A name is there before the marks that refer to it: so these are looked at first, and read
 * last. A name that was not there at the last look was made after that.
 */
static int drain_process(struct draining *draining, bool last)
{
	struct process *process = draining->process;
	uint64_t looked;
	int result;

	process->over = process->ended;
	look(draining->marks, process, RING_MARKS);
	looked = read_tsc();
	look(draining->marks, process, RING_NAMES);
	draining->now = read_tsc();
	result = drain_kind(draining, RING_NAMES);
	for (struct ring *ring = process->rings; ring; ring = ring->next)
		if (ring->kind == RING_NAMES)
			ring->tsc = looked;
	if (!result)
		result = drain_kind(draining, RING_MARKS);
	return result ? result : tell_lost(draining, last);
}

int marks_drain(struct kermon_marks *marks, const struct marks_consumer *consumer, void *data,
		bool last)
{
	struct draining draining = { .marks = marks, .consumer = consumer, .data = data };
	struct process *process;
	int result = 0;

	marks_serve(marks);
	marks->fill = 0;
	for (process = marks->processes; process && !result; process = process->next) {
		draining.process = process;
		result = drain_process(&draining, last);
	}
	if (!result)
		peers_sweep(marks);
	return result;
}

size_t marks_rings(const struct kermon_marks *marks)
{
	return marks->nr_rings;
}

double marks_fill(const struct kermon_marks *marks)
{
	return marks->fill;
}
