// SPDX-License-Identifier: GPL-2.0
/*
 * A sliding window over bytes that arrive in pieces, from a pipe or a decompressor;
 * whole records are taken from its front.
 */
#include <errno.h>
#include <string.h>

#include "window.h"

/* Minimum room that is offered: the longest record. */
#define ROOM_MIN	(UINT16_MAX + 1UL)

void window_close(struct window *window)
{
	chunks_release(window->chunks, window->chunk);
	window->chunk = 0;
}

/* Continue in a new chunk, starting with the bytes that have not been consumed. */
static int next_chunk(struct window *window)
{
	uint32_t number = chunks_new(window->chunks);
	size_t left = window_left(window);

	if (!number)
		return -ENOMEM;
	if (left)
		memcpy(chunks_bytes(window->chunks, number),
		       chunks_bytes(window->chunks, window->chunk) +
		       window->begin, left);
	chunks_release(window->chunks, window->chunk);
	window->chunk = number;
	window->begin = 0;
	window->end = left;
	return 0;
}

unsigned char *window_room(struct window *window, size_t *room)
{
	if ((!window->chunk || CHUNK_SIZE - window->end < ROOM_MIN) &&
	    next_chunk(window))
		return NULL;
	*room = CHUNK_SIZE - window->end;
	return chunks_bytes(window->chunks, window->chunk) + window->end;
}

int window_reserve(struct window *window, uint64_t size)
{
	if (!window->chunk || size <= CHUNK_SIZE - window->end ||
	    size > CHUNK_SIZE - window_left(window))
		return 0;
	return next_chunk(window);
}

void window_skip(struct window *window, uint64_t size)
{
	uint64_t now = window_left(window);

	if (now > size)
		now = size;
	window->begin += now;
	window->skip = size - now;
}

void window_fill(struct window *window, size_t size)
{
	window->end += size;
	if (window->skip)
		window_skip(window, window->skip);
}

/* Like window_record(), but leave the record where it is. */
static int peek(const struct window *window, struct perf_event_header *header)
{
	if (window_left(window) < sizeof(*header))
		return 0;
	*header = record_header(window_bytes(window), window->swapped);
	if (header->size < sizeof(*header))
		return -EINVAL;
	return header->size <= window_left(window);
}

bool window_has_record(const struct window *window)
{
	struct perf_event_header header;

	return peek(window, &header);
}

int window_record(struct window *window, struct record *record)
{
	struct perf_event_header header;
	int found = peek(window, &header);

	if (found <= 0)
		return found;
	*record = (struct record){
		.data = window_bytes(window),
		.size = header.size,
		.misc = header.misc,
		.type = header.type,
		.chunk = window->chunk,
	};
	chunks_hold(window->chunks, window->chunk);
	window->begin += header.size;
	return 1;
}
