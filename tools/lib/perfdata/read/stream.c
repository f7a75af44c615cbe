// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>
#include <unistd.h>

#include "resync.h"
#include "stream.h"
#include "util/array.h"
#include "util/cursor.h"

/* All tracepoints of a kernel are described by a tenth of it. */
#define PAYLOAD_MAX	(64UL << 20)

void source_init(struct source *source, struct chunks *chunks,
		 struct damages *damages)
{
	*source = (struct source){
		.damages = damages,
		.pipe.chunks = chunks,
		.inflate.damages = damages,
		.inflate.window.chunks = chunks,
	};
}

void source_close(struct source *source)
{
	inflate_close(&source->inflate);
	window_close(&source->pipe);
	free(source->payload.owned);
}

void source_set_order(struct source *source, bool swapped)
{
	source->swapped = swapped;
	source->pipe.swapped = swapped;
	source->inflate.window.swapped = swapped;
}

void source_rewind(struct source *source)
{
	source->at = source->begin;
	source->ended = false;
}

static void tell_gap(struct source *source, struct perf_event_header header,
		     uint64_t passed)
{
	damage_add(source->damages, source->base + source->at,
		   "record of type %u with %u bytes does not fit; %" PRIu64
		   " byte%s from here on %s not read", header.type, header.size,
		   passed, kermon_plural(passed), passed == 1 ? "is" : "are");
}

/*
 * The size of the record at @at, @left bytes before the end. If no other can follow
 * it, its size may be a lie: it ends where one begins inside.
 */
static size_t true_size(struct source *source, size_t size, uint64_t left)
{
	const unsigned char *at = source->map + source->at;
	const size_t head = sizeof(struct perf_event_header);
	struct perf_event_header next;
	size_t found;

	if (left - size < head)
		return size;
	next = record_header(at + size, source->swapped);
	if (record_fits(&next, left - size))
		return size;
	found = head + resync(at + head, size - head, left - head,
			      source->swapped);
	if (found < size)
		damage_add(source->damages, source->base + source->at,
			   "record of %zu bytes has another one in it, and is cut off there, after %zu",
			   size, found);
	return found;
}

/* The record at @at, or the first one behind what is none; 0: there are no more. */
static int next_mapped(struct source *source, struct record *record)
{
	uint64_t left = source->end - source->at, passed;
	struct perf_event_header header;

	for (; left >= sizeof(header); left -= passed) {
		header = record_header(source->map + source->at,
				       source->swapped);
		if (record_fits(&header, left)) {
			*record = (struct record){
				.data = source->map + source->at,
				.size = true_size(source, header.size, left),
				.misc = header.misc,
				.type = header.type,
			};
			return 1;
		}
		passed = 1 + resync(source->map + source->at + 1, left - 1,
				    left - 1, source->swapped);
		tell_gap(source, header, passed);
		source->at += passed;
		source->cut_off |= passed == left;
	}
	source->cut_off |= left > 0;
	if (left)
		damage_add(source->damages, source->base + source->at,
			   "%" PRIu64 " byte%s left, too few for a record", left,
			   kermon_plural(left));
	return 0;
}

/* Some more bytes: 1; 0 at the end of the pipe, or -errno. */
static int read_pipe(struct source *source)
{
	unsigned char *to;
	ssize_t size;
	size_t room;

	to = window_room(&source->pipe, &room);
	if (!to)
		return -ENOMEM;
	do {
		size = read(source->fd, to, room);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		return -errno;
	window_fill(&source->pipe, size);
	return size > 0;
}

/*
 * Passes over what are no records. 1; 0: the pipe has come to its end; -errno. As
 * long as it has not, there have to be RESYNC_BYTES to decide by.
 */
static int resync_pipe(struct source *source)
{
	struct window *pipe = &source->pipe;
	struct perf_event_header header = record_header(window_bytes(pipe),
							source->swapped);
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
			       source->swapped);
		if (found < limit || more <= 0)
			break;
		more = read_pipe(source);
	}
	window_skip(pipe, found);
	tell_gap(source, header, passed + found);
	source->at += passed + found;
	return more;
}

static int next_piped(struct source *source, struct record *record)
{
	int found, more = 1;

	while ((found = window_record(&source->pipe, record)) <= 0) {
		if (!found && more <= 0)
			break;
		more = found ? resync_pipe(source) : read_pipe(source);
	}
	if (found > 0)
		return 1;
	if (!more && (window_left(&source->pipe) || source->pipe.skip)) {
		damage_add(source->damages, source->base + source->at,
			   "the pipe ends inside a record");
		source->cut_off = true;
	}
	return more;
}

static uint64_t load(const struct source *source, const struct record *record,
		     size_t size)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint64_t value;

	cursor_take(&c, sizeof(struct perf_event_header));
	value = size == 4 ? cursor_u32(&c) : cursor_u64(&c);
	if (!source->swapped)
		return value;
	return size == 4 ? __builtin_bswap32(value) : __builtin_bswap64(value);
}

/* Bytes behind a record that its header does not count, a multiple of 8. */
static uint64_t payload_size(const struct source *source,
			     const struct record *record)
{
	switch (record->type) {
	case PERFDATA_RECORD_AUXTRACE:
		return load(source, record, 8);
	case PERFDATA_RECORD_HEADER_TRACING_DATA:
		return (load(source, record, 4) + 7) / 8 * 8;
	default:
		return 0;
	}
}

/* Room for as much as has come, not for what is only said to come. 0 or -ENOMEM. */
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

/* From a pipe: 1; 0 if that ends before; or -errno. */
static int read_payload(struct source *source, uint64_t size)
{
	struct window *pipe = &source->pipe;
	size_t room = 0, part;
	int more = 1;

	while (size) {
		part = window_left(pipe) < size ? window_left(pipe) : size;
		if (part && append(&source->payload, &room, window_bytes(pipe),
				   part))
			return -ENOMEM;
		window_skip(pipe, part);
		size -= part;
		if (size)
			more = read_pipe(source);
		if (more <= 0)
			return more;
	}
	return 1;
}

/* What is behind a record is read, if somebody wants it, or passed over: 0 or -errno. */
static int take_payload(struct source *source, const struct record *record)
{
	uint64_t size = payload_size(source, record);
	bool wanted = record->type == PERFDATA_RECORD_HEADER_TRACING_DATA &&
		      size <= PAYLOAD_MAX;
	int whole = size <= source->end - source->at;

	if (!size && !wanted)
		return 0;
	free(source->payload.owned);
	source->payload = (struct payload){ 0 };
	if (whole && wanted && source->map)
		source->payload = (struct payload){
			.bytes = source->map + source->at,
			.size = size,
		};
	else if (wanted && !source->map)
		whole = read_payload(source, size);
	else if (!source->map)
		window_skip(&source->pipe, size);
	source->cut_off |= !whole;
	if (!whole)
		damage_add(source->damages, record->offset,
			   "what belongs to the record does not fit in the file");
	source->at = whole ? source->at + size : source->end;
	return whole < 0 ? whole : 0;
}

int source_next(struct source *source, struct record *record)
{
	int found = inflate_record(&source->inflate, record), err;

	if (found || source->ended)
		return found;
	found = source->map ? next_mapped(source, record) :
			      next_piped(source, record);
	if (found <= 0) {
		source->ended = true;
		inflate_end(&source->inflate);
		return found;
	}
	record->offset = source->base + source->at;
	source->at += record->size;
	err = take_payload(source, record);
	if (err)
		return err;
	return record_is_compressed(record) &&
	       inflate_feed(&source->inflate, record) ? -ENOMEM : 1;
}
