// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "cursor.h"
#include "source.h"

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

/* The record at @at, or 0 if none can be there. */
static int next_mapped(struct source *source, struct record *record)
{
	uint64_t left = source->end - source->at;
	struct perf_event_header header;

	if (!left)
		return 0;
	if (left < sizeof(header)) {
		damage_add(source->damages, source->base + source->at,
			   "%" PRIu64 " bytes left, too few for a record", left);
		return 0;
	}
	header = record_header(source->map + source->at, source->swapped);
	if (header.size < sizeof(header) || header.size > left) {
		damage_add(source->damages, source->base + source->at,
			   "record of type %u with %u bytes does not fit; %" PRIu64
			   " bytes from here on are not read",
			   header.type, header.size, left);
		return 0;
	}
	*record = (struct record){
		.data = source->map + source->at,
		.size = header.size,
		.misc = header.misc,
		.type = header.type,
	};
	return 1;
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

static int next_piped(struct source *source, struct record *record)
{
	uint64_t offset = source->base + source->at;
	int found, more = 1;

	while (!(found = window_record(&source->pipe, record)) && more > 0)
		more = read_pipe(source);
	if (found > 0)
		return 1;
	if (found < 0)
		damage_add(source->damages, offset,
			   "no record can begin here; the rest of the pipe is not read");
	else if (more < 0)
		return more;
	else if (window_left(&source->pipe) || source->pipe.skip)
		damage_add(source->damages, offset,
			   "the pipe ends inside a record");
	return 0;
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

static void skip_payload(struct source *source, const struct record *record)
{
	uint64_t size = payload_size(source, record);

	if (!source->map)
		window_skip(&source->pipe, size);
	if (size <= source->end - source->at) {
		source->at += size;
		return;
	}
	damage_add(source->damages, record->offset,
		   "what belongs to the record does not fit in the file");
	source->at = source->end;
}

int source_next(struct source *source, struct record *record)
{
	int found = inflate_record(&source->inflate, record);

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
	skip_payload(source, record);
	return record_is_compressed(record) &&
	       inflate_feed(&source->inflate, record) ? -ENOMEM : 1;
}
