// SPDX-License-Identifier: GPL-2.0
/*
 * Read data from a pipe, which has no sections: events and features are records that
 * precede all samples. They are read when the file is opened.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_name.h"
#include "reader_private.h"
#include "util/array.h"
#include "util/cancel.h"
#include "util/cursor.h"
#include "util/fileio.h"

/* More records cannot be a valid description: limits the memory for damaged files. */
#define MAX_EARLY	(1U << 20)

static struct cursor contents(const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);

	cursor_take(&c, sizeof(struct perf_event_header));
	return c;
}

/* The place for the event of an id; NULL if out of memory. */
static uint32_t *event_of_id(struct early_ids *ids, uint64_t id)
{
	const uint32_t known = ids->numbers.nr, number = numbering_get(&ids->numbers, id);

	if (number == NUMBERING_FULL || array_room(ids->events, ids->room, (size_t)number + 1))
		return NULL;
	if (number == known)
		ids->events[number] = 0;
	return &ids->events[number];
}

/* Remember the ids of the last event; those of an earlier one remain its own. */
static int add_ids(struct reader *reader)
{
	const struct reader_event *event = &reader->events[reader->nr_events - 1];
	uint32_t *number;

	for (size_t i = 0; i < event->nr_ids; i++) {
		number = event_of_id(&reader->early_ids, event->ids[i]);
		if (!number)
			return -ENOMEM;
		if (!*number)
			*number = reader->nr_events;
	}
	return 0;
}

static void forget_ids(struct early_ids *ids)
{
	numbering_free(&ids->numbers);
	free(ids->events);
	*ids = (struct early_ids){ 0 };
}

/* { attr, u64 ids... }; the attr contains its own length. */
static int take_attr(struct reader *reader, const struct record *record)
{
	struct cursor c = contents(record), peek = c;
	const unsigned char *attr;
	uint32_t size;
	int err;

	cursor_u32(&peek);
	size = cursor_u32(&peek);
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	attr = cursor_take(&c, size);
	if (!attr || size < PERF_ATTR_SIZE_VER0) {
		damage_add(reader->damages, record->offset,
			   "the description of an event is too short");
		return 0;
	}
	err = reader_add_event(reader, attr, size, c.at, cursor_left(&c), false);
	return err ? err : add_ids(reader);
}

/* Keep a copy of the rest of @record at @c. */
static int keep_feature(struct feature *feature, const struct record *record,
			const struct cursor *c)
{
	const size_t size = cursor_left(c);
	void *copy = malloc(size);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, c->at, size);
	free(feature->owned);
	feature->owned = copy;
	feature->bytes = copy;
	feature->size = size;
	feature->offset = record->offset;
	return 0;
}

/* { u64 number of the feature, its bytes } */
static int take_feature(struct reader *reader, const struct record *record)
{
	struct cursor c = contents(record);
	uint64_t bit = cursor_u64(&c);

	if (bit >= PERFDATA_FEATURES || !cursor_left(&c) ||
	    reader->features[bit].size)
		return 0;
	return keep_feature(&reader->features[bit], record, &c);
}

/* The payload behind the record is the same as the feature in a file. */
static int take_tracing_data(struct reader *reader, const struct record *record)
{
	struct feature *feature = &reader->features[PERFDATA_TRACING_DATA];
	struct payload *payload = &reader->stream.payload;

	if (feature->size || !payload->size)
		return 0;
	feature->bytes = payload->bytes;
	feature->size = payload->size;
	feature->owned = payload->owned;
	feature->offset = record->offset + record->size;
	payload->owned = NULL;
	return 0;
}

/*
 * KerMon's notes are written before the data and again behind it, when there are more of
 * them. In a file they have been found without reading all records before them.
 */
static int take_notes(struct reader *reader, const struct record *record,
		      const struct cursor *c)
{
	if (reader->ending != READER_OPEN || !cursor_left(c))
		return 0;
	return keep_feature(&reader->features[PERFDATA_KERMON], record, c);
}

static int take_name(struct reader *reader, uint64_t id, struct cursor *c)
{
	const uint32_t *number = event_of_id(&reader->early_ids, id);
	const char *name = cursor_chars(c, cursor_left(c));
	struct reader_event *event;

	if (!number)
		return -ENOMEM;
	event = *number ? &reader->events[*number - 1] : NULL;
	if (!event || event->name || !*name)
		return 0;
	event->name = strdup(name);
	return event->name ? 0 : -ENOMEM;
}

/* { u64 what, u64 id, ... }: only names and notes are used. */
static int take_update(struct reader *reader, const struct record *record)
{
	struct cursor c = contents(record);
	uint64_t what = cursor_u64(&c), id = cursor_u64(&c);

	if (what == PERFDATA_UPDATE_KERMON)
		return take_notes(reader, record, &c);
	return what == PERFDATA_UPDATE_NAME ? take_name(reader, id, &c) : 0;
}

/*
 * { u64 config, name }, from perf 3.x, which omitted the NUL if the name filled the
 * field.
 */
static int take_event_type(struct reader *reader, const struct record *record)
{
	struct cursor c = contents(record);
	uint64_t config = cursor_u64(&c);
	size_t length;
	const char *name = cursor_name(&c, &length);
	char copy[EVENT_NAME_MAX] = "";

	if (name && length < sizeof(copy))
		memcpy(copy, name, length);
	return reader_name_by_config(reader, config, copy);
}

#define NO		NULL
#define TAKE(name)	take_##name
#define KERNEL(...)
#define PERF(number, name, use, ...)	[number - PERFDATA_RECORD_FIRST] = use,
#define FORM(...)

/* Handlers of the records that describe others. */
static int (*const takes[])(struct reader *reader, const struct record *record) = {
	PERFDATA_RECORD_TABLE(KERNEL, PERF, FORM)
};

static int take_description(struct reader *reader, const struct record *record)
{
	uint32_t index = record->type - PERFDATA_RECORD_FIRST;

	if (index >= sizeof(takes) / sizeof(takes[0]) || !takes[index])
		return 0;
	return takes[index](reader, record);
}

/* Counted records begin here: consumers need to know the events by now. */
static bool ends_descriptions(const struct reader *reader,
			      const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
	case PERFDATA_RECORD_FINISHED_ROUND:
	case PERFDATA_RECORD_STAT:
	case PERFDATA_RECORD_AUXTRACE:
	case PERFDATA_RECORD_COMPRESSED:
	case PERFDATA_RECORD_COMPRESSED2:
		return reader->nr_events;
	default:
		return false;
	}
}

/* Keep the records for later delivery, because a pipe cannot be read again. */
static int keep_early(struct reader *reader, const struct record *record)
{
	if (array_room(reader->early, reader->room_early, reader->nr_early + 1))
		return -ENOMEM;
	reader->early[reader->nr_early++] = *record;
	return 0;
}

static int read_early(struct reader *reader)
{
	struct record record;
	bool more = true;
	int found;

	for (size_t nr = 0; more && nr < MAX_EARLY; nr++) {
		found = reader_next(reader, &reader->stream, &record);
		if (found < 0)
			return found;
		if (!found)
			break;
		more = !ends_descriptions(reader, &record);
		if (take_description(reader, &record) ||
		    keep_early(reader, &record))
			return -ENOMEM;
	}
	return 0;
}

int reader_read_descriptions(struct reader *reader)
{
	const int err = read_early(reader);

	forget_ids(&reader->early_ids);
	if (err)
		return err;
	if (reader->nr_events)
		return reader_finish_events(reader);
	damage_add(reader->damages, reader->stream.at, "no event descriptions");
	return -EINVAL;
}

/* Whether the event is known by one of its ids; an event without ids is unknown. */
static bool is_known(const struct reader *reader, const struct record *record)
{
	struct cursor c = contents(record), peek = c;
	uint32_t size;
	bool known;

	cursor_u32(&peek);
	size = cursor_u32(&peek);
	cursor_take(&c, size ? size : PERF_ATTR_SIZE_VER0);
	known = cursor_left(&c) < sizeof(uint64_t);
	while (!known && cursor_left(&c) >= sizeof(uint64_t))
		known = id_table_find(&reader->ids, cursor_u64(&c)) >= 0;
	return known;
}

int reader_take_late(struct reader *reader, const struct record *record)
{
	if (record->type == PERFDATA_RECORD_HEADER_FEATURE)
		return take_feature(reader, record);
	if (record->type == PERFDATA_RECORD_HEADER_TRACING_DATA)
		return take_tracing_data(reader, record);
	if (record_has_notes(record))
		return take_update(reader, record);
	if (record->type == PERFDATA_RECORD_HEADER_ATTR &&
	    !is_known(reader, record))
		damage_add(reader->damages, record->offset,
			   "an event is only described after the first samples and cannot be counted");
	return 0;
}

static int refuse_spool(struct reader *reader, int err)
{
	damage_add(reader->damages, KERMON_NO_OFFSET,
		   "cannot store the data from the pipe in %s: %s (set TMPDIR to use another folder)",
		   temporary_folder(), strerror(-err));
	return -EINVAL;
}

/* Append the rest of the pipe to what has been written. */
static int spool_rest(struct reader *reader, int from, int fd)
{
	char bytes[1 << 16];
	ssize_t nr;
	int err;

	while ((nr = cancel_read(reader->cancel, from, bytes,
				 sizeof(bytes))) > 0) {
		err = write_all(fd, bytes, nr);
		if (err)
			return refuse_spool(reader, err);
	}
	return nr;
}

/* A regular perf.data file sent through a pipe: its sections are read as usual. */
static int spool(struct reader *reader, int from, const void *start,
		 size_t size)
{
	int fd = temporary_file(), err;

	if (fd < 0)
		return refuse_spool(reader, fd);
	err = write_all(fd, start, size);
	err = err ? refuse_spool(reader, err) : spool_rest(reader, from, fd);
	if (!err)
		err = reader_map(reader, fd);
	close(fd);
	return err ? err : reader_parse_header(reader);
}

/* Return: number of bytes, less than @size only at the end; or -errno. */
static ssize_t read_whole(const struct kermon_cancel *cancel, int fd, void *to,
			  size_t size)
{
	size_t done = 0;
	ssize_t nr;

	while (done < size) {
		nr = cancel_read(cancel, fd, (char *)to + done, size - done);
		if (nr < 0)
			return nr;
		if (!nr)
			break;
		done += nr;
	}
	return done;
}

int reader_open_pipe(struct reader *reader, int fd)
{
	struct record_stream *stream = &reader->stream;
	uint64_t header[PERFDATA_PIPE_HEADER_SIZE / sizeof(uint64_t)] = { 0 };
	ssize_t nr = read_whole(reader->cancel, fd, header, sizeof(header));
	int err;

	if (nr < 0)
		return nr;
	if (!nr) {
		damage_add(reader->damages, KERMON_NO_OFFSET,
			   "the pipe is empty: the program that writes to it may have failed");
		return -EINVAL;
	}
	err = reader_check_magic(reader, header[0]);
	if (err)
		return err;
	if (header[1] != PERFDATA_PIPE_HEADER_SIZE &&
	    header[1] != __builtin_bswap64(PERFDATA_PIPE_HEADER_SIZE))
		return spool(reader, fd, header, sizeof(header));
	stream_set_order(stream, header[1] != PERFDATA_PIPE_HEADER_SIZE);
	stream->fd = fd;
	stream->begin = sizeof(header);
	stream->at = sizeof(header);
	stream->end = UINT64_MAX;
	reader->ending = READER_OPEN;
	return reader_read_descriptions(reader);
}
