// SPDX-License-Identifier: GPL-2.0
/* Write marks of regions and their names as samples of two tracepoints. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "marked.h"
#include "writer_private.h"

/* Most values of a mark: the time on the CPU, fixed counters and those of a set. */
#define MOST_COUNTS	(1 + ATTRS_MAX_FIXED + KERMON_MAX_EVENTS)

/* The largest record: a sample, the size of its raw data, and a name. */
#define MOST_BYTES	(sizeof(struct perfdata_sample) + sizeof(uint64_t) +	\
			 sizeof(struct perfdata_name) + RING_NAME_MAX + 1 + sizeof(uint64_t))

_Static_assert(sizeof(struct perfdata_mark) + MOST_COUNTS * sizeof(uint64_t) <
	       sizeof(struct perfdata_name) + RING_NAME_MAX, "the largest record is a name");

static int add_event(struct kermon_writer *writer, uint64_t config, const char *name)
{
	const struct kermon_sampling sampling = {
		.type = PERF_TYPE_TRACEPOINT,
		.modes = KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
		.config = config,
		.period = 1,
	};
	struct attrs *attrs = &writer->attrs;
	struct described_event *event = &attrs->events[attrs->nr];
	/* Not that of the side-band, which may have been moved since it got one. */
	const uint64_t id = attrs_id(attrs, ATTRS_MAX + attrs->nr, 0);

	kermon_sampling_attr(&sampling, writer->clock->kind, &event->attr);
	strcpy(event->name, name);
	return writer_add_ids(writer, attrs->nr++, &id, 1);
}

int marked_add(struct kermon_writer *writer)
{
	struct attrs *attrs = &writer->attrs;
	int err;

	if (writer->headed)
		return -EINVAL;
	if (attrs->nr + 2 > ATTRS_MAX)
		return -E2BIG;
	attrs->regions = attrs->nr;
	err = add_event(writer, PERFDATA_REGION_ID, PERFDATA_EVENT_REGION);
	if (!err)
		err = add_event(writer, PERFDATA_REGION_NAME_ID, PERFDATA_EVENT_REGION_NAME);
	return err;
}

static uint64_t id_of(const struct kermon_writer *writer, unsigned int index)
{
	return writer->ids[writer->attrs.events[writer->attrs.regions + index].first_id];
}

/* The mark is written after a round before which it should have been: see struct marked. */
static uint64_t in_order(struct kermon_writer *writer, uint64_t time)
{
	return time < writer->marked.floor ? writer->marked.floor : time;
}

static void note_time(struct kermon_writer *writer, uint64_t time)
{
	held_note(&writer->held, time);
	if (time < writer->first_time)
		writer->first_time = time;
	if (time > writer->last_time)
		writer->last_time = time;
}

static struct perfdata_sample sample_of(const struct kermon_writer *writer, unsigned int index,
					pid_t pid, pid_t tid, uint64_t time)
{
	return (struct perfdata_sample){
		.header.type = PERF_RECORD_SAMPLE,
		.header.misc = PERF_RECORD_MISC_USER,
		.id = id_of(writer, index),
		.pid = pid,
		.tid = tid,
		.time = time,
		.cpu = UINT32_MAX,
		.period = 1,
	};
}

/* PERF_SAMPLE_RAW: the size of what follows, @data and @rest, up to a multiple of 8 bytes. */
static int put(struct kermon_writer *writer, struct perfdata_sample *sample, const void *data,
	       size_t size, const void *rest, size_t rest_size)
{
	const size_t padded = (sizeof(uint32_t) + size + rest_size + 7) / 8 * 8;
	const uint32_t raw = padded - sizeof(raw);
	char record[MOST_BYTES] __attribute__((aligned(8)));
	char *at = record + sizeof(*sample);

	sample->header.size = sizeof(*sample) + padded;
	memcpy(record, sample, sizeof(*sample));
	memset(record + sample->header.size - 8, 0, 8);
	memcpy(at, &raw, sizeof(raw));
	memcpy(at + sizeof(raw), data, size);
	memcpy(at + sizeof(raw) + size, rest, rest_size);
	return writer_put(writer, record, sample->header.size);
}

int marked_name(struct kermon_writer *writer, pid_t pid, uint64_t tsc,
		const struct name_record *name)
{
	const uint64_t time = in_order(writer, kermon_clock_time(writer->clock, tsc));
	const size_t length = strlen(name->name) + 1;
	const struct perfdata_name made = {
		.common = { .type = PERFDATA_REGION_NAME_ID, .pid = pid },
		.id = name->id,
		.domain = name->domain,
		.kind = name->kind,
		.thread = name->kind == MARK_NAME_THREAD ? name->thread : 0,
		.name = offsetof(struct perfdata_name, text) | length << 16,
	};
	struct perfdata_sample sample = sample_of(writer, 1, pid, pid, time);
	int err = 0;

	if (length > RING_NAME_MAX + 1)
		return -EINVAL;
	note_time(writer, time);
	if (name->id && !writer->pipe)
		err = tracing_remember(writer, name->id, name->name);
	return err ? err : put(writer, &sample, &made,
			   offsetof(struct perfdata_name, text), name->name, length);
}

/* Whether the counts of a thread are those of a set of the file. */
static bool counts_fit(const struct attrs *attrs, const struct mark_counted *counted)
{
	return attrs->logged && counted->set < attrs->nr_sets &&
	       counted->nr_fixed == attrs->nr_fixed &&
	       counted->nr_values == counted->nr_fixed + attrs->sets[counted->set].nr;
}

/* The first count is a time. */
static void take_counts(struct kermon_writer *writer, const struct mark_counted *counted,
			const struct mark_record *mark, struct perfdata_mark *to, uint64_t *counts)
{
	const unsigned int nr = mark->words - MARK_WORDS;

	if (!nr)
		return;
	if (!counts_fit(&writer->attrs, counted) || nr > MOST_COUNTS) {
		writer->marked.totals.uncounted++;
		return;
	}
	to->nr_counts = nr;
	to->set = counted->set;
	memcpy(counts, mark->values, nr * sizeof(*counts));
	counts[0] = kermon_clock_duration(writer->clock, mark->values[0]);
}

static void take_values(const struct kermon_writer *writer, const struct mark_record *mark,
			struct perfdata_mark *to)
{
	to->values[0] = mark->kind == MARK_FRAME ?
			kermon_clock_time(writer->clock, mark->values[0]) : mark->values[0];
	if (mark->kind == MARK_OPEN)
		to->values[1] = mark->values[1];
}

/*
 * Times of a thread ascend; a pair of clocks that is compared may go back by nanoseconds.
 * A frame has ended when it says so, whatever was marked meanwhile.
 */
static uint64_t time_of(struct kermon_writer *writer, struct marks_thread *thread,
			const struct mark_record *mark)
{
	const uint64_t exact = kermon_clock_time(writer->clock, mark->tsc);
	uint64_t time = in_order(writer, exact);

	if (time > exact)
		writer->marked.totals.late++;
	if (mark->kind == MARK_FRAME)
		return time;
	if (time < thread->time)
		time = thread->time;
	thread->time = time;
	return time;
}

int marked_put(struct kermon_writer *writer, struct marks_thread *thread,
	       const struct mark_record *mark)
{
	const uint64_t time = time_of(writer, thread, mark);
	struct perfdata_sample sample = sample_of(writer, 0, thread->pid, thread->tid, time);
	struct perfdata_mark made = {
		.common = { .type = PERFDATA_REGION_ID, .pid = thread->tid },
		.kind = mark->kind,
		.id = mark->id,
	};
	uint64_t counts[MOST_COUNTS];

	if (mark->cpu != MARK_NO_CPU)
		sample.cpu = mark->cpu;
	if (mark_has_counts(mark->kind))
		take_counts(writer, &thread->counted, mark, &made, counts);
	else if (mark->words > MARK_WORDS)
		take_values(writer, mark, &made);
	note_time(writer, time);
	writer->marked.totals.marks++;
	return put(writer, &sample, &made, sizeof(made), counts,
		   made.nr_counts * sizeof(*counts));
}

void marked_totals(const struct kermon_writer *writer, struct marked_totals *totals)
{
	*totals = writer->marked.totals;
}
