// SPDX-License-Identifier: GPL-2.0
/* Walk over all records: find the event and the time of each, and pass it to the caller. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "reader_private.h"
#include "swap.h"

/*
 * Convert a record from the other byte order into memory. @attr: of its event; NULL for
 * perf's own records. Return: 0 or -ENOMEM.
 */
static int turn(struct reader *reader, struct record *record,
		const struct perf_event_attr *attr)
{
	struct record turned = *record;
	unsigned char *to;
	size_t room;

	if (!reader->stream.swapped)
		return 0;
	to = window_room(&reader->turned, &room);
	if (!to)
		return -ENOMEM;
	memcpy(to, record->data, record->size);
	swap_record(to, record->size, attr);
	/* the record's own size may be wrong */
	memcpy(to + offsetof(struct perf_event_header, size), &record->size,
	       sizeof(record->size));
	window_fill(&reader->turned, record->size);
	if (window_record(&reader->turned, &turned) <= 0)
		return -ENOMEM;
	turned.offset = record->offset;
	turned.event = record->event;
	turned.inside = record->inside;
	reader_release(reader, record);
	*record = turned;
	return 0;
}

int reader_next(struct reader *reader, struct record_stream *stream,
		struct record *record)
{
	int found = stream_next(stream, record);

	if (found > 0 && record->type >= PERFDATA_RECORD_FIRST &&
	    turn(reader, record, NULL))
		return -ENOMEM;
	return found;
}

int reader_next_counted(struct reader *reader, struct record_stream *stream,
			struct record *record)
{
	int found = reader_next(reader, stream, record);

	if (found > 0 && record->type >= PERFDATA_RECORD_FIRST &&
	    reader_take_late(reader, record))
		return -ENOMEM;
	return found;
}

static uint64_t load_id(const struct reader *reader, const unsigned char *at)
{
	uint64_t id = sample_word(at, 0);

	return reader->stream.swapped ? __builtin_bswap64(id) : id;
}

int reader_event_of_sample(const struct reader *reader,
			   const unsigned char *data, unsigned int size)
{
	int at = reader->id_from_start;

	if (reader->nr_events == 1 || at < 0)
		return 0;
	if (at + sizeof(uint64_t) > size)
		return -1;
	return id_table_find(&reader->ids, load_id(reader, data + at));
}

/* Index of the event of a record; -1 if no event has its id. */
static int event_of(const struct reader *reader, const struct record *record)
{
	int at = reader->id_from_end;
	uint64_t id;

	if (record->type == PERF_RECORD_SAMPLE)
		return reader_event_of_sample(reader, record->data,
					      record->size);
	if (reader->nr_events == 1 || at < 0 ||
	    at + (int)sizeof(id) > record->size)
		return 0;
	id = load_id(reader, record->data + record->size - at);
	/* Synthesized records have id 0: the layout of any event will do. */
	return id ? id_table_find(&reader->ids, id) : 0;
}

/* Find the time of a sample; the rest is parsed where it is needed. */
static bool find_time(const struct reader_event *event, struct record *record)
{
	if (event->time_at < 0)
		return true;
	if (event->time_at + (int)sizeof(record->time) > record->size)
		return false;
	record->time = sample_word(record->data + event->time_at, 0);
	return true;
}

static void tell_anonymous(struct reader *reader, const struct record *sample)
{
	reader->anonymous = false;
	damage_add(reader->damages, sample->offset,
		   "samples have no id: those of all %zu events are counted as %s",
		   reader->nr_events, reader->events[0].name);
}

bool reader_find_event(struct reader *reader, struct record *record)
{
	int event = event_of(reader, record);

	if (reader->anonymous && record->type == PERF_RECORD_SAMPLE)
		tell_anonymous(reader, record);
	if (event < 0) {
		damage_add(reader->damages, record->offset,
			   "record of type %u has an unknown event id",
			   record->type);
		return false;
	}
	record->event = event;
	return true;
}

int reader_identify(struct reader *reader, struct record *record)
{
	const struct reader_event *event;
	struct sample sample;

	record->number = reader->numbered++;
	if (record->type >= PERFDATA_RECORD_FIRST)
		return 1;
	if (!reader_find_event(reader, record))
		return 0;
	event = &reader->events[record->event];
	if (turn(reader, record, &event->attr))
		return -ENOMEM;
	if (record->type != PERF_RECORD_SAMPLE) {
		if (sample_trailer(&event->attr, record, &sample))
			record->time = sample.time;
		return 1;
	}
	if (find_time(event, record))
		return 1;
	damage_add(reader->damages, record->offset,
		   "sample of %u bytes is too short to have a time",
		   record->size);
	return 0;
}

static int give(struct reader *reader, struct record *record, record_fn fn,
		void *context)
{
	int known = reader_identify(reader, record);

	reader_walked(reader, record->size);
	if (known > 0)
		return fn(context, record);
	reader_release(reader, record);
	return known;
}

static void rewind_sources(struct reader *reader)
{
	stream_rewind(&reader->stream);
	for (size_t i = 1; i < reader->nr_lanes; i++)
		stream_rewind(reader->lanes[i].stream);
}

static struct plain plain_samples(const struct reader *reader)
{
	const struct record_stream *stream = &reader->stream;
	struct plain plain = {
		.map = stream->map,
		.end = stream->end,
	};
	int at = reader->events[0].time_at;

	if (!reader->map || reader->nr_lanes > 1 || stream->swapped || at < 0)
		return plain;
	for (size_t i = 1; i < reader->nr_events; i++)
		if (reader->events[i].time_at != at)
			return plain;
	plain.time_at = at;
	return plain;
}

void reader_begin_walk(struct reader *reader)
{
	if (reader->map && reader->walked)
		rewind_sources(reader);
	reader->walked = true;
	reader->numbered = 0;
	reader->plain = plain_samples(reader);
}

/* Deliver the next samples of the file, up to one portion, as long as they are regular. */
static int give_samples(struct reader *reader, record_fn fn, void *context)
{
	const struct plain plain = reader->plain;
	struct record_stream *stream = &reader->stream;
	uint64_t begin = stream->at, at = begin, stop = begin + READER_PORTION;
	struct record record = { .number = reader->numbered };
	struct perf_event_header header;
	int err = 0;

	if (!plain.time_at || stream->inflate.stream)
		return 0;
	while (!err && at < stop && plain_sample(&plain, at, &header)) {
		stream->at = at + header.size;
		if (reader_take_plain(reader, &plain, at, header, &record))
			err = fn(context, &record);
		at += header.size;
		record.number++;
	}
	reader->numbered = record.number;
	reader_walked(reader, at - begin);
	return err ? err : reader_progress(reader);
}

int reader_walk_on(struct reader *reader, record_fn fn, void *context)
{
	struct record record;
	int found, err = 0;

	for (size_t i = 0; i < reader->nr_early && !err; i++)
		err = give(reader, &reader->early[i], fn, context);
	reader->nr_early = 0;
	if (!err && reader->nr_lanes > 1)
		return reader_walk_lanes(reader, fn, context);
	while (!err) {
		err = give_samples(reader, fn, context);
		if (err)
			return err;
		found = reader_next_counted(reader, &reader->stream, &record);
		if (found <= 0)
			return found;
		err = give(reader, &record, fn, context);
		if (!err)
			err = reader_progress(reader);
	}
	return err;
}

int reader_walk(struct reader *reader, record_fn fn, void *context)
{
	int err;

	reader_begin_walk(reader);
	err = reader_walk_on(reader, fn, context);
	reader_tell_missing(reader);
	return err;
}
