// SPDX-License-Identifier: GPL-2.0
/* One record after the other: which event it belongs to, and its time. */
#include <string.h>

#include "reader_private.h"
#include "sample.h"

static uint64_t load_u64(const unsigned char *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

/* Index of the event that a record belongs to; -1 if there is none with its id. */
static int event_of(const struct reader *reader, const struct record *record)
{
	bool is_sample = record->type == PERF_RECORD_SAMPLE;
	int at = is_sample ? reader->id_from_start : reader->id_from_end;
	uint64_t id;

	if (reader->nr_events == 1 || at < 0)
		return 0;
	if (at + (int)sizeof(id) > record->size)
		return is_sample ? -1 : 0;
	id = load_u64(record->data + (is_sample ? at : record->size - at));
	/* What a tool synthesized has an id of 0: any event's layout will do. */
	if (!id && !is_sample)
		return 0;
	return id_table_find(&reader->ids, id);
}

/* Time of a sample; the rest of it is taken apart by whoever needs it. */
static bool find_time(const struct reader_event *event, struct record *record)
{
	if (event->time_at < 0)
		return true;
	if (event->time_at + (int)sizeof(record->time) > record->size)
		return false;
	record->time = load_u64(record->data + event->time_at);
	return true;
}

/* Finds out which event and what time; false if the record makes no sense. */
static bool identify(struct reader *reader, struct record *record)
{
	struct sample sample;
	int event;

	if (record->type >= PERFDATA_RECORD_FIRST)
		return true;
	event = event_of(reader, record);
	if (event < 0) {
		damage_add(reader->damages, record->offset,
			   "record of type %u has an id that no event has",
			   record->type);
		return false;
	}
	record->event = event;
	if (record->type != PERF_RECORD_SAMPLE) {
		if (sample_trailer(&reader->events[event].attr, record,
				   &sample))
			record->time = sample.time;
		return true;
	}
	if (find_time(&reader->events[event], record))
		return true;
	damage_add(reader->damages, record->offset,
		   "sample of %u bytes is too short to have a time",
		   record->size);
	return false;
}

static int give(struct reader *reader, struct record *record, record_fn fn,
		void *context)
{
	if (identify(reader, record))
		return fn(context, record);
	reader_release(reader, record);
	return 0;
}

int reader_walk(struct reader *reader, record_fn fn, void *context)
{
	struct record record;
	int found, err = 0;

	if (reader->map && reader->walked)
		source_rewind(&reader->source);
	reader->walked = true;
	for (size_t i = 0; i < reader->nr_early && !err; i++)
		err = give(reader, &reader->early[i], fn, context);
	reader->nr_early = 0;
	while (!err && (found = source_next(&reader->source, &record))) {
		if (found < 0)
			return found;
		err = give(reader, &record, fn, context);
	}
	return err;
}
