// SPDX-License-Identifier: GPL-2.0
/*
 * Read consecutive records from the mapped file or a pipe, including decompressed ones,
 * and skip invalid bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <unistd.h>

#include "resync.h"
#include "stream.h"
#include "util/array.h"
#include "util/cancel.h"
#include "util/cursor.h"

/* The descriptions of all tracepoints of a kernel need a tenth of this. */
#define PAYLOAD_MAX	(64UL << 20)

/* Bytes that are searched between two checks for cancellation. */
#define PORTION		(1UL << 20)

void stream_init(struct record_stream *stream, struct chunks *chunks,
		 struct damages *damages, const struct kermon_cancel *cancel)
{
	*stream = (struct record_stream){
		.damages = damages,
		.cancel = cancel,
		.pipe.chunks = chunks,
		.inflate.damages = damages,
		.inflate.window.chunks = chunks,
	};
}

void stream_close(struct record_stream *stream)
{
	inflate_close(&stream->inflate);
	window_close(&stream->pipe);
	free(stream->payload.owned);
}

void stream_set_order(struct record_stream *stream, bool swapped)
{
	stream->swapped = swapped;
	stream->pipe.swapped = swapped;
	stream->inflate.window.swapped = swapped;
}

void stream_rewind(struct record_stream *stream)
{
	stream->at = stream->begin;
	stream->ended = false;
}

static void tell_gap(struct record_stream *stream, struct perf_event_header header,
		     uint64_t passed)
{
	damage_add(stream->damages, stream->base + stream->at,
		   "record of type %u with %u bytes does not fit; %" PRIu64
		   " byte%s from here on %s not read", header.type, header.size,
		   passed, kermon_plural(passed), passed == 1 ? "is" : "are");
}

/*
 * The size of the record at @at, @left bytes before the end. If no valid record follows
 * it, its size may be wrong: let it end where another one begins inside it.
 */
static size_t true_size(struct record_stream *stream, size_t size, uint64_t left)
{
	const unsigned char *at = stream->map + stream->at;
	const size_t head = sizeof(struct perf_event_header);
	struct perf_event_header next;
	size_t found;

	if (left - size < head)
		return size;
	next = record_header(at + size, stream->swapped);
	if (record_fits(&next, left - size))
		return size;
	found = head + resync(at + head, size - head, left - head,
			      stream->swapped);
	if (found < size)
		damage_add(stream->damages, stream->base + stream->at,
			   "record of %zu bytes contains the start of another one and is truncated there, after %zu",
			   size, found);
	return found;
}

/* Search @left bytes. Return: bytes before the next record, or -ECANCELED. */
static int64_t resync_mapped(const struct record_stream *stream,
			     const unsigned char *at, size_t left)
{
	size_t passed = 0, limit, found;
	int err;

	do {
		err = cancel_check(stream->cancel);
		if (err)
			return err;
		limit = left - passed < PORTION ? left - passed : PORTION;
		found = resync(at + passed, limit, left - passed,
			       stream->swapped);
		passed += found;
	} while (found == limit && passed < left);
	return passed;
}

/* The record at @at, or the first one after invalid bytes; 0: there are no more. */
static int next_mapped(struct record_stream *stream, struct record *record)
{
	uint64_t left = stream->end - stream->at, passed;
	struct perf_event_header header;
	int64_t skipped;

	for (; left >= sizeof(header); left -= passed) {
		header = record_header(stream->map + stream->at,
				       stream->swapped);
		if (record_fits(&header, left)) {
			*record = (struct record){
				.data = stream->map + stream->at,
				.size = true_size(stream, header.size, left),
				.misc = header.misc,
				.type = header.type,
			};
			return 1;
		}
		skipped = resync_mapped(stream, stream->map + stream->at + 1,
					left - 1);
		if (skipped < 0)
			return skipped;
		passed = 1 + skipped;
		tell_gap(stream, header, passed);
		stream->at += passed;
		stream->cut_off |= passed == left;
	}
	stream->cut_off |= left > 0;
	if (left)
		damage_add(stream->damages, stream->base + stream->at,
			   "%" PRIu64 " byte%s left, too few for a record", left,
			   kermon_plural(left));
	return 0;
}

/* Read some more bytes. Return: 1; 0 at the end of the pipe; -errno. */
static int read_pipe(struct record_stream *stream)
{
	unsigned char *to;
	ssize_t size;
	size_t room;

	to = window_room(&stream->pipe, &room);
	if (!to)
		return -ENOMEM;
	size = cancel_read(stream->cancel, stream->fd, to, room);
	if (size < 0)
		return size;
	window_fill(&stream->pipe, size);
	return size > 0;
}

/*
 * Skip invalid bytes. Before the end of the pipe, RESYNC_BYTES are needed to decide.
 * Return: 1; 0 at the end of the pipe; -errno.
 */
static int resync_pipe(struct record_stream *stream)
{
	struct window *pipe = &stream->pipe;
	struct perf_event_header header = record_header(window_bytes(pipe),
							stream->swapped);
	size_t left, limit, found = 1;
	uint64_t passed = 0;
	int more = 1;

	for (;;) {
		window_skip(pipe, found);
		passed += found;
		left = window_left(pipe);
		limit = more <= 0 ? left :
			left > RESYNC_BYTES ? left - RESYNC_BYTES : 0;
		found = resync(window_bytes(pipe), limit, left,
			       stream->swapped);
		if (found < limit || more <= 0)
			break;
		more = read_pipe(stream);
		if (more == -ECANCELED)
			return more;
	}
	window_skip(pipe, found);
	tell_gap(stream, header, passed + found);
	stream->at += passed + found;
	return more;
}

static int next_piped(struct record_stream *stream, struct record *record)
{
	int found, more = 1;

	while ((found = window_record(&stream->pipe, record)) <= 0) {
		if (!found && more <= 0)
			break;
		more = found ? resync_pipe(stream) : read_pipe(stream);
	}
	if (found > 0)
		return 1;
	if (!more && (window_left(&stream->pipe) || stream->pipe.skip)) {
		damage_add(stream->damages, stream->base + stream->at,
			   "the pipe ends inside a record");
		stream->cut_off = true;
	}
	return more;
}

static uint64_t load(const struct record_stream *stream, const struct record *record,
		     size_t size)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint64_t value;

	cursor_take(&c, sizeof(struct perf_event_header));
	value = size == 4 ? cursor_u32(&c) : cursor_u64(&c);
	if (!stream->swapped)
		return value;
	return size == 4 ? __builtin_bswap32(value) : __builtin_bswap64(value);
}

/*
 * Number of bytes behind a record that are not included in its header's size, rounded
 * up to 8.
 */
static uint64_t payload_size(const struct record_stream *stream,
			     const struct record *record)
{
	switch (record->type) {
	case PERFDATA_RECORD_AUXTRACE:
		return load(stream, record, 8);
	case PERFDATA_RECORD_HEADER_TRACING_DATA:
		return (load(stream, record, 4) + 7) / 8 * 8;
	default:
		return 0;
	}
}

/*
 * Grow with the data that has arrived, because the stated size may be wrong. Return: 0
 * or -ENOMEM.
 */
static int append(struct payload *payload, size_t *room,
		  const unsigned char *bytes, size_t size)
{
	if (array_room(payload->owned, *room, payload->size + size))
		return -ENOMEM;
	memcpy(payload->owned + payload->size, bytes, size);
	payload->bytes = payload->owned;
	payload->size += size;
	return 0;
}

/* Read from a pipe. Return: 1; 0 if the pipe ends before; -errno. */
static int read_payload(struct record_stream *stream, uint64_t size)
{
	struct window *pipe = &stream->pipe;
	size_t room = 0, part;
	int more = 1;

	while (size) {
		part = window_left(pipe) < size ? window_left(pipe) : size;
		if (part && append(&stream->payload, &room, window_bytes(pipe),
				   part))
			return -ENOMEM;
		window_skip(pipe, part);
		size -= part;
		if (size)
			more = read_pipe(stream);
		if (more <= 0)
			return more;
	}
	return 1;
}

/* Read the payload of a record if it is needed, or else skip it. Return: 0 or -errno. */
static int take_payload(struct record_stream *stream, const struct record *record)
{
	uint64_t size = payload_size(stream, record);
	bool wanted = record->type == PERFDATA_RECORD_HEADER_TRACING_DATA &&
		      size <= PAYLOAD_MAX;
	int whole = size <= stream->end - stream->at;

	if (!size && !wanted)
		return 0;
	free(stream->payload.owned);
	stream->payload = (struct payload){ 0 };
	if (whole && wanted && stream->map)
		stream->payload = (struct payload){
			.bytes = stream->map + stream->at,
			.size = size,
		};
	else if (wanted && !stream->map)
		whole = read_payload(stream, size);
	else if (!stream->map)
		window_skip(&stream->pipe, size);
	if (whole == -ECANCELED)
		return whole;
	stream->cut_off |= !whole;
	if (!whole)
		damage_add(stream->damages, record->offset,
			   "the payload of the record exceeds the file");
	stream->at = whole ? stream->at + size : stream->end;
	return whole < 0 ? whole : 0;
}

int stream_next(struct record_stream *stream, struct record *record)
{
	int found = inflate_record(&stream->inflate, record), err;

	if (found || stream->ended)
		return found;
	found = stream->map ? next_mapped(stream, record) :
			      next_piped(stream, record);
	if (found <= 0) {
		stream->ended = true;
		inflate_end(&stream->inflate);
		return found;
	}
	record->offset = stream->base + stream->at;
	stream->at += record->size;
	err = take_payload(stream, record);
	if (err)
		return err;
	return record_is_compressed(record) &&
	       inflate_feed(&stream->inflate, record) ? -ENOMEM : 1;
}
